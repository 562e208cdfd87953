"""Shape inference against the shapes that NumPy makes, with known sizes and with symbols."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects.expr import Expr, as_expr
from stepwell.dialects.graph import Dim, DimsAttr, dims_of, tensor_of, window_size
from stepwell.dialects.graph.binary import binary_type
from stepwell.dialects.graph.contraction import conv2d_type, matmul_type
from stepwell.dialects.graph.dims import dim_text
from stepwell.dialects.graph.extent import LONGEST_STEP, SliceOp, slice_type
from stepwell.dialects.graph.inference import TO_BEGIN, TO_END, slice_range
from stepwell.dialects.graph.movement import broadcast_to_type, concat_type, reshape_type
from stepwell.dialects.graph.reduction import reduction_type
from xdsl.dialects.builtin import f32
from xdsl.ir import Block
from xdsl.utils.exceptions import VerifyException

N, M = Expr.atom("n"), Expr.atom("m")
SHAPES = st.lists(st.integers(0, 3), max_size=4)
SYMBOLS = {"n": N, "m": M}
VALUES = {"n": 2, "m": 3}


def symbolic(shape: list[int], hidden: list[int]) -> list[Dim]:
    """A shape with some sizes named or unknown: 1 names 2 and 3, 2 hides any."""
    names = {value: SYMBOLS[name] for name, value in VALUES.items()}
    choices = {0: lambda size: size, 1: lambda size: names.get(size, size), 2: lambda size: None}
    return [choices[how](size) for size, how in zip(shape, hidden, strict=False)]


def fits(inferred: tuple[Dim, ...], actual: tuple[int, ...]) -> bool:
    """Whether what was inferred is true of a run in which symbols have their values."""
    values = [d if not isinstance(d, Expr) else d.evaluate(VALUES) for d in inferred]
    return len(values) == len(actual) and all(v is None or v == a for v, a in zip(values, actual, strict=True))


HIDDEN = st.lists(st.integers(0, 2), min_size=4, max_size=4)


@settings(max_examples=200, deadline=None)
@given(SHAPES, SHAPES, HIDDEN, HIDDEN)
def test_broadcast(a, b, hide_a, hide_b):
    try:
        actual = np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(VerifyException, match="do not broadcast"):
            binary_type(tensor_of(f32, a), tensor_of(f32, b))
        return
    assert dims_of(binary_type(tensor_of(f32, a), tensor_of(f32, b))) == actual
    partly = binary_type(tensor_of(f32, symbolic(a, hide_a)), tensor_of(f32, symbolic(b, hide_b)))
    assert fits(dims_of(partly), actual)


@settings(max_examples=200, deadline=None)
@given(SHAPES, SHAPES, HIDDEN, HIDDEN)
def test_matmul(a, b, hide_a, hide_b):
    try:
        actual = np.matmul(np.zeros(a), np.zeros(b)).shape
    except ValueError:
        with pytest.raises(VerifyException):
            matmul_type(tensor_of(f32, a), tensor_of(f32, b))
        return
    assert dims_of(matmul_type(tensor_of(f32, a), tensor_of(f32, b))) == actual
    partly = matmul_type(tensor_of(f32, symbolic(a, hide_a)), tensor_of(f32, symbolic(b, hide_b)))
    assert fits(dims_of(partly), actual)


@settings(max_examples=150, deadline=None)
@given(st.lists(SHAPES, min_size=1, max_size=3), st.integers(-4, 3), HIDDEN)
def test_concat(shapes, axis, hide):
    try:
        actual = np.concatenate([np.zeros(shape) for shape in shapes], axis).shape
    except (ValueError, np.exceptions.AxisError):
        with pytest.raises(VerifyException):
            concat_type([tensor_of(f32, shape) for shape in shapes], axis)
        return
    assert dims_of(concat_type([tensor_of(f32, shape) for shape in shapes], axis)) == actual
    partly = concat_type([tensor_of(f32, symbolic(shape, hide)) for shape in shapes], axis)
    assert fits(dims_of(partly), actual)


@settings(max_examples=150, deadline=None)
@given(SHAPES, st.lists(st.integers(-4, 3), max_size=3), st.booleans(), HIDDEN)
def test_reduction(shape, axes, keepdims, hide):
    try:
        actual = np.sum(np.zeros(shape), axis=tuple(axes), keepdims=keepdims).shape
    except (ValueError, np.exceptions.AxisError):
        with pytest.raises(VerifyException):
            reduction_type(tensor_of(f32, shape), axes, keepdims)
        return
    assert dims_of(reduction_type(tensor_of(f32, shape), axes, keepdims)) == actual
    assert fits(dims_of(reduction_type(tensor_of(f32, symbolic(shape, hide)), axes, keepdims)), actual)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 6), max_size=4), st.lists(st.integers(-1, 6), max_size=3), HIDDEN)
def test_reshape(shape, target, hide):
    known = DimsAttr([None if size == -1 else size for size in target])
    try:
        actual = np.zeros(shape).reshape(target).shape
    except ValueError:
        with pytest.raises(VerifyException):
            reshape_type(tensor_of(f32, shape), known)
        return
    assert dims_of(reshape_type(tensor_of(f32, shape), known)) == actual
    assert fits(dims_of(reshape_type(tensor_of(f32, symbolic(shape, hide)), known)), actual)


@settings(max_examples=150, deadline=None)
@given(SHAPES, SHAPES, HIDDEN)
def test_broadcast_to(shape, target, hide):
    try:
        actual = np.broadcast_to(np.zeros(shape), target).shape
    except ValueError:
        with pytest.raises(VerifyException):
            broadcast_to_type(tensor_of(f32, shape), DimsAttr(target))
        return
    assert dims_of(broadcast_to_type(tensor_of(f32, shape), DimsAttr(target))) == actual
    assert fits(dims_of(broadcast_to_type(tensor_of(f32, symbolic(shape, hide)), DimsAttr(target))), actual)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 20), st.integers(1, 4), st.integers(1, 4), st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)
)
def test_window_size_by_counting(size, kernel, stride, before, after, dilation):
    reach = dilation * (kernel - 1) + 1
    floor = list(range(-before, size + after - reach + 1, stride))
    if size + before + after < reach:
        with pytest.raises(VerifyException, match="does not fit"):
            window_size(size, kernel, stride, before, after, dilation)
        return
    assert window_size(size, kernel, stride, before, after, dilation) == len(floor)
    if max(before, after) < reach:
        # in ceil mode one window more where elements are left over, if it starts before the padding on the right
        rest = (size + before + after - reach) % stride
        starts = [*floor, floor[-1] + stride] if rest else floor
        expected = len([start for start in starts if start < size])
        assert window_size(size, kernel, stride, before, after, dilation, ceil_mode=True) == expected
        symbolic_size = window_size(N, kernel, stride, before, after, dilation, ceil_mode=True)
        assert isinstance(symbolic_size, Expr)
        assert symbolic_size.evaluate({"n": size}) == expected


def test_symbols_stay_where_they_are_certain():
    left, right = tensor_of(f32, [N, 8]), tensor_of(f32, [8, M])
    assert dims_of(matmul_type(left, right)) == (N, M)
    assert dims_of(binary_type(tensor_of(f32, [N, 4]), tensor_of(f32, [1, 4]))) == (N, 4)
    assert dims_of(concat_type([tensor_of(f32, [N]), tensor_of(f32, [M]), tensor_of(f32, [3])], 0)) == (N + M + 3,)
    assert dims_of(reshape_type(tensor_of(f32, [N, 28, 28]), DimsAttr([N, None]))) == (N, 784)
    assert dims_of(reshape_type(tensor_of(f32, [N, 6]), DimsAttr([None, 3]))) == (N * 2, 3)
    assert dims_of(slice_type(tensor_of(f32, [N]), [0], [TO_END], [2])) == (window_size(N, 1, 2, 0, 0),)


def test_what_is_not_certain_is_unknown():
    assert dims_of(binary_type(tensor_of(f32, [N]), tensor_of(f32, [M]))) == (None,)
    assert dims_of(binary_type(tensor_of(f32, [None]), tensor_of(f32, [N]))) == (None,)
    assert dims_of(binary_type(tensor_of(f32, [N]), tensor_of(f32, [4]))) == (4,)
    assert dims_of(concat_type([tensor_of(f32, [N, 1]), tensor_of(f32, [M, 1])], 1)) == (None, 2)


def test_a_copied_zero_is_a_zero():
    target = DimsAttr([Expr.atom(0), Expr.atom(2), None])
    assert dims_of(reshape_type(tensor_of(f32, [N, 0, 4]), DimsAttr([0, 4]))) == (0, 4)
    assert dims_of(reshape_type(tensor_of(f32, [0, 3, 4]), target)) == (0, 4, 3)


def test_conv_of_a_symbolic_image():
    type = conv2d_type(
        tensor_of(f32, [N, 3, M, 9]), tensor_of(f32, [8, 3, 3, 3]), None, (2, 2), (1, 1, 1, 1), (1, 1), 1
    )
    batch, channels, rows, columns = dims_of(type)
    assert (batch, channels, columns) == (N, 8, 5)
    assert isinstance(rows, Expr)
    assert [rows.evaluate({"m": m}) for m in (7, 8, 9)] == [4, 4, 5]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (784, "784"),
        (None, "?"),
        (N * 2 + 1, "n * 2 + 1"),
        (Expr.atom(3), "d3"),
        (Expr.atom("d3"), '"d3"'),
        (Expr.atom("a b"), '"a b"'),
        (Expr.atom("min"), '"min"'),
        (Expr.atom('q"\\'), '"q\\"\\\\"'),
        (Expr.atom(""), '""'),
        (Expr.atom("größe"), '"größe"'),
    ],
)
def test_sizes_as_text(size, text):
    assert dim_text(size) == text


@pytest.mark.parametrize("start", [TO_BEGIN, -(2**62), -3, 0, 2, 2**62, TO_END])
@pytest.mark.parametrize("end", [TO_BEGIN, -(2**62), -3, 0, 2, 2**62, TO_END])
@pytest.mark.parametrize("step", [-LONGEST_STEP, -2, -1, 1, 2, LONGEST_STEP])
def test_far_bounds_of_an_axis_known_in_a_run_stay_within_64_bits(start: int, end: int, step: int) -> None:
    first, count = slice_range(N, start, end, step)
    for size in range(6):
        points = range(size)[start:end:step]
        found = count if isinstance(count, int) else as_expr(count).evaluate({"n": size})
        assert found == len(points), size
        if points:
            assert as_expr(first).evaluate({"n": size}) == points[0]
    numbers = re.findall(r"\d+", f"{dim_text(first)} {dim_text(count)}")
    assert all(int(number) < 2**62 + 2**41 for number in numbers)


def test_a_step_beyond_any_axis_is_written_as_one_that_64_bits_multiply() -> None:
    block = Block(arg_types=[tensor_of(f32, [N, 3])])
    op = SliceOp(block.args[0], [0, 5], [TO_END, TO_BEGIN], [TO_END, -TO_END])
    assert list(op.steps.get_values()) == [LONGEST_STEP, -LONGEST_STEP]
