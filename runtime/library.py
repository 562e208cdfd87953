"""C text -> a loaded library, through the cache; and weights -> memory that is shared with the file."""

from __future__ import annotations

import ctypes
import shlex
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np

from ..errors import CompilerError, RunError
from .arrays import ALIGNMENT, Array, aligned_bytes
from .cache import Cache, default_cache
from .model import Model
from .spec import Program
from .toolchain import compile_library, find_compiler, key_of, source_of


def load(program: Program) -> Model:
    """
    Compile `program`, unless it is in the cache, and load it.

    Raises `CompilerError` where there is no C compiler or it refuses.
    """
    cache = default_cache()
    weights = None if program.weights is None else map_weights(program.weights, cache)
    return Model(program.spec, load_library(program, cache), weights)


def load_library(program: Program, cache: Cache) -> ctypes.CDLL:
    """The library of `program`, compiled if need be."""
    compiler = find_compiler()
    name = f"{key_of(program, compiler)}.so"
    if (found := cache.find(name)) is not None:
        try:
            return ctypes.CDLL(str(found))
        except OSError:
            pass  # deleted in between, or not whole after a crash of the machine: made again
    try:
        with cache.working_folder() as folder:
            try:
                return _make(program, compiler, folder, cache, name)
            except CompilerError:
                if source_of(program, folder).is_file():
                    raise
        # Somebody deletes from the cache while it is written to: made where nobody does.
        with tempfile.TemporaryDirectory(prefix="stepwell-") as folder:
            return _make(program, compiler, Path(folder), cache, name)
    except OSError as error:
        raise CompilerError(f"no folder to compile '{program.spec.name}' in: {error}") from error


def _make(program: Program, compiler: Sequence[str], folder: Path, cache: Cache, name: str) -> ctypes.CDLL:
    made = compile_library(program, compiler, folder)
    # Loaded before it is moved: nobody can delete it in between.
    library = _open(made, program, compiler)
    cache.publish(made, name)
    return library


def _open(made: Path, program: Program, compiler: Sequence[str]) -> ctypes.CDLL:
    """The library in a file that the compiler has just made; it has the functions of the program."""
    what = f"what the C compiler '{shlex.join(compiler)}' made"
    try:
        library = ctypes.CDLL(str(made))
    except OSError as error:
        raise CompilerError(
            f"{what} cannot be loaded here: {error}. Is it a compiler for this machine, "
            "and may code in the cache folder be executed?"
        ) from error
    for function in (program.spec.run, program.spec.workspace_size):
        if not hasattr(library, function):
            raise CompilerError(f"{what} does not let '{function}' be called")
    return library


def map_weights(weights: bytes | Path, cache: Cache) -> Array:
    """Weights as read-only memory: a map of their file, which bytes are first written to."""
    if isinstance(weights, Path):
        return _map(weights)
    name = f"{sha256(weights).hexdigest()}.weights"
    if (found := cache.find(name)) is not None:
        with suppress(OSError, RunError):  # deleted in between: made again
            if found.stat().st_size == len(weights):
                return _map(found)
    try:
        with cache.working_folder() as folder:
            made = folder / name
            made.write_bytes(weights)
            mapped = _map(made)
            cache.publish(made, name)
            return mapped
    except (OSError, RunError):
        return _copy(weights)  # nowhere to write, or deleted in between


def _map(path: Path) -> Array:
    try:
        if path.stat().st_size == 0:
            return _copy(b"")
        return np.memmap(path, np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: error: the weights cannot be read: {error}") from error


def _copy(weights: bytes) -> Array:
    memory = aligned_bytes(max(len(weights), ALIGNMENT))
    memory[: len(weights)] = np.frombuffer(weights, np.uint8)
    return memory
