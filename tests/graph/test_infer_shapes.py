# ruff: noqa: E501
"""`infer-shapes` changes no value, and says the same the second time."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.conversions.infer_shapes import InferShapesPass
from stepwell.dialects.graph import Graph
from stepwell.errors import RunError, VerifyError
from stepwell.interpreters.graph import GraphFunctions
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

PROGRAM = """
func.func @f(%x : tensor<?x4xf32>, %y : tensor<?x?xf32>, %z : tensor<?x8xf32, #graph.dims<batch, 8>>) -> tensor<?x3xf32> {
  %w = graph.constant #graph.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]] : tensor<4x2xf32>>
  %m = graph.matmul %x, %w : tensor<?x4xf32>, tensor<4x2xf32> -> tensor<?x2xf32>
  %a = graph.add %m, %y : tensor<?x2xf32>, tensor<?x?xf32> -> tensor<?x2xf32>
  %r = graph.reshape %a to <d0, ?, 1> : tensor<?x2xf32> -> tensor<?x?x1xf32>
  %s = graph.sum %r [1] : tensor<?x?x1xf32> -> tensor<?x1xf32>
  %q = graph.dataflow -> tensor<?x8xf32, #graph.dims<batch, 8>> {
    %z2 = graph.relu %z : tensor<?x8xf32, #graph.dims<batch, 8>>
    graph.output %z2 : tensor<?x8xf32, #graph.dims<batch, 8>>
  }
  %u = graph.subtract %q, %s : tensor<?x8xf32, #graph.dims<batch, 8>>, tensor<?x1xf32> -> tensor<?x8xf32>
  %c = graph.concat %u, %a axis 1 : tensor<?x8xf32>, tensor<?x2xf32> -> tensor<?x10xf32>
  %p = graph.slice %c [1:, -3:] : tensor<?x10xf32> -> tensor<?x3xf32>
  func.return %p : tensor<?x3xf32>
}
"""


@pytest.fixture
def ctx() -> Context:
    """A context that knows what graph programs are made of."""
    context = Context()
    for dialect in (Builtin, Func, Graph):
        context.load_dialect(dialect)
    return context


def run(module: ModuleOp, *arrays: np.ndarray) -> np.ndarray:
    """The result of the one function."""

    def refuse(*_: object) -> tuple[np.ndarray, ...]:
        raise AssertionError("nothing is called here")

    (result,) = GraphFunctions(refuse, refuse).evaluate(module.body.block.first_op, arrays)
    return result


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_values_stay(ctx, batch):
    rng = np.random.default_rng(batch)
    arrays = [rng.standard_normal((batch, columns)).astype(np.float32) for columns in (4, 2, 8)]
    module = Parser(ctx, PROGRAM).parse_module()
    before = run(module, *arrays)
    InferShapesPass().apply(ctx, module)
    module.verify()
    np.testing.assert_array_equal(run(module, *arrays), before)
    assert before.shape == (batch - 1, 3)


def test_a_second_time_changes_nothing(ctx):
    module = Parser(ctx, PROGRAM).parse_module()
    InferShapesPass().apply(ctx, module)
    text = str(module)
    InferShapesPass().apply(ctx, module)
    assert str(module) == text
    assert str(Parser(ctx, text).parse_module()) == text
    assert "?," not in text.replace("<d0, ?, 1>", "")


def test_a_solved_equality_is_checked_when_run(ctx):
    module = Parser(ctx, PROGRAM).parse_module()
    InferShapesPass().apply(ctx, module)
    arrays = [np.zeros(shape, np.float32) for shape in ((2, 4), (1, 2), (2, 8))]
    with pytest.raises(RunError, match="axis 0 of argument 'y' is batch = 2, found 1"):
        run(module, *arrays)


def test_the_error_names_the_op(ctx):
    text = PROGRAM.replace(
        "<d0, ?, 1> : tensor<?x2xf32> -> tensor<?x?x1xf32>", "<?, 1, 1> : tensor<?x2xf32> -> tensor<?x?x1xf32>"
    )
    text = text.replace("-> tensor<?x?x1xf32>", "-> tensor<?x1x1xf32>").replace(
        "[1] : tensor<?x?x1xf32>", "[1] : tensor<?x1x1xf32>"
    )
    module = Parser(ctx, text).parse_module()
    with pytest.raises(
        VerifyError, match=r"'graph.concat': sizes on axis 0: cannot tell how .* give the sizes with `shapes=`"
    ):
        InferShapesPass().apply(ctx, module)
