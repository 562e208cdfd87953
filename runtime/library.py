"""C text -> a loaded library, through the cache; and weights -> memory that is shared with the file."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np

from ..errors import RunError
from .arrays import ALIGNMENT, Array, aligned_bytes
from .cache import Cache, default_cache
from .model import Model
from .spec import Program
from .toolchain import compile_library, find_compiler, key_of


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
    with cache.working_folder() as folder:
        made = compile_library(program, compiler, folder)
        # Loaded before it is moved: nobody can delete it in between.
        library = ctypes.CDLL(str(made))
        cache.publish(made, name)
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
    with cache.working_folder() as folder:
        made = folder / name
        try:
            made.write_bytes(weights)
        except OSError:
            return _copy(weights)
        mapped = _map(made)
        cache.publish(made, name)
        return mapped


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
