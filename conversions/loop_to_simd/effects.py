"""Which buffers are written inside a loop or condition: what was loaded from them before is not valid after."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ...dialects.loop import (
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
from ...dialects.simd import ReadOp, WriteOp

_READERS = (LoadOp, ReadOp, ShapeOp, AllocOp, ViewOp, GetGlobalOp, YieldOp, ForOp, IfOp, WhileOp)


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
