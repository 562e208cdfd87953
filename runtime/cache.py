"""
A folder of files named by the hash of what they were made of.

Any number of processes may use it at once, and anybody may delete from it at any time: a file appears whole or not at
all, and what is missing is made again.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

LIMIT = 1 << 30
"""Bytes that the folder may hold; beyond that, what was not used for longest goes."""

STALE = 3600
"""Seconds after which a working folder is taken for the leftover of a process that died."""

_WORKING = "making-"


@dataclass(frozen=True)
class Cache:
    """The cache in `folder`."""

    folder: Path
    limit: int = LIMIT

    def find(self, name: str) -> Path | None:
        """The file of this name, if there is one; it counts as used now."""
        path = self.folder / name
        try:
            os.utime(path)
        except FileNotFoundError:
            return None
        except OSError:
            # Not ours to mark as used: still good to read.
            return path if path.is_file() else None
        return path

    def publish(self, made: Path, name: str) -> Path:
        """Move the file `made` into the cache. Where that cannot be, it stays where it is."""
        path = self.folder / name
        try:
            os.replace(made, path)
        except OSError:
            return made
        self._shrink(path)
        return path

    @contextmanager
    def working_folder(self) -> Generator[Path]:
        """A folder of one's own, on the same disk if possible, gone afterwards."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder = tempfile.mkdtemp(prefix=_WORKING, dir=self.folder)
        except OSError:
            folder = tempfile.mkdtemp(prefix="stepwell-")
        try:
            yield Path(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _shrink(self, newest: Path) -> None:
        """Delete what was used longest ago until the rest fits; never `newest`."""
        entries: list[tuple[float, int, Path]] = []
        try:
            paths = list(self.folder.iterdir())
        except OSError:
            return  # deleted in between
        for path in paths:
            with suppress(OSError):
                state = path.stat()
                if path.name.startswith(_WORKING):
                    if time.time() - state.st_mtime > STALE:
                        shutil.rmtree(path, ignore_errors=True)
                elif path != newest:
                    entries.append((state.st_mtime, state.st_size, path))
                else:
                    entries.append((float("inf"), state.st_size, path))
        total = sum(size for _, size, _ in entries)
        for used, size, path in sorted(entries):
            if total <= self.limit or used == float("inf"):
                return
            with suppress(OSError):
                path.unlink()
            total -= size


def default_cache() -> Cache:
    """The cache in `$STEPWELL_CACHE`, else in the user's folder for caches."""
    # The loader searches its own path for a name without a folder, such as a file of the cache `.`.
    return Cache(_folder().absolute())


def _folder() -> Path:
    if wanted := os.environ.get("STEPWELL_CACHE"):
        return Path(wanted)
    try:
        home = Path.home()
    except RuntimeError:
        return _folder_without_home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "stepwell"
    wanted = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (wanted if wanted.is_absolute() else home / ".cache") / "stepwell"  # a relative one is to be ignored


def _folder_without_home() -> Path:
    """
    A folder among the temporary ones, where anybody may make one of this name.

    What is in the cache is executed: a folder that is not one's own is not taken.
    """
    folder = Path(tempfile.gettempdir()) / f"stepwell-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700)
    try:
        state = folder.lstat()
    except OSError:
        return folder
    own = stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o022
    return folder if own else Path(tempfile.mkdtemp(prefix="stepwell-"))
