"""Constants as C text that reads back to the same bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type
from xdsl.ir import Attribute

from ...dialects.element_types import bits_of, dtype_of


def _number_text(value: float, suffix: str) -> str:
    """A float of at most 64 bits: `0x1.8p+1f`, without trailing zeros, `-INFINITY`, `NAN`."""
    if math.isfinite(value):
        mantissa, exponent = value.hex().split("p")
        short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{short}p{exponent}{suffix}"
    sign = "-" if math.copysign(1, value) < 0 else ""
    return f"{sign}{'NAN' if math.isnan(value) else 'INFINITY'}"


def float_literal(value: float, type: Attribute) -> str:
    """
    A float as C text; the value is rounded to the type first.

    A NaN keeps its sign but not its payload. The halves are their bits.
    """
    with np.errstate(over="ignore"):
        match type:
            case Float64Type():
                return _number_text(value, "")
            case Float32Type():
                return _number_text(float(np.float32(value)), "f")
            case Float16Type() | BFloat16Type():
                return f"0x{int(np.asarray(value, np.float64).astype(dtype_of(type)).view(np.uint16)):04x}u"
            case _:
                raise ValueError(f"no literal for a number of type {type}")


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
    if flat.dtype.kind in "iub":
        bits = bits_of(type)
        return [integer_literal(int(value), bits) for value in flat.tolist()]
    if flat.dtype.itemsize == 2:
        return [f"0x{bits:04x}u" for bits in flat.view(np.uint16).tolist()]
    suffix = "f" if flat.dtype == np.float32 else ""
    return [_number_text(value, suffix) for value in flat.tolist()]
