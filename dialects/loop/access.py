"""What a block is made of: accesses to buffers, and iterators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, MemRefType
from xdsl.ir import Attribute, SSAValue

from ..expr import Expr
from .maps import MapAttr


def buffer_type(value: SSAValue) -> MemRefType[Attribute]:
    """The memref type of a buffer."""
    type: Attribute = value.type
    assert isinstance(type, MemRefType)
    return cast("MemRefType[Attribute]", type)


@dataclass(frozen=True)
class Access:
    """
    One access of a block: a buffer, and index expressions over iterator positions.

    With a `guard`, memory is touched only where all of its expressions are at least zero; a read is `pad` elsewhere.
    With a `pad` and no guard, the bounds of the buffer are the guard.
    """

    buffer: SSAValue
    indices: tuple[Expr, ...]
    pad: Attribute | None = None
    guard: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class IteratorSpec:
    """One iterator to build a block with: a name, a kind, and the expression of loop variables it is bound to."""

    name: str
    kind: str
    binding: Expr


def guards_property(accesses: Sequence[Access]) -> ArrayAttr[MapAttr] | None:
    """The guards of accesses as a property: absent where there are none."""
    return ArrayAttr([MapAttr(a.guard) for a in accesses]) if any(a.guard for a in accesses) else None


def guards_of(guards: ArrayAttr[MapAttr] | None, count: int) -> Sequence[tuple[Expr, ...]]:
    """The guard of each of `count` accesses."""
    return ((),) * count if guards is None else [attr.exprs for attr in guards]
