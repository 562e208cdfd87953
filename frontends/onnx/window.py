"""Operators that combine the elements of windows: pooling."""

from __future__ import annotations

from xdsl.ir import SSAValue

from .images import as_image, like_input, spatial_axes, window
from .movement import dims
from .node import Node, Operator


def _kernel(node: Node) -> list[int]:
    kernel = node.ints("kernel_shape")
    if not kernel:
        raise node.error("attribute 'kernel_shape' is missing")
    return kernel


def _exponent(node: Node) -> int:
    """Which norm."""
    p = node.integer("p", 2)
    if p < 1:
        raise node.error(f"p is positive, found {p}")
    return p


def max_pool(node: Node) -> SSAValue:
    """The largest element of each window."""
    w = window(node, _kernel(node))
    node.ignore("storage_order")
    image = as_image(node, node.input(0))
    out = node.ops.max_pool2d(
        image, w.kernel, strides=w.strides, pads=w.pads, dilations=w.dilations, ceil_mode=node.flag("ceil_mode")
    )
    return like_input(node, out)


def average_pool(node: Node) -> SSAValue:
    """The mean of each window."""
    w = window(node, _kernel(node))
    image, count_padding = as_image(node, node.input(0)), node.flag("count_include_pad")
    out = node.ops.avg_pool2d(
        image,
        w.kernel,
        strides=w.strides,
        pads=w.pads,
        dilations=w.dilations,
        ceil_mode=node.flag("ceil_mode"),
        count_include_pad=count_padding,
    )
    return like_input(node, out)


def lp_pool(node: Node) -> SSAValue:
    """The p-norm of each window: the mean over it, padding included, times its size."""
    w, p = window(node, _kernel(node)), _exponent(node)
    if node.flag("ceil_mode"):
        node.refuse("a norm over windows that reach beyond the padding (ceil_mode)")
    powers = node.ops.power(node.ops.abs(as_image(node, node.input(0))), p)
    mean = node.ops.avg_pool2d(
        powers, w.kernel, strides=w.strides, pads=w.pads, dilations=w.dilations, count_include_pad=True
    )
    total = node.ops.multiply(mean, w.kernel[0] * w.kernel[1])
    return like_input(node, node.ops.power(total, 1 / p))


def global_average_pool(node: Node) -> SSAValue:
    """The mean of each channel."""
    x = node.input(0)
    return node.ops.mean(x, spatial_axes(node, x), keepdims=True)


def global_max_pool(node: Node) -> SSAValue:
    """The largest element of each channel."""
    x = node.input(0)
    return node.ops.max(x, spatial_axes(node, x), keepdims=True)


def global_lp_pool(node: Node) -> SSAValue:
    """The p-norm of each channel."""
    x, p = node.input(0), _exponent(node)
    total = node.ops.sum(node.ops.power(node.ops.abs(x), p), spatial_axes(node, x), keepdims=True)
    return node.ops.power(total, 1 / p)


def local_response(node: Node) -> SSAValue:
    """`x / (bias + alpha / size * (sum of squares over the channels around)) ** beta`."""
    x, size = node.input(0), node.integer("size", 0)
    alpha, beta, bias = node.real("alpha", 0.0001), node.real("beta", 0.75), node.real("bias", 1.0)
    if node.rank(x) < 3 or size < 1:
        raise node.error("channels of images and a positive size are expected")
    squares = node.ops.multiply(x, x)
    batch, channels, *_ = dims(node, x)
    stripes = node.ops.reshape(squares, [batch, 1, channels, None])
    before = (size - 1) // 2
    means = node.ops.avg_pool2d(stripes, [size, 1], pads=[before, 0, size - 1 - before, 0], count_include_pad=True)
    sums = node.ops.reshape(means, _shape_of(node, x))
    return node.ops.divide(x, node.ops.power(node.ops.add(node.ops.multiply(sums, alpha), bias), beta))


def _shape_of(node: Node, x: SSAValue) -> list[int | None]:
    """A target for what has been flattened behind its channels: at most one size is dynamic."""
    sizes = [size if isinstance(size, int) else None for size in node.shape(x)]
    if sizes.count(None) > 1:
        node.refuse("more than one dynamic dim: bind them with shapes=")
    return sizes


WINDOW: dict[str, Operator] = {
    "AveragePool": average_pool,
    "GlobalAveragePool": global_average_pool,
    "GlobalLpPool": global_lp_pool,
    "GlobalMaxPool": global_max_pool,
    "LRN": local_response,
    "LpPool": lp_pool,
    "MaxPool": max_pool,
}
