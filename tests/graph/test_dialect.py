"""What holds for every op of the dialect: its example, its folds, its effects, its place in the tables."""

from __future__ import annotations

import re

import numpy as np
import pytest
from stepwell.dialects import graph
from stepwell.dialects.expr import Expr
from stepwell.dialects.graph import Graph, tensor_of
from stepwell.interpreters.graph import EVALUATORS
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, f32
from xdsl.dialects.func import Func
from xdsl.ir import Block
from xdsl.parser import Parser
from xdsl.traits import is_side_effect_free
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

OPS = list(Graph.operations)
STRUCTURE = {graph.CallTirOp, graph.DataflowOp, graph.OutputOp}


@pytest.fixture
def ctx() -> Context:
    """A context that knows what graph programs are made of."""
    context = Context()
    for dialect in (Builtin, Func, Graph):
        context.load_dialect(dialect)
    return context


@pytest.mark.parametrize("op", OPS)
def test_example_reads_verifies_and_prints_back(op, ctx):
    example = re.search(r"```mlir\n(.*?)\n\s*```", op.__doc__ or "", re.DOTALL)
    assert example, f"{op.name} has no example"
    text = re.sub(r"^    ", "", example[1], flags=re.MULTILINE).strip()
    parsed = Parser(ctx, text).parse_op()
    assert type(parsed) is op
    parsed.verify()
    # names of results are not part of an op: they print as numbers
    assert re.sub(r"%\w+", "%", str(parsed)) == re.sub(r"%\w+", "%", text)


def test_every_op_has_a_meaning():
    assert set(OPS) - STRUCTURE <= set(EVALUATORS)


def test_every_op_but_calls_is_pure(ctx):
    operand = Block(arg_types=[tensor_of(f32, [4])]).args[0]
    assert is_side_effect_free(graph.ReluOp(operand))
    assert is_side_effect_free(graph.CallTirOp("f", [operand], [tensor_of(f32, [4])]))
    inner = graph.ReluOp(operand)
    assert is_side_effect_free(graph.DataflowOp(Block([inner, graph.OutputOp(inner.out)])))


def parse(ctx: Context, text: str) -> ModuleOp:
    """A module from text."""
    return Parser(ctx, text).parse_module()


def test_dead_ops_go_and_equal_ones_are_one(ctx):
    module = parse(
        ctx,
        """
        func.func @f(%x : tensor<4xf32>) -> tensor<4xf32> {
          %a = graph.relu %x : tensor<4xf32>
          %b = graph.relu %x : tensor<4xf32>
          %dead = graph.dataflow -> tensor<4xf32> {
            %e = graph.exp %x : tensor<4xf32>
            graph.output %e : tensor<4xf32>
          }
          %c = graph.add %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
          func.return %c : tensor<4xf32>
        }
        """,
    )
    DeadCodeElimination().apply(ctx, module)
    CommonSubexpressionElimination().apply(ctx, module)
    assert [op.name for op in module.walk()][2:] == ["graph.relu", "graph.add", "func.return"]


def test_equal_windows_are_equal_however_written(ctx):
    module = parse(
        ctx,
        """
        func.func @f(%x : tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) {
          %a = graph.max_pool2d %x kernel [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>
          %b = graph.max_pool2d %x kernel [2, 2] strides [1, 1] : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>
          func.return %a, %b : tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>
        }
        """,
    )
    function = module.body.block.first_op
    built = graph.MaxPool2dOp(function.body.block.args[0], (2, 2))
    function.body.block.insert_op_before(built, function.body.block.last_op)
    function.body.block.last_op.operands[1] = built.out
    CommonSubexpressionElimination().apply(ctx, module)
    assert [op.name for op in module.walk()].count("graph.max_pool2d") == 1


IDENTITIES = [
    "graph.cast %x : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.permute_dims %x [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.reshape %x to <2, ?> : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.broadcast_to %x to <2, d1> : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.concat %x axis 0 : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.slice %x [:, 0:3] : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.pad %x [0, 0] [0, 0] edge : tensor<2x3xf32> -> tensor<2x3xf32>",
    "graph.sum %x [] : tensor<2x3xf32> -> tensor<2x3xf32>",
]
CHANGES = [
    "graph.permute_dims %x [1, 0] : tensor<3x3xf32> -> tensor<3x3xf32>",
    "graph.slice %x [::-1, :] : tensor<3x3xf32> -> tensor<3x3xf32>",
    "graph.pad %x [1, 0] [-1, 0] edge : tensor<3x3xf32> -> tensor<3x3xf32>",
    "graph.cast %x : tensor<3x3xf32> -> tensor<?x3xf32>",
]


@pytest.mark.parametrize("text", IDENTITIES)
def test_canonicalize_drops_what_changes_nothing(text, ctx):
    module = parse(
        ctx,
        f"""
        func.func @f(%x : tensor<2x3xf32>) -> tensor<2x3xf32> {{
          %y = {text}
          func.return %y : tensor<2x3xf32>
        }}
        """,
    )
    CanonicalizePass().apply(ctx, module)
    assert [op.name for op in module.walk()] == ["builtin.module", "func.func", "func.return"]


@pytest.mark.parametrize("text", CHANGES)
def test_canonicalize_keeps_what_changes_something(text, ctx):
    result = text.rpartition("-> ")[2]
    module = parse(
        ctx,
        f"""
        func.func @f(%x : tensor<3x3xf32>) -> {result} {{
          %y = {text}
          func.return %y : {result}
        }}
        """,
    )
    CanonicalizePass().apply(ctx, module)
    assert len(list(module.walk())) == 4


def test_constants_are_folded_into_one(ctx):
    constant = graph.ConstantOp(np.array([1.0, 2.0], np.float32))
    assert constant.fold() == (constant.value,)
    interface = graph.GraphConstants()
    made = interface.materialize_constant(constant.value, constant.out.type)
    assert isinstance(made, graph.ConstantOp)
    assert made.value == constant.value
    assert interface.materialize_constant(constant.value, tensor_of(f32, [3])) is None


def test_builders_count_axes_from_either_end():
    x = Block(arg_types=[tensor_of(f32, [Expr.atom("n"), 3])]).args[0]
    assert graph.SoftmaxOp(x).axis.value.data == 1
    assert graph.SumOp(x, [-1, 0]).axes.get_values() == (0, 1)
    assert graph.ConcatOp([x, x], -2).axis.value.data == 0
    assert graph.LayerNormOp(x, x).axis.value.data == 1
