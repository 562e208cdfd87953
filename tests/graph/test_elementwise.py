"""Elementwise ops against NumPy, `math` and plain Python integers."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from scipy import special
from stepwell.dialects import graph
from stepwell.dialects.element_types import type_of

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16), BF16]
TOLERANCE = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2}
INTEGERS = [np.dtype(f"{sign}int{width}") for sign in ("", "u") for width in (8, 16, 32, 64)]
NAN, INF = float("nan"), float("inf")

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.25, -7.0, 100.0, -100.0, INF, -INF, NAN]

UNARY = {
    graph.NegateOp: np.negative,
    graph.AbsOp: np.abs,
    graph.SignOp: np.sign,
    graph.ExpOp: np.exp,
    graph.LogOp: np.log,
    graph.SqrtOp: np.sqrt,
    graph.ReciprocalOp: np.reciprocal,
    graph.SinOp: np.sin,
    graph.CosOp: np.cos,
    graph.TanOp: np.tan,
    graph.AsinOp: np.arcsin,
    graph.AcosOp: np.arccos,
    graph.AtanOp: np.arctan,
    graph.SinhOp: np.sinh,
    graph.CoshOp: np.cosh,
    graph.TanhOp: np.tanh,
    graph.AsinhOp: np.arcsinh,
    graph.AcoshOp: np.arccosh,
    graph.AtanhOp: np.arctanh,
    graph.SigmoidOp: special.expit,
    graph.ErfOp: special.erf,
    graph.CeilOp: np.ceil,
    graph.FloorOp: np.floor,
    graph.RoundOp: np.rint,
    graph.ReluOp: lambda x: np.where(np.isnan(x), x, np.where(x > 0, x, 0.0)),
}


def close(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal as f64 within the tolerance of the dtype, NaN and signed infinities included."""
    tolerance = TOLERANCE[actual.dtype.name]
    wide = expected.astype(np.float64)
    np.testing.assert_allclose(actual.astype(np.float64), wide, rtol=tolerance, atol=tolerance * 1e-3)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", UNARY)
def test_unary_floats(run, op, dtype):
    x = np.array(SPECIAL + list(np.linspace(-6, 6, 49)), dtype)
    with np.errstate(all="ignore"):
        expected = UNARY[op](x.astype(np.float64)).astype(dtype)
    actual = run(op, x)
    assert actual.dtype == dtype
    close(actual, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_zeros_keep_their_sign(run, dtype):
    zeros = np.array([0.0, -0.0], dtype)
    for op in (graph.CeilOp, graph.FloorOp, graph.RoundOp, graph.SqrtOp, graph.SinOp, graph.TanhOp):
        assert list(np.signbit(run(op, zeros))) == [False, True], op.name
    assert list(np.signbit(run(graph.NegateOp, zeros))) == [True, False]
    assert list(np.signbit(run(graph.CeilOp, np.array([-0.25, -0.0], dtype)))) == [True, True]


def test_relu_and_sign_keep_nan(run):
    x = np.array([NAN, 1, NAN, -2], np.float32)
    np.testing.assert_array_equal(run(graph.ReluOp, x), [NAN, 1, NAN, 0])
    np.testing.assert_array_equal(run(graph.SignOp, x), [NAN, 1, NAN, -1])


def test_round_half_to_even(run):
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999998], np.float32)
    np.testing.assert_array_equal(run(graph.RoundOp, x), [0, 2, 2, -0.0, -2, 2])


