"""Elementwise ops: which function of `interpreters/numbers` each is, for floats, signed and unsigned integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...dialects import graph
from ...dialects.element_types import dtype_of
from ..numbers import casts, floats, functions, integers
from ..numbers.values import Value, choose

Function = Callable[..., Value]


def _identity(x: Value) -> Value:
    return x


def _reciprocal(x: Value) -> Value:
    return x.dtype.type(1) / x


def _is_nan(x: Value) -> Value:
    return x != x


def _is_infinite(x: Value) -> Value:
    return np.abs(x) == x.dtype.type(np.inf)


def _negate(x: Value) -> Value:
    return integers.subi(x.dtype.type(0), x)


def _positive_part(x: Value) -> Value:
    return integers.maxsi(x, x.dtype.type(0))


def _unsigned_sign(x: Value) -> Value:
    return (x != 0).astype(x.dtype)


def unsigned_power(base: Value, exponent: Value) -> Value:
    """A power of unsigned integers, wrapping: `base ** (2 * h + r)` is `(base ** h) ** 2 * base ** r`."""
    one = exponent.dtype.type(1)
    half = integers.ipowi(base, exponent >> one)
    return half * half * choose((exponent & one) != 0, base, base.dtype.type(1))


def floor_modulo(a: Value, b: Value) -> Value:
    """What floor division of signed integers leaves, with the sign of the divisor; by 0 it is 0."""
    rest = integers.remsi(a, b)
    return choose((rest != 0) & ((rest < 0) != (b < 0)), integers.addi(rest, b), rest)


FLOATS: dict[type[Operation], Function] = {
    graph.ReluOp: functions.relu,
    graph.NegateOp: operator.neg,
    graph.AbsOp: floats.absf,
    graph.SignOp: functions.sign,
    graph.ExpOp: functions.exp,
    graph.LogOp: functions.log,
    graph.SqrtOp: floats.sqrt,
    graph.ReciprocalOp: _reciprocal,
    graph.SinOp: functions.sin,
    graph.CosOp: functions.cos,
    graph.TanOp: functions.tan,
    graph.AsinOp: functions.asin,
    graph.AcosOp: functions.acos,
    graph.AtanOp: functions.atan,
    graph.SinhOp: functions.sinh,
    graph.CoshOp: functions.cosh,
    graph.TanhOp: functions.tanh,
    graph.AsinhOp: functions.asinh,
    graph.AcoshOp: functions.acosh,
    graph.AtanhOp: functions.atanh,
    graph.SigmoidOp: functions.sigmoid,
    graph.ErfOp: functions.erf,
    graph.CeilOp: floats.ceil,
    graph.FloorOp: floats.floor,
    graph.RoundOp: floats.roundeven,
    graph.IsNanOp: _is_nan,
    graph.IsInfOp: _is_infinite,
    graph.AddOp: operator.add,
    graph.SubtractOp: operator.sub,
    graph.MultiplyOp: operator.mul,
    graph.DivideOp: np.true_divide,
    graph.PowerOp: functions.powf,
    graph.MaximumOp: floats.maximumf,
    graph.MinimumOp: floats.minimumf,
    graph.ModuloOp: floats.remf,
}
"""Op class -> what it computes on floats."""

_ON_ALL_INTEGERS: dict[type[Operation], Function] = {
    graph.NegateOp: _negate,
    graph.BitwiseNotOp: operator.invert,
    graph.AddOp: integers.addi,
    graph.SubtractOp: integers.subi,
    graph.MultiplyOp: integers.muli,
    graph.BitwiseAndOp: integers.andi,
    graph.BitwiseOrOp: integers.ori,
    graph.BitwiseXorOp: integers.xori,
    graph.ShiftLeftOp: integers.shli,
}

SIGNED: dict[type[Operation], Function] = {
    **_ON_ALL_INTEGERS,
    graph.ReluOp: _positive_part,
    graph.AbsOp: integers.absi,
    graph.SignOp: np.sign,
    graph.DivideOp: integers.divsi,
    graph.PowerOp: integers.ipowi,
    graph.MaximumOp: integers.maxsi,
    graph.MinimumOp: integers.minsi,
    graph.ModuloOp: floor_modulo,
    graph.ShiftRightOp: integers.shrsi,
}
"""Op class -> what it computes on signed integers."""

UNSIGNED: dict[type[Operation], Function] = {
    **_ON_ALL_INTEGERS,
    graph.ReluOp: _identity,
    graph.AbsOp: _identity,
    graph.SignOp: _unsigned_sign,
    graph.DivideOp: integers.divui,
    graph.PowerOp: unsigned_power,
    graph.MaximumOp: integers.maxui,
    graph.MinimumOp: integers.minui,
    graph.ModuloOp: integers.remui,
    graph.ShiftRightOp: integers.shrui,
}
"""Op class -> what it computes on unsigned integers."""

TRUTH: dict[type[Operation], Function] = {
    graph.LogicalNotOp: np.logical_not,
    graph.LogicalAndOp: np.logical_and,
    graph.LogicalOrOp: np.logical_or,
    graph.LogicalXorOp: np.logical_xor,
}
"""Op class -> what it computes on truth values."""

COMPARISONS: dict[type[Operation], Function] = {
    graph.EqualOp: operator.eq,
    graph.NotEqualOp: operator.ne,
    graph.LessOp: operator.lt,
    graph.LessEqualOp: operator.le,
    graph.GreaterOp: operator.gt,
    graph.GreaterEqualOp: operator.ge,
}
"""Op class -> how it compares; NumPy's dtypes know what is signed."""


def elementwise_function(op: Operation) -> Function:
    """What a unary, binary or comparison op computes on its element type."""
    if isinstance(op, graph.ComparisonOp):
        return COMPARISONS[op.__class__]
    dtype = dtype_of(op.operands[0].type)
    if isinstance(op, graph.ModuloOp) and op.fmod is not None and dtype.kind == "i":
        return integers.remsi
    table = {"b": TRUTH, "i": SIGNED, "u": UNSIGNED}.get(dtype.kind, FLOATS)
    return table[op.__class__]


def cast(x: Value, dtype: np.dtype[Any]) -> Value:
    """Elements in another type: see the rules for casts in docs/design/numbers.md."""
    source, target = x.dtype.kind, dtype.kind
    if x.dtype == dtype:
        return x
    if target == "b":
        return casts.truth(x)
    if target in "iu":
        if source in "biu":
            extend = casts.extui if source in "bu" else casts.extsi
            return (casts.trunci if x.dtype.itemsize > dtype.itemsize else extend)(x, dtype)
        return (casts.fptosi if target == "i" else casts.fptoui)(x, dtype)
    if source in "biu":
        return (casts.uitofp if source in "bu" else casts.sitofp)(x, dtype)
    return (casts.extf if x.dtype.itemsize < dtype.itemsize else casts.truncf)(x, dtype)


def ewise_fma(a: Value, b: Value, c: Value) -> Value:
    """A product and a sum, each rounded."""
    if a.dtype.kind in "iu":
        return integers.addi(integers.muli(a, b), c)
    return a * b + c
