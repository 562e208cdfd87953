"""Functions that are not exact: their special values, and that they are good to the last bits."""

from __future__ import annotations

import math as libm
from collections.abc import Callable

import numpy as np
import pytest
from stepwell.dialects.element_types import dtype_of
from stepwell.interpreters.numbers import evaluate
from stepwell.interpreters.numbers.functions import relu, sigmoid, sign
from xdsl.dialects import math
from xdsl.dialects.builtin import bf16, f16, f32, f64, i32
from xdsl.ir import Attribute, Block, Operation

NAN, INF = float("nan"), float("inf")


def op(cls: Callable[..., Operation], *types: Attribute) -> Operation:
    return cls(*Block(arg_types=types).args)


SPECIAL: dict[type[Operation], list[tuple[float, float]]] = {
    math.ExpOp: [(1000, INF), (-1000, 0), (-INF, 0), (0, 1)],
    math.Exp2Op: [(10, 1024), (5000, INF)],
    math.ExpM1Op: [(-INF, -1), (-0.0, -0.0), (1e-30, 1e-30)],
    math.LogOp: [(0.0, -INF), (-1, NAN), (1, 0), (INF, INF)],
    math.Log2Op: [(8, 3), (0.0, -INF)],
    math.Log10Op: [(1000, 3)],
    math.Log1pOp: [(-1, -INF), (-0.0, -0.0), (1e-30, 1e-30)],
    math.SinOp: [(-0.0, -0.0), (INF, NAN)],
    math.CosOp: [(0, 1), (INF, NAN)],
    math.TanOp: [(-0.0, -0.0), (INF, NAN)],
    math.AsinOp: [(2, NAN), (-0.0, -0.0)],
    math.AcosOp: [(2, NAN), (1, 0)],
    math.AtanOp: [(-0.0, -0.0)],
    math.SinhOp: [(-INF, -INF), (-0.0, -0.0)],
    math.CoshOp: [(-INF, INF), (0, 1)],
    math.TanhOp: [(INF, 1), (-INF, -1), (-0.0, -0.0)],
    math.AsinhOp: [(-INF, -INF)],
    math.AcoshOp: [(0.5, NAN), (1, 0)],
    math.AtanhOp: [(1, INF), (-1, -INF), (2, NAN)],
    math.CbrtOp: [(-8, -2), (-0.0, -0.0)],
    math.ErfOp: [(INF, 1), (-INF, -1), (-0.0, -0.0)],
}


@pytest.mark.parametrize("type", [f64, f32, f16, bf16], ids=str)
@pytest.mark.parametrize("cls", SPECIAL, ids=lambda cls: cls.name)
def test_special_values(cls: type[Operation], type: Attribute) -> None:
    dtype = dtype_of(type)
    for number, expected in [*SPECIAL[cls], (NAN, NAN)]:
        got = evaluate(op(cls, type), dtype.type(number))
        assert got.dtype == dtype
        with np.errstate(under="ignore"):
            wanted = dtype.type(expected)
        assert np.array_equal(got, wanted, equal_nan=True), (number, got)
        assert expected != expected or np.signbit(got) == np.signbit(wanted)


ONE: dict[type[Operation], Callable[[float], float]] = {
    math.ExpOp: libm.exp,
    math.ExpM1Op: libm.expm1,
    math.LogOp: libm.log,
    math.Log1pOp: libm.log1p,
    math.Log2Op: libm.log2,
    math.Log10Op: libm.log10,
    math.SinOp: libm.sin,
    math.CosOp: libm.cos,
    math.TanOp: libm.tan,
    math.AsinOp: libm.asin,
    math.AcosOp: libm.acos,
    math.AtanOp: libm.atan,
    math.SinhOp: libm.sinh,
    math.CoshOp: libm.cosh,
    math.TanhOp: libm.tanh,
    math.AsinhOp: libm.asinh,
    math.AtanhOp: libm.atanh,
    math.ErfOp: libm.erf,
}


@pytest.mark.parametrize("cls", ONE, ids=lambda cls: cls.name)
def test_f32_is_the_nearest_number_or_its_neighbour(cls: type[Operation]) -> None:
    numbers = np.random.default_rng(5).random(500).astype(np.float32) * np.float32(0.998) + np.float32(0.001)
    got = evaluate(op(cls, f32), numbers)
    wanted = np.array([ONE[cls](float(n)) for n in numbers])
    assert got.dtype == np.float32
    assert (np.abs(got.astype(np.float64) - wanted) <= 0.51 * np.spacing(np.abs(wanted).astype(np.float32))).all()


def test_powers() -> None:
    power = op(math.PowFOp, f32, f32)
    rows = [(2, 10, 1024), (1, NAN, 1), (NAN, 0, 1), (-2, 3, -8), (-2, 0.5, NAN), (0.0, -1, INF), (-0.0, -3, -INF)]
    rows += [(-0.0, 0.5, 0.0), (-INF, 0.5, INF)]
    for a, b, expected in rows:
        assert np.array_equal(evaluate(power, np.float32(a), np.float32(b)), np.float32(expected), equal_nan=True), (
            a,
            b,
        )
    whole = op(lambda a, b: math.FPowIOp(a, b, f32), f32, i32)
    for a, b, expected in [(2, -2, 0.25), (-3, 3, -27), (0.0, -1, INF), (NAN, 0, 1)]:
        assert evaluate(whole, np.float32(a), np.int32(b)) == np.float32(expected)


def test_arctangent_of_two() -> None:
    made = op(math.Atan2Op, f32, f32)
    for y, x in [(0.0, -1.0), (-0.0, -1.0), (1, 0), (-1, -1), (INF, INF)]:
        assert evaluate(made, np.float32(y), np.float32(x)) == np.float32(libm.atan2(y, x))


@pytest.mark.parametrize("type", [f64, f32, f16, bf16], ids=str)
def test_composites(type: Attribute) -> None:
    dtype = dtype_of(type)
    x = np.array([-2, -0.0, 0.0, 3, NAN, INF, -INF], dtype)
    assert np.array_equal(relu(x), np.array([0, 0, 0, 3, NAN, INF, 0], dtype), equal_nan=True)
    assert np.array_equal(sign(x), np.array([-1, 0, 0, 1, NAN, 1, -1], dtype), equal_nan=True)
    assert not np.signbit(relu(x)[1])
    with np.errstate(over="ignore"):
        got = sigmoid(x)
    assert got.dtype == dtype
    assert got[1] == dtype.type(0.5)
    assert got[5] == 1
    assert got[6] == 0
    assert np.isnan(got[4])
