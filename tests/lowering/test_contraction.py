"""Matrix products and convolutions as nests."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import graph


def random(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    return np.asarray(rng.standard_normal(shape)).astype(dtype)


MATMULS = [
    ((4, 8), (8, 2)),
    ((1, 7), (7, 1)),
    ((5,), (5,)),
    ((5,), (5, 3)),
    ((2, 5), (5,)),
    ((2, 3, 4), (4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((3, 4), (2, 4, 2)),
    ((3,), (2, 3, 4)),
    ((4, 0), (0, 3)),
    ((0, 4), (4, 3)),
    ((2, 0, 3, 4), (4, 5)),
]


@pytest.mark.parametrize(("left", "right"), MATMULS, ids=str)
def test_matmul(agree: Any, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = random(rng, left), random(rng, right)
    agree(graph.MatmulOp, [a, b], np.asarray(np.matmul(a, b)), terms=max(left[-1], 1))


@pytest.mark.parametrize("dtype", [np.float64, np.float16, ml_dtypes.bfloat16], ids=lambda d: np.dtype(d).name)
def test_matmul_of_other_floats(agree: Any, dtype: Any) -> None:
    rng = np.random.default_rng(1)
    a, b = random(rng, (3, 16), dtype), random(rng, (16, 5), dtype)
    agree(graph.MatmulOp, [a, b], np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(dtype), terms=16)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64], ids=lambda d: np.dtype(d).name)
def test_matmul_of_integers_wraps(agree: Any, dtype: Any) -> None:
    rng = np.random.default_rng(2)
    a, b = random(rng, (3, 6), dtype), random(rng, (6, 4), dtype)
    mask = (1 << (np.dtype(dtype).itemsize * 8)) - 1
    exact = [
        [sum(int(x) * int(y) for x, y in zip(a[i], b[:, j], strict=True)) & mask for j in range(4)] for i in range(3)
    ]
    agree(graph.MatmulOp, [a, b], np.array(exact, np.uint64).astype(dtype))


def test_half_products_are_summed_in_f32(agree: Any) -> None:
    # 64 * 7600 * 7600 is 3.7e9: far beyond f16, whose sum of squares would be inf before the scale is applied
    x = np.full((1, 64), 250.0, np.float16)
    w = np.full((64, 1), 4.0, np.float16)
    agree(graph.MatmulOp, [x, w], np.array([[64000.0]], np.float16))
    ones = np.ones((1, 4096), np.float16)
    # in f16 itself, 2048 + 1 is 2048
    agree(graph.MatmulOp, [ones, ones.T.copy()], np.array([[4096.0]], np.float16))


def test_matmul_over_nothing_is_zero(agree: Any) -> None:
    a, b = np.zeros((4, 0), np.float32), np.zeros((0, 4), np.float32)
    v = np.array([1, 2, 3, 4], np.float32)
    agree(graph.MatmulOp, [a, b], np.zeros((4, 4), np.float32))
    agree(lambda x, y, z: graph.AddOp(graph.MatmulOp(x, y).out, z), [a, b, v], np.tile(v, (4, 1)))


def test_matmul_passes_nan_and_inf(agree: Any) -> None:
    a = np.array([[1, np.nan], [np.inf, 0], [2, 3]], np.float32)
    b = np.array([[1, 0], [0, 1]], np.float32)
    with np.errstate(all="ignore"):
        agree(graph.MatmulOp, [a, b], a @ b)


def convolved(
    x: np.ndarray, w: np.ndarray, b: np.ndarray | None, strides: Any, pads: Any, dilations: Any, groups: int
) -> np.ndarray:
    """The sum as ONNX writes it, element by element, in f64."""
    wide = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    reach = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    rows, columns = ((wide.shape[2 + a] - reach[a]) // strides[a] + 1 for a in range(2))
    out = np.zeros((x.shape[0], w.shape[0], rows, columns))
    per_group = w.shape[0] // groups
    for n, o, y, z in np.ndindex(*out.shape):
        channels = slice(o // per_group * w.shape[1], (o // per_group + 1) * w.shape[1])
        top, left = y * strides[0], z * strides[1]
        patch = wide[n, channels, top : top + reach[0] : dilations[0], left : left + reach[1] : dilations[1]]
        out[n, o, y, z] = (patch * w[o].astype(np.float64)).sum() + (0 if b is None else float(b[o]))
    return out


CONVOLUTIONS = {
    "plain": ((1, 3, 6, 5), (4, 3, 3, 3), {}),
    "one by one": ((2, 4, 3, 3), (5, 4, 1, 1), {}),
    "padded": ((1, 2, 5, 5), (3, 2, 3, 3), {"pads": (1, 1, 1, 1)}),
    "strided, padded on one side": ((1, 1, 9, 9), (1, 1, 5, 5), {"strides": (2, 2), "pads": (1, 1, 2, 2)}),
    "dilated": ((1, 2, 8, 9), (2, 2, 3, 3), {"dilations": (2, 3), "pads": (2, 0, 1, 3)}),
    "grouped": ((2, 6, 7, 7), (9, 2, 3, 3), {"groups": 3, "strides": (2, 1)}),
    "depthwise": ((1, 4, 8, 8), (4, 1, 3, 3), {"groups": 4, "strides": (2, 2), "pads": (1, 1, 1, 1)}),
    "twice as many": ((1, 3, 4, 4), (6, 1, 2, 3), {"groups": 3}),
    "no images": ((0, 2, 4, 4), (3, 2, 3, 3), {}),
}


@pytest.mark.parametrize("case", CONVOLUTIONS)
@pytest.mark.parametrize("biased", [False, True])
def test_conv2d(agree: Any, case: str, biased: bool) -> None:
    image, filter, options = CONVOLUTIONS[case]
    rng = np.random.default_rng(3)
    x, w = random(rng, image), random(rng, filter)
    b = random(rng, filter[:1]) if biased else None
    whole = {"strides": (1, 1), "pads": (0, 0, 0, 0), "dilations": (1, 1), "groups": 1} | options
    expected = convolved(x, w, b, **whole).astype(np.float32)
    arrays = [x, w] if b is None else [x, w, b]
    agree(lambda *v: graph.Conv2dOp(*v, **options), arrays, expected, terms=int(np.prod(filter[1:])))


@pytest.mark.parametrize("dtype", [np.float64, np.float16, ml_dtypes.bfloat16], ids=lambda d: np.dtype(d).name)
def test_conv2d_of_other_floats(agree: Any, dtype: Any) -> None:
    rng = np.random.default_rng(4)
    x, w, b = random(rng, (1, 2, 5, 5), dtype), random(rng, (3, 2, 3, 3), dtype), random(rng, (3,), dtype)
    expected = convolved(x, w, b, (1, 1), (1, 1, 1, 1), (1, 1), 1).astype(dtype)
    agree(lambda *v: graph.Conv2dOp(*v, pads=(1, 1, 1, 1)), [x, w, b], expected, terms=18)
