"""Files that the command lines read and write. A folder gets all of its files or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .reporting import UsageError

if TYPE_CHECKING:
    import numpy as np

    from ..emitters.c import Source


def write_source(source: Source, folder: Path) -> list[Path]:
    """Write the C, its header, the weights and a small `main` for each entry into `folder`; returns their paths."""
    from ..emitters.c.example_main import main_text

    files: dict[str, bytes] = {f"{source.name}.c": source.code.encode(), f"{source.name}.h": source.header.encode()}
    if source.weights is not None:
        files[f"{source.name}.weights"] = source.weights
    for entry in source.entries:
        stem = source.name if len(source.entries) == 1 else f"{source.name}_{entry.function}"
        files[f"{stem}_main.c"] = main_text(source, entry).encode()
    return write_files(files, folder)


def write_files(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write files into a folder: first beside their places, and when all are there, into them."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: error: this is a file; the output is a folder")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".stepwell-", dir=folder) as staging:
        for name, content in files.items():
            (Path(staging) / name).write_bytes(content)
        for name in files:
            os.replace(Path(staging) / name, folder / name)
    return [folder / name for name in files]


def write_arrays(names: Sequence[str], arrays: Sequence[np.ndarray[Any, Any]], folder: Path) -> list[Path]:
    """Write each array as `NAME.npy`, with what a file name cannot have replaced; returns the paths."""
    import io

    import numpy as np

    files: dict[str, bytes] = {}
    for number, (name, array) in enumerate(zip(names, arrays, strict=True)):
        content = io.BytesIO()
        np.save(content, array, allow_pickle=False)
        safe = "".join(c if c.isalnum() or c in "._-" else "_" for c in name).lstrip(".") or f"output{number}"
        stem = f"{safe}.npy" if f"{safe}.npy" not in files else f"{safe}_{number}.npy"
        files[stem] = content.getvalue()
    return write_files(files, folder)
