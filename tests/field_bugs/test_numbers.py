"""Numbers: integer division, casts, flags, conversions, quantisation."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell
from frontends.onnx_models import model, node, onnxruntime_outputs
from stepwell.compiler import parse
from stepwell.interpreters.run import run


def loop_of(op: str, element: str, count: int) -> str:
    """`y[i] = op(a[i], b[i])` on buffers."""
    return f"""
func.func @main(%a : memref<{count}x{element}>, %b : memref<{count}x{element}>, %y : memref<{count}x{element}>)
    attributes {{outputs_count = 1 : i64}} {{
  loop.for "i" %i = 0 to {count} {{
    %p = loop.load %a[%i] : {element}
    %q = loop.load %b[%i] : {element}
    %r = arith.{op} %p, %q : {element}
    loop.store %r, %y[%i]
  }}
  func.return
}}"""


NUMERATORS = [7, -7, 7, -7, 6, -6, 0, 1, -1, 127]
DENOMINATORS = [-3, 3, 3, -3, 3, -3, 5, 127, 127, -1]


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_b068_ceildiv_of_any_signs(everywhere, element):
    # 7 / -3 is -2.33: up is -2
    expected = [-(-a // b) for a, b in zip(NUMERATORS, DENOMINATORS, strict=True)]
    assert expected[0] == -2
    dtype = np.dtype(element.replace("i", "int"))
    everywhere(loop_of("ceildivsi", element, 10), [np.array(x, dtype) for x in (NUMERATORS, DENOMINATORS)], expected)


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_b069_division_and_remainder_belong_together(everywhere, element):
    pairs = list(zip(NUMERATORS, DENOMINATORS, strict=True))
    truncated = [int(a / b) for a, b in pairs]
    floored = [a // b for a, b in pairs]
    assert (truncated[1], floored[1]) == (-2, -3)
    dtype = np.dtype(element.replace("i", "int"))
    inputs = [np.array(x, dtype) for x in (NUMERATORS, DENOMINATORS)]
    everywhere(loop_of("divsi", element, 10), inputs, truncated)
    everywhere(loop_of("remsi", element, 10), inputs, [a - b * q for (a, b), q in zip(pairs, truncated, strict=True)])
    everywhere(loop_of("floordivsi", element, 10), inputs, floored)


def test_b039_a_sum_that_is_put_together_promises_nothing_new():
    # 1 + -128 and then + -1 is -128; 1 + 127, which -128 + -1 wraps to, would overflow
    module = parse("""
func.func @main(%x : i8) -> i8 {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %s = arith.addi %x, %a overflow<nsw> : i8
  %t = arith.addi %s, %b overflow<nsw> : i8
  func.return %t : i8
}""")
    done = stepwell.apply("canonicalize,cse", module)
    assert run(done, "main", [np.int8(1)])[0] == -128
    additions = [line for line in str(done).splitlines() if "arith.addi" in line]
    assert len(additions) == 2 or "nsw" not in additions[0]


BORDERS = [300.0, float("nan"), float("inf"), -float("inf"), 50.0, -50.0, -0.9, 127.5, -128.5]


@pytest.mark.parametrize(
    ("element", "expected"),
    [("i8", [127, 0, 127, -128, 50, -50, 0, 127, -128]), ("ui8", [255, 0, 255, 0, 50, 0, 0, 127, 0])],
)
def test_b089_casts_of_what_does_not_fit_are_the_same_folded_and_computed(everywhere, element, expected):
    literal = ", ".join(str(x) for x in BORDERS)
    text = f"""
func.func @main(%x : tensor<9xf32>) -> (tensor<9x{element}>, tensor<9x{element}>) {{
  %c = graph.constant #graph.array<[{literal}] : tensor<9xf32>>
  %y = graph.cast %x : tensor<9xf32> -> tensor<9x{element}>
  %z = graph.cast %c : tensor<9xf32> -> tensor<9x{element}>
  func.return %y, %z : tensor<9x{element}>, tensor<9x{element}>
}}"""
    everywhere(text, [np.array(BORDERS, np.float32)], expected, expected)


@pytest.mark.parametrize("op", ["asin", "acosh", "sqrt"])
def test_b090_nan_is_true_folded_and_computed(everywhere, op):
    outside = {"asin": 5.0, "acosh": 0.5, "sqrt": -1.0}[op]
    text = f"""
func.func @main(%x : tensor<1xf32>) -> (tensor<1xi1>, tensor<1xi1>) {{
  %c = graph.constant #graph.array<[{outside}] : tensor<1xf32>>
  %a = graph.{op} %x : tensor<1xf32>
  %b = graph.{op} %c : tensor<1xf32>
  %y = graph.cast %a : tensor<1xf32> -> tensor<1xi1>
  %z = graph.cast %b : tensor<1xf32> -> tensor<1xi1>
  func.return %y, %z : tensor<1xi1>, tensor<1xi1>
}}"""
    everywhere(text, [np.float32([outside])], [True], [True])


def test_b084_a_negative_index_counts_from_the_end(everywhere):
    proto = model(
        [node("OneHot", "i depth values", "y"), node("Gather", "y picks", "z", axis=0)],
        {"i": (4,)},
        ["y", "z"],
        {"depth": np.int64(5), "values": np.array([0, 1], np.int64), "picks": np.array([-1, 0, -4])},
        dtype="i",
    )
    # by the specification: -1 is the last, 5 and -6 are outside
    hot = np.array([[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    everywhere(proto, [np.array([-1, 0, 5, -6])], hot, hot[[-1, 0, -4]])


def test_b093_halves_are_quantised_to_even_too(everywhere):
    x = np.array([0.050018, -0.050018], np.float16)
    scale = np.float16(0.0999756)
    # in f16 the quotient is just above a half
    proto = quantise(x, scale, np.int8(0))
    everywhere(proto, [x], [1, -1])


def test_b095_ties_go_to_the_even_number(everywhere):
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, -128.5, -129.5], np.float32)
    proto = quantise(x, np.float32(1), np.int8(0))
    everywhere(proto, [x], [0, 2, 2, 0, -2, -2, 126, 127, -128, -128])


def test_b096_the_quotient_is_computed_in_f32(everywhere):
    x = np.array([-2.5], np.float32)
    # 5 / 255 rounds up in f32, so the quotient is -127.49999, and not the tie
    proto = quantise(x, np.float32(5.0) / np.float32(255), np.int8(0))
    everywhere(proto, [x], [-127])


def quantise(x: np.ndarray, scale: np.ndarray, zero: np.ndarray):
    from onnx import TensorProto, helper, numpy_helper

    element = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[x.dtype.name]
    graph = helper.make_graph(
        [helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", element, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.INT8, x.shape)],
        [numpy_helper.from_array(np.asarray(scale), "scale"), numpy_helper.from_array(np.asarray(zero), "zero")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def test_b102_a_sum_over_channels_of_a_batch_that_is_not_known(everywhere):
    x = np.random.default_rng(5).normal(size=(3, 5, 2, 2)).astype(np.float32)
    proto = model([node("LRN", "x", "y", size=3)], {"x": ("n", 5, 2, 2)}, ["y"])
    everywhere(proto, [x], *onnxruntime_outputs(proto, {"x": x}), near=True)
    everywhere(proto, [x[:1]], *onnxruntime_outputs(proto, {"x": x[:1]}), near=True)
