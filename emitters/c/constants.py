"""`loop.global`s: arrays in the C, or places in one binary file of weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType
from xdsl.ir import Attribute

from ...dialects import loop
from ...dialects.array import ConstantArrayAttr
from ...dialects.element_types import dtype_of
from ...errors import VerifyError
from .file import File
from .func import WEIGHTS
from .literals import array_literals
from .types import element_text

ALIGNMENT = 64
"""Of every array, in the C and in the file."""

INLINE_LIMIT = 64 << 10
"""Bytes of all arrays together up to which they stand in the C: as text they are some five times as large."""

SMALL = 1 << 10
"""Bytes up to which an array stands in the C where they are more together."""

_PER_LINE = 8


def _element(op: loop.GlobalOp) -> Attribute:
    type: MemRefType[Attribute] = op.type
    return type.element_type


def array_of(op: loop.GlobalOp) -> np.ndarray[Any, np.dtype[Any]]:
    """The elements of a global as the buffer's type reads them."""
    match op.value:
        case ConstantArrayAttr():
            array = op.value.array
        case DenseIntOrFPElementsAttr():
            array = np.array(list(op.value.get_values())).reshape(op.value.get_shape())
        case _:
            raise VerifyError(f"global '{op.sym_name.data}': its value is not an array")
    dtype = dtype_of(_element(op))
    if array.dtype != dtype and array.dtype.kind in "iu" and array.dtype.itemsize == dtype.itemsize:
        return array.view(dtype)
    return array.astype(dtype, copy=False)


def _definition(op: loop.GlobalOp, symbol: str) -> str:
    """A global as a constant array in the C."""
    element = _element(op)
    texts = array_literals(array_of(op), element) or ["0"]
    lines = [", ".join(texts[start : start + _PER_LINE]) for start in range(0, len(texts), _PER_LINE)]
    head = f"_Alignas({ALIGNMENT}) static const {element_text(element)} {symbol}[{len(texts)}] = {{"
    return "\n".join([head, *(f"  {line}," for line in lines), "};"])


def inline_limit_of(globals: Sequence[loop.GlobalOp]) -> int:
    """Up to how many bytes an array stands in the C unless told otherwise."""
    return INLINE_LIMIT if sum(array_of(op).nbytes for op in globals) <= INLINE_LIMIT else SMALL


def place_globals(globals: Sequence[loop.GlobalOp], file: File, inline_limit: int) -> tuple[list[str], bytes]:
    """
    Give every global its place, and say it in `file.globals`.

    The definitions of those in the C, and the bytes of those (above `inline_limit` bytes) in the file of weights.
    """
    definitions: list[str] = []
    weights = bytearray()
    for op in globals:
        name = op.sym_name.data
        array = array_of(op)
        if array.nbytes <= inline_limit:
            symbol = file.symbol(name)
            definitions.append(_definition(op, symbol))
            file.globals[name] = symbol
            continue
        weights.extend(bytes(-len(weights) % ALIGNMENT))
        pointer = f"const {element_text(_element(op))} *"
        file.globals[name] = f"({pointer})(const void *)({WEIGHTS} + {len(weights)})"
        weights.extend(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes())
    return definitions, bytes(weights)
