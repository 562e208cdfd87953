"""Elementwise ops: one nest over the result, with operands that broadcast."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import math
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ...dialects import graph
from ...dialects.element_types import bits_of, is_float
from .function import LoopFunction
from .scalar import Scalar, is_unsigned
from .table import Lowering


def elementwise(compute: Callable[..., Scalar]) -> Lowering:
    """`out[i] = compute(elements of the operands at i)`"""

    def lower(f: LoopFunction, op: Operation) -> None:
        f.map(op.name.rpartition(".")[2], f.output, f.inputs, compute)

    return lower


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1; what is neither above, below nor equal to 0 is NaN and stays itself."""
    zero, one = x.constant(0), x.constant(1)
    if is_unsigned(x.element):
        return x.minimum(one)
    below = x.less(zero).select(x.constant(-1), x.equal(zero).select(zero, x))
    return zero.less(x).select(one, below)


def sigmoid(x: Scalar) -> Scalar:
    """`1 / (1 + exp(-x))`, in f32 at least: where `exp` overflows the quotient is 0."""
    wide = x.cast(f32) if bits_of(x.element) < 32 else x
    return (wide.constant(1) / (wide.constant(1) + (-wide).math(math.ExpOp))).cast(x.element)


def is_nan(x: Scalar) -> Scalar:
    """Whether it differs from itself."""
    return x.not_equal(x)


def is_inf(x: Scalar) -> Scalar:
    """Whether its magnitude is infinite."""
    return x.magnitude().equal(float("inf"))


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """The power; integers wrap, and a negative exponent truncates."""
    if is_float(base.element):
        return base.insert(math.PowFOp(base.value, exponent.value))
    if not is_unsigned(base.element):
        return base.insert(math.IPowIOp(base.value, exponent.value))
    # `ipowi` reads its exponent as signed. 2**(n-1) more of an exponent changes nothing for an odd base of n bits, and
    # makes an even one 0.
    top = 1 << (bits_of(base.element) - 1)
    low = base.insert(math.IPowIOp(base.value, (exponent & (top - 1)).value))
    vanishes = (base & 1).equal(0) & exponent.constant(top).less_equal(exponent)
    return vanishes.select(base.constant(0), low)


def modulo(f: LoopFunction, op: graph.ModuloOp) -> None:
    """The remainder with the sign of the divisor, or with `fmod` of the dividend."""

    def compute(a: Scalar, b: Scalar) -> Scalar:
        rest = a.remainder(b)
        if op.fmod is not None or is_unsigned(a.element):
            return rest
        moves = rest.not_equal(0) & (rest ^ b).less(0)
        return moves.select(rest + b, rest)

    f.map("modulo", f.output, f.inputs, compute)


def cast(f: LoopFunction, op: graph.CastOp) -> None:
    """Every element in another type."""
    f.map("cast", f.output, f.inputs, f.to_output)


UNARY: dict[str, Callable[[Scalar], Scalar]] = {
    "graph.relu": lambda x: x.maximum(0),
    "graph.negate": lambda x: -x,
    "graph.abs": lambda x: x.magnitude(),
    "graph.sign": sign,
    "graph.exp": lambda x: x.math(math.ExpOp),
    "graph.log": lambda x: x.math(math.LogOp),
    "graph.sqrt": lambda x: x.math(math.SqrtOp),
    "graph.reciprocal": lambda x: x.constant(1) / x,
    "graph.sin": lambda x: x.math(math.SinOp),
    "graph.cos": lambda x: x.math(math.CosOp),
    "graph.tan": lambda x: x.math(math.TanOp),
    "graph.asin": lambda x: x.math(math.AsinOp),
    "graph.acos": lambda x: x.math(math.AcosOp),
    "graph.atan": lambda x: x.math(math.AtanOp),
    "graph.sinh": lambda x: x.math(math.SinhOp),
    "graph.cosh": lambda x: x.math(math.CoshOp),
    "graph.tanh": lambda x: x.math(math.TanhOp),
    "graph.asinh": lambda x: x.math(math.AsinhOp),
    "graph.acosh": lambda x: x.math(math.AcoshOp),
    "graph.atanh": lambda x: x.math(math.AtanhOp),
    "graph.sigmoid": sigmoid,
    "graph.erf": lambda x: x.math(math.ErfOp),
    "graph.ceil": lambda x: x.math(math.CeilOp),
    "graph.floor": lambda x: x.math(math.FloorOp),
    "graph.round": lambda x: x.math(math.RoundEvenOp),
    "graph.logical_not": lambda x: ~x,
    "graph.bitwise_not": lambda x: ~x,
    "graph.is_nan": is_nan,
    "graph.is_inf": is_inf,
}
"""What becomes of one element."""

BINARY: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "graph.add": lambda a, b: a + b,
    "graph.subtract": lambda a, b: a - b,
    "graph.multiply": lambda a, b: a * b,
    "graph.divide": lambda a, b: a / b,
    "graph.power": power,
    "graph.maximum": lambda a, b: a.maximum(b),
    "graph.minimum": lambda a, b: a.minimum(b),
    "graph.bitwise_and": lambda a, b: a & b,
    "graph.bitwise_or": lambda a, b: a | b,
    "graph.bitwise_xor": lambda a, b: a ^ b,
    "graph.shift_left": lambda a, b: a << b,
    "graph.shift_right": lambda a, b: a >> b,
    "graph.logical_and": lambda a, b: a & b,
    "graph.logical_or": lambda a, b: a | b,
    "graph.logical_xor": lambda a, b: a ^ b,
    "graph.equal": lambda a, b: a.equal(b),
    "graph.not_equal": lambda a, b: a.not_equal(b),
    "graph.less": lambda a, b: a.less(b),
    "graph.less_equal": lambda a, b: a.less_equal(b),
    "graph.greater": lambda a, b: b.less(a),
    "graph.greater_equal": lambda a, b: b.less_equal(a),
}
"""What becomes of two elements."""

TERNARY: dict[str, Callable[[Scalar, Scalar, Scalar], Scalar]] = {
    "graph.select": lambda condition, on_true, on_false: condition.select(on_true, on_false),
    "graph.ewise_fma": lambda a, b, c: a * b + c,
}
"""What becomes of three elements."""

LOWERINGS: dict[str, Lowering] = {
    **{name: elementwise(compute) for name, compute in {**UNARY, **BINARY, **TERNARY}.items()},
    "graph.modulo": modulo,
    "graph.cast": cast,
}
"""The elementwise ops."""
