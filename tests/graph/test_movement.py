"""Ops that move elements, against NumPy's indexing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects import graph
from stepwell.dialects.element_types import type_of
from stepwell.dialects.expr import Expr
from stepwell.dialects.graph.inference import TO_BEGIN, TO_END, slice_range
from stepwell.interpreters.graph import evaluate_op
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block

X = np.arange(2 * 3 * 4).reshape(2, 3, 4)
BOUND = st.one_of(st.integers(-9, 9), st.sampled_from([TO_BEGIN, TO_END, 2**31 - 1, -(2**31) + 1]))
STEP = st.integers(-3, 3).filter(bool)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float16])
def test_permute_dims(run, dtype):
    x = X.astype(dtype)
    np.testing.assert_array_equal(run(graph.PermuteDimsOp, x, permutation=[2, 0, 1]), np.transpose(x, [2, 0, 1]))
    np.testing.assert_array_equal(run(graph.PermuteDimsOp, x), x.T)


def test_two_permutations_compose(run):
    once = run(graph.PermuteDimsOp, X, permutation=[1, 0, 2])
    twice = run(graph.PermuteDimsOp, once, permutation=[0, 2, 1])
    np.testing.assert_array_equal(twice, np.transpose(X, [1, 2, 0]))


def test_reshape(run):
    d = [Expr.atom(axis) for axis in range(3)]
    np.testing.assert_array_equal(run(graph.ReshapeOp, X, shape=[6, 4]), X.reshape(6, 4))
    np.testing.assert_array_equal(run(graph.ReshapeOp, X, shape=[d[0], None]), X.reshape(2, 12))
    np.testing.assert_array_equal(run(graph.ReshapeOp, X, shape=[d[0] * d[1], 1, d[2]]), X.reshape(6, 1, 4))
    np.testing.assert_array_equal(run(graph.ReshapeOp, X[:1, :1, :1], shape=[]), X[0, 0, 0])
    assert run(graph.ReshapeOp, X[:0], shape=[d[0], None]).shape == (0, 12)
    assert run(graph.ReshapeOp, X[:0], shape=[7, None]).shape == (7, 0)


def test_broadcast_to(run):
    d = [Expr.atom(axis) for axis in range(3)]
    row = X[:, :1]
    np.testing.assert_array_equal(run(graph.BroadcastToOp, row, shape=[d[0], 5, 4]), np.broadcast_to(row, (2, 5, 4)))
    np.testing.assert_array_equal(run(graph.BroadcastToOp, X[0], shape=[7, 3, 4]), np.broadcast_to(X[0], (7, 3, 4)))
    assert run(graph.BroadcastToOp, row, shape=[2, 0, 4]).shape == (2, 0, 4)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_concat(run, axis):
    parts = np.split(X, [1], axis)

    def concat(*values: object, axis: int) -> graph.ConcatOp:
        return graph.ConcatOp(values, axis)

    np.testing.assert_array_equal(run(concat, *parts, axis=axis), X)
    assert run(concat, X, np.take(X, [], axis), X, axis=axis).shape[axis] == 2 * X.shape[axis]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 7), BOUND, BOUND, STEP)
def test_slice_is_numpys(size, start, end, step):
    x = np.arange(size)
    op = graph.SliceOp(Block(arg_types=[TensorType(type_of(x.dtype), x.shape)]).args[0], [start], [end], [step])
    op.verify()
    (result,) = evaluate_op(op, (x,))
    # by the definition of ONNX: a negative bound counts from the end, then both are clamped
    if start < 0:
        start += size
    if end < 0:
        end += size
    low, high = (0, size) if step > 0 else (-1, size - 1)
    indices = range(min(max(start, 0 if step > 0 else -1), high), min(max(end, low), high), step)
    assert list(result) == list(indices)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 7), BOUND, BOUND, STEP)
def test_slice_of_a_symbolic_size(size, start, end, step):
    ((start, end, step),) = graph.SliceOp(
        Block(arg_types=[TensorType(type_of(X.dtype), [3])]).args[0], [start], [end], [step]
    ).ranges
    first, count = slice_range(Expr.atom("n"), start, end, step)
    known_first, known_count = slice_range(size, start, end, step)

    def value(dim: graph.Dim) -> int:
        assert dim is not None
        return dim if isinstance(dim, int) else dim.evaluate({"n": size})

    assert value(count) == known_count
    if known_count:
        assert value(first) == known_first


def test_slice_of_several_axes(run):
    result = run(graph.SliceOp, X, starts=[0, -1, 1], ends=[2**31 - 1, -(2**31), 3], steps=[1, -2, 1])
    np.testing.assert_array_equal(result, X[:, ::-2, 1:3])


PADS = st.integers(-1, 5)


@settings(max_examples=120, deadline=None)
@given(st.integers(2, 4), PADS, PADS, st.sampled_from(["constant", "edge", "reflect", "wrap"]))
def test_pad_is_numpys_of_what_is_left(size, low, high, mode):
    x = np.arange(1, size + 1, dtype=np.int32)
    kept = x[max(-low, 0) : size - max(-high, 0)]
    if not len(kept):
        return
    value = {"value": 9} if mode == "constant" else {}
    op = graph.PadOp(
        Block(arg_types=[TensorType(type_of(x.dtype), x.shape)]).args[0], [low], [high], mode=mode, **value
    )
    op.verify()
    (result,) = evaluate_op(op, (x,))

    def source(index: int) -> int:
        n = len(kept)
        if 0 <= index < n:
            return int(kept[index])
        match mode:
            case "constant":
                return 9
            case "edge":
                return int(kept[0 if index < 0 else n - 1])
            case "wrap":
                return int(kept[index % n])
            case _:
                if n == 1:
                    return int(kept[0])
                folded = index % (2 * n - 2)
                return int(kept[min(folded, 2 * n - 2 - folded)])

    expected = [source(index) for index in range(-max(low, 0), len(kept) + max(high, 0))]
    assert list(result) == expected


@pytest.mark.parametrize("value", [float("-inf"), float("nan"), -0.0, 1.5])
def test_pad_with_a_float(run, value):
    result = run(graph.PadOp, np.zeros(1, np.float32), low=[1], high=[0], value=value)
    np.testing.assert_array_equal(result[:1].view(np.int32), np.array([value], np.float32).view(np.int32))


def test_pad_of_nothing(run):
    np.testing.assert_array_equal(run(graph.PadOp, np.zeros(0, np.int8), low=[1], high=[2], value=5), [5, 5, 5])


def test_padding_without_axes_is_nothing(run):
    x = np.array(3.0, np.float32)
    for mode in ("constant", "edge", "reflect", "wrap"):
        assert run(graph.PadOp, x, low=[], high=[], mode=mode) == 3.0
