"""Normalisations: several nests, with the statistics of each row between them."""

from __future__ import annotations

from xdsl.dialects import math

from ...dialects import graph
from .function import LoopFunction
from .reduction import count_of, reduce_axes
from .scalar import Scalar, lowest
from .table import Lowering


def softmax(f: LoopFunction, op: graph.SoftmaxOp) -> None:
    """`exp(x - max) / sum(exp(x - max))` along an axis: the largest, the powers, their sum, the quotients"""
    (x,) = f.inputs
    axis = op.axis.value.data
    element = f.accumulation_element
    rows = (*x.dims[:axis], *x.dims[axis + 1 :])
    largest, sum = f.temporary("largest", element, rows), f.temporary("sum", element, rows)
    powers = f.accumulator()
    reduce_axes(f, "max", x, (axis,), largest, lowest(element), Scalar.maximum)
    with f.nest("exp") as n:
        indices = n.spatials(x.dims)
        row = (*indices[:axis], *indices[axis + 1 :])
        n.write(powers, indices, (n.read(x, indices).cast(element) - n.read(largest, row)).math(math.ExpOp))
    reduce_axes(f, "sum", powers, (axis,), sum, 0, Scalar.__add__)
    with f.nest("divide") as n:
        indices = n.spatials(x.dims)
        row = (*indices[:axis], *indices[axis + 1 :])
        n.write(f.output, indices, f.to_output(n.read(powers, indices) / n.read(sum, row)))


def layer_norm(f: LoopFunction, op: graph.LayerNormOp) -> None:
    """`(x - mean) / sqrt(variance + epsilon) * scale + bias`, the variance from the differences to the mean"""
    x, scale, *bias = f.inputs
    axis = op.axis.value.data
    element = f.accumulation_element
    rows, axes = x.dims[:axis], range(axis, x.rank)
    count = count_of(x.dims[axis:])
    sum, mean = f.temporary("sum", element, rows), f.temporary("mean", element, rows)
    squares, deviation = f.temporary("squares", element, rows), f.temporary("deviation", element, rows)
    reduce_axes(f, "sum", x, axes, sum, 0, Scalar.__add__)
    with f.nest("mean") as n:
        row = n.spatials(rows)
        n.write(mean, row, n.read(sum, row) / n.index(count, element))
    with f.nest("squares") as n:
        row = n.spatials(rows)
        indices = (*row, *(n.reduce(f"ax{a}", x.dims[a]) for a in axes))
        difference = n.read(x, indices).cast(element) - n.read(mean, row)
        n.accumulate(squares, row, 0, lambda old: old + difference * difference)
    with f.nest("deviation") as n:
        row = n.spatials(rows)
        variance = n.read(squares, row) / n.index(count, element)
        n.write(deviation, row, (variance + op.epsilon.value.data).math(math.SqrtOp))
    with f.nest("normalize") as n:
        indices = n.spatials(x.dims)
        row = indices[:axis]
        factors = [n.read(b, f.broadcast(b.dims, x.dims, indices)).cast(element) for b in (scale, *bias)]
        unit = (n.read(x, indices).cast(element) - n.read(mean, row)) / n.read(deviation, row)
        scaled = unit * factors[0]
        n.write(f.output, indices, f.to_output(scaled + factors[1] if bias else scaled))


LOWERINGS: dict[str, Lowering] = {
    "graph.softmax": softmax,
    "graph.layer_norm": layer_norm,
}
"""The normalisations."""
