"""Between NumPy arrays and what C takes: checks of shape and dtype, dims from shapes, addresses."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

from ..errors import RunError
from .spec import TensorSpec, formula, named

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

ALIGNMENT = 64
"""Bytes: a cache line, and the widest vector there is."""


def dtype_of(name: str) -> np.dtype[Any]:
    """The dtype with this name, of NumPy or of `ml_dtypes`."""
    return np.dtype(getattr(ml_dtypes, name, name))


class Input:
    """One parameter of a model: makes an array of what is passed, or says why it cannot."""

    def __init__(self, spec: TensorSpec, dims: Sequence[str]):
        self.spec = spec
        self.dtype = dtype_of(spec.dtype)
        self.rank = len(spec.shape)
        self.shape = spec.shape
        texts = [(axis, size) for axis, size in enumerate(spec.shape) if isinstance(size, str)]
        self.names = [(axis, named(size)) for axis, size in texts if named(size) in dims]
        self.formulas = [(axis, formula(size)) for axis, size in texts if named(size) not in dims]

    def accept(self, value: object) -> Array:
        """`value` as an array that C can read in place: no copy if it is one already."""
        if type(value) is np.ndarray and value.dtype is self.dtype and value.shape == self.shape:
            flags = value.flags
            if flags.c_contiguous and flags.aligned:
                return value
        return self._convert(value)

    def _convert(self, value: object) -> Array:
        try:
            array: Array = np.asarray(value)
        except (TypeError, ValueError) as error:
            raise RunError(f"input '{self.spec.name}' is no array of {self.spec.dtype}: {error}") from error
        if array.dtype.newbyteorder("=") != self.dtype:
            raise RunError(f"input '{self.spec.name}' has dtype {array.dtype}: expected {self.spec.dtype}")
        if array.ndim != self.rank or any(
            isinstance(size, int) and size != found for size, found in zip(self.shape, array.shape, strict=True)
        ):
            raise RunError(f"input '{self.spec.name}' has shape {array.shape}: expected {self}")
        return np.require(array, self.dtype, ["C", "A"])

    def bind(self, array: Array, dims: dict[str, int], origins: dict[str, str]) -> None:
        """Take the sizes of named dims from `array`; the same name must mean the same size everywhere."""
        for axis, name in self.names:
            size = array.shape[axis]
            if dims.setdefault(name, size) != size:
                raise RunError(
                    f"dim '{name}' is {dims[name]} by {origins[name]}, and {size} by axis {axis} of '{self.spec.name}'"
                )
            origins.setdefault(name, f"axis {axis} of '{self.spec.name}'")

    def check(self, array: Array, dims: Mapping[str, int]) -> None:
        """Where a size is a formula over dims: that it holds."""
        for axis, size in self.formulas:
            if array.shape[axis] != size(dims):
                raise RunError(
                    f"input '{self.spec.name}' has shape {array.shape}: expected {self}, "
                    f"which is {size(dims)} at axis {axis}"
                )

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.shape))}{',' if self.rank == 1 else ''})"


class Output:
    """One result of a model: makes the array it is written to."""

    def __init__(self, spec: TensorSpec, dims: Sequence[str]):
        self.dtype = dtype_of(spec.dtype)
        self.spec = spec
        self.sizes = [
            size if isinstance(size, int) else itemgetter(named(size)) if named(size) in dims else formula(size)
            for size in spec.shape
        ]
        static = [size for size in spec.shape if isinstance(size, int)]
        self.static = tuple(static) if len(static) == len(spec.shape) else None

    def allocate(self, dims: Mapping[str, int]) -> Array:
        """An array of the right shape; its content is arbitrary."""
        shape = self.static
        if shape is None:
            shape = tuple(size if isinstance(size, int) else size(dims) for size in self.sizes)
            if any(size < 0 for size in shape):
                raise RunError(f"output '{self.spec.name}' would have shape {shape}")
        try:
            return np.empty(shape, self.dtype)
        except (MemoryError, ValueError) as error:
            raise RunError(f"no memory for output '{self.spec.name}' of shape {shape}") from error


_from_buffer: Callable[[Any], ctypes.c_ubyte] = ctypes.c_ubyte.from_buffer


def pointer_to(array: Array) -> ctypes.c_ubyte:
    """The first byte of an array, to be passed by reference. Four times quicker than `array.ctypes`."""
    try:
        return _from_buffer(array)
    except (TypeError, ValueError, BufferError):
        # Read-only, empty, or of a dtype that the buffer protocol cannot say.
        return ctypes.c_ubyte.from_address(array.ctypes.data)


def aligned_bytes(size: int) -> Array:
    """`size` bytes that begin at a multiple of `ALIGNMENT`."""
    try:
        block = np.empty(size + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError) as error:
        raise RunError(f"no memory for a workspace of {size} bytes") from error
    start = -block.ctypes.data % ALIGNMENT
    return block[start : start + size]
