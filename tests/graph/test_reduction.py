"""Reductions, softmax and layer normalisation against NumPy and SciPy."""

from __future__ import annotations

from itertools import combinations

import ml_dtypes
import numpy as np
import pytest
from scipy import special
from stepwell.dialects import graph

BF16 = np.dtype(ml_dtypes.bfloat16)
NAN, INF = float("nan"), float("inf")
NUMPY = {graph.SumOp: np.sum, graph.MaxOp: np.max, graph.MinOp: np.min, graph.MeanOp: np.mean, graph.ProdOp: np.prod}
AXES = [axes for count in range(4) for axes in combinations(range(3), count)]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("op", NUMPY)
def test_against_numpy(run, op, axes, keepdims):
    x = np.random.default_rng(0).standard_normal((3, 4, 5)).astype(np.float32)
    expected = NUMPY[op](x.astype(np.float64), axis=axes, keepdims=keepdims)
    result = run(op, x, axes=axes, keepdims=keepdims)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("length", [1, 2, 3, 7, 64, 65, 1000])
def test_extremes_of_any_length(run, length):
    x = np.random.default_rng(length).permutation(length).astype(np.int32)
    assert run(graph.MaxOp, x, axes=[0]) == length - 1
    assert run(graph.MinOp, x, axes=[0]) == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, BF16])
def test_over_nothing(run, dtype):
    x = np.zeros((2, 0), dtype)
    expected = {graph.SumOp: 0, graph.ProdOp: 1, graph.MaxOp: -INF, graph.MinOp: INF, graph.MeanOp: NAN}
    for op, value in expected.items():
        np.testing.assert_array_equal(run(op, x, axes=[1]).astype(np.float64), [value, value])
        assert run(op, x, axes=[0]).shape == (0,)
    assert run(graph.SumOp, np.zeros((0,), dtype), axes=[0], keepdims=True).shape == (1,)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_of_integers_over_nothing(run, dtype):
    x = np.zeros((0, 2), dtype)
    info = np.iinfo(dtype)
    expected = {graph.SumOp: 0, graph.ProdOp: 1, graph.MaxOp: info.min, graph.MinOp: info.max, graph.MeanOp: 0}
    for op, value in expected.items():
        assert list(run(op, x, axes=[0])) == [value, value], op.name


def test_integers_wrap_and_their_mean_truncates(run):
    assert run(graph.SumOp, np.array([100, 100], np.int8), axes=[0]) == -56
    assert run(graph.ProdOp, np.array([16, 16], np.uint8), axes=[0]) == 0
    assert run(graph.MeanOp, np.array([-3, -4], np.int32), axes=[0]) == -3
    assert run(graph.MeanOp, np.array([3, 4], np.uint8), axes=[0]) == 3


@pytest.mark.parametrize("position", range(5))
def test_nan_wherever_it_stands(run, position):
    x = np.array([1, 5, 2, 4, 3], np.float32)
    x[position] = NAN
    for op in NUMPY:
        assert np.isnan(run(op, x, axes=[0])), op.name


@pytest.mark.parametrize("zeros", [[0.0, -0.0], [-0.0, 0.0], [-0.0, 0.0, -0.0]])
def test_extremes_of_zeros(run, zeros):
    x = np.array(zeros, np.float32)
    assert not np.signbit(run(graph.MaxOp, x, axes=[0]))
    assert np.signbit(run(graph.MinOp, x, axes=[0]))


def test_truth_values(run):
    x = np.array([[True, False], [False, False], [True, True]])
    assert list(run(graph.MaxOp, x, axes=[1])) == [True, False, True]
    assert list(run(graph.MinOp, x, axes=[1])) == [False, False, True]
    assert not run(graph.MaxOp, x[:0], axes=[0]).any()
    assert run(graph.MinOp, x[:0], axes=[0]).all()


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_halves_add_up_in_f32(run, dtype):
    x = np.ones(4096, dtype)
    assert run(graph.SumOp, x, axes=[0]) == 4096
    assert run(graph.MeanOp, x * 16, axes=[0]) == 16
    large = np.array([60000, 60000, -60000], np.float16)
    assert run(graph.SumOp, large, axes=[0]) == 60000


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_softmax(run, dtype, axis):
    x = (np.random.default_rng(0).standard_normal((3, 4, 5)) * 10).astype(dtype)
    expected = special.softmax(x.astype(np.float64), axis)
    np.testing.assert_allclose(run(graph.SoftmaxOp, x, axis=axis), expected, rtol=1e-5)


def test_softmax_of_extremes(run):
    x = np.array([[1000, 1000], [-INF, 0], [INF, 0], [NAN, 0], [-INF, -INF]], np.float32)
    expected = [[0.5, 0.5], [0, 1], [NAN, NAN], [NAN, NAN], [NAN, NAN]]
    result = run(graph.SoftmaxOp, x, axis=1)
    np.testing.assert_array_equal(result[[0, 1, 3, 4]], np.array(expected, np.float32)[[0, 1, 3, 4]])
    assert np.isnan(result[2, 0])
    assert run(graph.SoftmaxOp, np.zeros((2, 0), np.float32), axis=1).shape == (2, 0)


@pytest.mark.parametrize("axis", [1, 2, -1])
@pytest.mark.parametrize("with_bias", [False, True])
def test_layer_norm(run, axis, with_bias):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 4, 5))
    shape = x.shape[axis:]
    scale, bias = rng.standard_normal(shape), rng.standard_normal(shape)
    axes = tuple(range(axis % 3, 3))
    expected = (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-3) * scale
    operands = [x, scale, bias] if with_bias else [x, scale]
    result = run(graph.LayerNormOp, *(a.astype(np.float32) for a in operands), axis=axis, epsilon=1e-3)
    np.testing.assert_allclose(result, expected + bias if with_bias else expected, rtol=1e-4, atol=1e-5)


def test_layer_norm_does_not_cancel(run):
    x = np.array([[80000, 80001, 80002, 80003]], np.float32)
    result = run(graph.LayerNormOp, x, np.ones(4, np.float32), epsilon=1e-5)
    np.testing.assert_allclose(result[0], [-1.3416, -0.4472, 0.4472, 1.3416], rtol=1e-3)


def test_layer_norm_of_halves_does_not_overflow(run):
    x = np.linspace(-7600, 7600, 64).astype(np.float16)[None]
    result = run(graph.LayerNormOp, x, np.ones(64, np.float16))
    wide = x.astype(np.float64)
    np.testing.assert_allclose(result, (wide - wide.mean()) / wide.std(), rtol=4e-3, atol=4e-3)
