"""Loops and conditions as Python statements."""

from __future__ import annotations

from ...dialects.loop import AssertOp, ConditionOp, ForOp, IfOp, WhileOp
from ..registry import interprets
from .block import write_init
from .source import Source


@interprets(ForOp)
def for_(op: ForOp, out: Source) -> None:
    """All kinds of loops run in order."""
    for block in out.inits.get(op, ()):
        write_init(block, op, out)
    with out.room_for_loop(op.results):
        out.assign_all(op.carried, out.names(op.inits))
        with out.loop(op):
            out.assign_all(op.carried, out.names(out.block(op.body.block)))
        out.assign_all(op.results, out.names(op.carried))


@interprets(IfOp)
def if_(op: IfOp, out: Source) -> None:
    """One region or the other."""
    with out.under(f"if {out.conditions(op.condition_exprs)}:"):
        out.assign_all(op.results, out.names(out.block(op.then_body.block)))
    if op.else_body.blocks:
        with out.under("else:"):
            out.assign_all(op.results, out.names(out.block(op.else_body.block)))


@interprets(WhileOp)
def while_(op: WhileOp, out: Source) -> None:
    """The condition, and while it holds the body."""
    condition, body = op.condition.block, op.body.block
    last = condition.last_op
    assert isinstance(last, ConditionOp)
    with out.room_for_loop(op.results):
        out.assign_all(condition.args, out.names(op.inits))
        out.loops += 1
        with out.under("while True:"):
            out.block(condition)
            out.assign_all(op.results, out.names(last.values))
            out.line(f"if not {out.name(last.condition)}: break")
            out.assign_all(body.args, out.names(op.results))
            out.assign_all(condition.args, out.names(out.block(body)))
        out.loops -= 1


@interprets(ConditionOp)
def condition(op: ConditionOp, out: Source) -> None:
    """The loop around it reads it."""


@interprets(AssertOp)
def assert_(op: AssertOp, out: Source) -> None:
    """A fault where a condition does not hold."""
    with out.under(f"if not ({out.conditions(op.condition_exprs)}):"):
        out.line(f"raise fault({out.object(op, 'op')})")
