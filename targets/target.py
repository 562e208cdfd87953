"""What a machine is to the compiler: widths, sizes, flags, and which instructions it has with their C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from ..dialects.element_types import bits_of

Instruction = str | tuple[str, str]
"""
What an entry is for: an op, `"simd.mask"`, an op on elements of one type, `("simd.load", "f32")`, or on vectors of one
type, `("simd.fma", "8xf32")`.
"""

NATURAL = ""
"""The C of an instruction that the emitter writes by itself, with operators of C on vectors."""

MASK_BITS = 32
"""Bits that a lane of a mask takes in a register."""


def _no_instructions() -> Mapping[Instruction, str]:
    return MappingProxyType({})


def _no_helpers() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Target:
    """A machine as data. Passes ask it; none compares its name."""

    name: str
    """What `--target` takes."""
    vector_bits: int
    """Width of a vector register; 0 where the C has no vectors."""
    vector_registers: int
    """How many of them code may hope to keep values in."""
    l1: int
    """Bytes of the data cache nearest to a core."""
    l2: int
    """Bytes of the next one."""
    flags: tuple[str, ...] = ()
    """What the C compiler must be told."""
    needs: frozenset[str] = frozenset()
    """Features without which its code does not run, as Linux lists them in `/proc/cpuinfo`."""
    headers: tuple[str, ...] = ()
    """What the C includes beyond `math.h`, `stddef.h`, `stdint.h` and `string.h`."""
    instructions: Mapping[Instruction, str] = field(default_factory=_no_instructions, hash=False)
    """
    Instruction -> C, with the operands as `{a}`, `{b}`, … and the vector type as `{type}`; `NATURAL` where the emitter
    knows it. An access has its place as `{address}`, a masked one the mask as `{mask}` (lanes of 32 bits) and `{wide}`
    (lanes as wide as the elements), and may take the value of lanes that are off as `{pad}`.
    """
    helpers: Mapping[str, str] = field(default_factory=_no_helpers, hash=False)
    """C functions that spellings call, by name (`sw_…`): for what takes more than an expression. They stand in the
    file where they are called, behind the vector types."""

    def lanes(self, element_bits: int) -> int:
        """How many elements of this width fit a vector register; 1 where there are none."""
        return max(1, self.vector_bits // element_bits)

    def holds(self, type: Attribute) -> bool:
        """Whether a vector of this type fits one register; anything else does."""
        vector = _as_vector(type)
        if vector is None:
            return True
        bits = bits_of(vector.element_type)
        return vector.element_count() * (MASK_BITS if bits == 1 else bits) <= self.vector_bits

    def has(self, op: type[Operation] | Operation | str, type: Attribute | str | None = None) -> bool:
        """Whether the machine does `op`, on values of this type (a vector's must fit a register) if one is given."""
        return (_as_vector(type) is None or self.holds(cast(Attribute, type))) and self.spelling(op, type) is not None

    def spelling(self, op: type[Operation] | Operation | str, type: Attribute | str | None = None) -> str | None:
        """The C of `op`: the entry for this vector type, else for its elements, else for the op; None without one."""
        name = op if isinstance(op, str) else op.name
        keys: list[Instruction] = [name]
        if (vector := _as_vector(type)) is not None:
            keys = [(name, f"{vector.element_count()}x{vector.element_type}"), (name, str(vector.element_type)), name]
        elif type is not None:
            keys = [(name, str(type)), name]
        return next((self.instructions[key] for key in keys if key in self.instructions), None)


def _as_vector(type: object) -> VectorType[Attribute] | None:
    return cast("VectorType[Attribute]", type) if isinstance(type, VectorType) else None
