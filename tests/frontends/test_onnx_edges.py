"""ONNX models at the edge of what the specification allows: right as onnxruntime has it, or refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
import stepwell
from onnx import TensorProto, helper
from stepwell.frontends.onnx import load
from stepwell.interpreters.run import run

from .onnx_models import model, node, onnxruntime_outputs

RNG = np.random.default_rng(5)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def agrees(proto: onnx.ModelProto, feed: Mapping[str, np.ndarray]) -> None:
    expected = onnxruntime_outputs(proto, feed)
    for found, wanted in zip(run(load(proto), "main", feed), expected, strict=True):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


# -- arithmetic on sizes -----------------------------------------------------------------------------------------------


def of_sizes(nodes: list[onnx.NodeProto], weights: Mapping[str, Any], last: str = "Reshape") -> onnx.ModelProto:
    """A model that computes the target of its last node from the shape of its input, whose first size is dynamic."""
    every = [node("Shape", "x", "s"), *nodes, node(last, "x t" if last == "Reshape" else "v t", "y")]
    return model(every, {"x": ("n", 4)}, ["y"], {**weights, "v": np.ones((1, 1), np.float32)})


def test_a_bound_that_is_left_out_does_not_move_the_next_one_up() -> None:
    reverse = node("Slice", "s first last _ back", "t")
    weights = {"first": np.array([1]), "last": np.array([-9]), "back": np.array([-1])}
    agrees(of_sizes([reverse], weights), {"x": normal(5, 4)})


@pytest.mark.parametrize("rows", [0, 3, 8, 9, 20])
def test_sizes_are_divided_toward_zero(rows: int) -> None:
    """`(n - 8) / 2 + 12`, whose dividend is negative for few rows."""
    nodes = [
        node("Gather", "s zero", "n"),
        node("Sub", "n eight", "less"),
        node("Div", "less two", "half"),
        node("Add", "half twelve", "more"),
        node("Concat", "more four", "t", axis=0),
    ]
    weights = {"zero": [0], "eight": [8], "two": [2], "twelve": [12], "four": [4]}
    proto = of_sizes(nodes, {name: np.array(value) for name, value in weights.items()}, "Expand")
    agrees(proto, {"x": normal(rows, 4)})


WRONG_SIZES = [
    (node("Gather", "s five", "t"), "Gather", "out of bounds"),
    (node("Slice", "s one five one zero", "t"), "Slice", "axis 1 is out of range"),
    (node("Slice", "s one five zero zero", "t"), "Slice", "step cannot be zero"),
    (node("Squeeze", "s zero", "t"), "Squeeze", "not equal to one"),
    (node("Concat", "s one", "t", axis=1), "Concat", "out of bounds"),
    (node("Reshape", "s five", "t"), "Reshape", "cannot reshape"),
    (node("Unsqueeze", "s five", "t"), "Unsqueeze", "out of bounds"),
    (node("Add", "s three", "t"), "Add", "broadcast"),
]


@pytest.mark.parametrize(("wrong", "op", "reason"), WRONG_SIZES, ids=[op for _, op, _ in WRONG_SIZES])
def test_wrong_arithmetic_on_sizes_names_its_node(wrong: onnx.NodeProto, op: str, reason: str) -> None:
    weights = {"zero": np.array([0]), "one": np.array([1]), "five": np.array([5]), "three": np.array([1, 2, 3])}
    with pytest.raises(stepwell.ModelError, match=rf"m: node 'node_t' \({op}\): error: .*{reason}"):
        load(of_sizes([wrong], weights), name="m")


# -- indices and ranges ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("indices", [[0, -1], [-1, 0], [1, 0, -1], [-2, -1, 0, 1], [-1, -2], [4], [2, 0]])
def test_gather_of_a_dynamic_axis_from_both_ends(indices: list[int]) -> None:
    proto = model([node("Gather", "x i", "y")], {"x": ("n", 2)}, ["y"], {"i": np.array(indices)})
    agrees(proto, {"x": normal(5, 2)})


@pytest.mark.parametrize("indices", [[3, 4], [-4], [0, 1, 2, 3]])
def test_gather_beyond_a_dynamic_axis_is_refused_in_the_run(indices: list[int]) -> None:
    compiled = stepwell.compile(model([node("Gather", "x i", "y")], {"x": ("n", 2)}, ["y"], {"i": np.array(indices)}))
    x = normal(5, 2)
    np.testing.assert_array_equal(compiled(x), x[indices])
    with pytest.raises(stepwell.RunError, match="with n = 3"):
        compiled(x[:3])


@pytest.mark.parametrize("start", [-(2**31), -(2**63) + 1, -9, -5, -4, -1, 3, 99])
@pytest.mark.parametrize("end", [-(2**31), -9, -2, 0])
def test_a_slice_backwards_from_before_the_first_element_has_it(start: int, end: int) -> None:
    weights = {"s": np.array([start]), "e": np.array([end]), "a": np.array([0]), "t": np.array([-2])}
    agrees(model([node("Slice", "x s e a t", "y")], {"x": (4, 2)}, ["y"], weights), {"x": normal(4, 2)})


def test_a_slice_backwards_of_a_dynamic_axis() -> None:
    def of(start: int) -> onnx.ModelProto:
        weights = {"s": np.array([start]), "e": np.array([-(2**31)]), "a": np.array([0]), "t": np.array([-1])}
        return model([node("Slice", "x s e a t", "y")], {"x": ("n", 2)}, ["y"], weights)

    for start in (-1, 2**31 - 1, -(2**31)):
        agrees(of(start), {"x": normal(4, 2)})
    with pytest.raises(stepwell.UnsupportedError, match="a slice backwards from a place counted from the end"):
        load(of(-2))


@pytest.mark.parametrize("dtype", ["int64", "int32", "float32"])
@pytest.mark.parametrize("numbers", [(0, 10, 3), (10, 0, -3), (0, 5, -1), (2**24, 2**24 + 8, 4), (-7, 8, 5)])
def test_range(numbers: tuple[int, int, int], dtype: str) -> None:
    weights = {name: np.array(number, dtype) for name, number in zip("abc", numbers, strict=True)}
    agrees(model([node("Range", "a b c", "y")], {}, ["y"], weights), {})


@pytest.mark.parametrize(
    ("limit", "delta", "message"),
    [
        ("nan", 1, "input 1 is a finite number, found nan"),
        ("inf", 1, "input 1 is a finite number, found inf"),
        (3, 0, "delta is 0"),
        (3, "nan", "input 2 is a finite number, found nan"),
    ],
)
def test_a_range_without_an_end_is_refused(limit: Any, delta: Any, message: str) -> None:
    weights = {"a": np.float32(0), "b": np.float32(limit), "c": np.float32(delta)}
    with pytest.raises(stepwell.ModelError, match=rf"'node_y' \(Range\): error: {message}"):
        load(model([node("Range", "a b c", "y")], {}, ["y"], weights))


@pytest.mark.parametrize("op", ["ConstantOfShape", "Range", "EyeLike"])
def test_an_array_that_no_memory_holds_is_refused(op: str) -> None:
    large = 10**12
    weights = {"s": np.array([large]), "a": np.array(0), "b": np.array(large), "c": np.array(1)}
    inputs = {"ConstantOfShape": "s", "Range": "a b c", "EyeLike": "x"}[op]
    with pytest.raises(stepwell.UnsupportedError, match=rf"'node_y' \({op}\): an array of 10+ elements"):
        load(model([node(op, inputs, "y")], {"x": (10**6, 10**6)}, ["y"], weights))


KINDS = [
    ("Slice", "x f i", "input 1 is a list of integers, found float32"),
    ("Slice", "x i i _ f", "input 4 is a list of integers, found float32"),
    ("Tile", "x f", "input 1 is a list of integers, found float32"),
    ("Tile", "x zero", "repeats has one number for each axis"),
    ("Reshape", "x f", "input 1 is a list of integers, found float32"),
    ("Gather", "x f", "the indices are missing, or no integers"),
    ("Upsample", "x i", "the scales are real numbers, found int64"),
    ("OneHot", "x _ i", "input 1 is a finite number, found None"),
    ("EyeLike", "x", "a matrix is expected, found rank 3"),
]


@pytest.mark.parametrize(("op", "inputs", "message"), KINDS)
def test_inputs_of_another_kind_are_refused(op: str, inputs: str, message: str) -> None:
    weights = {"f": np.ones(3, np.float32), "i": np.ones(3, np.int64), "zero": np.array(1)}
    with pytest.raises(stepwell.ModelError, match=rf"'node_y' \({op}\): error: {message}"):
        load(model([node(op, inputs, "y")], {"x": (2, 2, 2)}, ["y"], weights, opset=9 if op == "Upsample" else 13))


# -- parts -------------------------------------------------------------------------------------------------------------


def test_an_output_without_a_name_is_a_part_too() -> None:
    split = helper.make_node("Split", ["x"], ["a", "b", ""], axis=0)
    x = normal(6)
    first, second = run(load(model([split], {"x": (6,)}, ["a", "b"], opset=13)), "main", [x])
    np.testing.assert_array_equal(first, x[:2])
    np.testing.assert_array_equal(second, x[2:4])


@pytest.mark.parametrize(
    ("attributes", "sizes", "opset", "message"),
    [
        ({}, None, 13, "an axis of 7 does not split into 2 equal parts"),
        ({"num_outputs": 3}, None, 18, "2 outputs, and another number of parts"),
        ({"num_outputs": 0}, None, 18, "2 outputs, and another number of parts"),
        ({}, [2, 3, 2], 13, "2 outputs, and another number of parts"),
    ],
)
def test_parts_that_are_not_the_outputs(attributes: Any, sizes: Any, opset: int, message: str) -> None:
    weights = {} if sizes is None else {"s": np.array(sizes)}
    split = node("Split", "x s" if sizes else "x", "a b", **attributes)
    with pytest.raises(stepwell.ModelError, match=message):
        load(model([split], {"x": (7,)}, ["a", "b"], weights, opset=opset))


@pytest.mark.parametrize("opset", [7, 10, 13])
def test_the_mask_of_dropout(opset: int) -> None:
    proto = model([node("Dropout", "x", "y mask")], {"x": ("n", 2)}, ["y", "mask"], opset=opset)
    x = np.array([[1, np.nan], [-np.inf, 0]], np.float32)
    y, mask = run(load(proto), "main", [x])
    np.testing.assert_array_equal(y, x)
    assert mask.dtype == (np.float32 if opset < 10 else bool)
    assert mask.all()


# -- operands that do not fit ------------------------------------------------------------------------------------------


ENLARGING = [
    ("Gemm", "x b c", (1, 3), {"b": (3, 4), "c": (5, 4)}),
    ("BatchNormalization", "x a b c d", (2, 1, 4), {"a": (5,), "b": (5,), "c": (5,), "d": (5,)}),
    ("InstanceNormalization", "x a b", (2, 1, 4), {"a": (5,), "b": (5,)}),
    ("RMSNormalization", "x a", (2, 1), {"a": (2, 2, 1)}),
    ("QuantizeLinear", "x a", (1, 1), {"a": (3,)}),
]


@pytest.mark.parametrize(("op", "inputs", "shape", "weights"), ENLARGING, ids=[each[0] for each in ENLARGING])
def test_an_operand_does_not_make_the_result_larger(op: str, inputs: str, shape: Any, weights: Any) -> None:
    arrays = {name: np.abs(normal(*size)) for name, size in weights.items()}
    with pytest.raises(stepwell.ModelError, match=rf"m: node 'node_y' \({op}\): error: .* does not broadcast to"):
        load(model([node(op, inputs, "y")], {"x": shape}, ["y"], arrays, opset=23), name="m")


WRONG_WINDOWS: list[tuple[str, dict[str, Any], str]] = [
    ("Conv", {"strides": [0, 0], "auto_pad": "SAME_UPPER"}, r"strides \[0, 0\] must not be less than 1"),
    ("MaxPool", {"strides": [-1, 1]}, r"strides \[-1, 1\] must not be less than 1"),
    ("ConvTranspose", {"strides": [0, 1]}, r"strides \[0, 1\] must not be less than 1"),
    ("ConvTranspose", {"group": 0}, "2 channels do not split into 0 groups"),
    ("ConvTranspose", {"group": 3}, "2 channels do not split into 3 groups"),
    ("ConvTranspose", {"pads": [1, 1]}, "pads has 2 entries for 2 axes"),
    ("ConvTranspose", {"output_shape": [9]}, "output_shape has 1 entries for 2 axes"),
    ("LpPool", {"p": 0}, "p is positive, found 0"),
    ("GlobalLpPool", {"p": 0}, "p is positive, found 0"),
]


@pytest.mark.parametrize(("op", "attributes", "message"), WRONG_WINDOWS)
def test_windows_that_are_none(op: str, attributes: dict[str, Any], message: str) -> None:
    kernel = {"kernel_shape": [2, 2]} if op in ("MaxPool", "LpPool") else {}
    window = node(op, "x w" if op.startswith("Conv") else "x", "y", **kernel, **attributes)
    with pytest.raises(stepwell.ModelError, match=rf"'node_y' \({op}\): error: {message}"):
        load(model([window], {"x": (1, 2, 4, 4)}, ["y"], {"w": normal(2, 2, 2, 2)}))


@pytest.mark.parametrize(
    ("inputs", "given", "message"),
    [
        ("x _ s", np.array([2, 2], np.float32), "scales has 2 entries for 4 axes"),
        ("x _ s", np.array([1, 1, 2, np.nan], np.float32), "must be positive"),
        ("x _ s", np.array([1, 1, 2, 0], np.float32), "must be positive"),
        ("x _ _ s", np.array([4, 4]), "sizes has 2 entries for 4 axes"),
        ("x _ _ s", np.array([1, 1, 2, -1]), "has a negative one"),
    ],
)
def test_resize_to_no_size(inputs: str, given: np.ndarray, message: str) -> None:
    with pytest.raises(stepwell.ModelError, match=rf"'node_y' \(Resize\): error: .*{message}"):
        load(model([node("Resize", inputs, "y")], {"x": (1, 1, 2, 2)}, ["y"], {"s": given}))


@pytest.mark.parametrize("scale", [0.1, 0.3, 0.7, 1.1, 1.9])
def test_the_size_after_a_resize_is_computed_as_f32(scale: float) -> None:
    proto = model([node("Resize", "x _ s", "y")], {"x": (10,)}, ["y"], {"s": np.array([scale], np.float32)})
    agrees(proto, {"x": normal(10)})


# -- the file ----------------------------------------------------------------------------------------------------------


def relu() -> onnx.ModelProto:
    return model([node("Relu", "x", "y")], {"x": (2,)}, ["y"])


@pytest.mark.parametrize("what", ["input", "initializer", "output"])
def test_what_has_no_name_is_refused(what: str) -> None:
    proto = relu()
    getattr(proto.graph, what).add()
    with pytest.raises(stepwell.ModelError, match=f"m: error: an {what} of the graph has no name"):
        load(proto, name="m")


def test_a_file_of_a_newer_version_is_refused() -> None:
    proto = relu()
    proto.ir_version = onnx.IR_VERSION + 1
    with pytest.raises(stepwell.UnsupportedError, match=rf"the file is of version {onnx.IR_VERSION + 1}"):
        load(proto)


def test_an_output_of_another_type_than_declared_is_refused() -> None:
    proto = relu()
    proto.graph.output[0].type.tensor_type.elem_type = TensorProto.INT64
    with pytest.raises(stepwell.ModelError, match="output 'y' is declared INT64, and its elements are f32"):
        load(proto)


def test_every_byte_but_0_is_true() -> None:
    proto = model([], {}, ["w"])
    proto.graph.initializer.add(name="w", dims=[3], data_type=TensorProto.BOOL, raw_data=b"\0\2\xff")
    (found,) = run(load(proto), "main", [])
    assert found.view(np.uint8).tolist() == [0, 1, 1]


def test_a_function_of_another_opset_is_converted() -> None:
    """In opset 11 the axes are an attribute, in that of the model an input."""
    body = [helper.make_node("Unsqueeze", ["a"], ["b"], axes=[0])]
    proto = model([helper.make_node("F", ["x"], ["y"], domain="local")], {"x": (2,)}, ["y"])
    proto.functions.append(helper.make_function("local", "F", ["a"], ["b"], body, [helper.make_opsetid("", 11)]))
    proto.opset_import.append(helper.make_opsetid("local", 1))
    np.testing.assert_array_equal(run(load(proto), "main", [np.float32([1, 2])])[0], [[1, 2]])


def test_a_function_that_calls_itself_is_refused() -> None:
    body = [helper.make_node("F", ["a"], ["b"], domain="local")]
    proto = model([helper.make_node("F", ["x"], ["y"], domain="local")], {"x": (2,)}, ["y"])
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]
    proto.functions.append(helper.make_function("local", "F", ["a"], ["b"], body, opsets))
    proto.opset_import.append(opsets[1])
    with pytest.raises(stepwell.ModelError, match="the functions of the model cannot be inlined: .*ecursive"):
        load(proto)


def test_a_quantized_type_that_is_not_known_is_refused() -> None:
    dequantize = node("DequantizeLinear", "x s", "y", output_dtype=TensorProto.FLOAT8E4M3FN)
    with pytest.raises(stepwell.UnsupportedError, match="elements of type FLOAT8E4M3FN"):
        load(model([dequantize], {"x": (2,)}, ["y"], {"s": np.float32(1)}, opset=23, dtype="i"))
