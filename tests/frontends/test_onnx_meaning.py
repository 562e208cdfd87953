"""What an ONNX node means where versions, defaults and attributes differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import stepwell
from onnx import helper
from stepwell.dialects import graph
from stepwell.frontends.onnx import load
from stepwell.interpreters.run import run
from stepwell.rewriting import walk

from .onnx_models import model, node, onnxruntime_outputs

RNG = np.random.default_rng(7)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def agrees(proto: onnx.ModelProto, feed: dict[str, np.ndarray], shapes: Any = None) -> None:
    """The interpreter on the imported model gives what onnxruntime gives."""
    module = load(proto, shapes)
    for found, expected in zip(run(module, "main", feed), onnxruntime_outputs(proto, feed), strict=True):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        scale = np.abs(expected[np.isfinite(expected)]).max(initial=1.0) if expected.dtype.kind == "f" else 0.0
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * scale)


def ops(module: Any, *kinds: type) -> list[Any]:
    return [op for op in walk(module) if isinstance(op, kinds)]


# -- versions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opset", "axis", "shape"), [(11, None, (2, 3, 4)), (12, 2, (2, 3, 4)), (7, 1, (2, 5, 1, 1)), (9, 0, (3, 2))]
)
@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax"])
def test_b049_softmax_before_opset_13_goes_over_all_axes_from_axis_on(
    op: str, opset: int, axis: int | None, shape: tuple[int, ...]
) -> None:
    attributes = {} if axis is None else {"axis": axis}
    proto = model([node(op, "x", "y", **attributes)], {"x": shape}, ["y"], opset=opset)
    agrees(proto, {"x": normal(*shape)})


def test_b050_default_axis_is_that_of_the_opset() -> None:
    x = normal(1, 6, 2, 3)
    (old,) = run(load(model([node("Softmax", "x", "y")], {"x": x.shape}, ["y"], opset=11)), "main", [x])
    (new,) = run(load(model([node("Softmax", "x", "y")], {"x": x.shape}, ["y"], opset=13)), "main", [x])
    np.testing.assert_allclose(old.sum(), 1, rtol=1e-5)
    np.testing.assert_allclose(new.sum(-1), np.ones((1, 6, 2)), rtol=1e-5)


@pytest.mark.parametrize("opset", [11, 13])
def test_reduce_sum_axes_as_attribute_and_as_input(opset: int) -> None:
    x = normal(2, 3, 4)
    if opset < 13:
        proto = model([node("ReduceSum", "x", "y", axes=[-1, 0], keepdims=0)], {"x": x.shape}, ["y"], opset=opset)
    else:
        weights = {"axes": np.array([-1, 0])}
        proto = model([node("ReduceSum", "x axes", "y", keepdims=0)], {"x": x.shape}, ["y"], weights, opset=opset)
    agrees(proto, {"x": x})


def test_b053_no_axes_and_noop_is_the_identity() -> None:
    proto = model([node("ReduceSum", "x", "y", noop_with_empty_axes=1)], {"x": (3, 2, 2)}, ["y"])
    x = normal(3, 2, 2)
    np.testing.assert_array_equal(run(load(proto), "main", [x])[0], x)


def test_b052_sum_over_nothing() -> None:
    proto = model([node("ReduceSum", "x", "y", keepdims=1)], {"x": (0,)}, ["y"])
    (found,) = run(load(proto), "main", [np.zeros(0, np.float32)])
    assert found.shape == (1,)
    assert found[0] == 0


@pytest.mark.parametrize("opset", [11, 13])
def test_squeeze_and_unsqueeze(opset: int) -> None:
    if opset < 13:
        nodes = [node("Squeeze", "x", "s", axes=[0, -1]), node("Unsqueeze", "s", "y", axes=[0, 3])]
        proto = model(nodes, {"x": (1, 2, 3, 1)}, ["y"], opset=opset)
    else:
        nodes = [node("Squeeze", "x a", "s"), node("Unsqueeze", "s b", "y")]
        weights = {"a": np.array([0, -1]), "b": np.array([0, 3])}
        proto = model(nodes, {"x": (1, 2, 3, 1)}, ["y"], weights, opset=opset)
    agrees(proto, {"x": normal(1, 2, 3, 1)})


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
@pytest.mark.parametrize("opset", [10, 11])
def test_pad(opset: int, mode: str) -> None:
    pads = [0, 1, 2, 0, 2, 1]
    value: dict[str, Any] = {"value": 2.5} if opset < 11 else {}
    inputs = "x" if opset < 11 else "x pads v" if mode == "constant" else "x pads"
    weights = {} if opset < 11 else {"pads": np.array(pads), "v": np.array(2.5, np.float32)}
    attributes = {"pads": pads, **value} if opset < 11 else {}
    proto = model([node("Pad", inputs, "y", mode=mode, **attributes)], {"x": (2, 3, 4)}, ["y"], weights, opset=opset)
    agrees(proto, {"x": normal(2, 3, 4)})


@pytest.mark.parametrize("opset", [6 + 1, 11, 13])
def test_clip(opset: int) -> None:
    if opset < 11:
        proto = model([node("Clip", "x", "y", min=-0.5, max=0.25)], {"x": (5,)}, ["y"], opset=opset)
    else:
        weights = {"lo": np.array(-0.5, np.float32), "hi": np.array(0.25, np.float32)}
        proto = model([node("Clip", "x lo hi", "y")], {"x": (5,)}, ["y"], weights, opset=opset)
    agrees(proto, {"x": np.array([-1, -0.5, 0, 0.3, np.inf], np.float32)})


def test_b088_clip_keeps_the_shape_of_its_input() -> None:
    nodes = [node("ReduceMean", "x", "m", axes=[2, 3]), node("Clip", "m lo hi", "y")]
    weights = {"lo": np.full((1,), -1, np.float32), "hi": np.full((1,), 1, np.float32)}
    module = load(model(nodes, {"x": (1, 3, 4, 4)}, ["y"], weights, opset=13))
    assert run(module, "main", [normal(1, 3, 4, 4)])[0].shape == (1, 3, 1, 1)


def test_slice_before_and_after_opset_10() -> None:
    x = normal(4, 5)
    old = model([node("Slice", "x", "y", starts=[1, -3], ends=[2**31 - 1, -1])], {"x": (4, 5)}, ["y"], opset=9)
    agrees(old, {"x": x})
    weights = {"s": np.array([-1, 0]), "e": np.array([-(2**63), 5]), "a": np.array([1, 0]), "t": np.array([-2, 3])}
    new = model([node("Slice", "x s e a t", "y")], {"x": (4, 5)}, ["y"], weights)
    agrees(new, {"x": x})


def test_split_by_attribute_by_input_and_into_unequal_parts() -> None:
    x = {"x": normal(7, 2)}
    agrees(model([node("Split", "x", "a b", split=[2, 5])], {"x": (7, 2)}, ["a", "b"], opset=11), x)
    weights = {"sizes": np.array([1, 4, 2])}
    agrees(model([node("Split", "x sizes", "a b c")], {"x": (7, 2)}, ["a", "b", "c"], weights, opset=13), x)
    agrees(model([node("Split", "x", "a b c", num_outputs=3)], {"x": (7, 2)}, ["a", "b", "c"], opset=18), x)


# -- contractions and windows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trans_a", [0, 1])
@pytest.mark.parametrize("trans_b", [0, 1])
@pytest.mark.parametrize("c", [(), (3,), (2, 1), (2, 3), None])
def test_gemm(trans_a: int, trans_b: int, c: tuple[int, ...] | None) -> None:
    weights = {"b": normal(3, 4) if trans_b else normal(4, 3)}
    inputs = "a b"
    if c is not None:
        weights["c"] = normal(*c)
        inputs = "a b c"
    gemm = node("Gemm", inputs, "y", transA=trans_a, transB=trans_b, alpha=0.5, beta=2.0)
    shape = (4, 2) if trans_a else (2, 4)
    agrees(model([gemm], {"a": shape}, ["y"], weights), {"a": normal(*shape)})


CONVS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((1, 3, 8, 9), (4, 3, 3, 3), {}),
    ((2, 4, 8, 9), (6, 2, 3, 2), {"group": 2, "strides": [2, 1], "pads": [1, 0, 2, 1]}),
    ((1, 4, 8, 8), (4, 1, 5, 5), {"group": 4, "strides": [2, 2], "pads": [1, 1, 2, 2]}),
    ((1, 1, 7, 6), (1, 1, 3, 2), {"strides": [2, 2], "auto_pad": "SAME_LOWER"}),
    ((1, 1, 7, 6), (1, 1, 3, 2), {"strides": [2, 3], "auto_pad": "SAME_UPPER"}),
    ((1, 1, 7, 6), (1, 1, 3, 2), {"auto_pad": "VALID"}),
    ((2, 3, 10), (4, 3, 3), {"strides": [2], "pads": [1, 2]}),
    ((2, 3, 10), (4, 3, 3), {"dilations": [2], "auto_pad": "VALID"}),
    ((1, 1, 2, 2), (1, 1, 1, 1), {"pads": [2, 2, 2, 2]}),
]


@pytest.mark.parametrize(("x", "w", "attributes"), CONVS)
@pytest.mark.parametrize("bias", [True, False])
def test_conv(x: tuple[int, ...], w: tuple[int, ...], attributes: dict[str, Any], bias: bool) -> None:
    weights = {"w": normal(*w), "b": normal(w[0])} if bias else {"w": normal(*w)}
    proto = model([node("Conv", "x w b" if bias else "x w", "y", **attributes)], {"x": x}, ["y"], weights)
    agrees(proto, {"x": normal(*x)})


def test_b073_same_padding_counts_the_dilated_kernel() -> None:
    x, weights = normal(1, 1, 16, 16), {"w": normal(1, 1, 3, 3)}
    same = model([node("Conv", "x w", "y", dilations=[2, 2], auto_pad="SAME_UPPER")], {"x": x.shape}, ["y"], weights)
    given = model([node("Conv", "x w", "y", dilations=[2, 2], pads=[2, 2, 2, 2])], {"x": x.shape}, ["y"], weights)
    (expected,) = onnxruntime_outputs(given, {"x": x})  # which refuses dilations with SAME_UPPER
    assert expected.shape == (1, 1, 16, 16)
    np.testing.assert_allclose(run(load(same), "main", [x])[0], expected, rtol=1e-4, atol=1e-5)


TRANSPOSED: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((1, 3, 4, 5), (3, 2, 3, 3), {}),
    ((1, 3, 4, 5), (3, 2, 3, 3), {"strides": [3, 2], "pads": [1, 0, 0, 1], "output_padding": [1, 1]}),
    ((1, 4, 4, 5), (4, 3, 2, 3), {"group": 2, "dilations": [2, 1], "strides": [2, 2]}),
    ((1, 1, 3, 3), (1, 2, 3, 3), {"strides": [3, 2], "output_shape": [10, 8]}),
    ((1, 1, 3, 3), (1, 2, 3, 3), {"strides": [2, 2], "auto_pad": "SAME_UPPER"}),
    ((1, 1, 3, 3), (1, 2, 1, 1), {"pads": [1, 1, 1, 1]}),
    ((2, 3, 4), (3, 2, 3), {"strides": [2]}),
]


@pytest.mark.parametrize(("x", "w", "attributes"), TRANSPOSED)
def test_conv_transpose(x: tuple[int, ...], w: tuple[int, ...], attributes: dict[str, Any]) -> None:
    proto = model([node("ConvTranspose", "x w", "y", **attributes)], {"x": x}, ["y"], {"w": normal(*w)})
    agrees(proto, {"x": normal(*x)})


POOLS: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((1, 2, 8, 8), {"kernel_shape": [3, 2], "strides": [2, 1]}),
    ((1, 2, 8, 8), {"kernel_shape": [3, 3], "pads": [1, 0, 1, 2], "strides": [2, 2]}),
    ((1, 2, 9, 8), {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"}),
    ((1, 3, 17, 17), {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [1, 1, 1, 1], "ceil_mode": 1}),
    ((1, 2, 9), {"kernel_shape": [3], "strides": [2], "pads": [1, 1]}),
]


@pytest.mark.parametrize(("shape", "attributes"), POOLS)
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "LpPool"])
def test_pool(op: str, shape: tuple[int, ...], attributes: dict[str, Any]) -> None:
    if op == "LpPool" and "ceil_mode" in attributes:
        pytest.skip("refused")
    proto = model([node(op, "x", "y", **attributes)], {"x": shape}, ["y"], opset=19)
    agrees(proto, {"x": normal(*shape)})


@pytest.mark.parametrize("size", [6, 7, 8, 9])
@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_b081_ceil_mode(op: str, size: int) -> None:
    pool = node(op, "x", "y", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    agrees(model([pool], {"x": (1, 1, size, size)}, ["y"], opset=19), {"x": normal(1, 1, size, size)})


@pytest.mark.parametrize("op", ["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
def test_global_pool(op: str) -> None:
    agrees(model([node(op, "x", "y")], {"x": (2, 3, 4, 5)}, ["y"]), {"x": normal(2, 3, 4, 5)})


# -- normalization -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opset", [7, 9, 14, 15])
def test_batch_normalization_is_a_multiplication_and_an_addition(opset: int) -> None:
    weights = {"s": normal(3), "b": normal(3), "m": normal(3), "v": np.abs(normal(3))}
    proto = model(
        [node("BatchNormalization", "x s b m v", "y", epsilon=1e-3)], {"x": (2, 3, 4, 4)}, ["y"], weights, opset=opset
    )
    agrees(proto, {"x": normal(2, 3, 4, 4)})
    module = stepwell.apply("fold-constants,dce", load(proto))
    assert [type(op) for op in ops(module, graph.GraphOp)] == [
        graph.ConstantOp,
        graph.MultiplyOp,
        graph.ConstantOp,
        graph.AddOp,
    ]


def test_b046_layer_normalization_does_not_cancel() -> None:
    weights = {"s": np.ones(4, np.float32), "b": np.zeros(4, np.float32)}
    proto = model([node("LayerNormalization", "x s b", "y")], {"x": (1, 4)}, ["y"], weights)
    (found,) = run(load(proto), "main", [np.array([[80000, 80001, 80002, 80003]], np.float32)])
    np.testing.assert_allclose(found, [[-1.3416, -0.4472, 0.4472, 1.3416]], atol=1e-3)


def test_b051_squares_of_f16_do_not_overflow() -> None:
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT16, [1, 64])
    graph_ = helper.make_graph(
        [node("RMSNormalization", "x s", "y")],
        "g",
        [x],
        [onnx.ValueInfoProto(name="y")],
        [onnx.numpy_helper.from_array(np.ones(64, np.float16), "s")],
    )
    proto = helper.make_model(graph_, opset_imports=[helper.make_opsetid("", 23)])
    (found,) = run(load(proto), "main", [np.full((1, 64), 7600, np.float16)])
    np.testing.assert_allclose(found.astype(np.float32), np.ones((1, 64)), rtol=2e-3)


# -- elements ----------------------------------------------------------------------------------------------------------


def test_b097_nan_goes_through_relu_sign_and_max() -> None:
    nodes = [node("Relu", "x", "r"), node("Sign", "x", "s"), node("ReduceMax", "x", "m")]
    proto = model(nodes, {"x": (4,)}, ["r", "s", "m"], opset=17)
    relu, sign, largest = run(load(proto), "main", [np.array([np.nan, 1, 2, -2], np.float32)])
    np.testing.assert_array_equal(relu, np.array([np.nan, 1, 2, 0], np.float32))
    np.testing.assert_array_equal(sign, np.array([np.nan, 1, 1, -1], np.float32))
    assert np.isnan(largest).all()


def test_b070_integer_division_goes_toward_zero() -> None:
    proto = model([node("Div", "a b", "y")], {"a": (4,), "b": (4,)}, ["y"], dtype="i")
    (found,) = run(load(proto), "main", [np.array([8, -8, 7, -7]), np.array([-3, 3, -2, 2])])
    np.testing.assert_array_equal(found, [-2, -2, -3, -3])


def test_b083_negative_gather_indices() -> None:
    data = np.arange(12, dtype=np.float32).reshape(3, 4)
    proto = model([node("Gather", "x i", "y")], {"x": (3, 4)}, ["y"], {"i": np.array([0, -1])})
    np.testing.assert_array_equal(run(load(proto), "main", [data])[0], data[[0, -1]])


@pytest.mark.parametrize("indices", [0, -1, [2, 0, 1], [[0, 2], [1, 1]], [3, 2, 1, 0], [0, 2], [1, 1, 1]])
@pytest.mark.parametrize("axis", [0, 1])
def test_gather(indices: Any, axis: int) -> None:
    proto = model([node("Gather", "x i", "y", axis=axis)], {"x": (4, 5)}, ["y"], {"i": np.array(indices)})
    agrees(proto, {"x": normal(4, 5)})


def test_index_of_the_largest_of_a_nan() -> None:
    proto = model([node("ArgMax", "x", "y", axis=1, keepdims=0)], {"x": (2, 3)}, ["y"])
    (found,) = run(load(proto), "main", [np.array([[1, 5, 5], [1, np.nan, 9]], np.float32)])
    np.testing.assert_array_equal(found, [1, 1])


def test_softplus_and_mish_of_large_numbers() -> None:
    x = np.array([-200, -20, 0, 20, 200], np.float32)
    proto = model([node("Softplus", "x", "y")], {"x": (5,)}, ["y"])
    np.testing.assert_allclose(
        run(load(proto), "main", [x])[0], np.logaddexp(0, x.astype(np.float64)), rtol=1e-5, atol=1e-6
    )


def test_log_sum_exp_of_infinities() -> None:
    proto = model([node("ReduceLogSumExp", "x", "y", axes=[1], keepdims=0)], {"x": (4, 2)}, ["y"], opset=13)
    inf = np.inf
    (found,) = run(load(proto), "main", [np.array([[1000, 1000], [-inf, -inf], [inf, 1], [-inf, 2]], np.float32)])
    np.testing.assert_allclose(found, [1000 + np.log(2), -inf, inf, 2], rtol=1e-6)


# -- resampling and Einstein's notation --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["asymmetric", "half_pixel", "pytorch_half_pixel", "align_corners"])
@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
@pytest.mark.parametrize("scales", [(1, 1, 2, 3), (1, 1, 0.5, 1.5), (1, 2, 1, 0.4)])
def test_resize_nearest(way: str, rounding: str, scales: tuple[float, ...]) -> None:
    resize = node("Resize", "x _ s", "y", coordinate_transformation_mode=way, nearest_mode=rounding)
    proto = model([resize], {"x": (1, 2, 4, 5)}, ["y"], {"s": np.array(scales, np.float32)}, opset=13)
    agrees(proto, {"x": normal(1, 2, 4, 5)})


def test_resize_to_sizes() -> None:
    resize = node("Resize", "x _ _ s", "y", axes=[3, 2])
    proto = model([resize], {"x": (1, 2, 4, 5)}, ["y"], {"s": np.array([10, 3])}, opset=18)
    agrees(proto, {"x": normal(1, 2, 4, 5)})


def test_resize_of_a_dynamic_image_by_a_whole_number() -> None:
    weights = {"s": np.array([1, 1, 2, 2], np.float32)}
    proto = model([node("Resize", "x _ s", "y")], {"x": ("n", 1, "h", "w")}, ["y"], weights, opset=13)
    agrees(proto, {"x": normal(2, 1, 3, 4)})


EQUATIONS = ["ij,jk->ik", "bij,bkj->bik", "bhid,bhjd->bhij", "ij->ji", "ij->i", "i,j->ij", "ij,ij->", "ij,jk,kl->il"]
EQUATIONS += ["abc,cd,abd->a", "ijk,ij->k", "ij,jk", "ij,k->ijk", "abcd,cdab->ac"]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_einsum(equation: str) -> None:
    sizes = {label: 2 + number for number, label in enumerate(sorted(set(equation) - set(",->")))}
    terms = equation.partition("->")[0].split(",")
    arrays = {f"x{n}": normal(*(sizes[label] for label in term)) for n, term in enumerate(terms)}
    proto = model(
        [node("Einsum", " ".join(arrays), "y", equation=equation)],
        {name: array.shape for name, array in arrays.items()},
        ["y"],
    )
    (found,) = run(load(proto), "main", arrays)
    np.testing.assert_allclose(found, np.einsum(equation, *arrays.values()), rtol=1e-4, atol=1e-4)


def test_einsum_of_a_dynamic_batch() -> None:
    proto = model(
        [node("Einsum", "q k", "y", equation="bhid,bhjd->bhij")],
        {"q": ("b", 2, "s", 4), "k": ("b", 2, "s", 4)},
        ["y"],
    )
    q, k = normal(3, 2, 5, 4), normal(3, 2, 5, 4)
    (found,) = run(load(proto), "main", [q, k])
    np.testing.assert_allclose(found, np.einsum("bhid,bhjd->bhij", q, k), rtol=1e-4, atol=1e-5)
