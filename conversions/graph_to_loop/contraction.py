"""Sums of products: matrix multiplication and convolution."""

from __future__ import annotations

from ...dialects import graph
from ...dialects.expr import floordiv
from .buffer import Buffer
from .function import LoopFunction
from .scalar import Scalar
from .table import Lowering


def matmul(f: LoopFunction, op: graph.MatmulOp) -> None:
    """`out[…, i, j] = sum over k of lhs[…, i, k] * rhs[…, k, j]`, leading axes broadcasting"""
    lhs, rhs = f.inputs
    has_rows, has_columns = lhs.rank > 1, rhs.rank > 1
    depth = lhs.dims[-1]
    f.require_equal(depth, rhs.dims[-2] if has_columns else rhs.dims[0], "inner sizes")
    f.mark_layout_free(rhs)
    total = f.accumulator()
    with f.nest("matmul") as n:
        leading = f.output.dims[: f.output.rank - has_rows - has_columns]
        batch = n.spatials(leading, "b")
        i = (n.spatial("i", lhs.dims[-2]),) if has_rows else ()
        j = (n.spatial("j", rhs.dims[-1]),) if has_columns else ()
        k = n.reduce("k", depth)
        a = n.read(lhs, (*f.broadcast(lhs.dims[:-2], leading, batch), *i, k))
        b = n.read(rhs, (*f.broadcast(rhs.dims[:-2], leading, batch), k, *j))
        n.accumulate(total, (*batch, *i, *j), 0, lambda old: old + a.cast(old.element) * b.cast(old.element))
    f.finish(total)


def conv2d(f: LoopFunction, op: graph.Conv2dOp) -> None:
    """`out[n, o, y, x] = bias[o] + sum over c, ky, kx of input[n, c, …] * filter[o, c, ky, kx]`, 0 in the padding"""
    image, filter, *bias = f.inputs
    f.mark_layout_free(filter)
    total = f.temporary("sum", f.accumulation_element, f.output.dims) if bias else f.accumulator()
    groups = op.groups.value.data
    top, left, *_ = op.pads.get_values()
    padded = 0 if any(op.pads.get_values()) else None
    with f.nest("conv2d") as n:
        spatial = b, o, y, x = [n.spatial(a, e) for a, e in zip("noyx", f.output.dims, strict=True)]
        c, ky, kx = n.reduce("c", filter.dims[1]), n.reduce("ky", filter.dims[2]), n.reduce("kx", filter.dims[3])
        channel = c if groups == 1 else floordiv(o, floordiv(filter.dims[0], groups)) * filter.dims[1] + c
        (sy, sx), (dy, dx) = op.strides.get_values(), op.dilations.get_values()
        v = n.read(image, (b, channel, y * sy + ky * dy - top, x * sx + kx * dx - left), pad=padded)
        w = n.read(filter, (o, c, ky, kx))
        n.accumulate(total, spatial, 0, lambda old: old + v.cast(old.element) * w.cast(old.element))
    if bias:
        add_bias(f, total, bias[0])
    else:
        f.finish(total)


def add_bias(f: LoopFunction, total: Buffer, bias: Buffer) -> None:
    """`out[n, o, y, x] = total[n, o, y, x] + bias[o]`"""
    with f.nest("bias") as n:
        indices = n.spatials(f.output.dims)
        sum = n.read(total, indices)
        added: Scalar = sum + n.read(bias, (indices[1],)).cast(sum.element)
        n.write(f.output, indices, f.to_output(added))


LOWERINGS: dict[str, Lowering] = {
    "graph.matmul": matmul,
    "graph.conv2d": conv2d,
}
"""The contractions."""
