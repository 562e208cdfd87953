"""Reductions: elements along axes combined into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerType, Signedness, i1, i64
from xdsl.ir import Attribute

from ...dialects import graph
from ...dialects.element_types import is_float
from ...dialects.expr import Expr, as_expr
from .buffer import Buffer
from .function import LoopFunction
from .scalar import Scalar, highest, is_unsigned, lowest
from .table import Lowering

Combine = Callable[[Scalar, Scalar], Scalar]


def reduce_axes(
    f: LoopFunction,
    label: str,
    source: Buffer,
    axes: Sequence[int],
    target: Buffer,
    init: float,
    combine: Combine,
) -> None:
    """One nest: `target` combines the elements of `source` along axes, which it lacks or has as 1."""
    keeps = target.rank == source.rank
    with f.nest(label) as n:
        kept = {a: n.spatial(f"ax{a}", e) for a, e in enumerate(source.dims) if a not in axes}
        reduced = {a: n.reduce(f"ax{a}", source.dims[a]) for a in axes}
        element = n.read(source, [kept[a] if a in kept else reduced[a] for a in range(source.rank)])
        place = [kept.get(a, Expr.constant(0)) for a in range(source.rank) if keeps or a in kept]
        n.accumulate(target, place, init, lambda old: combine(old, element.cast(old.element)))


def count_of(dims: Sequence[Expr]) -> Expr:
    """How many elements a shape has."""
    count = as_expr(1)
    for e in dims:
        count = count * e
    return count


def reduction(label: str, init: Callable[[Attribute], float], combine: Combine) -> Lowering:
    """`out = combine(… combine(init, x0) …)` along the axes; over no axes, the operand itself"""

    def lower(f: LoopFunction, op: graph.ReductionOp) -> None:
        (x,) = f.inputs
        if not op.axes.get_values():
            f.map(label, f.output, (x,), f.to_output)
            return
        total = f.accumulator()
        reduce_axes(f, label, x, op.axes.get_values(), total, init(x.element), combine)
        f.finish(total)

    return lower


def largest(a: Scalar, b: Scalar) -> Scalar:
    """The larger; of truth values, whether one is true."""
    return a | b if a.element == i1 else a.maximum(b)


def smallest(a: Scalar, b: Scalar) -> Scalar:
    """The smaller; of truth values, whether both are true."""
    return a & b if a.element == i1 else a.minimum(b)


def mean(f: LoopFunction, op: graph.MeanOp) -> None:
    """The sum divided by the number of elements; integers are added up in 64 bits and truncate."""
    (x,) = f.inputs
    axes = op.axes.get_values()
    if not axes:
        f.map("mean", f.output, (x,), f.to_output)
        return
    wide = IntegerType(64, Signedness.UNSIGNED) if is_unsigned(x.element) else i64
    element = f.accumulation_element if is_float(x.element) else wide
    total = f.temporary("sum", element, f.output.dims)
    reduce_axes(f, "sum", x, axes, total, 0, lambda old, new: old + new)
    with f.nest("mean") as n:
        indices = n.spatials(f.output.dims)
        sum = n.read(total, indices)
        n.write(f.output, indices, f.to_output(sum / n.index(count_of([x.dims[a] for a in axes]), element)))


LOWERINGS: dict[str, Lowering] = {
    "graph.sum": reduction("sum", lambda element: 0, lambda old, new: old + new),
    "graph.prod": reduction("prod", lambda element: 1, lambda old, new: old * new),
    "graph.max": reduction("max", lowest, largest),
    "graph.min": reduction("min", highest, smallest),
    "graph.mean": mean,
}
"""The reductions."""
