"""A buffer as lowerings see it: what the memref type says, and what it no longer says about the tensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, SSAValue

from ...dialects.expr import Expr
from ...dialects.loop import buffer_type
from .scalar import signless


@dataclass(frozen=True)
class Buffer:
    """A memref with the element type of its tensor (which may be unsigned) and its dims as expressions."""

    value: SSAValue
    element: Attribute
    dims: tuple[Expr, ...]

    @property
    def type(self) -> MemRefType[Attribute]:
        """The type of the memref."""
        return buffer_type(self.value)

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.dims)


def memref_of(element: Attribute, dims: Sequence[Expr]) -> MemRefType[Attribute]:
    """The memref that holds such elements: signless, with dims that depend on anything dynamic."""
    return MemRefType(signless(element), [DYNAMIC_INDEX if e.value is None else e.value for e in dims])
