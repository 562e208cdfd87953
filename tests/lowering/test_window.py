"""Pooling as nests, compared with windows taken one by one."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import graph


def count(size: int, kernel: int, stride: int, begin: int, end: int, dilation: int, ceil: bool) -> int:
    room = size + begin + end - dilation * (kernel - 1) - 1
    windows = (-(-room // stride) if ceil else room // stride) + 1
    # a last window that would start in the padding on the right is none
    return windows - 1 if ceil and (windows - 1) * stride >= size + begin else windows


def pooled(x: np.ndarray, combine: Any, kernel: Any, strides: Any, pads: Any, dilations: Any, ceil: bool) -> np.ndarray:
    """`combine(elements inside, number of elements that are in the image or the padding)` of every window."""
    sizes = [count(x.shape[2 + a], kernel[a], strides[a], pads[a], pads[a + 2], dilations[a], ceil) for a in range(2)]
    out = np.zeros((*x.shape[:2], *sizes))
    for n, c, y, z in np.ndindex(*out.shape):
        places = [[i * strides[a] - pads[a] + k * dilations[a] for k in range(kernel[a])] for a, i in enumerate((y, z))]
        rows, columns = ([p for p in places[a] if 0 <= p < x.shape[2 + a]] for a in range(2))
        padded = [sum(p < x.shape[2 + a] + pads[a + 2] for p in places[a]) for a in range(2)]
        inside = [float(x[n, c, p, q]) for p in rows for q in columns]
        out[n, c, y, z] = combine(inside, padded[0] * padded[1])
    return out


POOLS = {
    "halves": ((1, 2, 6, 8), (2, 2), {"strides": (2, 2)}),
    "padded": ((2, 1, 5, 5), (3, 3), {"pads": (1, 1, 1, 1)}),
    "padded on one side": ((1, 1, 7, 6), (3, 2), {"strides": (2, 1), "pads": (2, 0, 0, 1)}),
    "dilated": ((1, 1, 8, 9), (3, 2), {"dilations": (2, 3), "pads": (1, 0, 1, 2)}),
    "ceil": ((1, 3, 17, 17), (2, 2), {"strides": (2, 2), "pads": (1, 1, 1, 1), "ceil_mode": True}),
    "ceil of 6": ((1, 1, 6, 7), (3, 3), {"strides": (2, 2), "ceil_mode": True}),
    "ceil of 8": ((1, 1, 8, 9), (3, 3), {"strides": (2, 2), "ceil_mode": True}),
    "one window": ((1, 3, 2, 2), (3, 3), {"strides": (3, 3), "pads": (1, 1, 1, 1), "ceil_mode": True}),
    "whole": ((2, 3, 4, 5), (4, 5), {}),
    "no images": ((0, 3, 4, 4), (2, 2), {}),
}


def run(agree: Any, op: Any, x: np.ndarray, case: str, combine: Any, terms: int = 0, **more: Any) -> None:
    _, kernel, options = POOLS[case]
    whole = {"strides": (1, 1), "pads": (0, 0, 0, 0), "dilations": (1, 1), "ceil_mode": False} | options
    expected = pooled(
        x, combine, kernel, whole["strides"], whole["pads"], whole["dilations"], whole["ceil_mode"]
    ).astype(x.dtype)
    agree(lambda v: op(v, kernel, **options, **more), [x], expected, terms=terms)


@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        *((case, np.float32) for case in POOLS),
        *(("ceil of 6", d) for d in (np.float16, ml_dtypes.bfloat16)),
        *(("padded", d) for d in (np.int8, np.uint8, np.int64)),
    ],
)
def test_max_pool2d(agree: Any, case: str, dtype: Any) -> None:
    # all below 0 where there is a sign: padding must not win
    x = np.random.default_rng(0).integers(1, 100, POOLS[case][0])
    x = x.astype(dtype) if np.dtype(dtype).kind == "u" else (-x).astype(dtype)
    run(agree, graph.MaxPool2dOp, x, case, lambda inside, _: max(inside))


@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        *((case, np.float32) for case in POOLS),
        *(("ceil of 6", d) for d in (np.float64, np.float16, ml_dtypes.bfloat16)),
    ],
)
@pytest.mark.parametrize("include", [False, True])
def test_avg_pool2d(agree: Any, case: str, dtype: Any, include: bool) -> None:
    x = np.random.default_rng(1).standard_normal(POOLS[case][0]).astype(dtype)

    def mean(inside: list[float], padded: int) -> float:
        return sum(inside) / (padded if include else len(inside))

    run(agree, graph.AvgPool2dOp, x, case, mean, terms=20, count_include_pad=include)


def test_max_pool2d_passes_nan(agree: Any) -> None:
    x = np.array([[[[np.nan, 1, 2], [3, 4, -np.inf]]]], np.float32)
    expected = np.array([[[[np.nan, 4]]]], np.float32)
    agree(lambda v: graph.MaxPool2dOp(v, (2, 2)), [x], expected)
