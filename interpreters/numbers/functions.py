"""
Functions of real numbers that are not exact.

f32 is computed in f64 and rounded, so that results do not depend on the machine.
f16 and bf16 are the f32 result, rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .floats import HALVES, maximumf, widened
from .values import Value, choose


def through_f64(function: Callable[..., Value]) -> Callable[..., Value]:
    """A function on f64 as one on every float dtype: computed in f64, rounded to f32, and from there to a half."""

    def apply(*operands: Value) -> Value:
        dtype = operands[0].dtype
        if dtype == np.float64:
            return function(*operands)
        result = function(*(operand.astype(np.float64) for operand in operands)).astype(np.float32)
        return result.astype(dtype) if dtype in HALVES else result

    apply.__name__ = function.__name__
    apply.__doc__ = function.__doc__
    return apply


exp = through_f64(np.exp)
exp2 = through_f64(np.exp2)
expm1 = through_f64(np.expm1)
log = through_f64(np.log)
log2 = through_f64(np.log2)
log10 = through_f64(np.log10)
log1p = through_f64(np.log1p)
sin = through_f64(np.sin)
cos = through_f64(np.cos)
tan = through_f64(np.tan)
asin = through_f64(np.arcsin)
acos = through_f64(np.arccos)
atan = through_f64(np.arctan)
sinh = through_f64(np.sinh)
cosh = through_f64(np.cosh)
tanh = through_f64(np.tanh)
asinh = through_f64(np.arcsinh)
acosh = through_f64(np.arccosh)
atanh = through_f64(np.arctanh)
atan2 = through_f64(np.arctan2)
cbrt = through_f64(np.cbrt)


def _power(base: Value, exponent: Value) -> Value:
    """
    The power in f64, of operands brought to one shape.

    For one exponent 0.5 NumPy takes the square root, which for -0 and -inf is not the power.
    """
    shape = (1, *np.broadcast_shapes(np.shape(base), np.shape(exponent)))
    bases, exponents = np.empty(shape), np.empty(shape)
    bases[...], exponents[...] = base, exponent
    return np.power(bases, exponents)[0]


powf = through_f64(_power)
"""The first operand to the power of the second."""

_ERF = np.frompyfunc(math.erf, 1, 1)


@through_f64
def erf(x: Value) -> Value:
    """The error function."""
    return np.asarray(_ERF(x)).astype(np.float64)[()]


def fpowi(base: Value, exponent: Value) -> Value:
    """A float to an integer power, computed in f64."""
    wide = _power(base, exponent)
    return wide if base.dtype == np.float64 else wide.astype(np.float32).astype(base.dtype)


@through_f64
def sigmoid(x: Value) -> Value:
    """`1 / (1 + exp(-x))`."""
    return 1 / (1 + np.exp(-x))


def relu(x: Value) -> Value:
    """The operand or 0, whichever is larger; NaN stays NaN."""
    return maximumf(x, x.dtype.type(0))


@widened
def sign(x: Value) -> Value:
    """-1, 0 or 1; NaN stays NaN."""
    one = x.dtype.type(1)
    return choose(x > 0, one, choose(x < 0, -one, choose(x == 0, x.dtype.type(0), x)))
