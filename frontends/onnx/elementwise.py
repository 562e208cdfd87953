"""Operators that compute each element from one element of each input."""

from __future__ import annotations

import math

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.element_types import is_float
from .node import Node, Operator
from .weights import element_type_name, element_type_of


def unary(function: str) -> Operator:
    """An operator that is one op of one operand."""

    def operator(node: Node) -> SSAValue:
        return getattr(node.ops, function)(node.input(0))

    return operator


def binary(function: str) -> Operator:
    """An operator that is one op of two operands, which broadcast."""

    def operator(node: Node) -> SSAValue:
        return getattr(node.ops, function)(node.input(0), node.input(1))

    return operator


def variadic(function: str) -> Operator:
    """An operator of any number of inputs that is one op after the other."""

    def operator(node: Node) -> SSAValue:
        result, *others = node.inputs()
        for other in others:
            result = getattr(node.ops, function)(result, other)
        return result

    return operator


def mean(node: Node) -> SSAValue:
    """The sum of all inputs divided by how many there are."""
    total = variadic("add")(node)
    assert isinstance(total, SSAValue)
    return node.ops.divide(total, len(node.contents))


def modulo(node: Node) -> SSAValue:
    """The remainder: with `fmod` of the sign of the dividend, else of the divisor."""
    a, b, fmod = node.input(0), node.input(1), node.flag("fmod")
    if fmod or not is_float(node.element(a)):
        return node.ops.modulo(a, b, fmod=fmod)
    remainder = node.ops.modulo(a, b, fmod=True)
    other_side = node.ops.less(node.ops.multiply(node.ops.sign(remainder), node.ops.sign(b)), 0)
    return node.ops.select(other_side, node.ops.add(remainder, b), remainder)


def bit_shift(node: Node) -> SSAValue:
    """A shift of the bits, left or right; to the right, as far as there are bits, with copies of the sign."""
    x, amount, direction = node.input(0), node.input(1), node.string("direction", "")
    if direction == "LEFT":
        return node.ops.shift_left(x, amount)
    if direction != "RIGHT":
        raise node.error(f"direction is LEFT or RIGHT, found '{direction}'")
    if node.dtype(x).kind == "i":
        last = 8 * node.dtype(x).itemsize - 1
        amount = node.ops.select(node.ops.less(amount, 0), last, node.ops.minimum(amount, last))
    return node.ops.shift_right(x, amount)


def power(node: Node) -> SSAValue:
    """The power, in the type of the base; an exponent of another type is no integer where the base is none."""
    base, exponent = node.input(0), node.input(1)
    if node.element(base) == node.element(exponent):
        return node.ops.power(base, exponent)
    if is_float(node.element(base)) or not is_float(node.element(exponent)):
        return node.ops.power(base, node.ops.cast(exponent, node.element(base)))
    wide = node.ops.power(node.ops.cast(base, "f64"), node.ops.cast(exponent, "f64"))
    return node.ops.cast(wide, node.element(base))


def is_inf(node: Node) -> SSAValue:
    """Whether an element is infinite, of either sign or of one."""
    x = node.input(0)
    positive, negative = node.flag("detect_positive", True), node.flag("detect_negative", True)
    infinite = node.ops.is_inf(x)
    if positive and negative:
        return infinite
    if not positive and not negative:
        return node.ops.logical_and(infinite, False)
    return node.ops.logical_and(infinite, node.ops.greater(x, 0) if positive else node.ops.less(x, 0))


def cast(node: Node) -> SSAValue:
    """The elements in another type."""
    number = node.integer("to", 0)
    node.ignore("saturate", "round_mode")  # these speak of 8-bit floats
    element = element_type_of(number)
    if element is None:
        node.refuse(f"elements of type {element_type_name(number)}")
    return node.ops.cast(node.input(0), element)


def cast_like(node: Node) -> SSAValue:
    """The elements in the type of another tensor."""
    node.ignore("saturate", "round_mode")
    return node.ops.cast(node.input(0), node.element(node.input(1)))


