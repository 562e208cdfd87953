"""Conversions between element types; the result dtype is the last parameter."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from .floats import HALVES
from .integers import unsigned
from .values import Value, choose

DType = np.dtype[Any]


def extf(x: Value, dtype: DType) -> Value:
    """A float in a wider type; exact."""
    return x.astype(dtype)


def truncf(x: Value, dtype: DType) -> Value:
    """A float in a narrower type, rounded once to nearest even."""
    if x.dtype == np.float64 and dtype == ml_dtypes.bfloat16:
        # ml_dtypes goes through f32, which would round twice.
        short = x.astype(np.float32).astype(np.float64)
        return _odd_f32(x, short).astype(dtype)
    return x.astype(dtype)


def _odd_f32(x: Value, short: Value) -> Value:
    """An f64 as f32 rounded to odd, given what it rounds to; where f32 holds it exactly, that."""
    bits = np.asarray(short.astype(np.float32)).view(np.int32)
    change = np.isfinite(short) & (x != short) & ((bits & 1) == 0)
    step = choose(np.abs(x) > np.abs(short), np.int32(1), np.int32(-1))
    return choose(change, (bits + step).view(np.float32), short.astype(np.float32))


def _saturated(x: Value, carrier: DType, low: int, high: int) -> Value:
    """A float truncated toward zero into `[low, high]`, NaN to 0; `carrier` holds that range."""
    if x.dtype in HALVES:
        x = x.astype(np.float32)
    # Both bounds are compared as powers of two, which every float type holds: `high` itself would round up.
    above = x >= x.dtype.type(high + 1)
    below = x <= x.dtype.type(low - 1) if low == 0 else x < x.dtype.type(low)
    within = choose(above | below | (x != x), x.dtype.type(0), x).astype(carrier)
    return choose(above, carrier.type(high), choose(below, carrier.type(low), within))


def fptosi(x: Value, dtype: DType) -> Value:
    """A float truncated toward zero to a signed integer; saturates, NaN gives 0."""
    if dtype == np.bool_:
        return _saturated(x, np.dtype(np.int8), -1, 0) != 0
    bound = 1 << (dtype.itemsize * 8 - 1)
    return _saturated(x, dtype, -bound, bound - 1)


def fptoui(x: Value, dtype: DType) -> Value:
    """A float truncated toward zero to an unsigned integer; saturates, NaN gives 0."""
    if dtype == np.bool_:
        return _saturated(x, np.dtype(np.uint8), 0, 1) != 0
    carrier = np.dtype(f"uint{dtype.itemsize * 8}")
    return _saturated(x, carrier, 0, (1 << (dtype.itemsize * 8)) - 1).view(dtype)


def sitofp(x: Value, dtype: DType) -> Value:
    """A signed integer as a float; to a half through f32."""
    if x.dtype == np.bool_:
        x = -x.astype(np.int8)
    return x.astype(np.float32).astype(dtype) if dtype in HALVES else x.astype(dtype)


def uitofp(x: Value, dtype: DType) -> Value:
    """An unsigned integer as a float; to a half through f32."""
    return sitofp(x.astype(np.uint8) if x.dtype == np.bool_ else unsigned(x), dtype)


def extsi(x: Value, dtype: DType) -> Value:
    """An integer in a wider type, extended with its sign."""
    return -x.astype(dtype) if x.dtype == np.bool_ else x.astype(dtype)


def extui(x: Value, dtype: DType) -> Value:
    """An integer in a wider type, extended with zeros."""
    return x.astype(dtype) if x.dtype == np.bool_ else unsigned(x).astype(dtype)


def trunci(x: Value, dtype: DType) -> Value:
    """The low bits of an integer."""
    return (x & x.dtype.type(1)).astype(dtype) if dtype == np.bool_ else x.astype(dtype)


def index_cast(x: Value, dtype: DType) -> Value:
    """An integer in another width: extended with its sign, or cut."""
    return trunci(x, dtype) if x.dtype.itemsize > dtype.itemsize or dtype == np.bool_ else extsi(x, dtype)


def bitcast(x: Value, dtype: DType) -> Value:
    """The same bits, read as another type of the same width."""
    return x.view(dtype)


def truth(x: Value) -> Value:
    """Whether a number is not zero; NaN is true."""
    return x != x.dtype.type(0)
