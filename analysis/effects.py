"""Which buffers are written inside a loop or condition: what was loaded from them, by any name, is out of date."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ..dialects.loop import (
    AllocOp,
    BlockOp,
    ForOp,
    GetGlobalOp,
    IfOp,
    LoadOp,
    ShapeOp,
    StoreOp,
    ViewOp,
    WhileOp,
    YieldOp,
)
from ..dialects.simd import ReadOp, WriteOp
from .aliases import may_alias

_READERS = (LoadOp, ReadOp, ShapeOp, AllocOp, ViewOp, GetGlobalOp, YieldOp, ForOp, IfOp, WhileOp)

Names = dict[SSAValue, tuple[SSAValue, ...]]
"""Buffer -> others that may be the same memory; a buffer that shares none is not in it."""


def names_of_memory(function: Operation) -> Names:
    """The buffers that may be one memory under several names: views, and what loops and conditions hand on."""
    buffers: dict[SSAValue, None] = {}
    for op in function.walk():
        for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)):
            if isinstance(value.type, MemRefType):
                buffers[value] = None
    if not any(isinstance(b.owner, ViewOp) or not _is_made_or_given(b, function) for b in buffers):
        return {}
    others = {b: tuple(o for o in buffers if o is not b and may_alias(b, o)) for b in buffers}
    return {b: names for b, names in others.items() if names}


def _is_made_or_given(buffer: SSAValue, function: Operation) -> bool:
    """Whether a buffer is memory of its own: an alloc, a global, an argument of the function."""
    owner = buffer.owner
    return isinstance(owner, AllocOp | GetGlobalOp) or (isinstance(owner, Block) and owner.parent_op() is function)


def written_by(op: Operation) -> Iterator[SSAValue]:
    """The buffers that one op may write, without what it contains; of an op that is not known, all it takes."""
    if isinstance(op, BlockOp):
        yield from op.writes
    elif isinstance(op, StoreOp | WriteOp):
        yield op.buffer
    elif not isinstance(op, _READERS):
        yield from (v for v in op.operands if isinstance(v.type, MemRefType))


def stores_within(function: Operation) -> dict[Operation, dict[SSAValue, None]]:
    """For every op with regions, the buffers that something inside of it may write."""
    result: dict[Operation, dict[SSAValue, None]] = {}

    def visit(op: Operation) -> dict[SSAValue, None]:
        found = dict.fromkeys(written_by(op))
        for region in op.regions if not isinstance(op, BlockOp) else ():
            for block in region.blocks:
                for child in block.ops:
                    found.update(visit(child))
        if op.regions:
            result[op] = found
        return found

    visit(function)
    return result
