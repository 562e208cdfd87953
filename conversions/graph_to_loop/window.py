"""Pooling: windows that slide over images."""

from __future__ import annotations

from ...dialects import graph
from ...dialects.expr import Expr, as_expr, maximum, minimum
from ...dialects.graph.inference import ceildiv
from .buffer import Buffer
from .function import LoopFunction
from .reduction import Combine
from .scalar import lowest
from .table import Lowering


def pool(f: LoopFunction, op: graph.Pool2dOp, label: str, target: Buffer, init: float, combine: Combine) -> None:
    """One nest: `target` combines each window, in which the padding holds `init`"""
    (image,) = f.inputs
    (ky_extent, kx_extent), (sy, sx), (dy, dx) = (p.get_values() for p in (op.kernel, op.strides, op.dilations))
    top, left, *_ = op.pads.get_values()
    pad = init if op.ceil_mode is not None or any(op.pads.get_values()) else None
    with f.nest(label) as n:
        spatial = b, c, y, x = [n.spatial(a, e) for a, e in zip("ncyx", target.dims, strict=True)]
        ky, kx = n.reduce("ky", as_expr(ky_extent)), n.reduce("kx", as_expr(kx_extent))
        element = n.read(image, (b, c, y * sy + ky * dy - top, x * sx + kx * dx - left), pad=pad)
        n.accumulate(target, spatial, init, lambda old: combine(old, element.cast(old.element)))


def max_pool2d(f: LoopFunction, op: graph.MaxPool2dOp) -> None:
    """The largest of each window"""
    pool(f, op, "max", f.output, lowest(f.output.element), lambda old, new: old.maximum(new))


def elements_inside(op: graph.Pool2dOp, axis: int, window: Expr, size: Expr, beyond: tuple[int, int]) -> Expr:
    """How many elements of a window on one axis lie in the image, or as far before and after it as `beyond` says."""
    kernel, stride, pad, dilation = (p.get_values()[axis] for p in (op.kernel, op.strides, op.pads, op.dilations))
    first = window * stride - pad
    begin = maximum(0, ceildiv(-first - beyond[0], dilation))
    end = minimum(kernel, ceildiv(size + beyond[1] - first, dilation))
    return end - begin


def avg_pool2d(f: LoopFunction, op: graph.AvgPool2dOp) -> None:
    """The sum of each window, divided by the number of its elements that count"""
    (image,) = f.inputs
    element = f.accumulation_element
    pads = op.pads.get_values()
    beyond = [(pads[a], pads[a + 2]) if op.count_include_pad is not None else (0, 0) for a in range(2)]
    total = f.temporary("sum", element, f.output.dims)
    pool(f, op, "sum", total, 0, lambda old, new: old + new)
    if op.ceil_mode is None and (op.count_include_pad is not None or not any(pads)):
        counts = None
    else:
        counts = f.temporary("counts", element, f.output.dims[2:])
        with f.nest("count") as n:
            windows = n.spatials(f.output.dims[2:])
            inside = [elements_inside(op, a, windows[a], image.dims[2 + a], beyond[a]) for a in range(2)]
            n.write(counts, windows, n.index(inside[0] * inside[1], element))
    with f.nest("average") as n:
        indices = n.spatials(f.output.dims)
        sum = n.read(total, indices)
        rows, columns = op.kernel.get_values()
        count = sum.constant(rows * columns) if counts is None else n.read(counts, indices[2:])
        n.write(f.output, indices, f.to_output(sum / count))


LOWERINGS: dict[str, Lowering] = {
    "graph.max_pool2d": max_pool2d,
    "graph.avg_pool2d": avg_pool2d,
}
"""The poolings."""
