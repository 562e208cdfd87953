"""Operators that sum products: matrix products and convolutions."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.element_types import is_float
from .images import Window, as_image, like_input, spatial, window
from .movement import dims, product, with_axes
from .node import Node, Operator


def matmul(node: Node) -> SSAValue:
    """A matrix product; axes before the last two broadcast."""
    return node.ops.matmul(node.input(0), node.input(1))


def gemm(node: Node) -> SSAValue:
    """`alpha * a @ b + beta * c`, with `a` and `b` transposed if asked."""
    a, b, c = node.input(0), node.input(1), node.optional(2)
    alpha, beta = node.real("alpha", 1.0), node.real("beta", 1.0)
    if node.rank(a) != 2 or node.rank(b) != 2:
        raise node.error(f"two matrices are expected, found ranks {node.rank(a)} and {node.rank(b)}")
    if node.flag("transA"):
        a = node.ops.permute_dims(a, [1, 0])
    if node.flag("transB"):
        b = node.ops.permute_dims(b, [1, 0])
    result = _scaled(node, node.ops.matmul(a, b), alpha)
    if c is None:
        return result
    if node.rank(c) > 2:
        raise node.error(f"c has rank {node.rank(c)}, and does not broadcast to a matrix")
    return node.of_shape(node.shape(result), node.ops.add(result, _scaled(node, c, beta)))


def _scaled(node: Node, value: SSAValue, factor: float) -> SSAValue:
    if factor == 1.0:
        return value
    if not is_float(node.element(value)) and factor != int(factor):
        node.refuse(f"integers are scaled by {factor}")
    return node.ops.multiply(value, factor)


def _filter(node: Node, index: int) -> tuple[SSAValue, list[int]]:
    """The filter as one of images, and the size of its window."""
    x, filter = node.input(0), node.input(index)
    if node.rank(filter) != node.rank(x):
        raise node.error(f"the filter has rank {node.rank(filter)}, the input {node.rank(x)}")
    kernel = [size for size in node.shape(filter)[2:] if isinstance(size, int)]
    given = node.ints("kernel_shape")
    if given is not None and given != kernel:
        raise node.error(f"kernel_shape is {given}, and the filter has {kernel}")
    return as_image(node, filter), kernel


def conv(node: Node) -> SSAValue:
    """A convolution over one or two axes, with a bias."""
    filter, kernel = _filter(node, 1)
    bias, w = node.optional(2), window(node, kernel)
    return _conv(node, as_image(node, node.input(0)), filter, bias, w)


def _conv(node: Node, image: SSAValue, filter: SSAValue, bias: SSAValue | None, w: Window) -> SSAValue:
    groups = node.integer("group", 1)
    # a padding that holds a whole window is an op of its own: conv2d never looks at padding alone
    reach = [dilation * (k - 1) + 1 for k, dilation in zip(w.kernel, w.dilations, strict=True)]
    pads = w.pads
    if any(amount < 0 or amount >= reach[axis % 2] for axis, amount in enumerate(pads)):
        image = node.ops.pad(image, [0, 0, *pads[:2]], [0, 0, *pads[2:]])
        pads = [0, 0, 0, 0]
    out = node.ops.conv2d(image, filter, bias, strides=w.strides, pads=pads, dilations=w.dilations, groups=groups)
    return like_input(node, out)


def conv_transpose(node: Node) -> SSAValue:
    """
    A convolution read backwards, as a plain one.

    Zeros are put between the elements of the input (`strides`), and the filter is turned round.
    """
    x, rank = node.input(0), node.rank(node.input(0))
    filter, kernel = _filter(node, 1)
    image, groups, bias = as_image(node, x), node.integer("group", 1), node.optional(2)
    sizes = kernel if rank == 4 else [1, *kernel]
    strides, dilations = spatial(node, "strides", rank, 1), spatial(node, "dilations", rank, 1)
    reach = [dilation * (k - 1) for k, dilation in zip(sizes, dilations, strict=True)]
    low, high = _transposed_pads(node, image, reach, strides)
    spread = _spread(node, image, strides)
    spread = node.ops.pad(spread, [0, 0, *low], [0, 0, *high])

    channels, outputs, *_ = node.static_shape(filter, "a filter")
    if groups < 1 or channels % groups:
        raise node.error(f"{channels} channels do not split into {groups} groups")
    parts = node.ops.reshape(filter, [groups, channels // groups, outputs, *sizes])
    turned = node.ops.reshape(
        node.ops.permute_dims(parts, [0, 2, 1, 3, 4]), [groups * outputs, channels // groups, *sizes]
    )
    end = [2**63 - 1, 2**63 - 1]
    turned = node.ops.slice(turned, [0, 0, -1, -1], [*end, -end[0], -end[0]], [1, 1, -1, -1])
    out = node.ops.conv2d(spread, turned, bias, dilations=dilations, groups=groups)
    return like_input(node, out)


def _transposed_pads(node: Node, image: SSAValue, reach: list[int], strides: list[int]) -> tuple[list[int], list[int]]:
    """How much is put around the spread input; negative where the result is cut."""
    rank = node.rank(node.input(0))
    extra, shape = spatial(node, "output_padding", rank, 0), node.ints("output_shape")
    given, auto = node.ints("pads"), node.string("auto_pad", "NOTSET")
    if shape is not None and len(shape) < rank - 2:
        raise node.error(f"output_shape has {len(shape)} entries for {rank - 2} axes")
    if shape is not None or auto.startswith("SAME"):
        extents = node.static_shape(image, "an output shape")[2:]
        wanted = [size * stride for size, stride in zip(extents, strides, strict=True)]
        if shape is not None:
            wanted = shape[-(rank - 2) :] if rank == 4 else [1, *shape[-1:]]
        pads = [
            max(stride * (size - 1) + more + r + 1 - want, 0)
            for size, stride, more, r, want in zip(extents, strides, extra, reach, wanted, strict=True)
        ]
        missing = [
            max(want - (stride * (size - 1) + more + r + 1), 0)
            for size, stride, more, r, want in zip(extents, strides, extra, reach, wanted, strict=True)
        ]
        extra = [more + m for more, m in zip(extra, missing, strict=True)]
        begin = [total // 2 if auto == "SAME_UPPER" else total - total // 2 for total in pads]
        end = [total - b for total, b in zip(pads, begin, strict=True)]
    elif auto in ("NOTSET", "VALID"):
        given = given or [0] * (2 * (rank - 2))
        if len(given) != 2 * (rank - 2):
            raise node.error(f"pads has {len(given)} entries for {rank - 2} axes")
        begin, end = given[: rank - 2], given[rank - 2 :]
        if rank == 3:
            begin, end = [0, *begin], [0, *end]
    else:
        raise node.error(f"auto_pad '{auto}' is not known")
    low = [r - b for r, b in zip(reach, begin, strict=True)]
    high = [r - e + more for r, e, more in zip(reach, end, extra, strict=True)]
    return low, high


def _spread(node: Node, image: SSAValue, strides: list[int]) -> SSAValue:
    """The image with `stride - 1` zeros between its rows and columns."""
    if all(stride == 1 for stride in strides):
        return image
    down, right = strides
    batch, channels, height, width = dims(node, image)
    wide = node.ops.reshape(image, [batch, channels, height, 1, width, 1])
    wide = node.ops.pad(wide, [0] * 6, [0, 0, 0, down - 1, 0, right - 1])
    sizes = dims(node, wide)
    wide = node.ops.reshape(wide, [*sizes[:2], product(sizes[2:4]), product(sizes[4:])])
    return node.ops.pad(wide, [0] * 4, [0, 0, 1 - down, 1 - right])


def matmul_integer(node: Node) -> SSAValue:
    """A matrix product of 8-bit integers, less their zero points, in 32 bits."""
    zero = node.optional(2)
    if zero is not None and node.rank(zero) == 1:
        zero = with_axes(node, zero, [1])
    left = without_zero_point(node, node.input(0), zero)
    return node.ops.matmul(left, without_zero_point(node, node.input(1), node.optional(3)))


def without_zero_point(node: Node, value: SSAValue, zero: SSAValue | None) -> SSAValue:
    """An integer tensor less its zero point, in 32 bits."""
    wide = node.ops.cast(value, "i32")
    if zero is None:
        return wide
    return node.of_shape(node.shape(value), node.ops.subtract(wide, node.ops.cast(zero, "i32")))


def conv_integer(node: Node) -> SSAValue:
    """A convolution of 8-bit integers, less their zero points, in 32 bits."""
    filter, kernel = _filter(node, 1)
    w = window(node, kernel)
    zero = node.optional(3)
    if zero is not None and node.rank(zero) == 1:
        zero = with_axes(node, zero, [1, 2, 3])
    image = without_zero_point(node, as_image(node, node.input(0)), node.optional(2))
    turned = without_zero_point(node, filter, zero)
    return _conv(node, image, turned, None, w)


CONTRACTION: dict[str, Operator] = {
    "Conv": conv,
    "ConvInteger": conv_integer,
    "ConvTranspose": conv_transpose,
    "Gemm": gemm,
    "MatMul": matmul,
    "MatMulInteger": matmul_integer,
}
