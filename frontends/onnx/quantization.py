"""Operators between real numbers and the 8-bit integers that stand for them."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute, SSAValue

from ...dialects.element_types import integer_type, is_float
from .contraction import without_zero_point
from .node import Node, Operator
from .weights import element_type_name, element_type_of


def _along_axis(node: Node, value: SSAValue, x: SSAValue) -> SSAValue:
    """A scale or zero point for each index of an axis, so that it broadcasts over `x`."""
    axis, block = node.integer("axis", 1), node.integer("block_size", 0)
    if block:
        node.refuse("a scale for each block of elements")
    if node.rank(value) == 0 or node.rank(x) == 0:
        return value
    if node.rank(value) > 1:
        node.refuse(f"a scale of rank {node.rank(value)}")
    if node.shape(value) == (1,):
        return node.ops.reshape(value, [])
    place = node.axis(axis, node.rank(x))
    size = node.static_shape(value, "a scale")[0]
    return node.ops.reshape(value, [size if i == place else 1 for i in range(node.rank(x))])


def _saturated(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    """Real numbers that are whole as integers of a type, the nearest one where they are out of range."""
    integer = integer_type(element)
    if integer is None:
        node.refuse(f"quantization to {element}")
    width, unsigned = integer.width.data, integer.signedness.data is Signedness.UNSIGNED
    low, high = (0, 2**width - 1) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    return node.ops.cast(node.ops.minimum(node.ops.maximum(value, low), high), element)


def quantize(node: Node, x: SSAValue, scale: SSAValue, zero: SSAValue | None, element: Attribute) -> SSAValue:
    """`round(x / scale) + zero`, ties to even, saturated."""
    number = node.element(scale) if is_float(node.element(scale)) else node.element(x)
    quotient = node.ops.round(node.ops.divide(node.ops.cast(x, number), scale))
    if zero is not None:
        quotient = node.ops.add(quotient, node.ops.cast(zero, number))
    return _saturated(node, quotient, element)


def quantize_linear(node: Node) -> SSAValue:
    """`round(x / scale) + zero point` as an integer."""
    x, scale, zero = node.input(0), node.input(1), node.optional(2)
    node.ignore("saturate")
    if node.integer("precision", 0):
        node.refuse("a division in another precision")
    number = node.integer("output_dtype", 0)
    element: Attribute = IntegerType(8, Signedness.UNSIGNED)
    if zero is not None:
        element = node.element(zero)
    elif number:
        found = element_type_of(number)
        element = node.refuse(f"elements of type {element_type_name(number)}") if found is None else found
    spread = None if zero is None else _along_axis(node, zero, x)
    return node.of_shape(node.shape(x), quantize(node, x, _along_axis(node, scale, x), spread, element))


def dequantize(node: Node, x: SSAValue, scale: SSAValue, zero: SSAValue | None) -> SSAValue:
    """`(x - zero) * scale`, the difference in 32 bits."""
    return node.ops.multiply(node.ops.cast(without_zero_point(node, x, zero), node.element(scale)), scale)


def dequantize_linear(node: Node) -> SSAValue:
    """`(x - zero point) * scale` as a real number."""
    x, scale, zero = node.input(0), node.input(1), node.optional(2)
    number = node.integer("output_dtype", 0)
    spread = None if zero is None else _along_axis(node, zero, x)
    y = dequantize(node, x, _along_axis(node, scale, x), spread)
    element = element_type_of(number) if number else node.element(y)
    if element is None:
        node.refuse(f"elements of type {element_type_name(number)}")
    return node.of_shape(node.shape(x), y if element == node.element(y) else node.ops.cast(y, element))


def dynamic_quantize_linear(node: Node) -> list[SSAValue]:
    """Integers, scale and zero point chosen so that the range of `x`, with 0, fills 8 bits."""
    x = node.input(0)
    axes = list(range(node.rank(x)))
    high = node.ops.maximum(node.ops.max(x, axes), 0)
    low = node.ops.minimum(node.ops.min(x, axes), 0)
    scale = node.ops.divide(node.ops.subtract(high, low), 255)
    element = IntegerType(8, Signedness.UNSIGNED)
    zero = _saturated(node, node.ops.round(node.ops.divide(node.ops.negate(low), scale)), element)
    return [quantize(node, x, scale, zero, element), scale, zero]


def qlinear_matmul(node: Node) -> SSAValue:
    """A matrix product of quantized matrices, quantized again."""
    a, a_scale, a_zero, b, b_scale, b_zero, scale, zero = (node.input(index) for index in range(8))
    if any(np.prod([size for size in node.shape(each) if isinstance(size, int)]) != 1 for each in (a_scale, b_scale)):
        node.refuse("a scale for each row or column")
    one = [node.ops.reshape(each, []) for each in (a_scale, a_zero, b_scale, b_zero, scale, zero)]
    product = node.ops.matmul(without_zero_point(node, a, one[1]), without_zero_point(node, b, one[3]))
    total = node.ops.cast(product, "f32")
    factor = node.ops.divide(
        node.ops.multiply(*(node.ops.cast(one[i], "f32") for i in (0, 2))), node.ops.cast(one[4], "f32")
    )
    whole = node.ops.round(node.ops.multiply(total, factor))
    return _saturated(node, node.ops.add(whole, node.ops.cast(one[5], "f32")), node.element(zero))


QUANTIZATION: dict[str, Operator] = {
    "DequantizeLinear": dequantize_linear,
    "DynamicQuantizeLinear": dynamic_quantize_linear,
    "QLinearMatMul": qlinear_matmul,
    "QuantizeLinear": quantize_linear,
}
