"""The host's C compiler: finding it, and turning a text into a shared library."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..errors import CompilerError
from .spec import Program

FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno")
"""Always given. Contraction would round once where the program says twice; errno is never read."""

SHOWN_LINES = 20
"""How much of what a compiler says goes into an error."""

VERSION = "1"
"""Part of every key: raised when what a library must hold changes."""


def find_compiler() -> tuple[str, ...]:
    """The command of the C compiler: `$CC`, else `cc`, `gcc` or `clang`, whichever there is."""
    if wanted := os.environ.get("CC", "").strip():
        try:
            command = tuple(shlex.split(wanted))
        except ValueError as error:
            raise CompilerError(f"CC is '{wanted}', which is no command: {error}") from error
        if shutil.which(command[0]) is None:
            raise CompilerError(f"CC is '{wanted}', and there is no program '{command[0]}'; {_WITHOUT}")
        # It runs in a folder of its own, from where a relative path leads elsewhere.
        return (os.path.abspath(command[0]), *command[1:]) if os.sep in command[0] else command
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return (name,)
    raise CompilerError(f"no C compiler: neither cc, gcc nor clang is on the PATH, and CC is not set; {_WITHOUT}")


_WITHOUT = "install one or set CC. Without one, `stepwell.run` interprets a model, slowly"


def source_of(program: Program, folder: Path) -> Path:
    """Where the C of `program` stands while it is compiled in `folder`."""
    return folder / f"{program.spec.name}.c"


def compile_library(program: Program, compiler: Sequence[str], folder: Path) -> Path:
    """The shared library of `program`, made in `folder`. `CompilerError` holds the command and its first words."""
    source = source_of(program, folder)
    try:
        source.write_text(program.source, encoding="utf-8")
        if program.header:
            source.with_suffix(".h").write_text(program.header, encoding="utf-8")
    except OSError as error:
        raise CompilerError(f"no place for the C of '{program.spec.name}': {error}") from error
    library = folder / f"{program.spec.name}.so"
    # The folder is where it runs: relative names keep its random name out of what the compiler writes.
    command = [*compiler, *FLAGS, *program.flags, "-o", library.name, source.name, "-lm"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CompilerError(f"the C compiler does not start: {shlex.join(command)}: {error.strerror}") from error
    if done.returncode or not library.is_file():
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:SHOWN_LINES])
        raise CompilerError(f"the C compiler ended with {done.returncode}: {shlex.join(command)}\n{said}")
    return library


def key_of(program: Program, compiler: Sequence[str]) -> str:
    """A name for the library that this compiler makes of this program: the same for the same bytes."""
    digest = sha256()
    for part in (
        VERSION,
        _identity(os.path.realpath(shutil.which(compiler[0]) or compiler[0]), tuple(compiler)),
        platform.machine(),
        *FLAGS,
        *program.flags,
        program.spec.name,
        program.header,
        program.source,
    ):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


@cache
def _identity(path: str, compiler: tuple[str, ...]) -> str:
    """What tells one compiler from another, or from itself after an update: its path and its version."""
    try:
        version = subprocess.run(
            [*compiler, "--version"], capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise CompilerError(f"the C compiler does not start: {path}: {error.strerror}") from error
    return f"{path} {compiler[1:]} {version.stdout}"
