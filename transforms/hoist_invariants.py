"""Values that are the same in every iteration, computed before the loop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..analysis.bounds import Bounds
from ..dialects.loop import AssertOp, ForOp, LoadOp, buffer_shape, is_scalar_op
from .primitives.nests import writes_to


@dataclass(frozen=True)
class HoistInvariantsPass(ModulePass):
    """
    Move loads and scalar ops out of serial loops in which their operands do not change.

    Expects: `loop` or `simd` programs; only what stands below blocks moves.
    Leaves:  no such op in a serial loop, unless it reads a buffer that the loop writes, or the loop may not run at
             all and it is not known that the element is there.
    """

    name = "hoist-invariants"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist from the innermost loops out, so that an op moves through several."""
        loops = [inner for inner in op.walk() if isinstance(inner, ForOp) and inner.kind.data == "serial"]
        for loop in reversed(loops):
            _hoist(loop)


def _hoist(loop: ForOp) -> None:
    around = _Around(loop)
    for op in tuple(loop.body.block.ops):
        if any(_is_inside(operand, loop) for operand in op.operands):
            continue
        if (is_scalar_op(op) and op.results) or (isinstance(op, LoadOp) and around.may_load(op)):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(loop))


def _is_inside(value: SSAValue, loop: ForOp) -> bool:
    owner = value.owner
    around = owner if isinstance(owner, Operation) else owner.parent_op()
    return around is not None and loop.is_ancestor(around)


class _Around:
    """What decides whether a load may stand before a loop; asked of many loads, found out once."""

    def __init__(self, loop: ForOp):
        self.loop = loop

    @cached_property
    def others(self) -> list[Operation]:
        """The ops in the loop that may do more than read."""
        return [op for op in self.loop.walk() if not isinstance(op, LoadOp) and not is_scalar_op(op)]

    @cached_property
    def runs(self) -> bool:
        """Whether all that stands in the loop itself is reached; an assertion may be what keeps a load in bounds."""
        ends = any(isinstance(op, AssertOp) for op in self.others)
        return not ends and Bounds(self.loop).is_nonnegative(self.loop.extent - 1)

    def may_load(self, load: LoadOp) -> bool:
        """Whether the loop leaves the buffer alone, and the load would not fault where the loop does not run."""
        if any(writes_to(op, load.buffer) for op in self.others):
            return False
        if self.runs:
            return True
        shape = buffer_shape(load.buffer)
        # where a guard is below zero, memory is not touched
        return shape is not None and Bounds(self.loop, load.guard_exprs).is_in_bounds(load.index, shape)
