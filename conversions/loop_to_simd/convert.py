"""The pass: decide about a function, then write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.effects import names_of_memory
from ...dialects.loop import AllocOp, BlockOp, ForOp, enclosing_loops
from ...rewriting.decompose import decompose_reductions
from ...targets import Target, target_named
from .lanes import LoopLanes, NotVector, decide
from .plan import BlockPlan, plan_block
from .registers import find_registers
from .walk import Decisions, Walk

MOST_COPIES = 4096
"""Copies of blocks that unrolling may make in one nest; a loop that would make more stays a loop."""


@dataclass(frozen=True)
class ConvertLoopToSimdPass(ModulePass):
    """
    Turn blocks into loads, arithmetic and stores; vectorized loops into lanes, unrolled ones into copies.

    Reductions are decomposed first. Elements of `register` buffers become values that loops carry. What the target has
    no instruction for stays a scalar loop, and says why in its attribute `not_vectorized`; the rest of an extent that
    is no multiple of the lanes is a scalar loop too. A product that only a sum uses becomes `simd.fma` where the target
    has it, unless `strict`: then the result is bit-equal to the blocks.

    Expects: functions of loops and blocks, flat or shaped.
    Leaves:  no block, no vectorized, unrolled or tensorized loop, no `register` buffer.
    """

    name = "convert-loop-to-simd"

    target: str = "generic"
    strict: bool = False

    opt_level: ClassVar[int] = 0

    @property
    def licence(self) -> frozenset[str]:
        """What this pass may do to a float result."""
        return frozenset() if self.strict else frozenset({"contracts"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function in place."""
        target = target_named(self.target)
        for function in tuple(op.walk()):
            if isinstance(function, func.FuncOp) and function.body.blocks:
                convert_function(function, target, fuses=not self.strict)


def convert_function(function: func.FuncOp, target: Target, *, fuses: bool) -> None:
    """Convert one function in place."""
    if not any(isinstance(op, BlockOp | ForOp | AllocOp) for op in function.walk()):
        return
    decompose_reductions(function)
    walk = Walk(function, _decide(function, target), target, fuses)
    for block in tuple(function.body.blocks):
        walk.function(block)


def _decide(function: func.FuncOp, target: Target) -> Decisions:
    plans: dict[BlockOp, BlockPlan] = {}
    loops: list[ForOp] = []
    for op in function.walk():
        if isinstance(op, BlockOp):
            plans[op] = plan_block(op)
        elif isinstance(op, ForOp):
            loops.append(op)
    names = names_of_memory(function)
    lanes: dict[ForOp, LoopLanes] = {}
    reasons: dict[ForOp, str] = {}
    unrolled: set[ForOp] = set()
    for loop in loops:
        match loop.kind.data:
            case "vectorized":
                try:
                    lanes[loop] = decide(loop, plans, names, target)
                except NotVector as error:
                    # where there are no vectors at all, no reason need be given for any loop
                    if target.vector_bits and (loop.extent.value or 0) > 1:
                        reasons[loop] = str(error)
            case "unrolled" if _copies(loop) <= MOST_COPIES:
                unrolled.add(loop)
            case _:
                pass
    return Decisions(plans, lanes, reasons, unrolled, find_registers(function, plans, lanes, unrolled), names)


def _copies(loop: ForOp) -> int:
    """How often the body of an unrolled loop will be written."""
    copies = loop.extent.value or 0
    for outer in enclosing_loops(loop):
        if outer.kind.data == "unrolled":
            copies *= outer.extent.value or 0
    return copies