def test_sigmoid_far_out(run):
    x = np.array([-1000, 1000, -88.0, 88.0], np.float32)
    np.testing.assert_allclose(run(graph.SigmoidOp, x), [0, 1, math.exp(-88), 1], rtol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
def test_is_nan_is_inf(run, dtype):
    x = np.array([NAN, INF, -INF, 0, 1], dtype)
    assert list(run(graph.IsNanOp, x)) == [True, False, False, False, False]
    assert list(run(graph.IsInfOp, x)) == [False, True, True, False, False]


FLOAT_BINARY = {
    graph.AddOp: np.add,
    graph.SubtractOp: np.subtract,
    graph.MultiplyOp: np.multiply,
    graph.DivideOp: np.divide,
    graph.PowerOp: np.power,
    graph.MaximumOp: np.maximum,
    graph.MinimumOp: np.minimum,
    graph.EqualOp: np.equal,
    graph.NotEqualOp: np.not_equal,
    graph.LessOp: np.less,
    graph.LessEqualOp: np.less_equal,
    graph.GreaterOp: np.greater,
    graph.GreaterEqualOp: np.greater_equal,
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", FLOAT_BINARY)
def test_binary_floats_of_all_pairs(run, op, dtype):
    x = np.array(SPECIAL, dtype)
    with np.errstate(all="ignore"):
        expected = FLOAT_BINARY[op](x[:, None].astype(np.float64), x[None, :].astype(np.float64))
        expected = expected if expected.dtype == bool else expected.astype(dtype)
    actual = run(op, x[:, None], x[None, :])
    assert actual.dtype == expected.dtype
    if expected.dtype == bool:
        np.testing.assert_array_equal(actual, expected)
    else:
        close(actual, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_maximum_of_zeros(run, dtype):
    a, b = np.array([0.0, -0.0, -0.0], dtype), np.array([-0.0, 0.0, -0.0], dtype)
    assert list(np.signbit(run(graph.MaximumOp, a, b))) == [False, False, True]
    assert list(np.signbit(run(graph.MinimumOp, a, b))) == [True, True, True]


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_remainder_has_the_sign_of_the_dividend(run, dtype):
    a = np.array([5.5, -5.5, 5.5, -5.5, 1, INF, 3, NAN], dtype)
    b = np.array([2, 2, -2, -2, 0, 2, INF, 1], dtype)
    np.testing.assert_array_equal(
        run(graph.ModuloOp, a, b, fmod=True).astype(np.float64), [1.5, -1.5, 1.5, -1.5, NAN, NAN, 3, NAN]
    )


def truncated(a: int, b: int) -> int:
    """The quotient toward zero; by 0 it is 0."""
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(a: int, b: int) -> int:
    """The power; a negative exponent truncates the true one."""
    if b >= 0:
        return pow(a, b, 1 << 128) if a >= 0 else pow(-a, b, 1 << 128) * (-1) ** (b % 2)
    return {1: 1, -1: (-1) ** (b % 2)}.get(a, 0)


def shifted(a: int, b: int, width: int, left: bool) -> int:
    """A shift; by the width or more, or by a negative amount, it is 0."""
    if not 0 <= b < width:
        return 0
    return a << b if left else a >> b


INTEGER_BINARY = {
    graph.AddOp: lambda a, b, w: a + b,
    graph.SubtractOp: lambda a, b, w: a - b,
    graph.MultiplyOp: lambda a, b, w: a * b,
    graph.DivideOp: lambda a, b, w: truncated(a, b),
    graph.PowerOp: lambda a, b, w: power(a, b),
    graph.MaximumOp: lambda a, b, w: max(a, b),
    graph.MinimumOp: lambda a, b, w: min(a, b),
    graph.ModuloOp: lambda a, b, w: a % b if b else 0,
    graph.BitwiseAndOp: lambda a, b, w: a & b,
    graph.BitwiseOrOp: lambda a, b, w: a | b,
    graph.BitwiseXorOp: lambda a, b, w: a ^ b,
    graph.ShiftLeftOp: lambda a, b, w: shifted(a, b, w, left=True),
    graph.ShiftRightOp: lambda a, b, w: shifted(a, b, w, left=False),
}


def edges(dtype: np.dtype) -> list[int]:
    """The integers at which something happens."""
    info = np.iinfo(dtype)
    values = [0, 1, 2, 3, 5, 7, 8, info.bits - 1, info.bits, 100, info.max, info.max - 1, info.max // 2 + 1]
    return values + ([-1, -2, -3, -7, -100, info.min, info.min + 1] if info.min < 0 else [])


def wrapped(value: int, dtype: np.dtype) -> int:
    """An integer modulo the width of a dtype."""
    return int(np.array(value & (2**64 - 1), np.uint64).astype(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", INTEGER_BINARY)
def test_binary_integers_of_all_pairs(run, op, dtype):
    values = edges(dtype)
    x = np.array(values, dtype)
    width = dtype.itemsize * 8
    expected = [[wrapped(INTEGER_BINARY[op](a, b, width), dtype) for b in values] for a in values]
    np.testing.assert_array_equal(run(op, x[:, None], x[None, :]), np.array(expected, dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_remainder_with_fmod(run, dtype):
    values = edges(dtype)
    x = np.array(values, dtype)
    expected = [[wrapped(a - truncated(a, b) * b if b else 0, dtype) for b in values] for a in values]
    np.testing.assert_array_equal(run(graph.ModuloOp, x[:, None], x[None, :], fmod=True), np.array(expected, dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_unary_integers(run, dtype):
    values = edges(dtype)
    x = np.array(values, dtype)
    for op, meaning in {
        graph.ReluOp: lambda a: max(a, 0),
        graph.NegateOp: lambda a: -a,
        graph.AbsOp: abs,
        graph.SignOp: lambda a: (a > 0) - (a < 0),
        graph.BitwiseNotOp: lambda a: ~a,
    }.items():
        np.testing.assert_array_equal(run(op, x), np.array([wrapped(meaning(a), dtype) for a in values], dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_comparisons(run, dtype):
    values = edges(dtype)
    x = np.array(values, dtype)
    for op, meaning in {
        graph.EqualOp: lambda a, b: a == b,
        graph.NotEqualOp: lambda a, b: a != b,
        graph.LessOp: lambda a, b: a < b,
        graph.LessEqualOp: lambda a, b: a <= b,
        graph.GreaterOp: lambda a, b: a > b,
        graph.GreaterEqualOp: lambda a, b: a >= b,
    }.items():
        expected = [[meaning(a, b) for b in values] for a in values]
        np.testing.assert_array_equal(run(op, x[:, None], x[None, :]), expected)


def test_division_of_large_integers_is_exact(run):
    a = np.array([9007199254740993, -(2**63), 8, -8, 7, -7], np.int64)
    b = np.array([1, -1, -3, 3, -2, 2], np.int64)
    assert list(run(graph.DivideOp, a, b)) == [9007199254740993, -(2**63), -2, -2, -3, -3]


def test_logic(run):
    a, b = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert list(run(graph.LogicalAndOp, a, b)) == [True, False, False, False]
    assert list(run(graph.LogicalOrOp, a, b)) == [True, True, True, False]
    assert list(run(graph.LogicalXorOp, a, b)) == [False, True, True, False]
    assert list(run(graph.EqualOp, a, b)) == [True, False, False, True]
    assert list(run(graph.LogicalNotOp, a)) == [False, False, True, True]


def test_select_broadcasts(run):
    condition = np.array([[True], [False]])
    result = run(graph.SelectOp, condition, np.array([1, 2, 3], np.int8), np.array(7, np.int8))
    np.testing.assert_array_equal(result, [[1, 2, 3], [7, 7, 7]])


def test_select_does_not_look_at_what_it_drops(run):
    result = run(graph.SelectOp, np.array([True]), np.array([1.0], np.float32), np.array([NAN], np.float32))
    assert list(result) == [1.0]


def test_ewise_fma_rounds_twice(run):
    a = np.array([1 + 2.0**-12], np.float32)
    c = np.array([-1.0], np.float32)
    product = np.float32(a * a)
    assert run(graph.EwiseFmaOp, a, a, c)[0] == product + c[0]
    assert product + c[0] != np.float32(float(a[0]) ** 2 - 1)
    integers = np.array([100], np.int8)
    assert run(graph.EwiseFmaOp, integers, integers, integers)[0] == wrapped(100 * 100 + 100, np.dtype(np.int8))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("source", FLOATS)
def test_cast_float_to_integer_saturates(run, source, dtype):
    values = [300, NAN, INF, -INF, 50.75, -50.75, 1e30, -1e30, -0.5, 127.5, -128.9, 255.9, 2.0**31, 2.0**63, 2.0**64, 0]
    with np.errstate(over="ignore"):
        x = np.array(values).astype(source)
    info = np.iinfo(dtype)

    def expected(value: float) -> int:
        if math.isnan(value):
            return 0
        return max(info.min, min(info.max, int(value) if math.isfinite(value) else int(math.copysign(2**70, value))))

    result = run(graph.CastOp, x, element_type=type_of(dtype))
    assert [int(v) for v in result] == [expected(float(v)) for v in x]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("source", INTEGERS)
def test_cast_integer_to_integer_wraps(run, source, dtype):
    x = np.array(edges(source), source)
    result = run(graph.CastOp, x, element_type=type_of(dtype))
    assert [int(v) for v in result] == [wrapped(int(v), dtype) for v in x]


@pytest.mark.parametrize("dtype", [np.dtype(np.float64), np.dtype(np.float32)])
@pytest.mark.parametrize("source", INTEGERS)
def test_cast_integer_to_float_rounds_to_nearest(run, source, dtype):
    values = [*edges(source), *([2**53 + 1, 2**24 + 1, 2**24 + 3] if source.itemsize == 8 else [])]
    result = run(graph.CastOp, np.array(values, source), element_type=type_of(dtype))
    assert [float(v) for v in result] == [float(dtype.type(v)) for v in values]


def test_cast_to_bool_is_not_zero(run):
    bool_type = type_of(np.dtype(bool))
    assert list(run(graph.CastOp, np.array([0.0, -0.0, NAN, 0.25, INF], np.float32), element_type=bool_type)) == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert list(run(graph.CastOp, np.array([0, 2, -1], np.int8), element_type=bool_type)) == [False, True, True]


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_cast_from_bool_is_zero_or_one(run, dtype):
    result = run(graph.CastOp, np.array([False, True]), element_type=type_of(dtype))
    assert [float(v) for v in result] == [0.0, 1.0]


def test_cast_of_floats_rounds_once(run):
    # halfway between two bf16 numbers, and a little above: through f32 the little would be lost
    x = np.array([1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-40, 65520.0, 1e-46], np.float64)
    bf16 = run(graph.CastOp, x, element_type=type_of(BF16))
    assert [float(v) for v in bf16[:2]] == [1.0, 1 + 2.0**-7]
    f16 = run(graph.CastOp, x, element_type=type_of(np.dtype(np.float16)))
    assert math.isinf(f16[2])
    assert run(graph.CastOp, x, element_type=type_of(np.dtype(np.float32)))[3] == 0.0
