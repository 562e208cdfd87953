"""Files that the command lines read and write. A folder gets all of its files or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RunError
from .reporting import UsageError

if TYPE_CHECKING:
    import numpy as np

    from ..emitters.c import Source


def write_source(source: Source, folder: Path) -> list[Path]:
    """Write the C, its header, the weights and a small `main` into `folder`; returns their paths."""
    from ..compiler import entry_named
    from ..emitters.c.example_main import main_text

    files: dict[str, bytes] = {f"{source.name}.c": source.code.encode(), f"{source.name}.h": source.header.encode()}
    if source.weights is not None:
        files[f"{source.name}.weights"] = source.weights
    if source.entries:
        files[f"{source.name}_main.c"] = main_text(source, entry_named(source, None)).encode()
    return write_files(files, folder)


def write_files(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write files into a folder: first beside their places, and when all are there, into them."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".stepwell-", dir=folder) as staging:
        for name, content in files.items():
            (Path(staging) / name).write_bytes(content)
        for name in files:
            os.replace(Path(staging) / name, folder / name)
    return [folder / name for name in files]


def read_inputs(words: Sequence[str], names: Sequence[str]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of `[NAME=]FILE` words; those without a name go to the inputs in order."""
    import numpy as np

    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for word in words:
        name, equals, path = word.rpartition("=")
        if not equals:
            name = next((n for n in names if n not in arrays), "")
        if name not in names or name in arrays:
            raise UsageError(f"--input {word}: the inputs are {', '.join(names) or 'none'}, and each is given once")
        try:
            arrays[name] = np.load(path, allow_pickle=False)
        except ValueError as error:
            raise RunError(f"{path}: error: not a .npy file of numbers ({error})") from error
    if missing := [name for name in names if name not in arrays]:
        raise UsageError(f"no --input for '{missing[0]}': the inputs are {', '.join(names)}")
    return arrays


def write_arrays(arrays: Mapping[str, np.ndarray[Any, Any]], folder: Path) -> None:
    """Write each array as `NAME.npy`, with what a file name cannot have replaced."""
    import io

    import numpy as np

    files: dict[str, bytes] = {}
    for number, (name, array) in enumerate(arrays.items()):
        content = io.BytesIO()
        np.save(content, array, allow_pickle=False)
        safe = "".join(c if c.isalnum() or c in "._-" else "_" for c in name).lstrip(".") or f"output{number}"
        stem = f"{safe}.npy" if f"{safe}.npy" not in files else f"{safe}_{number}.npy"
        files[stem] = content.getvalue()
    write_files(files, folder)
