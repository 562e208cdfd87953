"""The exact ops: floats by IEEE's rules and exact fractions, integers by Python's own, casts by brute force."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects.element_types import bits_of, bytes_of, dtype_of, is_float, is_integer, type_of
from stepwell.errors import VerifyError
from stepwell.interpreters.numbers import NAMES, constant, evaluate, formula, quiet
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation

FLOATS = (f64, f32, f16, bf16)
SIGNLESS = (i8, i16, i32, i64)
NAN, INF = float("nan"), float("inf")


def op(cls: Callable[..., Operation], *types: Attribute) -> Operation:
    """An op on operands of these types."""
    return cls(*Block(arg_types=types).args)


def apply(cls: Callable[..., Operation], type: Attribute, *numbers: float) -> float:
    """An op on scalars of one type, as a Python number."""
    values = [dtype_of(type).type(number) for number in numbers]
    return evaluate(op(cls, *[type] * len(values)), *values).item()


def same(a: float, b: float) -> bool:
    return (a != a and b != b) or (a == b and np.copysign(1, a) == np.copysign(1, b))


MAXIMUM = [(1, 2, 2), (0.0, -0.0, 0.0), (-0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (INF, -INF, INF), (-INF, -3, -3)]
MINIMUM = [(1, 2, 1), (0.0, -0.0, -0.0), (-0.0, 0.0, -0.0), (0.0, 0.0, 0.0), (INF, -INF, -INF), (INF, 3, 3)]


@pytest.mark.parametrize("type", FLOATS, ids=str)
@pytest.mark.parametrize("vector", [False, True], ids=["scalar", "array"])
def test_extremes(type: Attribute, vector: bool) -> None:
    def run(cls: Callable[..., Operation], a: float, b: float) -> float:
        values = [np.full(2 if vector else (), n, dtype_of(type))[() if not vector else slice(None)] for n in (a, b)]
        return float(np.ravel(evaluate(op(cls, type, type), *values))[0])

    for cls in (arith.MaximumfOp, arith.MaxnumfOp):
        assert all(same(run(cls, a, b), expected) for a, b, expected in MAXIMUM)
    for cls in (arith.MinimumfOp, arith.MinnumfOp):
        assert all(same(run(cls, a, b), expected) for a, b, expected in MINIMUM)
    for a, b in ((NAN, 1), (1, NAN), (NAN, -INF), (NAN, NAN)):
        assert run(arith.MaximumfOp, a, b) != run(arith.MaximumfOp, a, b)
        assert run(arith.MinimumfOp, a, b) != run(arith.MinimumfOp, a, b)
    for cls in (arith.MaxnumfOp, arith.MinnumfOp):
        assert run(cls, NAN, 1) == run(cls, 1, NAN) == 1
        assert run(cls, NAN, NAN) != 0


TRUTH = {
    "false": "", "oeq": "=", "ogt": ">", "oge": "=>", "olt": "<", "ole": "=<", "one": "<>", "ord": "<=>",
    "ueq": "=?", "ugt": ">?", "uge": "=>?", "ult": "<?", "ule": "=<?", "une": "<>?", "uno": "?", "true": "<=>?",
}  # fmt: skip
"""Predicate -> the outcomes for which it holds, `?` where one operand is NaN."""


@pytest.mark.parametrize("type", FLOATS, ids=str)
def test_float_comparisons(type: Attribute) -> None:
    outcomes = {"<": (1, 2), ">": (2, 1), "=": (2, 2), "?": (NAN, 1)}
    for predicate, (sign, (a, b)) in itertools.product(arith.CMPF_COMPARISON_OPERATIONS, outcomes.items()):
        got = apply(lambda x, y, p=predicate: arith.CmpfOp(x, y, p), type, a, b)
        assert got == (sign in TRUTH[predicate]), (predicate, a, b)
    assert apply(lambda x, y: arith.CmpfOp(x, y, "oeq"), type, 0.0, -0.0)
    assert apply(lambda x, y: arith.CmpfOp(x, y, "uno"), type, 1, NAN)


def wrapped(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def on_integers(bits: int) -> dict[Callable[..., Operation], Callable[[int, int], int]]:
    """Each op on two integers as Python's integers have it; the result is wrapped afterwards."""

    def unsigned(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
        return lambda a, b: function(a % (1 << bits), b % (1 << bits))

    def shift(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
        return lambda a, b: function(a, b) if 0 <= b < bits else 0

    def power(a: int, b: int) -> int:
        if b >= 0:
            return pow(a, b, 1 << bits)
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)

    return {
        arith.AddiOp: lambda a, b: a + b,
        arith.SubiOp: lambda a, b: a - b,
        arith.MuliOp: lambda a, b: a * b,
        arith.DivSIOp: lambda a, b: toward_zero(a, b) if b else 0,
        arith.RemSIOp: lambda a, b: a - toward_zero(a, b) * b if b else 0,
        arith.FloorDivSIOp: lambda a, b: a // b if b else 0,
        arith.CeilDivSIOp: lambda a, b: -(-a // b) if b else 0,
        arith.DivUIOp: unsigned(lambda a, b: a // b if b else 0),
        arith.RemUIOp: unsigned(lambda a, b: a % b if b else 0),
        arith.CeilDivUIOp: unsigned(lambda a, b: -(-a // b) if b else 0),
        arith.MaxSIOp: max,
        arith.MinSIOp: min,
        arith.MaxUIOp: unsigned(max),
        arith.MinUIOp: unsigned(min),
        arith.AndIOp: lambda a, b: a & b,
        arith.OrIOp: lambda a, b: a | b,
        arith.XOrIOp: lambda a, b: a ^ b,
        arith.ShLIOp: shift(lambda a, b: a << b),
        arith.ShRSIOp: shift(lambda a, b: a >> b),
        arith.ShRUIOp: shift(lambda a, b: (a % (1 << bits)) >> b),
        math.IPowIOp: power,
    }


def test_every_integer_op_is_here() -> None:
    known = {cls for cls in vars(arith).values() if isinstance(cls, type)}
    binary = {c for c in known if issubclass(c, arith.SignlessIntegerBinaryOperation) and "name" in vars(c)}
    assert binary <= on_integers(8).keys()


@pytest.mark.parametrize("type", [i1, *SIGNLESS, IndexType()], ids=str)
def test_integers(type: Attribute) -> None:
    bits = bits_of(type)
    if bits == 1:
        numbers = [0, -1]
    else:
        numbers = [0, 1, 2, 3, 7, 8, bits - 1, bits, bits + 1, 100, (1 << (bits - 1)) - 1]
        numbers = sorted({wrapped(sign * n, bits) for n in numbers for sign in (1, -1)} | {-(1 << (bits - 1))})
    pairs = list(itertools.product(numbers, numbers))
    held = [
        np.array([n != 0 for n in column] if bits == 1 else column, dtype_of(type))
        for column in zip(*pairs, strict=True)
    ]
    for cls, expected in on_integers(bits).items():
        if cls is math.IPowIOp and isinstance(type, IndexType):
            continue
        got = evaluate(op(cls, type, type), *held)
        assert got.dtype == dtype_of(type)
        wanted = [wrapped(expected(a, b), bits) for a, b in pairs]
        if bits == 1:
            wanted = [w & 1 for w in wanted]
        assert got.tolist() == wanted, cls


@pytest.mark.parametrize("type", [i1, *SIGNLESS, IndexType()], ids=str)
def test_integer_comparisons(type: Attribute) -> None:
    bits = bits_of(type)
    numbers = [0, -1] if bits == 1 else [0, 1, -1, 5, (1 << (bits - 1)) - 1, -(1 << (bits - 1))]
    for (a, b), predicate in itertools.product(itertools.product(numbers, numbers), arith.CMPI_COMPARISON_OPERATIONS):
        x, y = (n % (1 << bits) for n in (a, b)) if predicate[0] == "u" else (a, b)
        wanted = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[-2:]]
        made = op(lambda x, y, p=predicate: arith.CmpiOp(x, y, p), type, type)
        values = [n if isinstance(type, IndexType) else dtype_of(type).type(n) for n in (a, b)]
        assert evaluate(made, *values) == wanted, (predicate, a, b)


def test_counts() -> None:
    for type in SIGNLESS:
        bits = bits_of(type)
        for n in (0, 1, 2, 40, (1 << (bits - 1)) - 1, -1, -(1 << (bits - 1))):
            pattern = n % (1 << bits)
            assert apply(math.CountLeadingZerosOp, type, n) == bits - pattern.bit_length()
            assert apply(math.CountTrailingZerosOp, type, n) == ((pattern & -pattern).bit_length() - 1 if n else bits)
            assert wrapped(apply(math.CtPopOp, type, n), bits) == pattern.bit_count()
            assert apply(math.AbsIOp, type, n) == wrapped(abs(n), bits)


@pytest.mark.parametrize("type", [f32, f64], ids=str)
def test_fma_rounds_once(type: Attribute) -> None:
    dtype = dtype_of(type)
    random = np.random.default_rng(11)
    # products near the addend, so that they cancel or end half way between two numbers
    a, b = (random.integers(1 << 10, 1 << 24, 3000).astype(dtype) for _ in range(2))
    c = (-(a * b) * (1 + random.integers(-2, 3, 3000) * np.finfo(dtype).eps)).astype(dtype)
    c[::3] = (np.float64(2) ** random.integers(-60, 90, 1000)).astype(dtype)
    got = evaluate(op(math.FmaOp, type, type, type), a, b, c)
    for x, y, z, r in zip(a, b, c, got, strict=True):
        assert float(r) == nearest(Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)), dtype)
    assert apply(math.FmaOp, type, INF, 0, 1) != 0
    assert apply(math.FmaOp, type, 1e38, 3, -INF) == -INF
    assert same(apply(math.FmaOp, type, -0.0, 1, -0.0), -0.0)
    assert same(apply(math.FmaOp, type, 2, 3, -6), 0.0)


def nearest(exact: Fraction, dtype: np.dtype[Any]) -> float:
    """The number of a float type nearest to a fraction, the even one half way; found by trying three."""
    guess = np.float64(float(exact)).astype(dtype)
    around = [np.nextafter(guess, dtype.type(-INF)), guess, np.nextafter(guess, dtype.type(INF))]
    bits = np.dtype(f"u{dtype.itemsize}")
    return float(
        min(
            (n for n in around if np.isfinite(n)),
            key=lambda n: (abs(Fraction(float(n)) - exact), int(np.asarray(n).view(bits)) & 1),
        )
    )


@pytest.mark.parametrize("type", [f16, bf16], ids=str)
def test_halves_round_once_from_f32_and_f64(type: Attribute) -> None:
    dtype = dtype_of(type)
    step = float(ml_dtypes.finfo(dtype).eps)
    tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)
    near = [1 + step / 2, 1 + 1.5 * step, 1 + step / 2 + 2.0**-40, 1 + step / 2 - 2.0**-40, 1.5 * tiny, 0.5 * tiny]
    near += [0.5 * tiny * (1 + 2.0**-40), 2.5 * tiny, 2 - step / 4, 2 - step / 4 - 2.0**-50, 1000.1, 3.0e-6]
    exponents = np.arange(-20, 14)
    near += (np.float64(2) ** exponents * (1 + np.random.default_rng(2).random(exponents.size))).tolist()
    for number in [sign * n for n in near for sign in (1, -1)]:
        got = evaluate(op(lambda x: arith.TruncFOp(x, type), f64), np.float64(number)).item()
        assert got == nearest(Fraction(number), dtype), number
        short = float(np.float32(number))
        got = evaluate(op(lambda x: arith.TruncFOp(x, type), f32), np.float32(number)).item()
        assert got == nearest(Fraction(short), dtype), number
    for number in (INF, -INF, 1e39, -1e300):
        assert evaluate(op(lambda x: arith.TruncFOp(x, type), f64), np.float64(number)).item() == np.copysign(
            INF, number
        )


def saturated(number: float, low: int, high: int) -> int:
    if number != number:
        return 0
    if abs(number) == INF:
        return high if number > 0 else low
    return max(low, min(high, int(number)))


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("target", SIGNLESS, ids=str)
def test_float_to_integer_saturates(source: Attribute, target: Attribute) -> None:
    bits = bits_of(target)
    numbers = [0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 126.9, 127.5, 128, 129, 255, 255.9, 256, 300, 50, NAN, INF]
    numbers += [2.0**p + d for p in (15, 16, 31, 32, 63, 64) for d in (-1, 0, 1)]
    with quiet():
        held = np.array([s * n for n in numbers for s in (1, -1)], np.float64).astype(dtype_of(source))
    signed = evaluate(op(lambda x: arith.FPToSIOp(x, target), source), held)
    unsigned = evaluate(op(lambda x: arith.FPToUIOp(x, target), source), held)
    for number, s, u in zip(held.astype(np.float64).tolist(), signed.tolist(), unsigned.tolist(), strict=True):
        assert s == saturated(number, -(1 << (bits - 1)), (1 << (bits - 1)) - 1), number
        assert u % (1 << bits) == saturated(number, 0, (1 << bits) - 1), number


def test_casts_of_integers() -> None:
    assert apply(lambda x: arith.SIToFPOp(x, f32), i1, 1) == -1
    assert apply(lambda x: arith.UIToFPOp(x, f32), i1, 1) == 1
    assert apply(lambda x: arith.ExtSIOp(x, i32), i1, 1) == -1
    assert apply(lambda x: arith.ExtUIOp(x, i32), i1, 1) == 1
    assert apply(lambda x: arith.ExtUIOp(x, i32), i8, -1) == 255
    assert apply(lambda x: arith.TruncIOp(x, i8), i32, 0x1FF) == -1
    assert apply(lambda x: arith.TruncIOp(x, i1), i32, 2) is False
    assert apply(lambda x: arith.UIToFPOp(x, f64), i64, -1) == 2.0**64
    assert apply(lambda x: arith.SIToFPOp(x, f32), i32, (1 << 24) + 1) == 1 << 24
    assert apply(lambda x: arith.SIToFPOp(x, f32), i32, (1 << 24) + 3) == (1 << 24) + 4
    assert apply(lambda x: arith.BitcastOp(x, i32), f32, -0.0) == -(1 << 31)
    assert apply(lambda x: arith.BitcastOp(x, f32), i32, 0x3F800000) == 1
    assert evaluate(op(lambda x: arith.IndexCastOp(x, i32), IndexType()), 5) == np.int32(5)
    assert evaluate(op(lambda x: arith.IndexCastOp(x, IndexType()), i32), np.int32(-5)) == -5


@pytest.mark.parametrize("type", FLOATS, ids=str)
def test_rounding(type: Attribute) -> None:
    table = {
        math.FloorOp: [(1.5, 1), (-1.5, -2), (-0.0, -0.0), (INF, INF)],
        math.CeilOp: [(1.5, 2), (-1.5, -1), (-0.5, -0.0), (-INF, -INF)],
        math.TruncOp: [(1.75, 1), (-1.75, -1), (-0.5, -0.0)],
        math.RoundOp: [(0.5, 1), (-0.5, -1), (2.5, 3), (-2.5, -3), (0.25, 0), (-0.25, -0.0), (INF, INF)],
        math.RoundEvenOp: [(0.5, 0), (1.5, 2), (2.5, 2), (-2.5, -2), (-0.5, -0.0)],
        math.AbsFOp: [(-1.5, 1.5), (-0.0, 0.0), (-INF, INF)],
        arith.NegfOp: [(1.5, -1.5), (0.0, -0.0), (-INF, INF)],
        math.SqrtOp: [(4, 2), (-0.0, -0.0), (INF, INF), (-1, NAN)],
        math.RsqrtOp: [(4, 0.5), (0.0, INF), (-0.0, -INF), (INF, 0)],
    }
    for cls, rows in table.items():
        for number, expected in rows:
            assert same(apply(cls, type, number), expected), (cls, number)
        assert apply(cls, type, NAN) != 0
    assert apply(math.RoundOp, f32, 0.49999997) == 0
    assert same(apply(math.CopySignOp, type, 2, -0.0), -2.0)


def test_halves_are_computed_in_f32() -> None:
    # 1/3 in f16 three times: each sum is rounded
    third = np.float16(1) / np.float16(3)
    assert apply(arith.AddfOp, f16, third, third) == float(np.float16(np.float32(third) + np.float32(third)))
    assert apply(arith.MulfOp, f16, 300, 300) == INF
    assert apply(arith.DivfOp, bf16, 1, 3) == float(ml_dtypes.bfloat16(np.float32(1) / np.float32(3)))
    assert apply(arith.SubfOp, bf16, 1, 2.0**-8) == 1 - 2.0**-8
    assert apply(arith.AddfOp, bf16, 1, 2.0**-8) == 1


def every_op() -> Iterator[Operation]:
    """An op of each class on floats or integers of 32 bits that has only them."""
    from stepwell.interpreters.numbers import ARITH, MATH

    special = {
        arith.CmpiOp: lambda x, y: arith.CmpiOp(x, y, "ult"),
        arith.CmpfOp: lambda x, y: arith.CmpfOp(x, y, "ueq"),
        arith.SelectOp: None, arith.ExtFOp: None, arith.TruncFOp: None, arith.BitcastOp: None, math.FPowIOp: None,
        arith.FPToSIOp: None, arith.FPToUIOp: None, arith.SIToFPOp: None, arith.UIToFPOp: None, arith.ExtSIOp: None,
        arith.ExtUIOp: None, arith.TruncIOp: None, arith.IndexCastOp: None,
    }  # fmt: skip
    for cls in (*ARITH, *MATH):
        make = special.get(cls, cls)
        if make is None:
            continue
        count = len(cls.get_irdl_definition().operands)
        integers = issubclass(cls, arith.SignlessIntegerBinaryOperation) or cls.name.endswith("i") or cls in (
            math.CountLeadingZerosOp, math.CountTrailingZerosOp, math.CtPopOp,
        )  # fmt: skip
        yield op(make, *[i32 if integers else f32] * count)


def edge_values(type: Attribute) -> list[Any]:
    if type == i32:
        return [np.int32(n) for n in (0, 1, -1, 2, 31, 32, 33, -(1 << 31), (1 << 31) - 1)]
    return [np.float32(n) for n in (0.0, -0.0, 1, -1, 0.5, 1e-40, 3e38, -3e38, 1000, INF, -INF, NAN)]


@pytest.mark.parametrize("made", list(every_op()), ids=lambda made: made.name)
def test_scalars_and_arrays_agree_and_nothing_warns(made: Operation) -> None:
    rows = list(itertools.product(*(edge_values(operand.type) for operand in made.operands)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        together = evaluate(made, *columns)
        apart = np.array([evaluate(made, *row) for row in rows])
    assert together.dtype == apart.dtype == dtype_of(made.results[0].type)
    assert np.array_equal(together.view(np.uint8), apart.view(np.uint8)) or np.array_equal(
        np.nan_to_num(together, nan=7.0), np.nan_to_num(apart, nan=7.0)
    )


def test_formula_is_python_over_names() -> None:
    made = op(arith.AddfOp, f32, f32)
    assert formula(made).text("a", "b") == "a + b"
    assert formula(op(arith.MaximumfOp, f32, f32)).text("a", "b", vector=True) == "maximumf(a, b)"
    with quiet():
        assert (
            eval(formula(op(arith.DivSIOp, i32, i32)).text("a", "b"), NAMES, {"a": np.int32(7), "b": np.int32(0)}) == 0
        )
    with pytest.raises(VerifyError, match=r"arith.mulsi_extended"):
        formula(op(arith.MulSIExtendedOp, i32, i32))


def test_constants() -> None:
    assert constant(IntegerAttr(5, IndexType())) == 5
    assert constant(IntegerAttr(-1, i8)) == np.int8(-1)
    assert constant(IntegerAttr(1, i1)).dtype == np.bool_
    assert constant(FloatAttr(0.1, f32)) == np.float32(0.1)
    assert constant(FloatAttr(0.1, bf16)) == ml_dtypes.bfloat16(0.1)
    values = constant(DenseIntOrFPElementsAttr.from_list(TensorType(i32, [2, 2]), [1, 2, 3, 4]))
    assert values.tolist() == [[1, 2], [3, 4]]


def test_element_types() -> None:
    for type in (*FLOATS, i1, *SIGNLESS):
        assert type_of(dtype_of(type)) == type
        assert is_float(type) != is_integer(type)
    assert (bits_of(i1), bytes_of(i1)) == (1, 1)
    assert dtype_of(TensorType(IndexType(), [3])) == np.int64
    assert (bits_of(IndexType()), bytes_of(bf16)) == (64, 2)
    with pytest.raises(ValueError, match="i3"):
        dtype_of(IntegerType(3))
