"""Elementwise ops as nests: every op, every kind of element, compared with NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import graph
from stepwell.dialects.element_types import type_of

F32 = np.array([0.0, -0.0, -0.25, 1.0, -1.5, 2.5, -2.5, 0.3, -7.25, 1e-40, 3e38, np.inf, -np.inf, np.nan], np.float32)
FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]


def integers(dtype: Any) -> np.ndarray:
    info = np.iinfo(dtype)
    values = [0, 1, 2, 3, 7, info.max, info.max - 1, info.min, *([-1, -2, -7, info.min + 1] if info.min else [])]
    return np.array(values, dtype)


def pairs(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return values[:, None].copy(), values[None, :].copy()


def quiet(function: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(function(*arrays))


EXACT_UNARY = {
    graph.NegateOp: np.negative,
    graph.AbsOp: np.abs,
    graph.SqrtOp: np.sqrt,
    graph.CeilOp: np.ceil,
    graph.FloorOp: np.floor,
    graph.RoundOp: np.rint,
    graph.ReciprocalOp: lambda x: x.dtype.type(1) / x,
    graph.ReluOp: lambda x: np.where(np.isnan(x) | (x > 0), x, x.dtype.type(0)),
    graph.SignOp: lambda x: np.where(x == 0, x.dtype.type(0), np.sign(x)).astype(x.dtype),
}


@pytest.mark.parametrize("op", EXACT_UNARY, ids=lambda o: o.name)
@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_unary_of_floats_by_bits(agree: Any, op: Any, dtype: Any) -> None:
    x = quiet(lambda: F32.astype(dtype))
    wide = x.astype(np.float32) if np.dtype(dtype).itemsize == 2 else x
    agree(op, [x], quiet(EXACT_UNARY[op], wide).astype(dtype))


FUNCTIONS = {
    graph.ExpOp: np.exp,
    graph.LogOp: np.log,
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
    graph.SigmoidOp: lambda x: 1 / (1 + np.exp(-x)),
    graph.ErfOp: np.vectorize(math.erf, otypes=[np.float64]),
}


@pytest.mark.parametrize("op", FUNCTIONS, ids=lambda o: o.name)
@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_functions(agree: Any, op: Any, dtype: Any) -> None:
    x = np.array([0.0, -0.0, 0.5, -0.75, 1.0, 1.5, -3.0, np.inf, -np.inf, np.nan]).astype(dtype)
    expected = quiet(lambda: FUNCTIONS[op](x.astype(np.float64)).astype(dtype))
    agree(op, [x], expected, exact=False)


def test_sigmoid_does_not_overflow(agree: Any) -> None:
    x = np.array([-1000.0, -100.0, 100.0, 1000.0], np.float32)
    agree(graph.SigmoidOp, [x], np.array([0.0, 3.7835e-44, 1.0, 1.0], np.float32), exact=False)


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED], ids=lambda d: np.dtype(d).name)
def test_unary_of_integers(agree: Any, dtype: Any) -> None:
    x = integers(dtype)
    for op, function in {
        graph.NegateOp: np.negative,
        graph.AbsOp: np.abs,
        graph.ReluOp: lambda v: np.maximum(v, v.dtype.type(0)),
        graph.SignOp: np.sign,
        graph.BitwiseNotOp: np.invert,
    }.items():
        agree(op, [x], quiet(function, x))


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_tests_of_floats(agree: Any, dtype: Any) -> None:
    x = quiet(lambda: F32.astype(dtype))
    agree(graph.IsNanOp, [x], np.isnan(x))
    agree(graph.IsInfOp, [x], np.isinf(x))


def extreme(smaller: bool) -> Callable[..., np.ndarray]:
    """NaN if either is, else the larger or smaller; of two zeros +0, or -0."""

    def choose(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        result = (np.minimum if smaller else np.maximum)(a, b)
        zero = -np.float32(0) if smaller else np.float32(0)
        mixed = (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))
        return np.where(mixed, zero.astype(result.dtype), result)

    return choose


FLOAT_BINARY = {
    graph.AddOp: np.add,
    graph.SubtractOp: np.subtract,
    graph.MultiplyOp: np.multiply,
    graph.DivideOp: np.divide,
    graph.MaximumOp: extreme(False),
    graph.MinimumOp: extreme(True),
    graph.EqualOp: np.equal,
    graph.NotEqualOp: np.not_equal,
    graph.LessOp: np.less,
    graph.LessEqualOp: np.less_equal,
    graph.GreaterOp: np.greater,
    graph.GreaterEqualOp: np.greater_equal,
}


@pytest.mark.parametrize("op", FLOAT_BINARY, ids=lambda o: o.name)
@pytest.mark.parametrize("dtype", FLOATS, ids=lambda d: np.dtype(d).name)
def test_binary_of_floats(agree: Any, op: Any, dtype: Any) -> None:
    a, b = pairs(quiet(lambda: F32.astype(dtype)))
    wide = [v.astype(np.float32) if np.dtype(dtype).itemsize == 2 else v for v in (a, b)]
    expected = quiet(FLOAT_BINARY[op], *wide)
    agree(op, [a, b], expected if expected.dtype == np.bool_ else quiet(expected.astype, dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_power_and_remainder_of_floats(agree: Any, dtype: Any) -> None:
    a, b = pairs(np.array([0.0, -0.0, 1.0, -1.5, 2.5, -7.25, 1e30, np.inf, np.nan], dtype))
    expected = quiet(lambda: np.power(a.astype(np.float64), b.astype(np.float64)).astype(dtype))
    agree(graph.PowerOp, [a, b], expected, exact=False)
    agree(lambda x, y: graph.ModuloOp(x, y, fmod=True), [a, b], quiet(np.fmod, a, b))


def in_python(function: Callable[[int, int], int], a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Exact integer arithmetic, wrapped to the type."""
    mask = (1 << (a.dtype.itemsize * 8)) - 1
    values = [[function(int(x), int(y)) & mask for y in b.flat] for x in a.flat]
    return np.array(values, np.uint64).astype(a.dtype)


