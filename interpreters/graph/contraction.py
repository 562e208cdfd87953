"""Sums of products, and windows that slide over images."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..numbers.values import Value
from .arrays import Array, accumulated, rounded
from .reduction import largest, least_value


def matmul(a: Array, b: Array) -> Array:
    """NumPy's `matmul`; f16 and bf16 are summed in f32."""
    return rounded(np.matmul(accumulated(a), accumulated(b)), a.dtype)


def padded(x: Array, pads: Sequence[int], value: Value) -> Array:
    """Images with `value` around them: top, left, bottom, right."""
    top, left, bottom, right = pads
    return np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=value)


def windows(x: Array, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Array:
    """Every window of images that lies inside: batch, channel, row of windows, column of windows, row, column."""
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True)]
    view = sliding_window_view(x, reach, axis=(2, 3))  # pyright: ignore[reportUnknownVariableType, reportCallIssue, reportArgumentType]
    return view[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]  # pyright: ignore[reportUnknownVariableType]


def conv2d(
    x: Array,
    filter: Array,
    bias: Array | None,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> Array:
    """A convolution of NCHW by OIHW."""
    kernel = filter.shape[2:]
    patches = windows(padded(accumulated(x), pads, 0), kernel, strides, dilations)
    batch, _, rows, columns = patches.shape[:4]
    # one row per window, one column per element of it, group by group
    depth = prod(filter.shape[1:])
    patches = patches.transpose(0, 2, 3, 1, 4, 5).reshape(batch * rows * columns, groups, depth)
    weights = accumulated(filter).reshape(groups, len(filter) // groups, depth)
    parts = [np.matmul(patches[:, g], weights[g].T) for g in range(groups)]
    result = np.concatenate(parts, axis=1).reshape(batch, rows, columns, len(filter)).transpose(0, 3, 1, 2)
    return rounded(result if bias is None else result + accumulated(bias)[:, None, None], x.dtype)


def _right_pads(
    x: Array, counts: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    """How far windows reach beyond the end of an axis, which is more than its pads in ceil mode."""
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True)]
    return [max(0, (counts[i] - 1) * strides[i] + reach[i] - x.shape[2 + i]) for i in range(2)]


def pool_windows(
    x: Array,
    counts: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    outside: Value,
) -> Array:
    """The windows of a pooling, `counts` of them on each axis, with the elements of each in front."""
    shifted = padded(x, (pads[0], pads[1], 0, 0), outside)
    right = _right_pads(shifted, counts, kernel, strides, dilations)
    view = windows(padded(shifted, (0, 0, *right), outside), kernel, strides, dilations)
    view = view[:, :, : counts[0], : counts[1]]
    return view.transpose(4, 5, 0, 1, 2, 3).reshape(kernel[0] * kernel[1], *view.shape[:4])


def max_pool2d(
    x: Array,
    counts: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
) -> Array:
    """The largest element of each window."""
    return largest(pool_windows(x, counts, kernel, strides, pads, dilations, least_value(x.dtype)))


def avg_pool2d(
    x: Array,
    counts: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    include_pad: bool,
) -> Array:
    """The mean of each window, of the elements inside the image or of those in the padding too."""
    wide = accumulated(x)
    sums = np.sum(pool_windows(wide, counts, kernel, strides, pads, dilations, 0), axis=0)
    inside = np.ones((1, 1, *x.shape[2:]), wide.dtype)
    if include_pad:
        inside = padded(inside, pads, 1)
        pads = (0, 0, 0, 0)
    sizes = np.sum(pool_windows(inside, counts, kernel, strides, pads, dilations, 0), axis=0)
    return rounded(sums / sizes, x.dtype)
