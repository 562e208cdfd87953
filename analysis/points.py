"""Points of a loop nest that are met for certain: examples to show that something is wrong, never that it is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from ..dialects.expr import Expr, Variable
from ..dialects.loop import ForOp, IfOp
from .facts import resolve

Point = Mapping[Variable, int]
"""A value for each loop variable around a place."""

LIMIT = 2000
"""How many points are looked at."""


def ends(lower: int, upper: int) -> Sequence[int]:
    """The first, the second and the last values of a range."""
    return sorted({v for v in (lower, lower + 1, upper - 2, upper - 1) if lower <= v < upper})


def value_at(e: Expr, point: Point) -> int | None:
    """What an index expression is at a point; None where it depends on something else."""
    e = resolve(e)
    return e.evaluate(point) if all(v in point for v in e.variables()) else None


def points(
    at: Operation,
    within: Operation | None = None,
    start: Point | None = None,
    choose: Callable[[ForOp, int, int], Sequence[int]] = lambda loop, lower, upper: ends(lower, upper),
) -> Iterator[Point]:
    """
    Points at which `at` is executed, in the order of execution; of each loop the values that `choose` takes.

    With `within`, only the loops in that op are walked, from the point `start` around it. No points where bounds or
    conditions depend on anything but loop variables.
    """
    path: list[tuple[Operation, Block]] = []
    inner = at
    while inner is not within and (block := inner.parent) is not None and (outer := block.parent_op()) is not None:
        path.append((outer, block))
        inner = outer
    return islice(_walk(path[::-1], start or {}, choose), LIMIT)


def _walk(
    path: Sequence[tuple[Operation, Block]], point: Point, choose: Callable[[ForOp, int, int], Sequence[int]]
) -> Iterator[Point]:
    if not path:
        yield point
        return
    (op, block), *rest = path
    match op:
        case ForOp():
            lower, upper = value_at(op.lower, point), value_at(op.upper, point)
            if lower is not None and upper is not None and lower < upper:
                for value in choose(op, lower, upper):
                    yield from _walk(rest, {**point, op.variable: value}, choose)
        case IfOp():
            values = [value_at(e, point) for e in op.condition_exprs]
            known = [v for v in values if v is not None]
            if len(known) == len(values) and all(v >= 0 for v in known) == (block is op.then_body.block):
                yield from _walk(rest, point, choose)
        case FuncOp() | ModuleOp():
            yield from _walk(rest, point, choose)
        case _:
            return
