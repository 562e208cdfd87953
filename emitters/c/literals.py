"""Constants as C text that reads back to the same bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type
from xdsl.ir import Attribute

from ...dialects.element_types import bits_of, dtype_of


def _hex_float(value: float) -> str:
    """A finite float as a hexadecimal one without trailing zeros: `0x1.8p+1`."""
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def float_literal(value: float, type: Attribute) -> str:
    """
    A float as C text; the value is rounded to the type first.

    A NaN keeps its sign but not its payload. The halves are their bits.
    """
    match type:
        case Float64Type():
            suffix = ""
        case Float32Type():
            suffix = "f"
            with np.errstate(over="ignore"):
                value = float(np.float32(value))
        case Float16Type() | BFloat16Type():
            with np.errstate(over="ignore"):
                bits = np.asarray(value, np.float64).astype(dtype_of(type)).view(np.uint16)
            return f"0x{int(bits):04x}u"
        case _:
            raise ValueError(f"no literal for a number of type {type}")
    sign = "-" if math.copysign(1, value) < 0 else ""
    if math.isnan(value):
        return f"{sign}NAN"
    if math.isinf(value):
        return f"{sign}INFINITY"
    return f"{_hex_float(value)}{suffix}"


def integer_literal(value: int, bits: int) -> str:
    """An integer as C text, reduced to two's complement of that many bits; a truth value is 0 or 1."""
    if bits == 1:
        return str(value & 1)
    value &= (1 << bits) - 1
    if value >> (bits - 1):
        value -= 1 << bits
    if value == -(1 << (bits - 1)):
        return f"INT{bits}_MIN"
    return f"INT64_C({value})" if not -(1 << 31) < value < 1 << 31 else str(value)


def literal(value: Any, type: Attribute) -> str:
    """A number of this element type as C text."""
    if dtype_of(type).kind in "iub":
        return integer_literal(int(value), bits_of(type))
    return float_literal(value, type)


def array_literals(array: np.ndarray[Any, np.dtype[Any]], type: Attribute) -> list[str]:
    """The elements of an array, in row-major order, as C text."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype.itemsize == 2 and flat.dtype.kind not in "iu":
        return [f"0x{bits:04x}u" for bits in flat.view(np.uint16).tolist()]
    return [literal(value, type) for value in flat.tolist()]
