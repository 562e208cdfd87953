"""Ops that move elements and compute none: every nest is one read in another place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr

from ...dialects import graph
from ...dialects.expr import Expr, floordiv, maximum, minimum, mod
from ...dialects.graph.dims import as_dim
from ...dialects.graph.inference import slice_range
from .function import LoopFunction
from .reduction import count_of
from .table import Lowering


def transpose(f: LoopFunction, op: graph.PermuteDimsOp) -> None:
    """`out[i0, i1, …] = x[…]`, where axis `permutation[a]` of `x` is indexed by axis `a` of `out`"""
    permutation = op.permutation.get_values()
    with f.nest("transpose") as n:
        axes = n.spatials(f.output.dims)
        n.write(f.output, axes, n.read(f.inputs[0], [axes[permutation.index(a)] for a in range(len(axes))]))


def matching_groups(a: Sequence[Expr], b: Sequence[Expr]) -> list[tuple[range, range]]:
    """Cut the axes of two shapes of equal size, from the front, into the smallest groups of equally many elements."""
    groups: list[tuple[range, range]] = []
    i = j = 0
    while i < len(a) or j < len(b):
        ends = sorted(product(range(i, len(a) + 1), range(j, len(b) + 1)), key=sum)[1:]
        k, m = next(((k, m) for k, m in ends if count_of(a[i:k]) == count_of(b[j:m])), (len(a), len(b)))
        groups.append((range(i, k), range(j, m)))
        i, j = k, m
    return groups


def reshape(f: LoopFunction, op: graph.ReshapeOp) -> None:
    """The element at the same place in row-major order; axes that stay as they are keep their index"""
    (x,) = f.inputs
    with f.nest("reshape") as n:
        axes = n.spatials(f.output.dims)
        indices = [Expr.constant(0)] * x.rank
        for own, others in matching_groups(x.dims, f.output.dims):
            linear = Expr.constant(0)
            for axis in others:
                linear = linear * f.output.dims[axis] + axes[axis]
            unravel(linear, own, x.dims, indices)
        n.write(f.output, axes, n.read(x, indices))


def unravel(linear: Expr, axes: Sequence[int], dims: Sequence[Expr], indices: list[Expr]) -> None:
    """Set the indices of `axes` to those of the element at `linear` among them in row-major order."""
    outermost = next((axis for axis in axes if dims[axis].value != 1), None)
    for axis in reversed(axes):
        if dims[axis].value == 1:
            continue
        indices[axis] = linear if axis == outermost else mod(linear, dims[axis])
        linear = floordiv(linear, dims[axis])


def broadcast_to(f: LoopFunction, op: graph.BroadcastToOp) -> None:
    """Every element of the result is the one of the operand that stands there, or that is repeated"""
    f.map("broadcast", f.output, f.inputs, f.to_output)


def concat(f: LoopFunction, op: graph.ConcatOp) -> None:
    """One nest per operand, which writes where the one before ended"""
    along = op.axis.value.data
    offset = Expr.constant(0)
    for x in f.inputs:
        with f.nest("concat") as n:
            axes = n.spatials(x.dims)
            place = [axis + offset if a == along else axis for a, axis in enumerate(axes)]
            n.write(f.output, place, n.read(x, axes))
        offset = offset + x.dims[along]


def slice(f: LoopFunction, op: graph.SliceOp) -> None:
    """`out[i] = x[first + step * i]` on every axis"""
    (x,) = f.inputs
    with f.nest("slice") as n:
        axes = n.spatials(f.output.dims)
        firsts = [slice_range(as_dim(size), *bounds)[0] for size, bounds in zip(x.dims, op.ranges, strict=True)]
        steps = op.steps.get_values()
        indices = [
            axis * step + first for axis, step, first in zip(axes, steps, firsts, strict=True) if first is not None
        ]
        n.write(f.output, axes, n.read(x, indices))


def padding_index(mode: str, index: Expr, size: Expr) -> Expr:
    """Where an axis of `size` elements is read for `index`, which may lie before or after it."""
    match mode:
        case "edge":
            return minimum(maximum(index, 0), size - 1)
        case "reflect":
            # back and forth without repeating the ends; over one element the period is 0, and so is the remainder
            period = (size - 1) * 2
            return minimum(mod(index, period), period - mod(index, period))
        case "wrap":
            return mod(index, size)
        case _:
            return index


def pad(f: LoopFunction, op: graph.PadOp) -> None:
    """`out[i] = x[i - low]`, and in the padding what the mode says"""
    (x,) = f.inputs
    value = None if op.value is None else cast("FloatAttr[AnyFloat] | IntegerAttr", op.value).value.data
    with f.nest("pad") as n:
        axes = n.spatials(f.output.dims)
        indices: list[Expr] = []
        for axis, size, low, high in zip(axes, x.dims, op.low.get_values(), op.high.get_values(), strict=True):
            kept = size + (min(low, 0) + min(high, 0))
            indices.append(padding_index(op.mode.data, axis - max(low, 0), kept) - min(low, 0))
        n.write(f.output, axes, n.read(x, indices, pad=value))


LOWERINGS: dict[str, Lowering] = {
    "graph.permute_dims": transpose,
    "graph.reshape": reshape,
    "graph.broadcast_to": broadcast_to,
    "graph.concat": concat,
    "graph.slice": slice,
    "graph.pad": pad,
}
"""The movements."""
