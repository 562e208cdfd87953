"""
Floating-point ops that are exact: rounding, signs, extremes and the fused multiply-add.

f16 and bf16 are computed in f32 and rounded once; NumPy and `ml_dtypes` do so by themselves for `+ - * /`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any

import ml_dtypes
import numpy as np

from .values import Value, choose

HALVES = frozenset({np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)})
"""The dtypes whose ops are computed in f32."""


def widened(function: Callable[..., Value]) -> Callable[..., Value]:
    """A function on f32 and f64 as one on every float dtype: halves go through f32."""

    def apply(*operands: Value) -> Value:
        dtype = operands[0].dtype
        if dtype in HALVES:
            return function(*(operand.astype(np.float32) for operand in operands)).astype(dtype)
        return function(*operands)

    apply.__name__ = function.__name__
    apply.__doc__ = function.__doc__
    return apply


def _larger(a: Value, b: Value) -> Value:
    """The larger of two numbers, with max(+0, -0) = +0: the sum of two zeros is -0 only if both are."""
    return choose((a == 0) & (b == 0), a + b, np.maximum(a, b))


def maximumf(a: Value, b: Value) -> Value:
    """The larger operand; NaN if one is NaN."""
    return _larger(a, b)


def minimumf(a: Value, b: Value) -> Value:
    """The smaller operand; NaN if one is NaN."""
    return -_larger(-a, -b)


def maxnumf(a: Value, b: Value) -> Value:
    """The larger operand; if one is NaN, the other."""
    return choose(a != a, b, choose(b != b, a, _larger(a, b)))


def minnumf(a: Value, b: Value) -> Value:
    """The smaller operand; if one is NaN, the other."""
    return -maxnumf(-a, -b)


def maximumf_scalar(a: Any, b: Any) -> Any:
    """`maximumf` of two NumPy scalars, without the cost of a ufunc."""
    if a > b:
        return a
    if a < b:
        return b
    return a if a == b and a != 0 else a + b


def minimumf_scalar(a: Any, b: Any) -> Any:
    """`minimumf` of two NumPy scalars, without the cost of a ufunc."""
    if a < b:
        return a
    if a > b:
        return b
    return a if a == b and a != 0 else -(-a - b)


@widened
def floor(x: Value) -> Value:
    """The next integer below."""
    return np.floor(x)


@widened
def ceil(x: Value) -> Value:
    """The next integer above."""
    return np.ceil(x)


@widened
def trunc(x: Value) -> Value:
    """The next integer toward zero."""
    return np.trunc(x)


@widened
def roundeven(x: Value) -> Value:
    """The nearest integer, halves to the even one."""
    return np.rint(x)


@widened
def round(x: Value) -> Value:
    """The nearest integer, halves away from zero."""
    whole = np.trunc(x)
    return choose(np.abs(x - whole) >= x.dtype.type(0.5), whole + np.copysign(x.dtype.type(1), x), whole)


def absf(x: Value) -> Value:
    """The operand with its sign cleared."""
    return np.abs(x)


def copysign(magnitude: Value, sign: Value) -> Value:
    """The first operand with the sign of the second."""
    return np.copysign(magnitude, sign)


@widened
def sqrt(x: Value) -> Value:
    """The square root, rounded to nearest."""
    return np.sqrt(x)


@widened
def rsqrt(x: Value) -> Value:
    """One over the square root, each rounded."""
    return x.dtype.type(1) / np.sqrt(x)


def rounded_to_odd(value: Value, error: Value) -> Value:
    """
    A sum in f64, given as its rounded value and the exact rest, rounded to odd instead.

    A number rounded to odd can be rounded once more, to a type at least two bits shorter, as if from the exact sum.
    """
    bits = np.asarray(value).view(np.int64)
    inexact = (error != 0) & np.isfinite(value) & ((bits & 1) == 0)
    outward = (error > 0) == (value > 0)
    return choose(inexact, (bits + choose(outward, np.int64(1), np.int64(-1))).view(np.float64), value)


def _fma_f32(a: Value, b: Value, c: Value) -> Value:
    """The product of two f32 is exact in f64; their sum, rounded to odd there, can be rounded once more."""
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    return rounded_to_odd(total, error).astype(np.float32)


def _fma_one(a: float, b: float, c: float) -> float:
    """An f64 `a * b + c` with one rounding, by exact fractions."""
    if not (isfinite(a) and isfinite(b)) or a == 0 or b == 0:
        return float(np.float64(a) * np.float64(b) + np.float64(c))
    if not isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return 0.0
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


_FMA_F64 = np.frompyfunc(_fma_one, 3, 1)


@widened
def fma(a: Value, b: Value, c: Value) -> Value:
    """`a * b + c`, rounded once."""
    if a.dtype == np.float32:
        return _fma_f32(a, b, c)
    return np.asarray(_FMA_F64(a, b, c)).astype(np.float64)[()]


@widened
def remf(a: Value, b: Value) -> Value:
    """The remainder of a division that truncates, exact, with the sign of the dividend."""
    return np.fmod(a, b)
