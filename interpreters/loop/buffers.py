"""The memory of the loop interpreter: flat sequences of elements that know which of them were written."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation

from ...dialects.element_types import dtype_of
from ...dialects.loop import AssertOp
from ...dialects.origin import located
from ...errors import RunError

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

Buffer: TypeAlias = Any
"""
What holds the elements of a memref, row-major: `buffer[k]` is an element or None, `buffer[k] = v` sets one, `len`.

A list; an array where the contents are complete and large; a `View` where bytes are shared.
"""

LIST_LIMIT = 1 << 20
"""An array with more elements is not unfolded into a list of scalars."""


class Workspace:
    """Bytes, and which of them were written."""

    def __init__(self, data: Array, written: Array):
        self.data = data
        self.written = written

    @staticmethod
    def of_size(size: int) -> Workspace:
        """New bytes, none written."""
        return Workspace(np.zeros(size, np.uint8), np.zeros(size, np.bool_))

    def __len__(self) -> int:
        return len(self.data)


class View(Workspace):
    """Elements of one dtype in a part of a workspace; whoever shares the bytes sees what is stored."""

    def __init__(self, data: Array, written: Array, dtype: np.dtype[Any]):
        super().__init__(data, written)
        self.elements = data.view(dtype)
        # an element counts as written where its first byte does
        self.set = written.data[:: dtype.itemsize]
        self._whole = written.reshape(-1, dtype.itemsize)

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, k: int) -> Any:
        return self.elements[k] if self.set[k] else None

    def __setitem__(self, k: int, value: Any) -> None:
        self.elements[k] = value
        if not self.set[k]:
            self._whole[k] = True


def view(op: Operation, workspace: Any, offset: int, dtype: np.dtype[Any], *sizes: int) -> View:
    """Elements at a byte offset of a workspace, as many as dims of these sizes have."""
    if not isinstance(workspace, Workspace):
        raise RunError(located(op, "a view needs the workspace of the function, and this buffer is another one"))
    count = _elements(op, sizes)
    end = offset + count * dtype.itemsize
    if not 0 <= offset <= end <= len(workspace.data):
        raise RunError(located(op, f"bytes {offset} to {end} of a workspace of {len(workspace.data)} bytes"))
    if offset % dtype.itemsize:
        raise RunError(located(op, f"byte {offset} is not aligned for elements of {dtype.itemsize} bytes"))
    return View(workspace.data[offset:end], workspace.written[offset:end], dtype)


def allocate(op: Operation, *sizes: int) -> Buffer:
    """A new buffer with nothing written."""
    return [None] * _elements(op, sizes)


def _elements(op: Operation, sizes: Sequence[int]) -> int:
    """How many elements a buffer of these dims has."""
    if any(size < 0 for size in sizes):
        raise RunError(located(op, f"a size is negative: {list(sizes)}"))
    return prod(sizes)


def check_dim(op: Operation, name: str, value: int) -> None:
    """What a function is called with as a dim is a size: its accesses are checked on these terms."""
    if value < 0:
        raise RunError(located(op, f"the dim '{name}' of the function that is called would be {value}"))


def check_size(op: Operation, buffer: Buffer, *dims: int) -> None:
    """A buffer has as many elements as its declared dims say."""
    if any(dim < 0 for dim in dims) or prod(dims) != len(buffer):
        raise RunError(located(op, f"a buffer of {len(buffer)} elements, but its dims are {list(dims)}"))


def from_array(array: Array, type: Attribute) -> Buffer:
    """The elements of an array as a buffer of its own, of elements of that type; indices are plain integers."""
    if isinstance(type, IndexType):
        return array.reshape(-1).tolist()
    if array.size > LIST_LIMIT:
        return array.reshape(-1).copy()
    return list(array.reshape(-1))


def to_array(op: Operation, buffer: Buffer, dtype: np.dtype[Any], shape: Sequence[int], what: str) -> Array:
    """The elements of a buffer as an array; all of them must have been written when `op` is done."""
    for k, element in enumerate(buffer):
        if element is None:
            raise RunError(located(op, f"{what} is not written at {_position(k, shape)}"))
    array = np.empty(len(buffer), dtype)
    array[:] = buffer
    return array.reshape(shape)


def _position(k: int, dims: Sequence[int]) -> list[int]:
    return [int(n) for n in np.unravel_index(k, tuple(dims))]


def zero(type: Attribute) -> Any:
    """A scalar of that type."""
    return 0 if isinstance(type, IndexType) else dtype_of(type).type(0)


def outside(op: Operation, what: str, indices: Sequence[int], dims: Sequence[int]) -> RunError:
    """The error of an access that is not in its buffer."""
    return RunError(located(op, f"{what} at {list(indices)} is outside of its dims {list(dims)}"))


def fault(op: AssertOp) -> RunError:
    """The error of an assertion that does not hold."""
    return RunError(located(op, op.message.data))


def unset(op: Operation, what: str, k: int, dims: Sequence[int]) -> RunError:
    """The error of a read of what was never written."""
    return RunError(located(op, f"{what} at {_position(k, dims)} is read, but nothing was written there"))


def quotient(a: int, b: int) -> int:
    """`a floordiv b` of index expressions: 0 where `b` is 0."""
    return a // b if b else 0


def remainder(a: int, b: int) -> int:
    """`a mod b` of index expressions: 0 where `b` is 0."""
    return a % b if b else 0