def clip(node: Node) -> SSAValue:
    """`min(max(x, low), high)`."""
    x = node.input(0)
    if node.opset < 11:
        largest = float(np.finfo(np.float32).max)
        return node.ops.minimum(node.ops.maximum(x, node.real("min", -largest)), node.real("max", largest))
    for index, function in ((1, "maximum"), (2, "minimum")):
        bound = node.optional(index)
        if bound is not None:
            x = getattr(node.ops, function)(x, node.ops.reshape(bound, []) if node.rank(bound) else bound)
    return x


def leaky_relu(node: Node) -> SSAValue:
    """`x`, and `alpha * x` where it is negative."""
    x = node.input(0)
    return node.ops.select(node.ops.less(x, 0), node.ops.multiply(x, node.real("alpha", 0.01)), x)


def prelu(node: Node) -> SSAValue:
    """`x`, and `slope * x` where it is negative."""
    x = node.input(0)
    return node.ops.select(node.ops.less(x, 0), node.ops.multiply(x, node.input(1)), x)


def thresholded_relu(node: Node) -> SSAValue:
    """`x`, and 0 where it is not above `alpha`."""
    x = node.input(0)
    return node.ops.select(node.ops.greater(x, node.real("alpha", 1.0)), x, 0)


def _expm1(node: Node, x: SSAValue) -> SSAValue:
    return node.ops.subtract(node.ops.exp(x), 1)


def elu(node: Node) -> SSAValue:
    """`x`, and `alpha * (exp(x) - 1)` where it is negative."""
    x, alpha = node.input(0), node.real("alpha", 1.0)
    return node.ops.select(node.ops.less(x, 0), node.ops.multiply(_expm1(node, x), alpha), x)


def celu(node: Node) -> SSAValue:
    """`x`, and `alpha * (exp(x / alpha) - 1)` where it is negative."""
    x, alpha = node.input(0), node.real("alpha", 1.0)
    below = node.ops.multiply(_expm1(node, node.ops.divide(x, alpha)), alpha)
    return node.ops.select(node.ops.less(x, 0), below, x)


def selu(node: Node) -> SSAValue:
    """`gamma * x`, and `gamma * (alpha * exp(x) - alpha)` where it is not positive."""
    x, alpha, gamma = (
        node.input(0),
        node.real("alpha", 1.67326319217681884765625),
        node.real("gamma", 1.0507010221481323),
    )
    below = node.ops.subtract(node.ops.multiply(node.ops.exp(x), alpha), alpha)
    return node.ops.multiply(node.ops.select(node.ops.less_equal(x, 0), below, x), gamma)


def shrink(node: Node) -> SSAValue:
    """`x + bias` below `-lambd`, `x - bias` above `lambd`, 0 between."""
    x, bias, limit = node.input(0), node.real("bias", 0.0), node.real("lambd", 0.5)
    above = node.ops.select(node.ops.greater(x, limit), node.ops.subtract(x, bias), 0)
    return node.ops.select(node.ops.less(x, -limit), node.ops.add(x, bias), above)


def _between_0_and_1(node: Node, x: SSAValue) -> SSAValue:
    return node.ops.minimum(node.ops.maximum(x, 0), 1)


def hard_sigmoid(node: Node) -> SSAValue:
    """`alpha * x + beta`, between 0 and 1."""
    x, alpha, beta = node.input(0), node.real("alpha", 0.2), node.real("beta", 0.5)
    return _between_0_and_1(node, node.ops.add(node.ops.multiply(x, alpha), beta))


def hard_swish(node: Node) -> SSAValue:
    """`x` times `x / 6 + 1 / 2` between 0 and 1."""
    x = node.input(0)
    return node.ops.multiply(x, _between_0_and_1(node, node.ops.add(node.ops.multiply(x, 1 / 6), 0.5)))


def swish(node: Node) -> SSAValue:
    """`x * sigmoid(alpha * x)`."""
    x = node.input(0)
    return node.ops.multiply(x, node.ops.sigmoid(node.ops.multiply(x, node.real("alpha", 1.0))))


