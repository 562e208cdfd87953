"""Passes on graphs keep every value: run before and after, on the numbers that rules get wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell
from stepwell import GraphBuilder, tensor
from stepwell.dialects import graph
from stepwell.dialects.element_types import dtype_of
from stepwell.dialects.expr import Expr
from stepwell.frontends.operations import element_type
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines import new_context
from stepwell.pipelines.check import check
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.rewriting import walk
from stepwell.transforms.canonicalize_graph.arithmetic import holds
from xdsl.dialects.func import CallOp, FuncOp

LIT = Path(__file__).parents[2] / "lit_tests" / "transforms"

PASSES = (
    "canonicalize-graph",
    "fold-constants",
    "fuse-multiply-add",
    "fuse-multiply-add{commuted=true}",
    "fuse-matmul-add",
    "fuse-matmul-add{allow-multiple-uses=true commuted=true}",
    "fuse-elementwise",
    "reorder-concat-relu",
    "reorder-concat-relu{steps=1}",
    "eliminate-dead-symbols",
)

FILES = sorted({re.sub(r"\{.*", "", name) for name in PASSES})

AWKWARD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 1.0, -1.5, 0.5, 2.5, 3e38], np.float32)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", PASSES)
def test_no_pass_changes_a_value_of_any_lit_file(file: str, name: str) -> None:
    module = stepwell.parse((LIT / f"{file}.mlir").read_text())
    checked = check(module, parse_passes(name, available_passes()), new_context(), seed=5)
    assert not checked.unchecked
    assert checked.values


@pytest.mark.parametrize("name", PASSES)
def test_a_second_run_changes_nothing(name: str) -> None:
    if "steps" in name:
        pytest.skip("one step after the other is what it is for")
    module = stepwell.parse((LIT / f"{re.sub('{.*', '', name)}.mlir").read_text())
    once = stepwell.apply(name, module)
    assert str(stepwell.apply(name, once)) == str(once)


@pytest.mark.parametrize("name", PASSES)
def test_what_a_pass_says_of_itself(name: str) -> None:
    (one,) = parse_passes(name, available_passes())
    assert one.opt_level in (1, 2)
    assert one.licence == frozenset()
    assert "Expects:" in (type(one).__doc__ or "")
    assert "Leaves:" in (type(one).__doc__ or "")


def bits(array: np.ndarray) -> list[Any]:
    """Elements with NaN equal to NaN and 0 unequal to −0."""
    return ["nan" if value != value else (float(value), bool(np.signbit(value))) for value in array.reshape(-1)]


REWRITTEN = {
    "x * 1": lambda b, x: b.multiply(x, 1),
    "1 * x": lambda b, x: b.multiply(np.ones(12, np.float32), x),
    "x + -0": lambda b, x: b.add(x, np.float32(-0.0)),
    "x - 0": lambda b, x: b.subtract(x, 0),
    "x / 1": lambda b, x: b.divide(x, 1),
    "x ** 1": lambda b, x: b.power(x, 1),
    "--x": lambda b, x: b.negate(b.negate(x)),
    "abs of -x": lambda b, x: b.abs(b.negate(x)),
    "relu twice": lambda b, x: b.relu(b.relu(x)),
    "round twice": lambda b, x: b.round(b.round(x)),
    "floor twice": lambda b, x: b.floor(b.floor(x)),
    "ceil twice": lambda b, x: b.ceil(b.ceil(x)),
    "sign twice": lambda b, x: b.sign(b.sign(x)),
    "max of itself": lambda b, x: b.maximum(x, x),
    "min of itself": lambda b, x: b.minimum(x, x),
    "through f64": lambda b, x: b.cast(b.cast(x, "f64"), "f32"),
    "through f64 to i8": lambda b, x: b.cast(b.cast(b.cast(x, "f64"), "i8"), "f32"),
    "max of one": lambda b, x: b.max(b.reshape(x, [12, 1]), [1]),
    "prod of one": lambda b, x: b.prod(b.reshape(x, [1, 12]), [0]),
}

KEPT = {
    "x + 0": lambda b, x: b.add(x, 0),
    "x - -0": lambda b, x: b.subtract(x, np.float32(-0.0)),
    "x * 0": lambda b, x: b.multiply(x, 0),
    "x - x": lambda b, x: b.subtract(x, x),
    "x / x": lambda b, x: b.divide(x, x),
    "sum of one": lambda b, x: b.sum(b.reshape(x, [12, 1]), [1]),
    "through f16": lambda b, x: b.cast(b.cast(x, "f16"), "f32"),
    "through i32": lambda b, x: b.cast(b.cast(x, "i32"), "f32"),
}


@pytest.mark.parametrize("what", [*REWRITTEN, *KEPT])
def test_canonical_forms_keep_nan_and_the_sign_of_zero(what: str) -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((12,))}) as (x,):
        b.emit_func_output({**REWRITTEN, **KEPT}[what](b, x))
    module = b.get()
    after = stepwell.apply("canonicalize-graph,dce", module)
    assert bits(run(after, "main", [AWKWARD])[0]) == bits(run(module, "main", [AWKWARD])[0])
    size = [sum(isinstance(op, graph.GraphOp) for op in walk(each)) for each in (module, after)]
    assert (size[1] < size[0]) == (what in REWRITTEN)


ELEMENTS = ("i1", *(f"{sign}{width}" for sign in ("i", "ui") for width in (8, 16, 32, 64)), "f16", "bf16", "f32", "f64")


def numbers_of(element: str) -> np.ndarray[Any, Any]:
    """Numbers of a type: the ends of it, the awkward ones, and those that two roundings round otherwise than one."""
    dtype = dtype_of(element_type(element))
    ties = [
        2**e + 2 ** (e - d) + s * 2**t for e in (6, 12, 30, 60) for d in (8, 11, 24) for s in (-1, 1) for t in (0, 1)
    ]
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return np.array([0, 1, ends.min, ends.max, *(int(n) for n in ties if n <= ends.max)], dtype)
    with np.errstate(all="ignore"):
        return np.array([*AWKWARD, *ties]).astype(dtype)


@pytest.mark.parametrize("first", ELEMENTS)
def test_no_chain_of_casts_becomes_another_number(first: str) -> None:
    b = GraphBuilder()
    x = numbers_of(first)
    with b.function("main", {"x": tensor(x.shape, first)}) as (v,):
        b.emit_func_output([b.cast(b.cast(v, wide), last) for wide in ELEMENTS for last in ELEMENTS])
    module = b.get()
    before = run(module, "main", [x])
    after = run(stepwell.apply("canonicalize-graph", module), "main", [x])
    for index, (a, c) in enumerate(zip(before, after, strict=True)):
        wide, last = ELEMENTS[index // len(ELEMENTS)], ELEMENTS[index % len(ELEMENTS)]
        assert first_difference(a, c) is None, f"{first} -> {wide} -> {last}: {first_difference(a, c)}"


def test_an_integer_is_rounded_as_often_as_before() -> None:
    # a tie of bf16 and a little more: in f64 it is seen, in f32, through which an integer becomes a half, it is not
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1,), "i32")}) as (x,):
        b.emit_func_output(b.cast(b.cast(b.cast(x, "f64"), "bf16"), "f64"))
    (found,) = run(stepwell.apply("canonicalize-graph", b.get()), "main", [np.array([2**30 + 2**22 + 1], np.int32)])
    assert found.tolist() == [2**30 + 2**23]


def test_abs_of_a_negated_unsigned_integer_is_another_number() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((4,), "uint8")}) as (x,):
        b.emit_func_output(b.abs(b.negate(x)))
    (found,) = run(stepwell.apply("canonicalize-graph", b.get()), "main", [np.array([0, 1, 2, 255], np.uint8)])
    assert found.tolist() == [0, 255, 254, 1]


def test_b037_zero_is_not_neutral() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1,))}) as (x,):
        b.emit_func_output(b.add(x, 0))
    (found,) = run(stepwell.apply("canonicalize-graph,fold-constants", b.get()), "main", [np.array([-0.0], np.float32)])
    assert not np.signbit(found[0])


def test_b033_difference_of_infinities() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((4,))}) as (x,):
        a = b.multiply(x, np.float32(np.inf))
        b.emit_func_output(b.subtract(a, a))
    after = stepwell.apply("canonicalize-graph,fold-constants,fuse-elementwise", b.get())
    assert np.isnan(run(after, "main", [np.array([1, 2, 3, 4], np.float32)])[0]).all()


@pytest.mark.parametrize(
    ("narrow", "wide", "expected"),
    [
        ("i8", "i16", True), ("ui8", "i8", False), ("ui8", "i16", True), ("i8", "ui16", False), ("i1", "f16", True),
        ("i8", "f16", True), ("ui8", "bf16", True), ("i16", "bf16", False), ("i16", "f16", False), ("i16", "f32", True),
        ("i32", "f32", False), ("i32", "f64", True), ("i64", "f64", False), ("f16", "f32", True),
        ("bf16", "f16", False), ("f16", "bf16", False), ("bf16", "f32", True), ("f32", "f64", True),
        ("f64", "f32", False), ("f32", "i64", False), ("f32", "i1", False),
    ],
)  # fmt: skip
def test_which_types_hold_which(narrow: str, wide: str, expected: bool) -> None:
    from stepwell.dialects.element_types import dtype_of
    from stepwell.frontends.operations import element_type

    one, other = element_type(narrow), element_type(wide)
    assert holds(one, other) == expected
    if dtype_of(one).itemsize > 2:
        return
    raw = np.arange(2 ** (8 * dtype_of(one).itemsize), dtype=f"uint{8 * dtype_of(one).itemsize}")
    values = raw.astype(bool) if narrow == "i1" else raw.view(dtype_of(one))
    with np.errstate(all="ignore"):
        finite = values[np.isfinite(values.astype(np.float64))]
    with np.errstate(all="ignore"):
        returned = finite.astype(dtype_of(other)).astype(np.float64)
    assert bool((returned == finite.astype(np.float64)).all()) == expected


@pytest.mark.parametrize("first", [(1, 0, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1)])
@pytest.mark.parametrize("second", [(1, 0, 2), (2, 0, 1), (1, 2, 0), (0, 2, 1)])
def test_b027_permutations_compose(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2, 3, 4))}) as (x,):
        b.emit_func_output(b.permute_dims(b.permute_dims(x, first), second))
    module = stepwell.apply("canonicalize-graph,dce", b.get())
    given = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    np.testing.assert_array_equal(run(module, "main", [given])[0], given.transpose(first).transpose(second))
    assert sum(isinstance(op, graph.PermuteDimsOp) for op in walk(module)) <= 1


def test_reshapes_of_nothing_that_cannot_be_one() -> None:
    # beside a 0, what remains is known only because the 0 cancels, and the first operand has no such size
    b = GraphBuilder()
    with b.function("main", {"x": tensor((0, 1))}) as (x,):
        b.emit_func_output(b.reshape(b.reshape(x, (0, 0)), (0, 0, None)))
    module = b.get()
    (found,) = run(stepwell.apply("canonicalize-graph", module), "main", [np.zeros((0, 1), np.float32)])
    assert found.shape == run(module, "main", [np.zeros((0, 1), np.float32)])[0].shape


def test_reshapes_with_a_size_that_remains() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor(("n", 12))}) as (x,):
        narrow = b.reshape(x, [None, 4])
        b.emit_func_output([b.reshape(narrow, [None, 12]), b.reshape(narrow, [Expr.atom(0), 2, 2])])
    module = stepwell.apply("infer-shapes,canonicalize-graph,dce", b.get())
    given = np.arange(24, dtype=np.float32).reshape(2, 12)
    same, square = run(module, "main", [given])
    np.testing.assert_array_equal(same, given)
    np.testing.assert_array_equal(square, given.reshape(6, 2, 2))
    assert [str(op.shape) for op in walk(module) if isinstance(op, graph.ReshapeOp)] == [
        "#graph.dims<?, 4>",
        "#graph.dims<d0, 2, 2>",
    ]


@pytest.mark.parametrize(
    ("a", "w", "c"),
    [
        ((4, 4), (4, 4), (4, 1)),
        ((4, 4), (4, 4), (1, 4)),
        ((4, 4), (4, 4), (4,)),
        ((4, 4), (4, 4), ()),
        ((2, 3, 4), (4, 5), (5,)),
        ((2, 3, 4), (2, 4, 5), (2, 1, 5)),
        ((2, 0), (0, 3), (3,)),
        ((4,), (4, 5), (5,)),
    ],
)
def test_b016_b017_b021_b024_biases_of_any_shape(a: tuple[int, ...], w: tuple[int, ...], c: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    b = GraphBuilder()
    with b.function("main", {"a": tensor(a), "w": tensor(w), "c": tensor(c)}) as (x, y, z):
        b.emit_func_output(b.add(b.matmul(x, y), z))
    module = stepwell.apply("fuse-matmul-add", b.get())
    assert sum(isinstance(op, CallOp) for op in walk(module)) == 1
    given = [rng.normal(size=shape).astype(np.float32) for shape in (a, w, c)]
    np.testing.assert_allclose(run(module, "main", given)[0], given[0] @ given[1] + given[2], rtol=1e-5, atol=1e-6)


def test_b004_a_producer_read_twice_is_computed_once() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((8,)), "bias": tensor((8,))}) as (x, bias):
        a = b.add(bias, x)
        b.emit_func_output(b.multiply(a, b.divide(b.minimum(b.maximum(b.add(a, 3), 0), 6), 6)))
    module = stepwell.apply("fuse-elementwise,dce", b.get())
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    assert [len(list(op.body.block.ops)) for op in functions][-1] == 2
    assert sum(isinstance(op, graph.AddOp) for op in walk(module)) == 2
    x, bias = np.linspace(-5, 5, 8, dtype=np.float32), np.full(8, 0.5, np.float32)
    a = x + bias
    np.testing.assert_allclose(run(module, "main", [x, bias])[0], a * np.clip(a + 3, 0, 6) / 6, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("passes", ["fuse-elementwise", "fuse-matmul-add", "fuse-multiply-add,dce"])
def test_b001_a_producer_with_another_reader_keeps_its_value(passes: str) -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2, 2)), "w": tensor((2, 2))}) as (x, w):
        product = b.matmul(x, w)
        scaled = b.multiply(product, w)
        b.emit_func_output([product, b.relu(b.add(product, w)), scaled, b.add(scaled, product)])
    module = b.get()
    given = [np.array([[1, -2], [3, -4]], np.float32), np.array([[-1, 2], [0.5, 1]], np.float32)]
    expected, found = run(module, "main", given), run(stepwell.apply(passes, module), "main", given)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_b012_names_of_groups_are_new_whatever_the_functions_are_called() -> None:
    b = GraphBuilder()
    for name in ("fused_exp_negate", "fused_matmul_add0"):
        with b.function(name, {"x": tensor((2, 2))}) as (x,):
            b.emit_func_output(b.negate(b.exp(b.add(b.matmul(x, x), x))))
    module = stepwell.apply("fuse-matmul-add,fuse-elementwise,fuse-elementwise", b.get())
    names = [op.sym_name.data for op in module.body.block.ops if isinstance(op, FuncOp)]
    assert len(set(names)) == len(names) == 6


def test_origins_stay_with_what_was_moved() -> None:
    text = """
    func.func @main(%x : tensor<2x2xf32>, %b : tensor<2xf32>) -> tensor<2x2xf32> {
      %p = graph.matmul %x, %x : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
      %s = graph.add %p, %b : tensor<2x2xf32>, tensor<2xf32> -> tensor<2x2xf32>
      %c = graph.concat %s axis 0 : tensor<2x2xf32> -> tensor<2x2xf32>
      %y = graph.relu %c : tensor<2x2xf32>
      func.return %y : tensor<2x2xf32>
    }"""
    from stepwell.dialects.origin import origin

    module = stepwell.apply("reorder-concat-relu,canonicalize-graph,fuse-elementwise", stepwell.parse(text, "m.mlir"))
    lines = {op.name: origin(op) for op in walk(module) if isinstance(op, graph.GraphOp | CallOp)}
    assert lines == {
        "graph.matmul": "m.mlir:3",
        "graph.add": "m.mlir:4",
        "graph.relu": "m.mlir:6",
        "func.call": "m.mlir:6",
    }


def test_options_that_do_not_exist() -> None:
    with pytest.raises(stepwell.PipelineError, match="fuse-matmul-add"):
        parse_passes("fuse-matmul-add{everything=true}", available_passes())


def test_a_wide_concat_and_a_deep_chain_are_no_trouble() -> None:
    """B141: no recursion, and time in proportion."""
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 2))}) as (x,):
        value = b.concat([b.emit(x)] * 3000, 0)
        for _ in range(1000):
            value = b.negate(value)
        b.emit_func_output(b.relu(value))
    module = stepwell.apply("canonicalize-graph,reorder-concat-relu,fold-constants,fuse-elementwise", b.get())
    (found,) = run(module, "main", [np.array([[-1, 2]], np.float32)])
    np.testing.assert_array_equal(found, np.array([[0, 2]] * 3000, np.float32))
