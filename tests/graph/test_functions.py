"""Functions of graph ops: order, scopes, symbols of dims, calls, and errors that say where."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.dialects.graph import Graph
from stepwell.errors import RunError
from stepwell.interpreters.graph import GraphFunctions
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func, FuncOp
from xdsl.parser import Parser


def functions(text: str) -> dict[str, FuncOp]:
    """The functions of a module in text, by name."""
    ctx = Context()
    for dialect in (Builtin, Func, Graph):
        ctx.load_dialect(dialect)
    module = Parser(ctx, text).parse_module()
    module.verify()
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def refuse(*_: object) -> tuple[np.ndarray, ...]:
    """A call that must not happen."""
    raise AssertionError("nothing is called here")


def run(function: FuncOp, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """A function that calls nothing, on these arrays."""
    return GraphFunctions(refuse, refuse).evaluate(function, arrays)


MLP = """
func.func @mlp(%x : tensor<?x4xf32, #graph.dims<batch, 4>>, %w : tensor<3x4xf32>, %b : tensor<3xf32>)
    -> tensor<?x3xf32, #graph.dims<batch, 3>> {
  %r = graph.dataflow -> tensor<?x3xf32, #graph.dims<batch, 3>> {
    %t = graph.permute_dims %w [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
    %m = graph.matmul %x, %t : tensor<?x4xf32, #graph.dims<batch, 4>>, tensor<4x3xf32> -> tensor<?x3xf32, #graph.dims<batch, 3>>
    %a = graph.add %m, %b : tensor<?x3xf32, #graph.dims<batch, 3>>, tensor<3xf32> -> tensor<?x3xf32, #graph.dims<batch, 3>>
    %y = graph.relu %a : tensor<?x3xf32, #graph.dims<batch, 3>>
    graph.output %y : tensor<?x3xf32, #graph.dims<batch, 3>>
  }
  func.return %r : tensor<?x3xf32, #graph.dims<batch, 3>>
}
"""  # noqa: E501


@pytest.mark.parametrize("batch", [0, 1, 7])
def test_mlp_of_any_batch(batch):
    rng = np.random.default_rng(batch)
    x, w, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((batch, 4), (3, 4), (3,)))
    (y,) = run(functions(MLP)["mlp"], x, w, b)
    np.testing.assert_allclose(y, np.maximum(x @ w.T + b, 0), rtol=1e-5, atol=1e-6)


SYMBOLS = """
func.func @f(%x : tensor<?xf32, #graph.dims<n>>, %y : tensor<?xf32, #graph.dims<n * 2 + 1>>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %a = graph.broadcast_to %x to <n + 1, d0> : tensor<?xf32, #graph.dims<n>> -> tensor<?x?xf32>
  %b = graph.reshape %a to <?> : tensor<?x?xf32> -> tensor<?xf32>
  func.return %a, %b : tensor<?x?xf32>, tensor<?xf32>
}
"""  # noqa: E501


def test_symbols_stand_for_the_sizes_of_arguments():
    x = np.array([1, 2, 3], np.float32)
    a, b = run(functions(SYMBOLS)["f"], x, np.zeros(7, np.float32))
    np.testing.assert_array_equal(a, np.broadcast_to(x, (4, 3)))
    np.testing.assert_array_equal(b, np.tile(x, 4))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ((np.zeros(3, np.float32), np.zeros(6, np.float32)), r"axis 0 of argument 'y' is n \* 2 \+ 1 = 7, found 6"),
        ((np.zeros(3), np.zeros(7, np.float32)), "argument 'x' has elements float32, found float64"),
        ((np.zeros((3, 1), np.float32), np.zeros(7, np.float32)), r"argument 'x' has rank 1, found .* \(3, 1\)"),
        ((np.zeros(3, np.float32),), "@f takes 2 arrays, found 1"),
    ],
)
def test_arguments_that_do_not_fit(arrays, message):
    with pytest.raises(RunError, match=message):
        run(functions(SYMBOLS)["f"], *arrays)


def test_sizes_that_do_not_fit_at_run_time():
    function = functions(
        """
        func.func @f(%x : tensor<?xf32>, %y : tensor<?xf32>) -> tensor<?xf32> {
          %z = graph.add %x, %y : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
          func.return %z : tensor<?xf32>
        }
        """
    )["f"]
    assert list(run(function, np.ones(1, np.float32), np.ones(3, np.float32))[0]) == [2, 2, 2]
    with pytest.raises(RunError, match=r"'graph.add': cannot run on operands of shapes \[2\], \[3\]"):
        run(function, np.ones(2, np.float32), np.ones(3, np.float32))


def test_a_symbol_that_no_argument_gives():
    function = functions(
        """
        func.func @f(%x : tensor<f32>) -> tensor<?xf32> {
          %y = graph.broadcast_to %x to <k> : tensor<f32> -> tensor<?xf32>
          func.return %y : tensor<?xf32>
        }
        """
    )["f"]
    with pytest.raises(RunError, match="no argument gives a value to #graph.dims<k>"):
        run(function, np.array(1, np.float32))


CALLS = """
func.func private @twice(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %y = graph.add %x, %x : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n>>
  func.return %y : tensor<?xf32, #graph.dims<n>>
}
func.func private @fill(index, memref<?xf32>, memref<?x2xf32>)
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n * 3, 2>> {
  %y = func.call @twice(%x) : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
  %z = graph.call_tir @fill(%y) dims [n * 3] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?x2xf32, #graph.dims<n * 3, 2>>
  func.return %z : tensor<?x2xf32, #graph.dims<n * 3, 2>>
}
"""


def test_calls_go_to_who_runs_them():
    table = functions(CALLS)

    def call(callee: str, arguments: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        return evaluator.evaluate(table[callee], arguments)

    def call_tir(callee, dims, inputs, outputs):
        assert (callee, dims, [list(x) for x in inputs]) == ("fill", (6,), [[2.0, 4.0]])
        (output,) = outputs
        assert (output.shape, output.dtype) == ((6, 2), np.float32)
        output[:] = inputs[0].sum()

    evaluator = GraphFunctions(call, call_tir)
    (result,) = evaluator.evaluate(table["f"], (np.array([1, 2], np.float32),))
    np.testing.assert_array_equal(result, np.full((6, 2), 6, np.float32))


def test_a_declaration_cannot_run():
    with pytest.raises(RunError, match="@fill has no body"):
        run(functions(CALLS)["fill"])


SIZES_OF_A_RUN = [
    ("graph.pad %x [-3, 0] [0, 0] constant(0.0 : f32)", "tensor<?x?xf32>", (2, 3), "has fewer elements than"),
    ("graph.pad %x [1, 0] [0, 0] wrap", "tensor<?x?xf32>", (0, 3), "has no element to pad with"),
    ("graph.layer_norm %x, %x axis 1 epsilon 1.0e-5", "tensor<?x?xf32>", (0, 3), None),
    ("graph.slice %x [5:2, ::-1]", "tensor<?x?xf32>", (2, 3), None),
]


@pytest.mark.parametrize(("op", "type", "shape", "message"), SIZES_OF_A_RUN, ids=[op for op, *_ in SIZES_OF_A_RUN])
def test_sizes_known_in_a_run_only_are_refused_as_if_the_types_said_them(op, type, shape, message):
    operands = "tensor<?x?xf32>, tensor<?x?xf32>" if "%x, %x" in op else "tensor<?x?xf32>"
    text = (
        f"func.func @f(%x : tensor<?x?xf32>) -> {type} {{ %y = {op} : {operands} -> {type} func.return %y : {type} }}"
    )
    function, x = functions(text)["f"], np.zeros(shape, np.float32)
    if message is None:
        run(function, x)
        return
    with pytest.raises(RunError, match=message):
        run(function, x)


def test_a_scale_larger_than_its_tensor_in_a_run_is_refused():
    text = """
    func.func @f(%x : tensor<?x3xf32>, %s : tensor<?x3xf32>) -> tensor<?x3xf32> {
      %y = graph.layer_norm %x, %s axis 1 epsilon 1.0e-5 : tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
      func.return %y : tensor<?x3xf32>
    }"""
    function = functions(text)["f"]
    with pytest.raises(RunError, match=r"the scale \[2, 3\] does not broadcast to \[1, 3\]"):
        run(function, np.zeros((1, 3), np.float32), np.ones((2, 3), np.float32))
