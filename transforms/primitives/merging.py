"""Making one loop of two that stand next to each other."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from ...dialects.expr import Expr, Variable
from ...dialects.loop import AllocOp, BlockOp, ForOp, ShapeOp, substitute
from .addresses import walk_nest
from .conflicts import conflicting, describe, never_meet, who
from .declaration import Declaration, Parameter
from .nests import body_of, move_ops, variable

MERGE = Declaration(
    word="merge",
    pass_name="merge-loops",
    parameters=(Parameter("first", "loop"), Parameter("second", "loop")),
    does="Run the body of the second loop after that of the first, in one loop.",
    expects="adjacent loops with equal bounds; what one writes and the other touches meets in the same iteration, or"
    " in an earlier one of the first.",
    leaves="the first loop, with both bodies.",
)


def merge(first: ForOp, second: ForOp) -> ForOp:
    """Move the body of `second`, a loop right after `first` with the same bounds, to the end of `first`."""
    step = MERGE.step(first, second)
    names = f"loops {first.label.data} and {second.label.data}"
    step.require(first is not second, f"{names} are one loop")
    step.require(first.parent is second.parent, f"{names} do not stand in one body")
    between: list[Operation] = []
    following = first.next_op
    while following is not None and following is not second:
        between.append(following)
        following = following.next_op
    step.require(following is second, f"{names}: the second does not come after the first")
    for op in between:
        step.require(
            isinstance(op, AllocOp | ShapeOp) or is_side_effect_free(op),
            f"'{op.name}' stands between {names}",
        )
    for side in (first, second):
        step.require(not side.inits, f"loop {side.label.data} carries values from one iteration to the next")
    step.require((first.lower, first.upper) == (second.lower, second.upper), f"the bounds of {names} differ")
    step.require(first.kind.data == second.kind.data, f"{names} are {first.kind.data} and {second.kind.data}")
    inside = {op.label.data for op in walk_nest(second) if isinstance(op, ForOp) and op is not second}
    step.require(
        first.label.data not in inside, f"loop {second.label.data} contains a loop called {first.label.data} already"
    )

    def after(copied: Mapping[Variable, Expr]) -> list[Expr]:
        return [variable(first) - copied[second.variable] - 1]

    def before(copied: Mapping[Variable, Expr]) -> list[Expr]:
        return [copied[second.variable] - variable(first) - 1]

    def anywhere(copied: Mapping[Variable, Expr]) -> list[Expr]:
        return []

    for one, other in conflicting(first, second):
        block = other.op
        starts = isinstance(block, BlockOp) and block.has_init and block.is_reduced_over(second) and other.writes
        step.require(
            not starts or never_meet(one, other, second, anywhere),
            f"{who(other.op)} starts its sums before loop {second.label.data}, and loop"
            f" {first.label.data} uses them: {describe(one, other)}",
        )
        step.require(
            never_meet(one, other, second, after),
            f"an iteration of loop {second.label.data} needs a later one of loop {first.label.data} to have"
            f" run: {describe(one, other)}",
        )
        step.require(
            first.kind.data not in ("parallel", "vectorized") or never_meet(one, other, second, before),
            f"{names} are {first.kind.data}, but different iterations meet: {describe(one, other)}",
        )

    for op in between:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(first))
    move_ops(body_of(second), body_of(first))
    substitute(second.variable, variable(first))
    Rewriter.erase_op(second)
    return first
