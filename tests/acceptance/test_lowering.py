"""Rows A34 to A41: the fused MLP becomes loop functions, and each fused function one of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import stepwell
from stepwell.conversions.graph_to_loop import LOWERINGS, ConvertGraphToLoopPass, LoopFunction
from stepwell.dialects import graph
from stepwell.dialects.loop import AllocOp, BlockOp, ForOp
from stepwell.dialects.signature import LAYOUT_FREE, NOALIAS, PRIMITIVE, is_loop_function, is_primitive, layout_free
from stepwell.interpreters.run import run
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

MLP = """
func.func @main(%x: tensor<1x784xf32>, %w0: tensor<128x784xf32>, %b0: tensor<128xf32>, %w1: tensor<10x128xf32>,
    %b1: tensor<10xf32>) -> tensor<1x10xf32> {
  %lv = graph.permute_dims %w0 [1, 0] : tensor<128x784xf32> -> tensor<784x128xf32>
  %lv1 = graph.matmul %x, %lv : tensor<1x784xf32>, tensor<784x128xf32> -> tensor<1x128xf32>
  %lv2 = graph.add %lv1, %b0 : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
  %lv3 = graph.relu %lv2 : tensor<1x128xf32>
  %lv4 = graph.permute_dims %w1 [1, 0] : tensor<10x128xf32> -> tensor<128x10xf32>
  %lv5 = graph.matmul %lv3, %lv4 : tensor<1x128xf32>, tensor<128x10xf32> -> tensor<1x10xf32>
  %lv6 = graph.add %lv5, %b1 : tensor<1x10xf32>, tensor<10xf32> -> tensor<1x10xf32>
  func.return %lv6 : tensor<1x10xf32>
}
"""

KERNELS = {"matmul", "matmul1", "add", "add1", "transpose", "transpose1", "relu"}


@pytest.fixture(scope="module")
def fused() -> ModuleOp:
    return stepwell.apply("fuse-matmul-add", stepwell.parse(MLP))


@pytest.fixture(scope="module")
def calls(fused: ModuleOp) -> ModuleOp:
    return stepwell.apply("convert-graph-to-loop", fused)


@pytest.fixture(scope="module")
def final(calls: ModuleOp) -> ModuleOp:
    return stepwell.apply("fuse-loop-functions", calls)


def functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}


def body(function: FuncOp) -> Sequence[Operation]:
    return tuple(function.body.block.ops)


def blocks(function: FuncOp) -> list[BlockOp]:
    return [op for op in function.walk() if isinstance(op, BlockOp)]


def loops(function: FuncOp) -> list[tuple[str, Any]]:
    return [(op.label.data, op.extent.value) for op in function.walk() if isinstance(op, ForOp)]


def text(op: Operation) -> str:
    return str(op)


def test_a34_the_lowering_takes_a_table_and_leaves_other_ops(fused: ModuleOp) -> None:
    seen: list[str] = []

    def relu(f: LoopFunction, op: graph.ReluOp) -> None:
        seen.append(op.name)
        f.map("relu", f.output, f.inputs, lambda x: x.maximum(0))

    one = ConvertGraphToLoopPass(
        partial=True, lowerings={"graph.relu": relu, "graph.matmul": LOWERINGS["graph.matmul"]}
    )
    module = stepwell.apply(one, fused)
    names = [op.name for op in functions(module)["main"].walk()]
    assert seen == ["graph.relu"]
    assert names.count("graph.permute_dims") == 2
    assert "graph.relu" not in names
    assert [op.name for op in body(functions(module)["fused_matmul_add0"])][:2] == ["graph.call_tir", "graph.add"]


def test_a35_every_graph_function_is_visited_and_fused_ones_stay_calls(calls: ModuleOp) -> None:
    made = functions(calls)
    main = body(made["main"])[:-1]
    assert [op.name for op in main] == ["graph.call_tir", "func.call", "graph.call_tir", "graph.call_tir", "func.call"]
    for op in main:
        # the destination type stands on the call
        assert len(op.results) == 1
    callees = [op.callee.root_reference.data for op in main if isinstance(op, CallOp)]
    assert callees == ["fused_matmul_add0", "fused_matmul_add1"]
    for name, kernels in zip(callees, (["matmul", "add"], ["matmul1", "add1"]), strict=True):
        assert is_primitive(made[name])
        assert [op.callee.root_reference.data for op in made[name].walk() if isinstance(op, graph.CallTirOp)] == kernels


def test_a36_one_loop_function_per_op_and_shape(calls: ModuleOp) -> None:
    assert {name for name, f in functions(calls).items() if is_loop_function(f)} == KERNELS
    again = stepwell.apply("convert-graph-to-loop", stepwell.parse(MLP))
    twice = stepwell.parse(
        MLP.replace(
            "%lv3 = graph.relu %lv2", "%again = graph.relu %lv2 : tensor<1x128xf32>\n  %lv3 = graph.relu %again"
        )
    )
    assert set(functions(again)) == set(functions(stepwell.apply("convert-graph-to-loop", twice))) == KERNELS | {"main"}


def test_a37_matmul_has_two_spatial_axes_and_one_to_reduce(calls: ModuleOp) -> None:
    function = functions(calls)["matmul"]
    assert loops(function) == [("i", 1), ("j", 128), ("k", 784)]
    (block,) = blocks(function)
    assert block.iterator_kinds == ("spatial", "spatial", "reduce")
    zero = block.init.block.first_op
    assert isinstance(zero, arith.ConstantOp)
    assert text(zero).endswith("arith.constant 0.000000e+00 : f32")
    assert [op.name for op in block.body.block.ops] == ["arith.mulf", "arith.addf", "loop.yield"]
    printed = text(function)
    assert "= %lhs[%vi, %vk], " in printed
    assert "= %rhs[%vk, %vj])" in printed
    assert "= %out[%vi, %vj]) init {" in printed


def test_a38_reads_and_marks(calls: ModuleOp) -> None:
    made = functions(calls)
    for name in KERNELS:
        assert NOALIAS in made[name].attributes
        assert (LAYOUT_FREE in made[name].attributes) == name.startswith("matmul")
    assert layout_free(made["matmul"]) == (1,)
    assert "= %lhs[%vax0, %vax1], " in text(made["add"])
    assert "= %rhs[%vax1])" in text(made["add"])
    assert "%input[%vax1, %vax0]" in text(made["transpose"])
    assert "%out[%vax0, %vax1]" in text(made["transpose"])
    ops = [op.name for op in blocks(made["relu"])[0].body.block.ops]
    assert ops == ["arith.constant", "arith.maximumf", "loop.yield"]
    assert run(calls, "relu", [np.array([[np.nan, -1.0, 2.0] + [0.0] * 125], np.float32)])[0][0, :3].tolist()[1:] == [
        0,
        2,
    ]


def test_a39_inputs_then_output_and_64_bit_extents(calls: ModuleOp) -> None:
    function = functions(calls)["matmul"]
    assert [a.name_hint for a in function.args] == ["lhs", "rhs", "out"]
    huge = "tensor<3000000000x2xi8>"
    module = stepwell.parse(
        f"func.func @main(%x: {huge}) -> {huge} {{ %y = graph.relu %x : {huge} func.return %y : {huge} }}"
    )
    assert loops(functions(stepwell.apply("convert-graph-to-loop", module))["relu"]) == [
        ("ax0", 3000000000),
        ("ax1", 2),
    ]


def test_a40_a_primitive_function_is_one_loop_function(calls: ModuleOp, final: ModuleOp) -> None:
    for name in ("fused_matmul_add0", "fused_matmul_add1"):
        function = functions(final)[name]
        assert is_loop_function(function)
        assert [a.name_hint for a in function.args] == ["x", "w", "b", "output"]
        tops = body(function)
        assert [type(op) for op in tops[:3]] == [AllocOp, ForOp, ForOp]
        (local,) = [op for op in tops if isinstance(op, AllocOp)]
        assert local.scope.data == "global"
        assert [b.label.data for b in blocks(function)] == ["matmul", "add"]
        matmul, add = blocks(function)
        assert matmul.writes[0] is local.buffer
        assert add.reads[0] is local.buffer
        assert add.writes[0] is function.args[3]


def test_a41_callers_and_leftovers(final: ModuleOp) -> None:
    made = functions(final)
    assert set(made) == {"main", "fused_matmul_add0", "fused_matmul_add1", "relu", "transpose", "transpose1"}
    assert [op.name for op in body(made["main"])] == ["graph.call_tir"] * 5 + ["func.return"]
    for name in ("fused_matmul_add0", "fused_matmul_add1"):
        assert PRIMITIVE not in made[name].attributes
        assert LAYOUT_FREE not in made[name].attributes
        assert NOALIAS in made[name].attributes


def test_the_three_stages_and_buffers_compute_the_same(fused: ModuleOp, calls: ModuleOp, final: ModuleOp) -> None:
    rng = np.random.default_rng(0)
    shapes = [(1, 784), (128, 784), (128,), (10, 128), (10,)]
    arrays = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    wide = [a.astype(np.float64) for a in arrays]
    expected = np.maximum(wide[0] @ wide[1].T + wide[2], 0) @ wide[3].T + wide[4]
    buffers = stepwell.apply("convert-calls-to-buffers", final)
    results = [run(module, "main", arrays)[0] for module in (fused, calls, final, buffers)]
    for result in results:
        assert result.shape == (1, 10)
        assert np.abs(result - expected).max() <= 1e-5 * np.sqrt(784) * np.abs(expected).max()
    np.testing.assert_array_equal(results[1], results[2])
    np.testing.assert_array_equal(results[1], results[3])
