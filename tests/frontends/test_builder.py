"""Graphs written in Python: scopes, names, types, constants, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell
from stepwell import GraphBuilder, tensor
from stepwell.dialects import graph
from stepwell.dialects.origin import origin
from stepwell.dialects.signature import input_names
from stepwell.frontends.operations import FUNCTIONS
from stepwell.frontends.show import text
from stepwell.interpreters.run import run
from stepwell.rewriting import walk
from xdsl.dialects.builtin import IndexType, TensorType, f32
from xdsl.dialects.func import CallOp, FuncOp

F32 = np.float32


def built(write: Callable[[GraphBuilder, Any], Any], *shapes: tuple[Any, ...], element: str = "f32") -> Any:
    """The module of one function that returns what `write` makes of its arguments."""
    b = GraphBuilder()
    with b.function("main", {f"x{i}": tensor(shape, element) for i, shape in enumerate(shapes)}) as arguments:
        b.emit_func_output(write(b, arguments))
    return b.get()


def test_there_is_a_function_for_every_op_that_computes() -> None:
    expected = {op.name for op in graph.Graph.operations} - {"graph.dataflow", "graph.output", "graph.call_tir"}
    assert {op.name for op in FUNCTIONS.values()} == expected
    assert set(FUNCTIONS) <= set(dir(GraphBuilder()))
    with pytest.raises(AttributeError, match=r"no op graph\.frobnicate"):
        _ = GraphBuilder().frobnicate


def test_arrays_and_numbers_become_constants_of_the_type_beside_them() -> None:
    module = built(lambda b, x: b.add(b.multiply(x[0], 2), np.array([1, 2], np.float16)), (2,), element="f16")
    constants = [op.value.array for op in walk(module) if isinstance(op, graph.ConstantOp)]
    assert [(c.dtype.name, c.tolist()) for c in constants] == [("float16", 2), ("float16", [1, 2])]
    (found,) = run(module, "main", [np.array([1, 1], np.float16)])
    assert found.tolist() == [3, 4]


def test_a_number_beside_a_condition_takes_the_type_of_the_other_value() -> None:
    module = built(lambda b, x: b.select(b.greater(x[0], 0), x[0], 7), (3,))
    assert run(module, "main", [np.array([-1, 2, np.nan], F32)])[0].tolist() == [7, 2, 7]
    truth = built(lambda b, x: b.logical_or(x[0], True), (2,), element="i1")
    assert run(truth, "main", [np.array([False, True])])[0].tolist() == [True, True]


def test_element_types_go_by_their_names() -> None:
    for name in ("f16", "bf16", "i8", "ui32", "i1", "float64", "bool", np.int16):
        assert text(built(lambda b, x, n=name: b.cast(x[0], n), (2,)))
    module = built(lambda b, x: b.cast(x[0], "ui8"), (2,))
    assert run(module, "main", [np.array([300, -5], F32)])[0].tolist() == [255, 0]


def test_options_of_ops_are_those_of_their_constructors() -> None:
    module = built(
        lambda b, x: b.concat([b.sum(x[0], [1], keepdims=True), x[0], np.ones((2, 1), F32)], axis=-1), (2, 3)
    )
    (found,) = run(module, "main", [np.arange(6, dtype=F32).reshape(2, 3)])
    assert found.tolist() == [[3, 0, 1, 2, 1], [12, 3, 4, 5, 1]]


def test_names() -> None:
    b = GraphBuilder()
    with b.function("main", {"in put": tensor((2,))}) as (x,):
        with b.dataflow():
            first = b.emit(b.relu(x))
            second = b.emit(b.exp(b.negate(first)), name="decay")
            out = b.emit_output(second)
        last = b.emit(b.log(out))
        b.emit_func_output(last)
    module = b.get()
    hints = {op.name: op.results[0].name_hint for op in walk(module) if isinstance(op, graph.GraphOp)}
    assert hints == {
        "graph.dataflow": "gv",
        "graph.relu": "lv",
        "graph.negate": "lv1",
        "graph.exp": "decay",
        "graph.log": "gv1",
    }
    function = next(iter(module.body.block.ops))
    assert isinstance(function, FuncOp)
    assert input_names(function) == ("in put",)
    assert function.args[0].name_hint == "in_put"


def test_an_expression_is_written_once_however_often_it_is_used() -> None:
    def write(b: GraphBuilder, x: Any) -> Any:
        shared = b.exp(x[0])
        return b.add(shared, b.multiply(shared, shared))

    module = built(write, (2,))
    assert sum(isinstance(op, graph.ExpOp) for op in walk(module)) == 1
    (found,) = run(module, "main", [np.array([0, np.log(2)], F32)])
    np.testing.assert_allclose(found, [2, 6], rtol=1e-6)


def test_several_outputs_scopes_and_functions() -> None:
    b = GraphBuilder()
    with b.function("twice", {"x": tensor(("n",))}) as (x,):
        b.emit_func_output(b.add(x, x))
    with b.function("main", {"x": tensor(("n",))}) as (x,):
        with b.dataflow():
            a = b.emit_output(b.relu(x), name="positive")
            c = b.emit_output(b.negate(a))
        with b.dataflow():
            d = b.emit_output(b.add(a, c))
        (doubled,) = b.call("twice", a)
        b.emit_func_output([d, doubled, x])
    module = b.get()
    assert sum(isinstance(op, CallOp) for op in walk(module)) == 1
    zero, doubled, same = run(module, "main", [np.array([-1, 2, 3], F32)])
    assert (zero.tolist(), doubled.tolist(), same.tolist()) == ([0, 0, 0], [0, 4, 6], [-1, 2, 3])


def test_a_module_is_not_changed_by_what_is_built_later() -> None:
    b = GraphBuilder()
    with b.function("f", {"x": tensor((2,))}) as (x,):
        b.emit_func_output(b.relu(x))
    first = b.get()
    before = str(first)
    with b.function("g", {"x": tensor((2,))}) as (x,):
        b.emit_func_output(b.exp(x))
    assert str(first) == before
    assert len(list(b.get().body.block.ops)) == 2


def test_ops_say_the_line_that_emitted_them() -> None:
    module = built(lambda b, x: b.relu(x[0]), (2,))
    (relu,) = (op for op in walk(module) if isinstance(op, graph.ReluOp))
    assert origin(relu).startswith("test_builder.py:")


REFUSALS: list[tuple[Callable[[GraphBuilder, Any], Any], str]] = [
    (lambda b, x: b.matmul(x[0], np.ones((4, 2), F32)), "graph.matmul: inner sizes differ: 3 and 4"),
    (lambda b, x: b.add(x[0], np.ones(3, np.int32)), "graph.add: element types differ: f32 and i32"),
    (lambda b, x: b.relu(x[0], x[1]), "graph.relu: too many positional arguments"),
    (lambda b, x: b.softmax(x[0], axes=1), "graph.softmax: got an unexpected keyword argument 'axes'"),
    (lambda b, x: b.add(1, 2), "the number 1 has no tensor beside it"),
    (lambda b, x: b.add(x[0], "one"), "a tensor, an array or a number expected, found str"),
    (lambda b, x: b.cast(x[0], "f33"), "'f33' is no element type"),
    (lambda b, x: b.cast(x[0], "f4"), "'f4' is no element type"),
    (lambda b, x: b.cast(x[0], "u8"), "'u8' is no element type"),
    (lambda b, x: b.emit_output(b.relu(x[0])), "emit_output belongs in a dataflow scope"),
    (lambda b, x: b.call("nowhere", x[0]), "no function 'nowhere' has been written yet"),
]


KINDS: list[tuple[Callable[[GraphBuilder, Any], Any], str]] = [
    (lambda b, x: b.add(x[0], None), "graph.add: a tensor, an array or a number expected, found NoneType"),
    (lambda b, x: b.add(x[0], np.array([1j])), "graph.add: no element type for arrays of dtype complex128"),
    (lambda b, x: b.sum(x[0], 1), "graph.sum: axes is a list of whole numbers, found 1"),
    (lambda b, x: b.sum(x[0], "1"), "graph.sum: axes is a list of whole numbers, found '1'"),
    (lambda b, x: b.sum(x[0], [1.0]), "graph.sum: axes: a whole number of 64 bits expected, found 1.0"),
    (lambda b, x: b.sum(x[0], None), "graph.sum: axes is a list of whole numbers, found NoneType"),
    (lambda b, x: b.sum(x[0], [1], keepdims="no"), "graph.sum: keepdims: True or False expected, found 'no'"),
    (lambda b, x: b.softmax(x[0], "1"), "graph.softmax: axis: a whole number of 64 bits expected"),
    (lambda b, x: b.softmax(x[0], True), "graph.softmax: axis: a whole number of 64 bits expected, found True"),
    (lambda b, x: b.slice(x[0], [0, 0], [1, 1], [1, 2**80]), "steps: a whole number of 64 bits expected"),
    (lambda b, x: b.concat(x[0], 0), "graph.concat: inputs is a list of tensors, found BlockArgument"),
    (lambda b, x: b.reshape(x[0], 6), "graph.reshape: shape is a list of sizes, found 6"),
    (lambda b, x: b.reshape(x[0], (3, -1)), "graph.reshape: shape: -1 is no size; None"),
    (lambda b, x: b.reshape(x[0], (3.0, 2)), "graph.reshape: shape: 3.0 is no size"),
    (lambda b, x: b.pad(x[0], [0, 0], [0, 1], value="z"), "graph.pad: value: a number expected, found 'z'"),
    (lambda b, x: b.pad(x[0], [0, 0], [0, 1], mode=3), "graph.pad: mode: a word expected, found 3"),
    (lambda b, x: b.layer_norm(x[0], x[1], epsilon="a"), "graph.layer_norm: epsilon: a number expected"),
    (lambda b, x: b.cast(x[0], None), "graph.cast: 'None' is no element type"),
    (lambda b, x: b.cast(x[0], IndexType()), "graph.cast: 'index' is no element type"),
    (lambda b, x: b.emit(np.ones(3)), "a value of this builder expected, found ndarray"),
    (lambda b, x: b.emit(b.relu(x[0]), name=5), "a name is text, found 5"),
    (lambda b, x: None, "a value of this builder expected, found NoneType"),
    (lambda b, x: (each for each in x), "a value of this builder expected, found generator"),
]
"""Arguments of another kind than the ops take."""


def test_numbers_of_numpy_are_numbers() -> None:
    def write(b: GraphBuilder, x: Any) -> Any:
        rows = b.sum(x[0], np.array([1]), keepdims=np.True_)
        return b.softmax(b.reshape(b.concat([x[0], rows], np.int64(1)), np.array([4, 2])), np.int32(-1))

    assert built(write, (np.int64(2), 3)) is not None
    assert str(tensor((np.int64(2), 3))) == "tensor<2x3xf32>"


def test_a_name_in_a_shape_is_a_size_known_at_run_time() -> None:
    module = built(lambda b, x: b.reshape(b.broadcast_to(x[0], (2, "n")), ("n", 2)), ("n",))
    (found,) = run(module, "main", [np.array([1, 2, 3], F32)])
    assert found.tolist() == [[1, 2], [3, 1], [2, 3]]


INEXACT: list[tuple[Any, str]] = [
    (0.5, "i8"),
    (float("nan"), "i32"),
    (float("inf"), "i64"),
    (300, "i8"),
    (128, "i8"),
    (-1, "ui8"),
    (-1, "ui64"),
    (2**63, "i64"),
    (2.0**63, "i64"),
    (2**64, "ui64"),
    (2**70, "i64"),
    (2, "i1"),
    (10**400, "f32"),
]


@pytest.mark.parametrize(("number", "element"), INEXACT, ids=str)
def test_a_number_that_the_type_beside_it_does_not_have_is_refused(number: Any, element: str) -> None:
    with pytest.raises(stepwell.VerifyError, match=f"not of {element}; cast the tensor beside it"):
        built(lambda b, x: b.equal(x[0], number), (3,), element=element)
    with pytest.raises(stepwell.VerifyError, match=f"not of {element}"):
        GraphBuilder().constant(number, element)
    if abs(number) < 2**64 and element != "i1":
        with pytest.raises(stepwell.VerifyError):
            built(lambda b, x: b.pad(x[0], [1], [1], value=number), (3,), element=element)


@pytest.mark.parametrize(
    ("number", "element", "value"),
    [
        (3.0, "i8", 3),
        (-128, "i8", -128),
        (255, "ui8", 255),
        (2**63, "ui64", 2**63),
        (-(2**63), "i64", -(2**63)),
        (True, "i1", True),
        (1, "i1", True),
        (True, "f32", 1.0),
        (0.1, "f32", float(F32(0.1))),
        (2**70, "f64", 2.0**70),
        (1e39, "f32", float("inf")),
    ],
)
def test_a_number_takes_the_type_beside_it(number: Any, element: str, value: Any) -> None:
    module = built(lambda b, x: b.equal(x[0], number), (3,), element=element)
    (constant,) = (op.value.array for op in walk(module) if isinstance(op, graph.ConstantOp))
    assert constant.item() == value


def test_a_constant_has_the_element_type_that_is_asked_for() -> None:
    b = GraphBuilder()
    assert str(b.constant(np.array([1, 2]), "f32").type) == "tensor<2xf32>"
    assert str(b.constant(np.array([1.0, 2.0]), "i8").type) == "tensor<2xi8>"
    assert str(b.constant(np.array([1.0, 2.0])).type) == "tensor<2xf64>"
    with pytest.raises(stepwell.VerifyError, match="these numbers are not of i8"):
        b.constant(np.array([1.5, 2.0]), "i8")


@pytest.mark.parametrize("shape", ["batch", 4, ("",), ("?",), (2.5,), (True,), ((1, 2), 3), (2**70,)], ids=str)
def test_what_is_no_shape(shape: Any) -> None:
    with pytest.raises(stepwell.VerifyError, match=r"no size|shape is a list of sizes"):
        tensor(shape)


SIGNATURES: list[tuple[Any, Any]] = [
    ("", {}),
    (5, {}),
    ("f", [tensor((2,))]),
    ("f", {"x": (1, 2)}),
    ("f", {1: tensor((2,))}),
    ("f", {"x": f32}),
    ("f", {"x": TensorType(IndexType(), [2])}),
]


@pytest.mark.parametrize(("name", "inputs"), SIGNATURES, ids=str)
def test_what_is_no_signature(name: Any, inputs: Any) -> None:
    with (
        pytest.raises(
            stepwell.VerifyError, match=r"a function has a name|inputs are a mapping|is a name with a tensor"
        ),
        GraphBuilder().function(name, inputs),
    ):
        pass


def test_nothing_comes_after_the_output() -> None:
    b = GraphBuilder()
    with b.function("f", {"x": tensor((2,))}) as (x,):
        b.emit_func_output(x)
        for write in (lambda: b.emit(b.relu(x)), lambda: b.emit_func_output(x), lambda: b.dataflow().__enter__()):
            with pytest.raises(stepwell.VerifyError, match="function 'f' has its output already"):
                write()
    assert run(b.get(), "f", [np.array([1, -2], F32)])[0].tolist() == [1, -2]


def test_a_value_of_another_scope_is_no_output() -> None:
    b, other = GraphBuilder(), GraphBuilder()
    with b.function("f", {"x": tensor((2,))}) as (x,):
        y = b.emit(b.relu(x))
        with b.dataflow():
            inner = b.emit(b.exp(x))
        with pytest.raises(stepwell.VerifyError, match="%lv is of another scope"):
            b.emit_func_output(inner)
        b.emit_func_output(y)
    with other.function("f", {"x": tensor((2,))}) as (own,):
        for foreign in (x, y):
            with pytest.raises(stepwell.VerifyError, match=r"%(x|gv) is of another scope"):
                other.emit_func_output(foreign)
            with pytest.raises(stepwell.VerifyError, match=r"another scope"), other.dataflow():
                other.emit_output(foreign)
        other.emit_func_output(own)
    assert run(other.get(), "f", [np.array([1, -2], F32)])[0].tolist() == [1, -2]


def test_an_error_leaves_the_scope_in_which_it_is() -> None:
    b = GraphBuilder()
    with b.function("f", {"x": tensor((2,))}) as (x,):
        with pytest.raises(stepwell.VerifyError, match="inner sizes differ"), b.dataflow():
            b.emit(b.matmul(b.exp(x), np.ones((3, 2), F32)))
        b.emit_func_output(b.relu(x))
    assert run(b.get(), "f", [np.array([1, -2], F32)])[0].tolist() == [1, 0]


@pytest.mark.parametrize(("write", "message"), KINDS, ids=[message for _, message in KINDS])
def test_arguments_of_another_kind(write: Callable[[GraphBuilder, Any], Any], message: str) -> None:
    with pytest.raises(stepwell.VerifyError, match=re.escape(message)):
        built(write, (2, 3), (2, 3))


@pytest.mark.parametrize(("write", "message"), REFUSALS, ids=[message for _, message in REFUSALS])
def test_what_is_refused(write: Callable[[GraphBuilder, Any], Any], message: str) -> None:
    with pytest.raises(stepwell.VerifyError, match=message):
        built(write, (2, 3), (2, 3))


def test_a_size_is_not_negative() -> None:
    with pytest.raises(stepwell.VerifyError, match="-4 is no size"):
        tensor((3, -4))


def test_scopes_that_are_not_as_they_must_be() -> None:
    b = GraphBuilder()
    with pytest.raises(stepwell.VerifyError, match="open a function first"):
        b.emit(b.constant(1.0, "f32"))
    with pytest.raises(stepwell.VerifyError, match="function 'f' has no output"), b.function("f", {}):
        pass
    with (
        pytest.raises(stepwell.VerifyError, match="cannot be written inside 'g'"),
        b.function("g", {}),
        b.function("h", {}),
    ):
        pass
    with (
        pytest.raises(stepwell.VerifyError, match="cannot be opened inside another"),
        b.function("g", {}),
        b.dataflow(),
        b.dataflow(),
    ):
        pass
    with b.function("g", {"x": tensor((2,))}) as (x,):
        with b.dataflow():
            inner = b.emit(b.relu(x))
            with pytest.raises(stepwell.VerifyError, match="ends outside its dataflow scopes"):
                b.emit_func_output(inner)
        with pytest.raises(stepwell.VerifyError, match=r"'graph.exp' uses %lv of another scope"):
            b.emit(b.exp(inner))
        with pytest.raises(stepwell.VerifyError, match="'g' is still open"):
            b.get()
        b.emit_func_output(x)
        with pytest.raises(stepwell.VerifyError, match="has its output already"):
            b.emit_func_output(x)
    with pytest.raises(stepwell.VerifyError, match="there is a function 'g' already"), b.function("g", {}):
        pass
    assert [op.sym_name.data for op in b.get().body.block.ops if isinstance(op, FuncOp)] == ["g"]


def test_show_prints_and_parses_back_when_constants_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    w = np.arange(64, dtype=F32).reshape(8, 8)
    module = built(lambda b, x: b.add(b.matmul(x[0], w), b.matmul(x[0], w)), (2, 8))
    stepwell.show(module)
    short = capsys.readouterr().out
    assert "graph.constant #array[0] : tensor<8x8xf32>" in short
    assert "// 1 constant is not written out: show(module, constants=True) does." in short
    stepwell.show(module, constants=True)
    full = capsys.readouterr().out
    assert "63.0" in full
    assert "#array" not in full
    assert str(stepwell.parse(full)) == str(module)
