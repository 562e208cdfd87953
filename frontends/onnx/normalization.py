"""Operators that bring elements into a common range: softmax and the normalizations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .images import per_channel, spatial_axes
from .movement import dims
from .node import Node, Operator
from .reduction import first_index, index_along


def _softmax_axes(node: Node, x: SSAValue) -> list[int]:
    """The axes that a softmax goes over: one, and before opset 13 all from `axis` on."""
    rank = node.rank(x)
    if node.opset >= 13:
        return [node.axis(node.integer("axis", -1), rank)]
    axis = node.integer("axis", 1)
    if not -rank <= axis <= rank:
        raise node.error(f"axis {axis} is out of range for rank {rank}")
    first = axis + rank if axis < 0 else axis
    axes = list(range(first, rank))
    wide = [each for each in axes if node.shape(x)[each] != 1]
    return wide if len(wide) == 1 else axes


def _shifted(node: Node, x: SSAValue, axes: Sequence[int]) -> SSAValue:
    return node.ops.subtract(x, node.ops.max(x, axes, keepdims=True))


def softmax(node: Node) -> SSAValue:
    """`exp(x) / sum(exp(x))`."""
    x = node.input(0)
    axes = _softmax_axes(node, x)
    if len(axes) == 1:
        return node.ops.softmax(x, axes[0])
    powers = node.ops.exp(_shifted(node, x, axes))
    return node.ops.divide(powers, node.ops.sum(powers, axes, keepdims=True))


def log_softmax(node: Node) -> SSAValue:
    """The logarithm of a softmax."""
    x = node.input(0)
    axes = _softmax_axes(node, x)
    shifted = _shifted(node, x, axes)
    return node.ops.subtract(shifted, node.ops.log(node.ops.sum(node.ops.exp(shifted), axes, keepdims=True)))


def hardmax(node: Node) -> SSAValue:
    """1 where the first largest element is, 0 elsewhere."""
    x = node.input(0)
    axes = _softmax_axes(node, x)
    if len(axes) != 1:
        node.refuse("a hardmax over several axes")
    size = node.shape(x)[axes[0]]
    if not isinstance(size, int):
        node.refuse("an index along an axis of a dynamic size: bind it with shapes=")
    places = index_along(node, x, axes[0], size)
    first = first_index(node, x, "max", axes[0], size, last=False)
    hot = node.ops.equal(places, first)
    return node.ops.cast(hot, node.element(x))


def _centred(node: Node, x: SSAValue, axes: Sequence[int]) -> tuple[SSAValue, SSAValue, SSAValue]:
    """The mean, `x` less it, and the mean of the squares of that: the variance in two passes, which does not cancel."""
    mean = node.ops.mean(x, axes, keepdims=True)
    centred = node.ops.subtract(x, mean)
    return mean, centred, node.ops.mean(node.ops.multiply(centred, centred), axes, keepdims=True)


def _inverse_root(node: Node, variance: SSAValue, epsilon: float) -> SSAValue:
    return node.ops.reciprocal(node.ops.sqrt(node.ops.add(variance, epsilon)))


def batch_normalization(node: Node) -> SSAValue:
    """`(x - mean) / sqrt(variance + epsilon) * scale + bias`, as one multiplication and one addition."""
    x, scale, bias, mean, variance = (node.input(index) for index in range(5))
    node.ignore("momentum")
    epsilon = node.real("epsilon", 1e-5)
    if node.flag("training_mode") or not node.flag("spatial", True):
        node.refuse("batch normalization in training, or with a mean for each element")
    element, rank = node.element(x), node.rank(x)
    factor = node.ops.divide(scale, node.ops.sqrt(node.ops.add(_as(node, variance, scale), epsilon)))
    offset = node.ops.subtract(bias, node.ops.multiply(_as(node, mean, scale), factor))
    wide = node.ops.multiply(_as(node, x, scale), per_channel(node, factor, rank))
    result = node.of_shape(node.shape(x), node.ops.add(wide, per_channel(node, offset, rank)))
    return result if node.element(result) == element else node.ops.cast(result, element)


def _as(node: Node, value: SSAValue, like: SSAValue) -> SSAValue:
    return value if node.element(value) == node.element(like) else node.ops.cast(value, node.element(like))


def instance_normalization(node: Node) -> SSAValue:
    """Each channel of each image with mean 0 and variance 1, then scaled."""
    x, epsilon = node.input(0), node.real("epsilon", 1e-5)
    scale, bias = (per_channel(node, node.input(index), node.rank(x)) for index in (1, 2))
    _, centred, variance = _centred(node, x, spatial_axes(node, x))
    normal = node.ops.multiply(centred, _inverse_root(node, variance, epsilon))
    return node.of_shape(node.shape(x), node.ops.add(node.ops.multiply(normal, scale), bias))


def group_normalization(node: Node) -> SSAValue:
    """Groups of channels with mean 0 and variance 1, scaled group by group, from opset 21 on channel by channel."""
    x, groups, epsilon = node.input(0), node.integer("num_groups", 1), node.real("epsilon", 1e-5)
    node.ignore("stash_type")
    sizes = dims(node, x)
    if not isinstance(sizes[1], int) or sizes[1] % groups:
        raise node.error(f"{sizes[1]} channels do not split into {groups} groups")
    wide = node.ops.reshape(x, [sizes[0], groups, sizes[1] // groups, *sizes[2:]])
    _, centred, variance = _centred(node, wide, list(range(2, node.rank(wide))))
    normal = node.ops.multiply(centred, _inverse_root(node, variance, epsilon))
    scale, bias = node.input(1), node.input(2)
    if node.opset < 21:
        scale, bias = (per_channel(node, each, node.rank(wide)) for each in (scale, bias))
        return _merged(node, node.ops.add(node.ops.multiply(normal, scale), bias), sizes[1])
    scale, bias = (per_channel(node, each, node.rank(x)) for each in (scale, bias))
    return node.ops.add(node.ops.multiply(_merged(node, normal, sizes[1]), scale), bias)


def _merged(node: Node, wide: SSAValue, channels: int) -> SSAValue:
    """Groups and their channels as one axis."""
    sizes = dims(node, wide)
    return node.ops.reshape(wide, [sizes[0], channels, *sizes[3:]])


def layer_normalization(node: Node) -> list[SSAValue]:
    """Everything from `axis` on with mean 0 and variance 1, then scaled; also the mean and the factor."""
    x, scale, bias = node.input(0), node.input(1), node.optional(2)
    axis, epsilon = node.axis(node.integer("axis", -1), node.rank(x)), node.real("epsilon", 1e-5)
    node.ignore("stash_type")
    y = node.ops.layer_norm(x, scale, bias, axis=axis, epsilon=epsilon)
    if node.outputs < 2:
        return [y]
    mean, _, variance = _centred(node, _in_f32(node, x), list(range(axis, node.rank(x))))
    return [y, mean, _inverse_root(node, variance, epsilon)]


def _in_f32(node: Node, x: SSAValue) -> SSAValue:
    return node.ops.cast(x, "f32") if node.dtype(x).itemsize < 4 else x


def rms_normalization(node: Node) -> SSAValue:
    """`x / sqrt(mean of squares + epsilon) * scale`; 16-bit elements are squared in f32, where they do not overflow."""
    x, scale = node.input(0), node.input(1)
    axis, epsilon = node.axis(node.integer("axis", -1), node.rank(x)), node.real("epsilon", 1e-5)
    node.ignore("stash_type")
    wide = _in_f32(node, x)
    squares = node.ops.mean(node.ops.multiply(wide, wide), list(range(axis, node.rank(x))), keepdims=True)
    normal = node.ops.multiply(wide, _inverse_root(node, squares, epsilon))
    return node.of_shape(node.shape(x), node.ops.multiply(_as(node, normal, scale), scale))


def lp_normalization(node: Node) -> SSAValue:
    """`x` divided by its 1-norm or 2-norm along an axis; 0 where that is 0."""
    x, p = node.input(0), node.integer("p", 2)
    axis = node.axis(node.integer("axis", -1), node.rank(x))
    if p not in (1, 2):
        raise node.error(f"p is 1 or 2, found {p}")
    if p == 1:
        norm = node.ops.sum(node.ops.abs(x), [axis], keepdims=True)
    else:
        norm = node.ops.sqrt(node.ops.sum(node.ops.multiply(x, x), [axis], keepdims=True))
    return node.ops.select(node.ops.equal(norm, 0), 0, node.ops.divide(x, norm))


def mean_variance_normalization(node: Node) -> SSAValue:
    """Mean 0 and variance 1 over axes, by default all but the channels."""
    x, axes = node.input(0), node.ints("axes") or [0, 2, 3]
    _, centred, variance = _centred(node, x, [node.axis(axis, node.rank(x)) for axis in axes])
    return node.ops.divide(centred, node.ops.add(node.ops.sqrt(variance), 1e-9))


NORMALIZATION: dict[str, Operator] = {
    "BatchNormalization": batch_normalization,
    "GroupNormalization": group_normalization,
    "Hardmax": hardmax,
    "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization,
    "LogSoftmax": log_softmax,
    "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance_normalization,
    "RMSNormalization": rms_normalization,
    "Softmax": softmax,
}
