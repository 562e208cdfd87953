"""Operators that combine the elements along axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.element_types import is_float
from .movement import without_axes
from .node import Node, Operator

Reduce = Callable[[Node, SSAValue, Sequence[int], bool], SSAValue]
"""Reduces a value along axes, which stay as 1 or go."""


def reduction(reduce: Reduce, axes_since: int = 18) -> Operator:
    """An operator with `axes` (an input from opset `axes_since` on), `keepdims` and `noop_with_empty_axes`."""

    def operator(node: Node) -> SSAValue:
        x, keepdims = node.input(0), node.flag("keepdims", True)
        axes, nothing_for_none = node.integers(1, "axes", axes_since), node.flag("noop_with_empty_axes")
        if not axes:
            axes = [] if nothing_for_none else list(range(node.rank(x)))
        return reduce(node, x, sorted(node.axis(axis, node.rank(x)) for axis in axes), keepdims)

    return operator


def _direct(function: str) -> Reduce:
    def reduce(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
        return getattr(node.ops, function)(x, axes, keepdims=keepdims)

    return reduce


def _sum_of_abs(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """The sum of the magnitudes."""
    return node.ops.sum(node.ops.abs(x), axes, keepdims=keepdims)


def _sum_of_squares(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """The sum of the squares."""
    return node.ops.sum(node.ops.multiply(x, x), axes, keepdims=keepdims)


def _root_of_squares(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """The square root of the sum of the squares."""
    total = _sum_of_squares(node, x, axes, keepdims)
    return _on_floats(node, total, "sqrt")


def _log_of_sum(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """The logarithm of the sum."""
    return _on_floats(node, node.ops.sum(x, axes, keepdims=keepdims), "log")


def _on_floats(node: Node, x: SSAValue, function: str) -> SSAValue:
    """A function of floats, applied to integers through f64."""
    if is_float(node.element(x)):
        return getattr(node.ops, function)(x)
    return node.ops.cast(getattr(node.ops, function)(node.ops.cast(x, "f64")), node.element(x))


def _log_of_sum_of_exp(node: Node, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """`m + log(sum(exp(x - m)))` where `m` is the largest, unless that is infinite."""
    if not is_float(node.element(x)):
        wide = _log_of_sum_of_exp(node, node.ops.cast(x, "f64"), axes, keepdims)
        return node.ops.cast(wide, node.element(x))
    largest = node.ops.max(x, axes, keepdims=True)
    shift = node.ops.select(node.ops.is_inf(largest), 0, largest)
    total = node.ops.sum(node.ops.exp(node.ops.subtract(x, shift)), axes, keepdims=True)
    result = node.ops.add(node.ops.log(total), shift)
    return result if keepdims else without_axes(node, result, axes)


def index_along(node: Node, x: SSAValue, axis: int, size: int) -> SSAValue:
    """The index of each element along an axis, so that it broadcasts over `x`."""
    shape = [size if i == axis else 1 for i in range(node.rank(x))]
    return node.ops.constant(np.arange(size, dtype=np.int64).reshape(shape))


def first_index(node: Node, x: SSAValue, function: str, axis: int, size: int, *, last: bool) -> SSAValue:
    """The first or last index of the largest or smallest element along an axis; a NaN counts as that."""
    found = node.ops.equal(x, getattr(node.ops, function)(x, [axis], keepdims=True))
    if is_float(node.element(x)):
        found = node.ops.logical_or(found, node.ops.is_nan(x))
    candidates = node.ops.select(found, index_along(node, x, axis, size), -1 if last else size)
    return getattr(node.ops, "max" if last else "min")(candidates, [axis], keepdims=True)


def arg_extremum(function: str) -> Operator:
    """The index of the largest or smallest element along an axis."""

    def operator(node: Node) -> SSAValue:
        x, keepdims, last = node.input(0), node.flag("keepdims", True), node.flag("select_last_index")
        axis = node.axis(node.integer("axis", 0), node.rank(x))
        size = node.shape(x)[axis]
        if not isinstance(size, int):
            node.refuse("an index along an axis of a dynamic size: bind it with shapes=")
        index = first_index(node, x, function, axis, size, last=last)
        return index if keepdims else without_axes(node, index, [axis])

    return operator


REDUCTION: dict[str, Operator] = {
    "ArgMax": arg_extremum("max"),
    "ArgMin": arg_extremum("min"),
    "ReduceL1": reduction(_sum_of_abs),
    "ReduceL2": reduction(_root_of_squares),
    "ReduceLogSum": reduction(_log_of_sum),
    "ReduceLogSumExp": reduction(_log_of_sum_of_exp),
    "ReduceMax": reduction(_direct("max")),
    "ReduceMean": reduction(_direct("mean")),
    "ReduceMin": reduction(_direct("min")),
    "ReduceProd": reduction(_direct("prod")),
    "ReduceSum": reduction(_direct("sum"), axes_since=13),
    "ReduceSumSquare": reduction(_sum_of_squares),
}
