"""What windows over images have in common: one or two axes, padding given or computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.graph import Dim
from .movement import dims, with_axes, without_axes
from .node import Node


@dataclass(frozen=True)
class Window:
    """A window over the two axes of an image; signals have a first axis of size 1."""

    kernel: list[int]
    strides: list[int]
    pads: list[int]
    """top, left, bottom, right"""
    dilations: list[int]


def as_image(node: Node, x: SSAValue) -> SSAValue:
    """An image from an image, or from a signal of rank 3."""
    if node.rank(x) == 3:
        return with_axes(node, x, [2])
    if node.rank(x) != 4:
        node.refuse(f"windows over {node.rank(x) - 2} axes; 1 and 2 are known")
    return x


def like_input(node: Node, image: SSAValue) -> SSAValue:
    """A result in the rank of the node's first input."""
    return image if node.rank(node.input(0)) == 4 else without_axes(node, image, [2])


def spatial(node: Node, name: str, rank: int, default: int) -> list[int]:
    """An attribute with one number for each axis of the window."""
    values = node.ints(name) or [default] * (rank - 2)
    if len(values) != rank - 2:
        raise node.error(f"{name} has {len(values)} entries for {rank - 2} axes")
    if any(value < default for value in values):
        raise node.error(f"{name} {values} must not be less than {default}")
    return values if rank == 4 else [default, *values]


def window(node: Node, kernel: Sequence[int]) -> Window:
    """The window that the attributes of a node and its kernel describe."""
    x = node.input(0)
    rank = node.rank(x)
    if rank not in (3, 4) or len(kernel) != rank - 2:
        node.refuse(f"a window of {len(kernel)} axes over a tensor of rank {rank}; 1 and 2 axes are known")
    strides, dilations = spatial(node, "strides", rank, 1), spatial(node, "dilations", rank, 1)
    sizes = [*kernel] if rank == 4 else [1, *kernel]
    extents: list[Dim] = list(node.shape(x)[2:])
    pads = _pads(node, extents if rank == 4 else [1, *extents], sizes, strides, dilations)
    return Window(sizes, strides, pads, dilations)


def _pads(
    node: Node, extents: Sequence[Dim], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    auto = node.string("auto_pad", "NOTSET")
    given = node.ints("pads")
    axes = node.rank(node.input(0)) - 2
    if auto == "NOTSET":
        given = given or [0] * (2 * axes)
        if len(given) != 2 * axes:
            raise node.error(f"pads has {len(given)} entries for {axes} axes")
        return given if axes == 2 else [0, given[0], 0, given[1]]
    if auto == "VALID":
        return [0, 0, 0, 0]
    if auto not in ("SAME_UPPER", "SAME_LOWER"):
        raise node.error(f"auto_pad '{auto}' is not known")
    low, high = [0, 0], [0, 0]
    for axis, (size, k, stride, dilation) in enumerate(zip(extents, kernel, strides, dilations, strict=True)):
        reach = dilation * (k - 1) + 1
        if stride == 1:
            total = reach - 1
        elif isinstance(size, int):
            total = max((-(-size // stride) - 1) * stride + reach - size, 0)
        else:
            node.refuse(f"{auto} with a stride over an axis of a dynamic size: bind it with shapes=")
        low[axis], high[axis] = total // 2, total - total // 2
        if auto == "SAME_LOWER":
            low[axis], high[axis] = high[axis], low[axis]
    return [*low, *high]


def spatial_axes(node: Node, x: SSAValue) -> list[int]:
    """All axes behind batch and channels."""
    return list(range(2, node.rank(x)))


def per_channel(node: Node, value: SSAValue, rank: int) -> SSAValue:
    """A vector with one element for each channel, so that it broadcasts over a tensor of this rank."""
    if rank == 1:
        return value
    return node.ops.reshape(value, [*dims(node, value), *[1] * (rank - 2)])