def _log1p_exp(node: Node, x: SSAValue) -> SSAValue:
    """`log(1 + exp(x))` as `max(x, 0) + log(1 + exp(-|x|))`, which no large element overflows."""
    decay = node.ops.exp(node.ops.negate(node.ops.abs(x)))
    return node.ops.add(node.ops.maximum(x, 0), node.ops.log(node.ops.add(decay, 1)))


def softplus(node: Node) -> SSAValue:
    """`log(1 + exp(x))`."""
    return _log1p_exp(node, node.input(0))


def mish(node: Node) -> SSAValue:
    """`x * tanh(log(1 + exp(x)))`."""
    x = node.input(0)
    return node.ops.multiply(x, node.ops.tanh(_log1p_exp(node, x)))


def softsign(node: Node) -> SSAValue:
    """`x / (1 + |x|)`."""
    x = node.input(0)
    return node.ops.divide(x, node.ops.add(node.ops.abs(x), 1))


def gelu(node: Node) -> SSAValue:
    """`x / 2 * (1 + erf(x / sqrt(2)))`, or the approximation of it by tanh."""
    x = node.input(0)
    approximate = node.string("approximate", "none")
    if approximate == "tanh":
        cube = node.ops.multiply(node.ops.multiply(x, x), x)
        inner = node.ops.multiply(node.ops.add(x, node.ops.multiply(cube, 0.044715)), math.sqrt(2 / math.pi))
        gate = node.ops.tanh(inner)
    elif approximate == "none":
        gate = node.ops.erf(node.ops.multiply(x, math.sqrt(0.5)))
    else:
        raise node.error(f"approximate is 'none' or 'tanh', found '{approximate}'")
    return node.ops.multiply(node.ops.multiply(x, 0.5), node.ops.add(gate, 1))


UNARY = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh",
    "BitwiseNot": "bitwise_not", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp",
    "Floor": "floor", "IsNaN": "is_nan", "Log": "log", "Neg": "negate", "Not": "logical_not",
    "Reciprocal": "reciprocal", "Relu": "relu", "Round": "round", "Sigmoid": "sigmoid", "Sign": "sign",
    "Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
}  # fmt: skip
"""Operators that are one op of one operand."""

BINARY = {
    "Add": "add", "And": "logical_and", "BitwiseAnd": "bitwise_and", "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor", "Div": "divide", "Equal": "equal", "Greater": "greater",
    "GreaterOrEqual": "greater_equal", "Less": "less", "LessOrEqual": "less_equal",
    "Mul": "multiply", "Or": "logical_or", "Sub": "subtract", "Xor": "logical_xor",
}  # fmt: skip
"""Operators that are one op of two operands."""

VARIADIC = {"Max": "maximum", "Min": "minimum", "Sum": "add"}
"""Operators that are one op applied again and again."""


def where(node: Node) -> SSAValue:
    """One of two elements, as a third one says."""
    return node.ops.select(node.input(0), node.input(1), node.input(2))


ELEMENTWISE: dict[str, Operator] = {
    **{name: unary(function) for name, function in UNARY.items()},
    **{name: binary(function) for name, function in BINARY.items()},
    **{name: variadic(function) for name, function in VARIADIC.items()},
    "BitShift": bit_shift,
    "Cast": cast,
    "CastLike": cast_like,
    "Celu": celu,
    "Clip": clip,
    "Elu": elu,
    "Gelu": gelu,
    "HardSigmoid": hard_sigmoid,
    "HardSwish": hard_swish,
    "IsInf": is_inf,
    "LeakyRelu": leaky_relu,
    "Mean": mean,
    "Mish": mish,
    "Mod": modulo,
    "PRelu": prelu,
    "Pow": power,
    "Selu": selu,
    "Shrink": shrink,
    "Softplus": softplus,
    "Softsign": softsign,
    "Swish": swish,
    "ThresholdedRelu": thresholded_relu,
    "Where": where,
}
