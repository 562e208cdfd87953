"""The accesses of an op to buffers, over index values around it: what blocks declare, and loads and stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ..dialects.expr import Expr
from ..dialects.loop import Access, BlockOp, LoadOp, StoreOp


@dataclass(frozen=True)
class Touch:
    """One access: where, under which conditions, and whether it stays in bounds of itself (a padded read, `clip`)."""

    op: Operation
    buffer: SSAValue
    indices: tuple[Expr, ...]
    guard: tuple[Expr, ...]
    writes: bool
    bounded: bool

    @property
    def what(self) -> str:
        """The access for a message: `block 'matmul', write of 'T'`."""
        name = f"{'write' if self.writes else 'read'} of '{self.buffer.name_hint or 'a buffer'}'"
        return f"block '{self.op.label.data}', {name}" if isinstance(self.op, BlockOp) else name


def touches(op: Operation) -> Iterator[Touch]:
    """The accesses of `op` itself, in order; none for ops other than blocks, loads and stores."""
    match op:
        case BlockOp():
            for access in op.read_accesses:
                yield _of_block(op, access, False, access.pad is not None)
            clip = op.clip is not None
            for access in op.write_accesses if op.updates else ():
                yield _of_block(op, access, False, clip)
            for access in op.write_accesses:
                yield _of_block(op, access, True, clip)
        case LoadOp():
            yield Touch(op, op.buffer, op.index, op.guard_exprs, False, False)
        case StoreOp():
            yield Touch(op, op.buffer, op.index, op.guard_exprs, True, False)
        case _:
            pass


def _of_block(op: BlockOp, access: Access, writes: bool, bounded: bool) -> Touch:
    indices, guard = op.over_loops(access.indices), op.over_loops(access.guard)
    return Touch(op, access.buffer, indices, guard, writes, bounded and not guard)