def truncated(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shifted(a: int, b: int, bits: int) -> int:
    return 0 if not 0 <= b < bits else a << b


def to_the_power(a: int, b: int) -> int:
    if b >= 0:
        return pow(a, b, 1 << 64)
    return a if a == 1 or (a == -1 and b % 2) else 1 if a == -1 else 0


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED], ids=lambda d: np.dtype(d).name)
def test_binary_of_integers(agree: Any, dtype: Any) -> None:
    a, b = pairs(integers(dtype))
    bits = np.dtype(dtype).itemsize * 8
    for op, function in {
        graph.AddOp: lambda x, y: x + y,
        graph.SubtractOp: lambda x, y: x - y,
        graph.MultiplyOp: lambda x, y: x * y,
        graph.DivideOp: truncated,
        graph.MaximumOp: max,
        graph.MinimumOp: min,
        graph.PowerOp: to_the_power,
        graph.ModuloOp: lambda x, y: 0 if y == 0 else x % y,
        graph.BitwiseAndOp: lambda x, y: x & y,
        graph.BitwiseOrOp: lambda x, y: x | y,
        graph.BitwiseXorOp: lambda x, y: x ^ y,
        graph.ShiftLeftOp: lambda x, y: shifted(x, y, bits),
        graph.ShiftRightOp: lambda x, y: 0 if not 0 <= y < bits else x >> y,
    }.items():
        agree(op, [a, b], in_python(function, a, b))
    rest = in_python(lambda x, y: 0 if y == 0 else x - truncated(x, y) * y, a, b)
    agree(lambda x, y: graph.ModuloOp(x, y, fmod=True), [a, b], rest)
    for op, compare in {graph.EqualOp: np.equal, graph.LessOp: np.less, graph.GreaterEqualOp: np.greater_equal}.items():
        agree(op, [a, b], compare(a, b))


