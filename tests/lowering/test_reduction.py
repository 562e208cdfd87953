"""Reductions and normalisations as nests."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import graph

FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
names = {"ids": lambda d: np.dtype(d).name}

OPS = {graph.SumOp: np.sum, graph.ProdOp: np.prod, graph.MaxOp: np.max, graph.MinOp: np.min, graph.MeanOp: np.mean}


@pytest.mark.parametrize("op", OPS, ids=lambda o: o.name)
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(agree: Any, op: Any, axes: tuple[int, ...], keepdims: bool) -> None:
    x = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)
    expected = np.asarray(OPS[op](x, axis=axes, keepdims=keepdims))
    agree(lambda v: op(v, axes, keepdims=keepdims), [x], expected, terms=60)


@pytest.mark.parametrize("op", OPS, ids=lambda o: o.name)
@pytest.mark.parametrize("dtype", FLOATS, **names)
def test_floats(agree: Any, op: Any, dtype: Any) -> None:
    x = np.random.default_rng(1).standard_normal((4, 9)).astype(dtype)
    expected = np.asarray(OPS[op](x.astype(np.float64), axis=1)).astype(dtype)
    agree(lambda v: op(v, (1,)), [x], expected, terms=9)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64], **names)
def test_integers(agree: Any, dtype: Any) -> None:
    info = np.iinfo(dtype)
    x = np.array([[info.max, info.max, 3, info.min], [1, 2, 7, 5], [info.min, info.min, 1, 1]], dtype)
    mask = (1 << (np.dtype(dtype).itemsize * 8)) - 1
    rows = [[int(v) for v in row] for row in x]

    def wrapped(values: list[int]) -> np.ndarray:
        return np.array([v & mask for v in values], np.uint64).astype(dtype)

    agree(lambda v: graph.SumOp(v, (1,)), [x], wrapped([sum(r) for r in rows]))
    agree(lambda v: graph.ProdOp(v, (1,)), [x], wrapped([r[0] * r[1] * r[2] * r[3] for r in rows]))
    agree(lambda v: graph.MaxOp(v, (1,)), [x], np.max(x, axis=1))
    agree(lambda v: graph.MinOp(v, (1,)), [x], np.min(x, axis=1))
    if np.dtype(dtype).itemsize < 8:
        # a mean of integers is between the least and the largest, whatever their sum
        agree(lambda v: graph.MeanOp(v, (1,)), [x], wrapped([int(sum(r) / 4) for r in rows]))


def test_truth_values(agree: Any) -> None:
    x = np.array([[True, False], [True, True], [False, False]])
    agree(lambda v: graph.MaxOp(v, (1,)), [x], x.any(axis=1))
    agree(lambda v: graph.MinOp(v, (1,)), [x], x.all(axis=1))
    empty = np.zeros((2, 0), np.bool_)
    agree(lambda v: graph.MaxOp(v, (1,)), [empty], np.array([False, False]))
    agree(lambda v: graph.MinOp(v, (1,)), [empty], np.array([True, True]))


def test_nothing_to_combine(agree: Any) -> None:
    x = np.zeros((2, 0), np.float32)
    for op, value in {
        graph.SumOp: 0,
        graph.ProdOp: 1,
        graph.MaxOp: -np.inf,
        graph.MinOp: np.inf,
        graph.MeanOp: np.nan,
    }.items():
        agree(lambda v, op=op: op(v, (1,)), [x], np.full(2, value, np.float32))
        agree(lambda v, op=op: op(v, (0,)), [x], np.zeros(0, np.float32))
    agree(lambda v: graph.SumOp(v, (0,), keepdims=True), [np.zeros(0, np.float32)], np.zeros(1, np.float32))
    whole = np.zeros((0, 3), np.int32)
    agree(lambda v: graph.MaxOp(v, (0,)), [whole], np.full(3, np.iinfo(np.int32).min, np.int32))
    agree(lambda v: graph.MinOp(v, (0,)), [whole.astype(np.uint8)], np.full(3, 255, np.uint8))


def test_over_no_axes(agree: Any) -> None:
    x = np.array([1.5, -0.0, np.nan], np.float32)
    for op in OPS:
        agree(lambda v, op=op: op(v, ()), [x], x)


@pytest.mark.parametrize("row", [[np.nan, 1], [2, np.nan], [np.inf, -np.inf], [-0.0, 0.0]], ids=str)
def test_special_values(agree: Any, row: list[float]) -> None:
    x = np.array([row], np.float32)
    agree(
        lambda v: graph.MaxOp(v, (1,)), [x], np.array([np.nan if np.isnan(row).any() else max(row[::-1])], np.float32)
    )
    with np.errstate(all="ignore"):
        agree(lambda v: graph.SumOp(v, (1,)), [x], np.sum(x, axis=1))


def test_half_sums_do_not_overflow(agree: Any) -> None:
    x = np.full((1, 64), 7600, np.float16)
    agree(lambda v: graph.MeanOp(v, (1,)), [x], np.array([7600], np.float16))
    agree(lambda v: graph.SumOp(v, (1,)), [np.ones((1, 4096), np.float16)], np.array([4096], np.float16))


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    wide = x.astype(np.float64)
    powers = np.exp(wide - np.max(wide, axis=axis, keepdims=True))
    return (powers / powers.sum(axis=axis, keepdims=True)).astype(x.dtype)


@pytest.mark.parametrize(("dtype", "axis"), [*((d, 1) for d in FLOATS), (np.float32, 0), (np.float32, 2)])
def test_softmax(agree: Any, dtype: Any, axis: int) -> None:
    x = (np.random.default_rng(2).standard_normal((3, 4, 5)) * 4).astype(dtype)
    agree(lambda v: graph.SoftmaxOp(v, axis), [x], softmax(x, axis), terms=5)


def test_softmax_of_large_negative_and_infinite(agree: Any) -> None:
    large = np.array([[1000, 1000], [-1000, -999]], np.float32)
    agree(lambda v: graph.SoftmaxOp(v, 1), [large], softmax(large, 1), terms=2)
    masked = np.array([[0, -np.inf, 0]], np.float32)
    agree(lambda v: graph.SoftmaxOp(v, 1), [masked], np.array([[0.5, 0, 0.5]], np.float32))
    hopeless = np.array([[-np.inf, -np.inf], [np.nan, 1]], np.float32)
    agree(lambda v: graph.SoftmaxOp(v, 1), [hopeless], np.full((2, 2), np.nan, np.float32))
    agree(lambda v: graph.SoftmaxOp(v, 1), [np.zeros((2, 0), np.float32)], np.zeros((2, 0), np.float32))


def layer_norm(x: np.ndarray, scale: np.ndarray, bias: np.ndarray | None, axis: int, epsilon: float) -> np.ndarray:
    wide = x.astype(np.float64)
    axes = tuple(range(axis, x.ndim))
    centred = wide - wide.mean(axis=axes, keepdims=True)
    unit = centred / np.sqrt((centred**2).mean(axis=axes, keepdims=True) + epsilon)
    return (unit * scale.astype(np.float64) + (0 if bias is None else bias.astype(np.float64))).astype(x.dtype)


@pytest.mark.parametrize("dtype", FLOATS, **names)
@pytest.mark.parametrize("biased", [False, True])
def test_layer_norm_of_floats(agree: Any, dtype: Any, biased: bool) -> None:
    check_layer_norm(agree, dtype, 1, (4, 5), biased)


@pytest.mark.parametrize(("axis", "factor"), [(2, (5,)), (1, (5,)), (0, (3, 4, 5)), (2, ())], ids=str)
def test_layer_norm_of_axes(agree: Any, axis: int, factor: tuple[int, ...]) -> None:
    check_layer_norm(agree, np.float32, axis, factor, True)


def check_layer_norm(agree: Any, dtype: Any, axis: int, factor: tuple[int, ...], biased: bool) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((3, 4, 5)).astype(dtype)
    scale, bias = (np.asarray(rng.standard_normal(factor)).astype(dtype) for _ in range(2))
    expected = layer_norm(x, scale, bias if biased else None, axis, 1e-5)
    arrays = [x, scale, bias] if biased else [x, scale]
    agree(lambda *v: graph.LayerNormOp(*v, axis=axis), arrays, expected, terms=60)


def test_layer_norm_does_not_cancel(agree: Any) -> None:
    # E[x²] - E[x]² is negative here in f32
    x = np.array([[80000, 80001, 80002, 80003]], np.float32)
    one, zero = np.ones(4, np.float32), np.zeros(4, np.float32)
    expected = np.array([[-1.34163542, -0.44721181, 0.44721181, 1.34163542]], np.float32)
    agree(lambda *v: graph.LayerNormOp(*v, axis=1), [x, one, zero], expected, terms=4)
    half = np.array([np.linspace(-7600, 7600, 64)]).astype(np.float16)
    expected = layer_norm(half, np.ones(64, np.float16), None, 1, 1e-5)
    agree(lambda *v: graph.LayerNormOp(*v, axis=1), [half, np.ones(64, np.float16)], expected, terms=64)
