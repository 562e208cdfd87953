"""Fusing, moving and merging: values that others read too, effects between, axes that move along."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell
from frontends.onnx_models import model, node, onnxruntime_outputs
from stepwell.compiler import parse
from stepwell.dialects import graph
from stepwell.errors import ScheduleError
from stepwell.frontends.python import GraphBuilder, tensor
from stepwell.rewriting import walk
from stepwell.transforms.primitives import Schedule
from xdsl.dialects.func import CallOp, FuncOp

OPAQUE = """
func.func @main(%in : memref<8xf32>, %out : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  %comm = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "first" (%vi : spatial = %i) reads(%a = %in[%vi]) writes(%comm[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  CALL
  loop.for "j" %j = 0 to 8 {
    loop.block "second" (%vj : spatial = %j) reads(%a = %comm[%vj]) writes(%out[%vj]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
func.func private @opaque(%b : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "k" %k = 4 to 8 {
    loop.block "overwrite" (%vk : spatial = %k) reads() writes(%b[%vk]) {
      %c = arith.constant 100.0 : f32
      loop.yield %c
    }
  }
  func.return
}
"""
CALLS = {
    "a call": "func.call @opaque(%comm) : (memref<8xf32>) -> ()",
    "a store": '%c = arith.constant 100.0 : f32\n loop.for "s" %s = 4 to 8 {\n loop.store %c, %comm[%s]\n }',
}


@pytest.mark.parametrize("what", CALLS)
def test_b005_what_writes_between_two_loops_keeps_them_apart(everywhere, what):
    text = OPAQUE.replace("CALL", CALLS[what])
    x = np.arange(8, dtype=np.float32)
    # by hand: the later half was overwritten with 100
    everywhere(text, [x], np.concatenate([4 * x[:4], np.full(4, 200, np.float32)]))
    (function,) = [op for op in parse(text).ops if isinstance(op, FuncOp) and op.sym_name.data == "main"]
    for step in ("merge first/i second/j", "inline first second", "compute-at first second/j", "epilogue first second"):
        with pytest.raises(ScheduleError):
            Schedule(function).apply(step)


def test_b008_a_buffer_lives_as_long_as_what_is_another_name_for_it(everywhere):
    x = np.arange(40, dtype=np.float32).reshape(5, 8)
    everywhere(
        """
func.func @main(%x : tensor<5x8xf32>) -> tensor<5x8xf32> {
  %q = graph.constant #graph.array<0.25 : tensor<f32>>
  %e = graph.constant #graph.array<0.125 : tensor<f32>>
  %s = graph.add %x, %q : tensor<5x8xf32>, tensor<f32> -> tensor<5x8xf32>
  %l = graph.reshape %s to <40> : tensor<5x8xf32> -> tensor<40xf32>
  %r = graph.add %x, %e : tensor<5x8xf32>, tensor<f32> -> tensor<5x8xf32>
  %m = graph.reshape %l to <5, 8> : tensor<40xf32> -> tensor<5x8xf32>
  %y = graph.add %m, %r : tensor<5x8xf32>, tensor<5x8xf32> -> tensor<5x8xf32>
  func.return %y : tensor<5x8xf32>
}""",
        [x],
        2 * x + np.float32(0.375),
    )


@pytest.mark.parametrize("dims", [[2, 6], [-1, 4], [0, -1]])
def test_b014_what_folding_brings_to_light_comes_down_too(everywhere, dims):
    # the target shape is computed: a part of it from the shape of x, joined with a constant
    proto = model(
        [
            node("Shape", "x", "s"),
            node("Slice", "s start stop", "part"),
            node("Sub", "part part", "zero"),
            node("Add", "zero dims", "target"),
            node("Reshape", "x target", "r"),
            node("Add", "r one", "y"),
        ],
        {"x": (3, 4)} if dims[0] == 0 else {"x": (2, 6)},
        ["y"],
        {"start": [0], "stop": [1], "dims": dims, "one": np.float32(1)},
    )
    x = np.arange(12, dtype=np.float32).reshape(3, 4) if dims[0] == 0 else np.arange(12, dtype=np.float32).reshape(2, 6)
    everywhere(proto, [x], *onnxruntime_outputs(proto, {"x": x}))


def test_b015_calls_of_what_nobody_knows_are_neither_merged_nor_dropped():
    module = parse("""
func.func private @random() -> tensor<4xf32>
func.func @main() -> tensor<4xf32> {
  %a = func.call @random() : () -> tensor<4xf32>
  %b = func.call @random() : () -> tensor<4xf32>
  %c = func.call @random() : () -> tensor<4xf32>
  %y = graph.subtract %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}""")
    done = stepwell.apply("cse,dce,canonicalize-graph,fold-constants,fuse-elementwise,cse,dce,canonicalize", module)
    assert len([op for op in walk(done) if isinstance(op, CallOp) and op.callee.string_value() == "random"]) == 3


@pytest.mark.parametrize("shape", [(1, 1, 1, 1, 3), (4, 1, 1, 1, 1), (2, 1, 1, 2, 3)])
def test_b018_an_addend_of_a_higher_rank(everywhere, shape):
    rng = np.random.default_rng(1)
    a, w = (rng.integers(-3, 4, s).astype(np.float32) for s in ((2, 4), (4, 3)))
    c = rng.integers(-3, 4, shape).astype(np.float32)
    b = GraphBuilder()
    with b.function("main", {"a": tensor((2, 4)), "c": tensor(shape)}) as (x, addend):
        b.emit_func_output(b.emit(b.add(b.emit(b.matmul(x, b.constant(w))), addend)))
    everywhere(b.get(), [a, c], a @ w + c)


def test_b025_leading_ones_are_not_the_same_rank(everywhere):
    rng = np.random.default_rng(2)
    x = rng.integers(-9, 10, (1, 1, 768)).astype(np.float32)
    bias = rng.integers(-9, 10, 768).astype(np.float32)
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 1, 768)), "b": tensor((768,))}) as (first, second):
        b.emit_func_output(b.emit(b.add(first, second)))
    everywhere(b.get(), [x, bias], x + bias)
    everywhere(b.get(), [x, bias], bias + x)


@pytest.mark.parametrize("axis", range(4))
def test_b026_transposes_before_a_concat(everywhere, axis):
    rng = np.random.default_rng(3)
    shapes = [[2, 2, 2, 2], [2, 2, 2, 2]]
    shapes[1][[0, 2, 3, 1][axis]] = 3
    x, y = (rng.integers(-9, 10, s).astype(np.float32) for s in shapes)
    b = GraphBuilder()
    with b.function("main", {"x": tensor(tuple(shapes[0])), "y": tensor(tuple(shapes[1]))}) as (p, q):
        moved = [b.emit(b.permute_dims(v, [0, 2, 3, 1])) for v in (p, q)]
        b.emit_func_output(b.emit(b.relu(b.emit(b.concat(moved, axis)))))
    expected = np.maximum(np.concatenate([x.transpose(0, 2, 3, 1), y.transpose(0, 2, 3, 1)], axis), 0)
    everywhere(b.get(), [x, y], expected)


def test_b028_a_reshape_behind_a_transpose_says_sizes_of_the_new_order(everywhere):
    x = np.arange(2 * 1 * 3 * 4, dtype=np.float32).reshape(2, 1, 3, 4)
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2, 1, 3, 4))}) as (v,):
        moved = b.emit(b.permute_dims(v, [0, 3, 1, 2]))
        total = b.emit(b.sum(moved, [2], keepdims=True))
        b.emit_func_output(b.emit(b.reshape(total, [2, 4, 3])))
    everywhere(b.get(), [x], x.transpose(0, 3, 1, 2).sum(2).reshape(2, 4, 3))


@pytest.mark.parametrize("axis", [1, 3, -1])
def test_b029_a_split_behind_a_transpose(everywhere, axis):
    x = np.arange(2 * 4 * 6, dtype=np.float32).reshape(1, 2, 4, 6)
    proto = model(
        [node("Transpose", "x", "t", perm=[0, 3, 1, 2]), node("Split", "t", "y z", axis=axis, num_outputs=2)],
        {"x": x.shape},
        ["y", "z"],
    )
    everywhere(proto, [x], *onnxruntime_outputs(proto, {"x": x}))


@pytest.mark.parametrize("axes", [[1], [0, 2], [-1]])
@pytest.mark.parametrize("op", ["ReduceMax", "ReduceSum"])
def test_b031_axes_that_are_an_input_follow_no_transpose(everywhere, op, axes):
    x = np.random.default_rng(4).integers(-9, 10, (2, 3, 4)).astype(np.float32)
    proto = model(
        [node("Transpose", "x", "t", perm=[2, 0, 1]), node(op, "t axes", "y", keepdims=0)],
        {"x": x.shape},
        ["y"],
        {"axes": axes},
        opset=18,
    )
    everywhere(proto, [x], *onnxruntime_outputs(proto, {"x": x}))


def test_b141_a_wide_concat_takes_time_in_proportion():
    from time import process_time

    def seconds(count: int) -> float:
        b = GraphBuilder()
        with b.function("main", {f"x{n}": tensor((2, 3)) for n in range(count)}) as values:
            b.emit_func_output(b.emit(b.concat(list(values), 0)))
        start = process_time()
        stepwell.emit(b.get(), "generic")
        return process_time() - start

    seconds(10)
    few, many = seconds(50), seconds(400)
    # 8 times as many; time that grows with the square would be 64 times as much
    assert many < 24 * few


def test_b141_as_wide_as_it_was_reported(everywhere):
    b = GraphBuilder()
    with b.function("main", {"x": tensor((28, 28))}) as (x,):
        image = b.emit(b.reshape(x, [1, 28, 28]))
        b.emit_func_output(b.emit(b.relu(b.emit(b.concat([image] * 6131, 0)))))
    module = stepwell.lower(b.get(), stop_after="fused")
    (concat,) = [op for op in walk(module) if isinstance(op, graph.ConcatOp)]
    assert len(concat.inputs) == 6131