def test_division_of_negatives_truncates(agree: Any) -> None:
    a, b = np.array([8, -8, 7, -7], np.int64), np.array([-3, 3, -2, 2], np.int64)
    agree(graph.DivideOp, [a, b], np.array([-2, -2, -3, -3], np.int64))


def test_logic(agree: Any) -> None:
    a, b = pairs(np.array([False, True]))
    agree(graph.LogicalAndOp, [a, b], a & b)
    agree(graph.LogicalOrOp, [a, b], a | b)
    agree(graph.LogicalXorOp, [a, b], a ^ b)
    agree(graph.EqualOp, [a, b], a == b)
    agree(graph.NotEqualOp, [a, b], a != b)
    agree(graph.LogicalNotOp, [a], ~a)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3, 4), (4,)),
        ((3, 1), (1, 4)),
        ((), (2, 3)),
        ((2, 1, 3), (4, 1)),
        ((0, 3), (1, 3)),
        ((1, 1, 8), (8,)),
        ((), ()),
    ],
    ids=str,
)
def test_broadcasting(agree: Any, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = (np.asarray(rng.standard_normal(s), np.float32) for s in (left, right))
    agree(graph.AddOp, [a, b], np.asarray(a + b))


def test_select_and_multiply_add(agree: Any) -> None:
    rng = np.random.default_rng(1)
    a, b, c = (rng.standard_normal(s).astype(np.float32) for s in ((3, 4), (4,), (3, 1)))
    condition = rng.random((3, 4)) < 0.5
    agree(graph.SelectOp, [condition, a, b], np.where(condition, a, b))
    # two roundings, not one
    agree(graph.EwiseFmaOp, [a, b, c], a * b + c)
    i = [integers(np.int8)[:, None], integers(np.int8), integers(np.int8)]
    agree(graph.EwiseFmaOp, i, quiet(lambda x, y, z: x * y + z, *i))


CASTS = [
    np.float32,
    np.float64,
    np.float16,
    ml_dtypes.bfloat16,
    np.int8,
    np.uint8,
    np.int32,
    np.int64,
    np.uint64,
    np.bool_,
]


def cast(x: np.ndarray, dtype: Any) -> np.ndarray:
    """The rules of docs/design/numbers.md, in Python integers and exact floats."""
    target = np.dtype(dtype)
    if target == np.bool_:
        return x != x.dtype.type(0)
    if target.kind in "iu":
        info = np.iinfo(target)
        if x.dtype.kind in "biu":
            return np.array([int(v) & ((1 << 64) - 1) for v in x], np.uint64).astype(target)
        wide = [float(v) for v in x]
        return np.array(
            [
                0
                if v != v
                else int(max(min(v, info.max), info.min))
                if abs(v) < 2e38
                else (info.max if v > 0 else info.min)
                for v in wide
            ],
            target,
        )
    return quiet(lambda: (x.astype(np.float32) if x.dtype.kind in "iu" and target.itemsize == 2 else x).astype(target))


@pytest.mark.parametrize("target", CASTS, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("source", CASTS, ids=lambda d: np.dtype(d).name)
def test_casts(agree: Any, source: Any, target: Any) -> None:
    kind = np.dtype(source).kind
    if kind == "b":
        x = np.array([False, True])
    elif kind in "iu":
        x = integers(source)
    else:
        x = quiet(lambda: np.array([0.0, -0.0, 0.5, -1.75, 50, -50, 300, 1e6, np.inf, -np.inf, np.nan]).astype(source))
    agree(lambda v: graph.CastOp(v, type_of(np.dtype(target))), [x], cast(x, target))


def test_float_to_int8_saturates(agree: Any) -> None:
    x = np.array([300, np.nan, np.inf, -np.inf, 50, -50], np.float32)
    agree(lambda v: graph.CastOp(v, type_of(np.dtype(np.int8))), [x], np.array([127, 0, 127, -128, 50, -50], np.int8))
    agree(lambda v: graph.CastOp(v, type_of(np.dtype(np.bool_))), [x], np.ones(6, np.bool_))
