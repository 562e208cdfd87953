"""Constants keep their bits (B104, B105, B107): printed, compiled and read back."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import loop
from stepwell.dialects.array import ConstantArrayAttr
from stepwell.dialects.element_types import type_of
from stepwell.dialects.expr import Expr
from stepwell.dialects.signature import describe_loop_function
from stepwell.emitters.c import emit_module
from stepwell.emitters.c.literals import literal
from stepwell.targets import target_named
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, MemRefType, ModuleOp, f32, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region

from tests.emitters.conftest import Array, Build

GENERIC = target_named("generic")


def edge_bits(dtype: np.dtype[Any]) -> Array:
    """Every kind of number of a float type by its bits: zeros, denormals, powers of two, the largest, Inf, NaN."""
    bits = dtype.itemsize * 8
    unsigned = np.dtype(f"uint{bits}")
    info = ml_dtypes.finfo(dtype)
    exponents = [value << info.nmant for value in range(1 << (bits - 1 - info.nmant))]
    if len(exponents) > 64:
        exponents = [*exponents[:8], *exponents[len(exponents) // 2 - 8 : len(exponents) // 2 + 8], *exponents[-8:]]
    patterns = [e | m for e in exponents for m in (0, 1, (1 << info.nmant) - 1, 0x2B & ((1 << info.nmant) - 1))]
    both = [p | s << (bits - 1) for p in patterns for s in (0, 1)]
    drawn = np.random.default_rng(3).integers(0, 256, 400 * dtype.itemsize, np.uint8).view(unsigned)
    return np.concatenate([np.array(both, unsigned), drawn]).view(dtype)


def copying(array: Array) -> ModuleOp:
    """A module whose function copies a global into its output."""
    element = type_of(array.dtype)
    type = MemRefType(element, list(array.shape))
    block = Block(arg_types=[type])
    get = loop.GetGlobalOp("values", type)
    nest = loop.ForOp("i", 0, array.size)
    load = loop.LoadOp(get.buffer, (Expr.atom(nest.variable),))
    nest.body.block.add_ops([load, loop.StoreOp(load.out, block.args[0], (Expr.atom(nest.variable),))])
    block.add_ops([get, nest, ReturnOp()])
    function = FuncOp("main", ([type], []), Region(block))
    describe_loop_function(function, dims=(), outputs=1)
    return ModuleOp([loop.GlobalOp("values", type, ConstantArrayAttr(array)), function])


def same_numbers(got: Array, expected: Array) -> bool:
    """The same bits; of a NaN its sign."""
    bits = np.dtype(f"u{got.dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        nan = np.isnan(expected) & np.isnan(got) & (np.signbit(expected) == np.signbit(got))
    return bool((nan | (got.view(bits) == expected.view(bits))).all())


@pytest.mark.parametrize("limit", [None, 0], ids=["in the C", "in the weights file"])
@pytest.mark.parametrize("name", ["float64", "float32", "float16", "bfloat16"])
def test_float_globals_keep_their_bits(name: str, limit: int | None, build: Build) -> None:
    values = edge_bits(np.dtype(getattr(ml_dtypes, name, name)))
    source = emit_module(copying(values), GENERIC, "copy", inline_limit=limit)
    assert (source.weights is None) == (limit is None)
    (got,) = build(source).run("main", [], [np.zeros_like(values)])
    assert same_numbers(got, values)


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint64", "bool"])
def test_integer_globals_keep_their_bits(name: str, build: Build) -> None:
    dtype = np.dtype(name)
    if name == "bool":
        values = np.array([True, False, True])
    else:
        info = np.iinfo(dtype)
        values = np.array([info.min, info.min + 1, 0, 1, info.max - 1, info.max, info.max // 2 + 1], dtype)
    module = copying(values)
    (got,) = build(emit_module(module, GENERIC, "copy")).run("main", [], [np.zeros_like(values)])
    assert np.array_equal(got, values)


def constants(numbers: list[float], type: Attribute) -> ModuleOp:
    """A module whose function stores one `arith.constant` after the other."""
    buffer = MemRefType(type, [len(numbers)])
    block = Block(arg_types=[buffer])
    for n, number in enumerate(numbers):
        value = FloatAttr(number, type) if not isinstance(type, IntegerType) else IntegerAttr(int(number), type)
        constant = arith.ConstantOp(value)
        block.add_ops([constant, loop.StoreOp(constant.result, block.args[0], (Expr.constant(n),))])
    block.add_op(ReturnOp())
    function = FuncOp("main", ([buffer], []), Region(block))
    describe_loop_function(function, dims=(), outputs=1)
    return ModuleOp([function])


NUMBERS = [0.0, -0.0, 1.5, -2.75, 0.1, 1e-40, -1e-45, 5e-324, 3.4028234663852886e38, 1e300, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize(("type", "dtype"), [(f32, np.float32), (f64, np.float64)], ids=str)
def test_float_constants_keep_their_bits(type: Attribute, dtype: type, build: Build) -> None:
    with np.errstate(over="ignore"):
        expected = np.array(NUMBERS, np.float64).astype(dtype)
    source = emit_module(constants([float(n) for n in expected], type), GENERIC, "k")
    (got,) = build(source).run("main", [], [np.zeros_like(expected)])
    assert same_numbers(got, expected)


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integer_constants_keep_their_bits(bits: int, build: Build) -> None:
    numbers = [-(1 << (bits - 1)), -(1 << (bits - 1)) + 1, -1, 0, (1 << (bits - 1)) - 1]
    source = emit_module(constants(numbers, IntegerType(bits)), GENERIC, "k")
    (got,) = build(source).run("main", [], [np.zeros(len(numbers), f"int{bits}")])
    assert got.tolist() == numbers


def test_spelling_of_literals() -> None:
    assert literal(-(1 << 63), IntegerType(64)) == "INT64_MIN"
    assert literal(-(1 << 31), IntegerType(32)) == "INT32_MIN"
    assert literal(float("nan"), f32) == "NAN"
    assert literal(float("-inf"), f64) == "-INFINITY"
    assert literal(-0.0, f32) == "-0x0p+0f"
    assert literal(1e-40, f32) == "0x1.16c2p-133f"
    assert literal(0.1, f64) == "0x1.999999999999ap-4"
    assert literal(1e-40, type_of(np.dtype(ml_dtypes.bfloat16))) == "0x0001u"
