"""Functions on their way to buffers: dims, constants, aliases, calls, names, origins, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from stepwell.conversions.calls_to_buffers import ConvertCallsToBuffersPass
from stepwell.conversions.fuse_loop_functions import FuseLoopFunctionsPass
from stepwell.conversions.graph_to_loop import LOWERINGS, ConvertGraphToLoopPass, LoopFunction
from stepwell.conversions.graph_to_loop.elementwise import elementwise
from stepwell.dialects import graph
from stepwell.dialects.graph import Graph
from stepwell.dialects.loop import GlobalOp
from stepwell.dialects.origin import node_location, origin
from stepwell.dialects.signature import dim_names, input_names, output_names
from stepwell.errors import PipelineError, UnsupportedError
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.rewriting import verify
from stepwell.universe import UNIVERSE
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp

CONVERSIONS = (ConvertGraphToLoopPass(), FuseLoopFunctionsPass(), ConvertCallsToBuffersPass())


def parse_module(text: str) -> ModuleOp:
    context = Context()
    for name in ("graph", "loop"):
        context.register_dialect(name, UNIVERSE.all_dialects[name])
    for dialect in (builtin.Builtin, func.Func, arith.Arith):
        context.load_dialect(dialect)
    return parse(text, "test.mlir", context)


def lowered(module: ModuleOp) -> ModuleOp:
    for one in CONVERSIONS:
        one.apply(Context(), module)
        verify(module)
    return module


def functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}


def test_every_graph_op_has_a_lowering() -> None:
    structure = {"graph.constant", "graph.call_tir", "graph.dataflow", "graph.output"}
    assert {op.name for op in Graph.operations} - structure == set(LOWERINGS)


# -- dynamic dims -------------------------------------------------------------------------------------------------

DYNAMIC: dict[str, tuple[Callable[..., Any], list[list[int | str]], Callable[..., np.ndarray]]] = {
    "add": (graph.AddOp, [["n", 3], [3]], np.add),
    "matmul": (graph.MatmulOp, [["n", "k"], ["k", 2]], np.matmul),
    "batched matmul": (graph.MatmulOp, [["n", 2, "k"], ["k", 4]], np.matmul),
    "sum": (lambda x: graph.SumOp(x, (0,)), [["n", "k"]], lambda x: np.sum(x, axis=0)),
    "mean": (lambda x: graph.MeanOp(x, (0, 1)), [["n", "k"]], lambda x: np.mean(x, axis=(0, 1))),
    "max": (lambda x: graph.MaxOp(x, (1,), keepdims=True), [["n", "k"]], lambda x: np.max(x, axis=1, keepdims=True)),
    "transpose": (lambda x: graph.PermuteDimsOp(x, (1, 0)), [["n", "k"]], np.transpose),
    "reshape": (lambda x: graph.ReshapeOp(x, [None, 2]), [["n", 3, 4]], lambda x: x.reshape(-1, 2)),
    "flatten": (lambda x: graph.ReshapeOp(x, [None]), [["n", "k"]], lambda x: x.reshape(-1)),
    "concat": (lambda x, y: graph.ConcatOp((x, y, x), 0), [["n", 2], ["k", 2]], lambda x, y: np.concatenate([x, y, x])),
    "reversed": (lambda x: graph.SliceOp(x, (2**31 - 1,), (-(2**31),), (-2,)), [["n"]], lambda x: x[::-2].copy()),
    "slice": (lambda x: graph.SliceOp(x, (-3,), (-1,)), [["n"]], lambda x: x[-3:-1].copy()),
    "pad": (lambda x: graph.PadOp(x, (1,), (2,)), [["n"]], lambda x: np.pad(x, (1, 2))),
    "reflect": (
        lambda x: graph.PadOp(x, (2,), (3,), mode="reflect"),
        [["n"]],
        lambda x: np.pad(x, (2, 3), mode="reflect"),
    ),
    "wrap": (lambda x: graph.PadOp(x, (2,), (3,), mode="wrap"), [["n"]], lambda x: np.pad(x, (2, 3), mode="wrap")),
    "edge": (lambda x: graph.PadOp(x, (2,), (3,), mode="edge"), [["n"]], lambda x: np.pad(x, (2, 3), mode="edge")),
    "softmax": (
        lambda x: graph.SoftmaxOp(x, 1),
        [["n", "k"]],
        lambda x: np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True),
    ),
}


@pytest.mark.parametrize("case", DYNAMIC)
@pytest.mark.parametrize(("n", "k"), [(5, 3), (1, 1), (4, 6)])
def test_dynamic(agree: Any, case: str, n: int, k: int) -> None:
    build, shapes, expected = DYNAMIC[case]
    rng = np.random.default_rng(0)
    sizes = {"n": n, "k": k}
    arrays = [rng.standard_normal([sizes.get(s, s) for s in shape]).astype(np.float32) for shape in shapes]
    agree(build, arrays, np.asarray(expected(*arrays), np.float32), shapes=shapes, terms=64)


def test_dynamic_and_empty(agree: Any) -> None:
    x, y = np.zeros((0, 3), np.float32), np.ones(3, np.float32)
    agree(graph.AddOp, [x, y], x, shapes=[["n", 3], [3]])
    agree(lambda v: graph.MaxOp(v, (0,)), [x], np.full(3, -np.inf, np.float32), shapes=[["n", 3]])


def test_dynamic_pooling(agree: Any) -> None:
    x = np.random.default_rng(0).standard_normal((2, 1, 7, 6)).astype(np.float32)
    shapes = [["n", 1, "h", "w"]]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))
    ones = np.lib.stride_tricks.sliding_window_view(np.pad(np.ones((7, 6)), 1), (3, 3))
    mean = (windows[:, :, ::2, ::2].sum((4, 5)) / ones[::2, ::2].sum((2, 3))).astype(np.float32)
    options: dict[str, Any] = {"strides": (2, 2), "pads": (1, 1, 1, 1)}
    agree(lambda v: graph.AvgPool2dOp(v, (3, 3), **options), [x], mean, shapes=shapes, terms=9)


# -- what is returned ---------------------------------------------------------------------------------------------


def test_an_argument_returned_is_copied(agree: Any) -> None:
    x = np.array([1, np.nan], np.float32)
    agree(lambda v: [v, v], [x], [x, x])
    agree(lambda v, w: [w, v], [x, x + 1], [x + 1, x])


def test_a_value_returned_twice_is_two_outputs(agree: Any) -> None:
    def build(x: Any) -> list[Any]:
        y = graph.NegateOp(x).out
        return [y, y, graph.AbsOp(y).out]

    x = np.array([1, -2], np.float32)
    agree(build, [x], [-x, -x, np.abs(x)])


def test_a_constant_returned_is_copied(agree: Any) -> None:
    value = np.array([1, 255], np.uint8)
    agree(lambda x: [graph.ConstantOp(value).out, x], [np.zeros(1, np.float32)], [value, np.zeros(1, np.float32)])


def test_operands_may_be_the_same(agree: Any) -> None:
    x = np.array([1, -2], np.float32)
    agree(lambda v: graph.AddOp(v, v), [x], x + x)
    agree(lambda v: graph.SelectOp(graph.LessOp(v, v).out, v, v), [x], x)


def test_equal_constants_are_one_global(evaluate: Any) -> None:
    module = parse_module(
        """
        func.func @main(%x : tensor<2xf32>) -> tensor<2xf32> {
          %a = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
          %b = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
          %y = graph.add %x, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
          %z = graph.multiply %y, %b : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
          func.return %z : tensor<2xf32>
        }
        """
    )
    lowered(module)
    assert [op.sym_name.data for op in module.body.ops if isinstance(op, GlobalOp)] == ["a"]
    np.testing.assert_array_equal(run(module, "main", [np.ones(2, np.float32)])[0], [2, 6])


# -- functions that call each other -------------------------------------------------------------------------------

CALLS = """
func.func @main(%x : tensor<?x2xf32, #graph.dims<n, 2>>, %y : tensor<?x2xf32, #graph.dims<m, 2>>)
    -> (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>) {
  %a, %b = func.call @both(%x, %y) : (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>)
      -> (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>)
  %c = func.call @fused(%b, %b) : (tensor<?x2xf32, #graph.dims<m, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>)
      -> tensor<?x2xf32, #graph.dims<m, 2>>
  func.return %a, %c : tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>
}
func.func private @both(%x : tensor<?x2xf32, #graph.dims<n, 2>>, %y : tensor<?x2xf32, #graph.dims<m, 2>>)
    -> (tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>) {
  %a = graph.relu %x : tensor<?x2xf32, #graph.dims<n, 2>>
  func.return %a, %y : tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>
}
func.func private @fused(%p : tensor<?x2xf32, #graph.dims<m, 2>>, %q : tensor<?x2xf32, #graph.dims<m, 2>>)
    -> tensor<?x2xf32, #graph.dims<m, 2>> attributes {primitive = 1 : i64} {
  %w = graph.constant #graph.array<[10.0, 20.0] : tensor<2xf32>>
  %a = graph.add %p, %q : tensor<?x2xf32, #graph.dims<m, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>
      -> tensor<?x2xf32, #graph.dims<m, 2>>
  %b = graph.add %a, %w : tensor<?x2xf32, #graph.dims<m, 2>>, tensor<2xf32> -> tensor<?x2xf32, #graph.dims<m, 2>>
  func.return %b : tensor<?x2xf32, #graph.dims<m, 2>>
}
"""


def test_calls_pass_dims_and_buffers() -> None:
    module = lowered(parse_module(CALLS))
    x, y = np.array([[-1, 2]], np.float32), np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    a, c = run(module, "main", [x, y])
    np.testing.assert_array_equal(a, np.maximum(x, 0))
    np.testing.assert_array_equal(c, y + y + [10, 20])
    made = functions(module)
    assert dim_names(made["main"]) == ("n", "m")
    assert dim_names(made["fused"]) == ("m",)
    assert not any(isinstance(v.type, TensorType) for op in module.walk() for v in (*op.operands, *op.results))


def test_names_of_the_entry_are_kept() -> None:
    module = lowered(parse_module(CALLS))
    assert input_names(functions(module)["main"]) == ("x", "y")
    assert output_names(functions(module)["main"]) == ("output0", "output1")


def test_names_that_are_taken() -> None:
    module = lowered(
        parse_module(
            """
            func.func @relu(%x : tensor<2xf32>) -> tensor<2xf32> {
              %w = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
              %y = graph.relu %x : tensor<2xf32>
              %z = graph.add %y, %w : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
              func.return %z : tensor<2xf32>
            }
            func.func @w(%x : tensor<2xf32>) -> tensor<2xf32> {
              func.return %x : tensor<2xf32>
            }
            """
        )
    )
    assert set(functions(module)) == {"relu", "relu1", "w", "add"}
    assert [op.sym_name.data for op in module.body.ops if isinstance(op, GlobalOp)] == ["w1"]
    np.testing.assert_array_equal(run(module, "relu", [np.array([-1, 1], np.float32)])[0], [1, 3])


def test_origins_reach_the_loops() -> None:
    module = parse_module(
        """
        func.func @main(%x : tensor<2xf32>) -> tensor<2xf32> {
          %y = graph.relu %x : tensor<2xf32>
          func.return %y : tensor<2xf32>
        }
        """
    )
    for op in module.walk():
        if isinstance(op, graph.ReluOp):
            op.location = node_location("net.onnx", "act1", "Relu")
    lowered(module)
    for op in functions(module)["relu"].walk():
        assert origin(op) == "net.onnx: node 'act1' (Relu)"
    (call,) = [op for op in module.walk() if isinstance(op, CallOp)]
    assert origin(call) == "net.onnx: node 'act1' (Relu)"


# -- the table ----------------------------------------------------------------------------------------------------

RELU = """
func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  %z = graph.negate %y : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
"""


def test_a_lowering_of_ones_own_takes_the_place_of_ours() -> None:
    def leaky(f: LoopFunction, op: graph.ReluOp) -> None:
        f.map("leaky", f.output, f.inputs, lambda x: x.maximum(x * 0.25))

    module = parse_module(RELU)
    ConvertGraphToLoopPass(lowerings=LOWERINGS | {"graph.relu": leaky}).apply(Context(), module)
    np.testing.assert_array_equal(run(module, "main", [np.array([-4, 4, 0, 1], np.float32)])[0], [1, -4, -0.0, -1])


def test_ops_that_the_table_lacks_stay_if_partial() -> None:
    module = parse_module(RELU)
    only = {"graph.negate": elementwise(lambda x: -x)}
    ConvertGraphToLoopPass(partial=True, lowerings=only).apply(Context(), module)
    verify(module)
    names = [op.name for op in functions(module)["main"].body.block.ops]
    assert names == ["graph.relu", "graph.call_tir", "func.return"]
    np.testing.assert_array_equal(run(module, "main", [np.array([-4, 4, 0, 1], np.float32)])[0], [0, -4, 0, -1])
    with pytest.raises(UnsupportedError, match=r"'graph.relu': no lowering: add one to LOWERINGS of .*lowerings.py"):
        ConvertGraphToLoopPass(lowerings=only).apply(Context(), parse_module(RELU))


def test_an_op_that_is_left_over_is_named() -> None:
    module = parse_module(RELU)
    ConvertGraphToLoopPass(partial=True, lowerings={}).apply(Context(), module)
    with pytest.raises(UnsupportedError) as error:
        ConvertCallsToBuffersPass().apply(Context(), module)
    assert [node.operator for node in error.value.nodes] == ["graph.relu", "graph.negate"]
    fused = RELU.replace("-> tensor<4xf32> {", "-> tensor<4xf32> attributes {primitive = 1 : i64} {")
    with pytest.raises(UnsupportedError, match="'graph.relu': has no loop form"):
        FuseLoopFunctionsPass().apply(Context(), parse_module(fused))


def test_refusals_say_what_to_do() -> None:
    def convert(text: str, *passes: Any) -> None:
        module = parse_module(text)
        for one in passes:
            one.apply(Context(), module)

    with pytest.raises(PipelineError, match=r"a dim of \[\?\] has no name: run infer-shapes first"):
        convert(RELU.replace("tensor<4xf32>", "tensor<?xf32>"), ConvertGraphToLoopPass())
    differing = """
    func.func @main(%x : tensor<?xf32, #graph.dims<n>>, %y : tensor<?xf32, #graph.dims<m>>)
        -> tensor<?xf32, #graph.dims<n>> {
      %z = "graph.add"(%x, %y) : (tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<m>>) -> tensor<?xf32>
      %r = graph.broadcast_to %z to <n> : tensor<?xf32> -> tensor<?xf32, #graph.dims<n>>
      func.return %r : tensor<?xf32, #graph.dims<n>>
    }
    """
    with pytest.raises(PipelineError, match="run infer-shapes first"):
        convert(differing, ConvertGraphToLoopPass())
    unknown = """
    func.func @main(%x : tensor<2xf32>) -> tensor<?xf32, #graph.dims<k>> {
      %y = graph.broadcast_to %x to <k> : tensor<2xf32> -> tensor<?xf32, #graph.dims<k>>
      func.return %y : tensor<?xf32, #graph.dims<k>>
    }
    """
    with pytest.raises(PipelineError):
        convert(unknown, *CONVERSIONS)
    with pytest.raises(PipelineError, match="run fuse-loop-functions first"):
        convert(CALLS, ConvertGraphToLoopPass(), ConvertCallsToBuffersPass())
    with pytest.raises(UnsupportedError, match="without a body"):
        convert("func.func private @f(tensor<2xf32>) -> tensor<2xf32>", ConvertCallsToBuffersPass())
