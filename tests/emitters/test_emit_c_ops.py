"""Every op of `arith` and `math`: the C, plain and under UBSan, against its meaning in NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from stepwell.dialects import loop
from stepwell.dialects.element_types import dtype_of, is_float
from stepwell.dialects.expr import Expr
from stepwell.dialects.signature import describe_loop_function
from stepwell.emitters.c import Source, emit_module
from stepwell.interpreters.numbers import ARITH, MATH, evaluate
from stepwell.interpreters.numbers.formulas import UNARY_FUNCTIONS
from stepwell.targets import target_named
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    ModuleOp,
    VectorType,
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
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tests.emitters.conftest import SANITIZED, Array, Build

INDEX = IndexType()
HALVES = (f16, bf16)
FLOATS = (*HALVES, f32, f64)
WIDE_FLOATS = (f32, f64)
INTEGERS = (i1, i8, i16, i32, i64, INDEX)
SIGNLESS = (i1, i8, i16, i32, i64)
TOLERANCE = {f32: 1e-5, f64: 1e-12, f16: 2e-3, bf16: 1.6e-2}


@dataclass(frozen=True)
class Case:
    """An op to build, and on what types."""

    make: Any
    types: tuple[Attribute, ...]
    tolerance: float = 0.0


def float_edges(type: Attribute) -> Array:
    info = np.finfo(np.float64 if type == f64 else np.float32)
    numbers = [0.0, 0.5, 1, 1.5, 2, 2.5, 3, 0.1, 0.49999997, 7.75, 127.5, 128, 255.9, 256, 1000, 32768, 65519.9]
    numbers += [65520, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 3e9, 1e10, 1e-3, 2.0**-14, 2.0**-24, 2.0**-25 * 1.01]
    numbers += [1 + 2.0**-8, 1 + 3 * 2.0**-9, 1 + 2.0**-11, 1 + 2.0**-24, 1 + 2.0**-11 + 2.0**-40, 1.40625]
    numbers += [float(info.max), float(info.tiny), float(info.smallest_subnormal), np.inf, np.nan, 1e-40, 3.14159]
    with np.errstate(over="ignore"):
        return np.array([sign * n for n in numbers for sign in (1, -1)], np.float64).astype(dtype_of(type))


def integer_edges(type: Attribute) -> Array:
    dtype = dtype_of(type)
    if dtype == np.bool_:
        return np.array([False, True])
    bits = dtype.itemsize * 8
    numbers = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, (1 << (bits - 1)) - 1, 1 << (bits - 2)]
    wrapped = {(sign * n + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) for n in numbers for sign in (1, -1)}
    return np.array(sorted({*wrapped, -(1 << (bits - 1))}), dtype)


def edges(type: Attribute) -> Array:
    return float_edges(type) if is_float(type) else integer_edges(type)


def random_numbers(type: Attribute, count: int, random: np.random.Generator) -> Array:
    """Random bits: every exponent and every width of integer."""
    dtype = dtype_of(type)
    if dtype == np.bool_:
        return random.integers(0, 2, count).astype(np.bool_)
    return random.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)


def operands(types: Sequence[Attribute], seed: int) -> list[Array]:
    """All combinations of edge values, then random ones; as many as are a multiple of 16."""
    random = np.random.default_rng(seed)
    lists = [edges(type) for type in types]
    if len(types) == 3:
        lists = [np.concatenate([values[:2], values[-20:]]) for values in lists]
    chosen = list(itertools.product(*(range(len(values)) for values in lists)))
    columns = [values[[row[n] for row in chosen]] for n, values in enumerate(lists)]
    count = 512 + -len(chosen) % 16
    return [
        np.concatenate([column, random_numbers(type, count, random)])
        for column, type in zip(columns, types, strict=True)
    ]


def cases() -> Iterator[Case]:
    """Each op on every type it takes."""
    for cls, type in itertools.product((arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp), FLOATS):
        yield Case(cls, (type, type))
    extremes = (arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp, arith.MinnumfOp)
    for cls, type in itertools.product((*extremes, math.CopySignOp, loop.RemfOp), FLOATS):
        yield Case(cls, (type, type))
    for type in FLOATS:
        yield Case(arith.NegfOp, (type,))
        yield Case(math.FmaOp, (type, type, type))
        yield Case(math.PowFOp, (type, type), TOLERANCE[type])
        yield Case(math.Atan2Op, (type, type), TOLERANCE[type])
        yield Case(lambda a, b, t=type: math.FPowIOp(a, b, t), (type, i32), TOLERANCE[type])
        yield Case(arith.SelectOp, (i1, type, type))
        for predicate in arith.CMPF_COMPARISON_OPERATIONS:
            yield Case(lambda a, b, p=predicate: arith.CmpfOp(a, b, p), (type, type))
    exact = {
        math.AbsFOp, math.CeilOp, math.FloorOp, math.TruncOp, math.RoundOp, math.RoundEvenOp, math.SqrtOp, math.RsqrtOp,
    }  # fmt: skip
    for cls, type in itertools.product(UNARY_FUNCTIONS, FLOATS):
        yield Case(cls, (type,), 0.0 if cls in exact else TOLERANCE[type])
    two_integers = [cls for cls in ARITH if issubclass(cls, arith.SignlessIntegerBinaryOperation)]
    for cls, type in itertools.product((*two_integers, math.IPowIOp), INTEGERS):
        if not (cls is math.IPowIOp and type == INDEX):
            yield Case(cls, (type, type))
    for cls, type in itertools.product(
        (math.AbsIOp, math.CountLeadingZerosOp, math.CountTrailingZerosOp, math.CtPopOp), SIGNLESS
    ):
        yield Case(cls, (type,))
    for predicate, type in itertools.product(arith.CMPI_COMPARISON_OPERATIONS, INTEGERS):
        yield Case(lambda a, b, p=predicate: arith.CmpiOp(a, b, p), (type, type))
    for type in INTEGERS:
        yield Case(arith.SelectOp, (i1, type, type))
    yield from casts()


def casts() -> Iterator[Case]:
    for integer, float_type in itertools.product(SIGNLESS, FLOATS):
        for cls in (arith.FPToSIOp, arith.FPToUIOp):
            yield Case(lambda a, c=cls, t=integer: c(a, t), (float_type,))
        for cls in (arith.SIToFPOp, arith.UIToFPOp):
            yield Case(lambda a, c=cls, t=float_type: c(a, t), (integer,))
    for narrow, wide in itertools.product(FLOATS, FLOATS):
        if dtype_of(narrow).itemsize < dtype_of(wide).itemsize:
            yield Case(lambda a, t=wide: arith.ExtFOp(a, t), (narrow,))
            yield Case(lambda a, t=narrow: arith.TruncFOp(a, t), (wide,))
    for narrow, wide in itertools.combinations(SIGNLESS, 2):
        yield Case(lambda a, t=wide: arith.ExtSIOp(a, t), (narrow,))
        yield Case(lambda a, t=wide: arith.ExtUIOp(a, t), (narrow,))
        yield Case(lambda a, t=narrow: arith.TruncIOp(a, t), (wide,))
    for type in SIGNLESS:
        yield Case(lambda a, t=type: arith.IndexCastOp(a, t), (INDEX,))
        yield Case(lambda a: arith.IndexCastOp(a, INDEX), (type,))
    for one, other in ((f32, i32), (f64, i64), (f16, i16), (bf16, i16), (f16, bf16), (i32, i32)):
        yield Case(lambda a, t=other: arith.BitcastOp(a, t), (one,))
        yield Case(lambda a, t=one: arith.BitcastOp(a, t), (other,))


def lanes_of(type: Attribute, lanes: int) -> Attribute:
    return VectorType(type, [lanes]) if lanes else type


def lane_bytes(type: Attribute) -> int:
    """How many bytes a lane of a vector takes: truth values are 32-bit masks."""
    dtype = dtype_of(type)
    return 4 if dtype == np.bool_ else dtype.itemsize


@dataclass(frozen=True)
class Program:
    """A case as a function over buffers, the operands to call it with, and what must come out."""

    case: Case
    name: str
    function: FuncOp
    inputs: tuple[Array, ...]
    expected: Array
    type: Attribute


def scalar_buffer(array: Array, type: Attribute) -> Array:
    """An array as its buffer holds it: truth values are bytes, those in vectors 32-bit masks."""
    if isinstance(type, VectorType) and array.dtype == np.bool_:
        return -array.astype(np.int32)
    return array.view(np.uint8) if array.dtype == np.bool_ else array


def program(case: Case, number: int, lanes: int) -> Program:
    """`for i: out[i] = op(a[i], b[i], …)`, on elements that are scalars, or vectors in buffers of bytes."""
    values = operands(case.types, number)
    count = len(values[0]) // (lanes or 1)
    types = [lanes_of(type, lanes) for type in case.types]
    block = Block()
    nest = loop.ForOp("i", 0, count)
    index = (Expr.atom(nest.variable),)

    def buffer(type: Attribute) -> SSAValue:
        if not lanes:
            return block.insert_arg(MemRefType(type, [count]), len(block.args))
        arg = block.insert_arg(MemRefType(i8, [len(values[0]) * lane_bytes(type)]), len(block.args))
        view = loop.ViewOp(arg, Expr.constant(0), MemRefType(type, [count]))
        block.add_op(view)
        return view.buffer

    loads = [loop.LoadOp(buffer(type), index) for type in types]
    op = make(case, [load.out for load in loads], lanes)
    result = op.results[0].type
    nest.body.block.add_ops([*loads, op, loop.StoreOp(op.results[0], buffer(result), index)])
    block.add_ops([nest, ReturnOp()])
    name = f"case{number}"
    function = FuncOp(name, ([arg.type for arg in block.args], []), Region(block))
    describe_loop_function(function, dims=(), outputs=1)
    inputs = tuple(scalar_buffer(v, t) for v, t in zip(values, types, strict=True))
    return Program(case, name, function, inputs, np.asarray(evaluate(op, *values)), result)


def make(case: Case, operands: Sequence[SSAValue], lanes: int) -> Operation:
    """The op; a cast's result type becomes a vector like its operand's."""
    op = case.make(*operands)
    (result,) = op.results
    if lanes and not isinstance(result.type, VectorType):
        op = op.__class__.create(
            operands=operands, result_types=[lanes_of(result.type, lanes)], properties=op.properties
        )
    return op


def matches(got: Array, expected: Array, tolerance: float) -> Array:
    """Which elements are as expected: the same bits or both NaN, or close where a tolerance is given."""
    if expected.dtype.kind in "iub":
        return got == expected
    bits = np.dtype(f"u{got.dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        same = (got.view(bits) == expected.view(bits)) | (np.isnan(got) & np.isnan(expected))
        if not tolerance:
            return same
        a, b = got.astype(np.float64), expected.astype(np.float64)
        # below the least normal number an absolute error of a few steps is all there is
        return same | (np.abs(a - b) <= tolerance * np.abs(b) + 4 * smallest(expected.dtype))


def smallest(dtype: np.dtype[Any]) -> float:
    import ml_dtypes

    return float(ml_dtypes.finfo(dtype).smallest_subnormal)


def emitted(programs: Sequence[Program], target: str) -> Source:
    return emit_module(ModuleOp([p.function for p in programs]), target_named(target), "ops")


def check(programs: Sequence[Program], build: Build, target: str, *flags: str) -> None:
    library = build(emitted(programs, target), *flags)
    wrong: list[str] = []
    for p in programs:
        truth = p.expected.dtype == np.bool_
        held = scalar_buffer(p.expected, p.type)
        (got,) = library.run(p.name, p.inputs, [np.zeros_like(held)])
        ok = matches(got != 0 if truth else got, p.expected, p.case.tolerance)
        if not ok.all():
            at = int(np.argmin(ok))
            given = ", ".join(str(i[at]) for i in p.inputs)
            op = next(o for o in p.function.walk() if o.__class__ in ARITH or o.__class__ in MATH)
            wrong.append(f"{op} of ({given}): {got[at]} instead of {p.expected[at]} ({(~ok).sum()} wrong)")
    assert not wrong, "\n".join(wrong)


def test_every_op_is_here() -> None:
    made = {case.make(*Block(arg_types=case.types).args).__class__ for case in ALL}
    assert (ARITH.keys() | MATH.keys()) <= made


def programs_of(lanes: int, cases: Sequence[Case] | None = None) -> list[Program]:
    return [program(case, n, lanes) for n, case in enumerate(ALL if cases is None else cases)]


ALL = list(cases())


@pytest.mark.parametrize("flags", [("-O2",), SANITIZED], ids=["O2", "ubsan"])
def test_scalars(flags: Sequence[str], build: Build) -> None:
    check(programs_of(0), build, "generic", *flags)


def has_vectors(case: Case) -> bool:
    """Vectors are of the types that registers hold."""
    values = [Block(arg_types=[type]).args[0] for type in case.types]
    types = [*case.types, case.make(*values).results[0].type]
    return not any(type in HALVES or type == INDEX for type in types)


def test_vectors(build: Build) -> None:
    programs = programs_of(4, [c for c in ALL if has_vectors(c)])
    check(programs, build, "c-vector", "-O1", "-Wno-psabi")
