"""Element types and the NumPy dtypes that hold them: one mapping, used at every level."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute
from xdsl.utils.type import get_element_type_or_self

if TYPE_CHECKING:
    import numpy as np

FLOAT_DTYPES: dict[type[Attribute], str] = {
    Float64Type: "float64",
    Float32Type: "float32",
    Float16Type: "float16",
    BFloat16Type: "bfloat16",
    Float8E4M3FNType: "float8_e4m3fn",
    Float8E4M3FNUZType: "float8_e4m3fnuz",
    Float8E5M2Type: "float8_e5m2",
    Float8E5M2FNUZType: "float8_e5m2fnuz",
}
"""Float types and the names of their dtypes, in NumPy or in `ml_dtypes`."""

INTEGER_WIDTHS = (4, 8, 16, 32, 64)
"""Widths that an integer element may have; `i1` is the truth value."""


def _dtype_named(name: str) -> np.dtype[Any]:
    """The dtype of that name, from NumPy or, where NumPy does not know it, from `ml_dtypes`."""
    import ml_dtypes
    import numpy as np

    return np.dtype(getattr(ml_dtypes, name, name))


def integer_type(type: Attribute) -> IntegerType[int, Signedness] | None:
    """The integer type of the elements; None where they are something else (an index too)."""
    element = get_element_type_or_self(type)
    return cast("IntegerType[int, Signedness]", element) if isinstance(element, IntegerType) else None


@cache
def dtype_of(type: Attribute) -> np.dtype[Any]:
    """
    The dtype of arrays whose elements, or elements' elements, have this type.

    `i1` is `bool`; signless and signed integers are `int<n>`, unsigned ones `uint<n>`; `index` is `int64`.
    """
    element = get_element_type_or_self(type)
    if isinstance(element, IndexType):
        return _dtype_named("int64")
    if (integer := integer_type(element)) is not None:
        width = integer.width.data
        if width == 1:
            return _dtype_named("bool")
        if width in INTEGER_WIDTHS:
            unsigned = integer.signedness.data is Signedness.UNSIGNED
            return _dtype_named(f"{'uint' if unsigned else 'int'}{width}")
    elif element.__class__ in FLOAT_DTYPES:
        return _dtype_named(FLOAT_DTYPES[element.__class__])
    raise ValueError(f"no array can hold elements of type {element}")


@cache
def type_of(dtype: np.dtype[Any]) -> Attribute:
    """The element type of arrays of this dtype; signed integers become signless ones."""
    name = dtype.name
    if name == "bool":
        return IntegerType(1)
    for cls, known in FLOAT_DTYPES.items():
        if name == known:
            return cls()
    for width in INTEGER_WIDTHS:
        if name == f"int{width}":
            return IntegerType(width)
        if name == f"uint{width}":
            return IntegerType(width, Signedness.UNSIGNED)
    raise ValueError(f"no element type for arrays of dtype {name}")


def is_element(type: Attribute) -> bool:
    """Whether arrays can hold such elements: whether `dtype_of` has an answer."""
    if (integer := integer_type(type)) is not None:
        return integer.width.data in (1, *INTEGER_WIDTHS)
    return is_float(type) or is_integer(type)


def is_float(type: Attribute) -> bool:
    """Whether the elements are floating-point numbers."""
    return get_element_type_or_self(type).__class__ in FLOAT_DTYPES


def is_integer(type: Attribute) -> bool:
    """Whether the elements are integers, truth values or indices."""
    return isinstance(get_element_type_or_self(type), (IntegerType, IndexType))


def bits_of(type: Attribute) -> int:
    """The width of one element in bits; an index has 64."""
    if (integer := integer_type(type)) is not None:
        return integer.width.data
    return dtype_of(type).itemsize * 8


def bytes_of(type: Attribute) -> int:
    """How many bytes one element takes in a buffer; a truth value takes one."""
    return dtype_of(type).itemsize
