"""Ops that combine elements along axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..numbers import floats, functions, integers
from ..numbers.values import Value
from .arrays import Array, accumulated, accumulator, rounded


def _along(x: Array, axes: Sequence[int]) -> Array:
    """The array with the reduced axes as one, in front."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    moved = np.transpose(x, (*axes, *kept))
    return moved.reshape((int(np.prod([x.shape[a] for a in axes])), *moved.shape[len(axes) :]))


def combine(x: Array, function: Callable[[Value, Value], Value]) -> Array:
    """An associative and commutative function over the first axis, which is not empty, by halves."""
    while len(x) > 1:
        half = len(x) // 2
        x = np.concatenate([np.asarray(function(x[:half], x[half : 2 * half])), x[2 * half :]])
    return x[0]


def largest(x: Array) -> Array:
    """The largest element along the first axis; NaN if there is one, the least value if there is none."""
    if x.dtype.kind == "b":
        return np.asarray(x.any(axis=0))
    if not len(x):
        return np.full(x.shape[1:], least_value(x.dtype))
    return combine(x, np.maximum if x.dtype.kind in "iu" else floats.maximumf)


def smallest(x: Array) -> Array:
    """The smallest element along the first axis; NaN if there is one, the greatest value if there is none."""
    if x.dtype.kind == "b":
        return np.asarray(x.all(axis=0))
    if not len(x):
        greatest = np.iinfo(x.dtype).max if x.dtype.kind in "iu" else np.inf
        return np.full(x.shape[1:], greatest, x.dtype)
    return combine(x, np.minimum if x.dtype.kind in "iu" else floats.minimumf)


def least_value(dtype: np.dtype[Any]) -> Value:
    """What is never larger than anything: -inf, or the least integer."""
    return dtype.type(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf)


def total(x: Array) -> Array:
    """The sum along the first axis."""
    return rounded(np.sum(accumulated(x), axis=0, dtype=accumulator(x.dtype)), x.dtype)


def product(x: Array) -> Array:
    """The product along the first axis."""
    return rounded(np.prod(accumulated(x), axis=0, dtype=accumulator(x.dtype)), x.dtype)


def mean(x: Array) -> Array:
    """The sum along the first axis divided by its length: integers truncate, the mean of nothing is NaN, or 0."""
    if x.dtype.kind in "iu":
        # in 64 bits: the mean of integers is one of them, their sum need not be
        wide, divide = (np.int64, integers.divsi) if x.dtype.kind == "i" else (np.uint64, integers.divui)
        return np.asarray(divide(np.sum(x, axis=0, dtype=wide), wide(len(x)))).astype(x.dtype)
    wide = accumulated(x)
    return rounded(np.sum(wide, axis=0) / wide.dtype.type(len(x)), x.dtype)


def reduce(x: Array, axes: Sequence[int], keepdims: bool, function: Callable[[Array], Array]) -> Array:
    """A reduction of these axes, which stay with size 1 if `keepdims`."""
    if not axes:
        return x
    result = np.asarray(function(_along(x, axes)))
    if keepdims:
        result = result.reshape([1 if axis in axes else size for axis, size in enumerate(x.shape)])
    return result


def softmax(x: Array, axis: int) -> Array:
    """Exponentials of the differences to the largest, divided by their sum."""
    wide = accumulated(x)
    if not wide.size:
        return x
    exponentials = functions.exp(wide - np.max(wide, axis=axis, keepdims=True))
    return rounded(exponentials / np.sum(exponentials, axis=axis, keepdims=True), x.dtype)


def layer_norm(x: Array, scale: Array, bias: Array | None, axis: int, epsilon: float) -> Array:
    """Differences to the mean, divided by their root mean square, scaled and shifted; the variance takes two passes."""
    wide = accumulated(x)
    axes = tuple(range(axis, x.ndim))
    count = wide.dtype.type(np.prod(x.shape[axis:]))
    centred = wide - np.sum(wide, axis=axes, keepdims=True) / count
    variance = np.sum(centred * centred, axis=axes, keepdims=True) / count
    result = centred / np.sqrt(variance + wide.dtype.type(epsilon)) * accumulated(scale)
    return rounded(result if bias is None else result + accumulated(bias), x.dtype)
