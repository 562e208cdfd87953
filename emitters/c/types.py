"""How C spells the types of values: scalars, buffers and vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, IndexType, MemRefType, VectorType
from xdsl.ir import Attribute

from ...dialects.element_types import bits_of, dtype_of, is_element, is_float, is_integer
from ...errors import VerifyError
from ...targets.target import MASK_BITS

_C_TYPES = {
    "float64": "double",
    "float32": "float",
    "float16": "uint16_t",
    "bfloat16": "uint16_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "bool": "_Bool",
}
"""dtype -> the C type of a scalar."""


@dataclass(frozen=True)
class CType:
    """The C side of a scalar or vector type: an element type and, for a vector, how many lanes."""

    element: Attribute
    lanes: int = 0

    @cached_property
    def bits(self) -> int:
        """The width of a scalar, or of a lane."""
        return MASK_BITS if self.is_mask else bits_of(self.element)

    @property
    def is_float(self) -> bool:
        """Whether it holds floats (the halves too)."""
        return is_float(self.element)

    @property
    def is_half(self) -> bool:
        """Whether it holds f16 or bf16, which are computed in f32."""
        return isinstance(self.element, (Float16Type, BFloat16Type))

    @property
    def is_truth(self) -> bool:
        """Whether it holds truth values."""
        return bits_of(self.element) == 1

    @property
    def is_mask(self) -> bool:
        """Whether it is a vector of truth values: lanes of 0 and -1."""
        return self.lanes > 0 and self.is_truth

    @cached_property
    def suffix(self) -> str:
        """What tells the helper functions of types apart: `f32`, `bf16`, `i32`, `i1`, `f32x8`."""
        element = "i64" if isinstance(self.element, IndexType) else str(self.element)
        return f"{element}x{self.lanes}" if self.lanes else element

    @cached_property
    def text(self) -> str:
        """The type as C spells it: `float`, `int32_t`, `f32x8`."""
        if self.lanes:
            return f"{'f' if self.is_float else 'i'}{self.bits}x{self.lanes}"
        return _C_TYPES[dtype_of(self.element).name]

    @property
    def unsigned(self) -> str:
        """The unsigned integer type of the same width."""
        return f"u{self.bits}x{self.lanes}" if self.lanes else f"uint{max(self.bits, 8)}_t"

    @property
    def wrapping(self) -> str:
        """The unsigned type in which sums and products wrap: narrow scalars would be promoted to `int` otherwise."""
        return self.unsigned if self.lanes else f"uint{max(self.bits, 32)}_t"

    @property
    def scalar(self) -> CType:
        """The type of a lane."""
        return CType(self.element)


def _has_c_type(type: Attribute) -> bool:
    return is_element(type) and dtype_of(type).name in _C_TYPES


@cache
def c_type(type: Attribute) -> CType:
    """The C side of the type of a scalar or vector."""
    if isinstance(type, VectorType):
        vector = cast("VectorType[Attribute]", type)
        shape = vector.get_shape()
        result = CType(vector.element_type, shape[0] if len(shape) == 1 else -1)
        if result.lanes <= 0 or result.is_half or not _has_c_type(result.element):
            raise VerifyError(f"C has no type for {type}")
        return result
    if (is_float(type) or is_integer(type)) and not isinstance(type, MemRefType):
        if not _has_c_type(type):
            raise VerifyError(f"C has no type for {type}")
        return CType(type)
    raise VerifyError(f"C has no type for {type}")


def element_text(type: Attribute) -> str:
    """The C type of an element in a buffer: a truth value takes a byte."""
    spelled = c_type(type)
    return "uint8_t" if spelled.is_truth and not spelled.lanes else spelled.text


def is_buffer(type: Attribute) -> bool:
    """Whether values of this type are buffers."""
    return isinstance(type, MemRefType)


def is_index(type: Attribute) -> bool:
    """Whether values of this type are indices."""
    return isinstance(type, IndexType)
