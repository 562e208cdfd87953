"""Matrix products against NumPy; convolution and pooling against onnxruntime."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnxruntime
import pytest
from onnx import helper
from stepwell.dialects import graph

BF16 = np.dtype(ml_dtypes.bfloat16)


def onnx_run(operator: str, inputs: list[np.ndarray], opset: int = 22, **attributes: Any) -> np.ndarray:
    """One ONNX operator on float arrays, in onnxruntime."""
    names = [f"x{i}" for i in range(len(inputs))]
    types = [helper.np_dtype_to_tensor_dtype(x.dtype) for x in inputs]
    model = helper.make_model(
        helper.make_graph(
            [helper.make_node(operator, names, ["y"], **attributes)],
            "one",
            [helper.make_tensor_value_info(n, t, x.shape) for n, t, x in zip(names, types, inputs, strict=True)],
            [helper.make_tensor_value_info("y", types[0], None)],
        ),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=10,
    )
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip(names, inputs, strict=True)))[0]


def normal(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray:
    """Normally distributed elements."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


MATMUL_SHAPES = [
    ((4, 8), (8, 2)),
    ((8,), (8, 2)),
    ((4, 8), (8,)),
    ((8,), (8,)),
    ((3, 4, 8), (8, 2)),
    ((3, 1, 4, 8), (5, 8, 2)),
    ((1, 4, 8), (6, 8, 2)),
    ((8,), (6, 8, 2)),
    ((6, 4, 8), (8,)),
    ((4, 0), (0, 4)),
    ((0, 3), (3, 2)),
    ((2, 3), (3, 0)),
]


@pytest.mark.parametrize(("left", "right"), MATMUL_SHAPES)
def test_matmul(run, left, right):
    a, b = normal(*left), normal(*right, seed=1)
    result = run(graph.MatmulOp, a, b)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-5, atol=1e-5)


def test_matmul_of_integers_wraps(run):
    a = np.full((1, 4), 100, np.int8)
    assert run(graph.MatmulOp, a, a.T)[0, 0] == np.int64(40000).astype(np.int8)
    u = np.full((1, 2), 2**63, np.uint64)
    assert run(graph.MatmulOp, u, u.T + np.uint64(1))[0, 0] == (2**63 * (2**63 + 1) * 2) % 2**64


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_matmul_of_halves_adds_up_in_f32(run, dtype):
    ones = np.ones((1, 4096), dtype)
    assert run(graph.MatmulOp, ones, ones.T)[0, 0] == 4096


CONVOLUTIONS = [
    {},
    {"strides": (2, 2)},
    {"pads": (1, 2, 3, 0)},
    {"dilations": (2, 1), "pads": (2, 1, 2, 1)},
    {"strides": (1, 3), "pads": (0, 1, 1, 2), "dilations": (1, 2)},
    {"groups": 2, "strides": (2, 1), "pads": (1, 1, 1, 1)},
    {"groups": 4},
    {"groups": 4, "strides": (2, 2), "pads": (1, 1, 2, 2)},
]


@pytest.mark.parametrize("attributes", CONVOLUTIONS, ids=str)
@pytest.mark.parametrize("with_bias", [False, True])
def test_conv2d(run, attributes, with_bias):
    groups = attributes.get("groups", 1)
    x, w = normal(2, 4, 9, 11), normal(8, 4 // groups, 3, 3, seed=1)
    inputs = [x, w, normal(8, seed=2)] if with_bias else [x, w]
    names = {"strides": "strides", "pads": "pads", "dilations": "dilations", "groups": "group"}
    expected = onnx_run("Conv", inputs, **{names[k]: v for k, v in attributes.items()})
    result = run(graph.Conv2dOp, *inputs, **attributes)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


def test_conv2d_of_a_window_as_large_as_the_image(run):
    x, w = normal(1, 2, 3, 5), normal(3, 2, 3, 5, seed=1)
    expected = np.einsum("ncij,ocij->no", x, w)[:, :, None, None]
    np.testing.assert_allclose(run(graph.Conv2dOp, x, w), expected, rtol=1e-4)


def test_conv2d_of_an_empty_batch(run):
    assert run(graph.Conv2dOp, normal(0, 2, 5, 5), normal(3, 2, 3, 3)).shape == (0, 3, 3, 3)


POOLS = [
    {"kernel": (2, 2)},
    {"kernel": (2, 2), "strides": (2, 2)},
    {"kernel": (3, 3), "strides": (2, 2), "pads": (1, 1, 1, 1)},
    {"kernel": (3, 2), "strides": (2, 3), "pads": (1, 0, 2, 1)},
    {"kernel": (3, 3), "strides": (2, 2), "ceil_mode": True},
    {"kernel": (2, 2), "strides": (2, 2), "pads": (1, 1, 1, 1), "ceil_mode": True},
    {"kernel": (3, 3), "strides": (3, 3), "pads": (1, 1, 1, 1), "ceil_mode": True},
    {"kernel": (2, 3), "dilations": (2, 2), "strides": (1, 2)},
    {"kernel": (3, 3), "dilations": (2, 1), "pads": (2, 1, 2, 1), "strides": (2, 2), "ceil_mode": True},
]


def pool_attributes(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes as ONNX names them."""
    result = {("kernel_shape" if k == "kernel" else k): v for k, v in attributes.items()}
    if "ceil_mode" in result:
        result["ceil_mode"] = 1
    return result


@pytest.mark.parametrize("attributes", POOLS, ids=str)
@pytest.mark.parametrize("size", [(7, 9), (8, 6), (17, 17)])
def test_max_pool2d(run, attributes, size):
    x = normal(1, 3, *size)
    np.testing.assert_array_equal(
        run(graph.MaxPool2dOp, x, **attributes), onnx_run("MaxPool", [x], **pool_attributes(attributes))
    )


@pytest.mark.parametrize("attributes", POOLS, ids=str)
@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize("size", [(7, 9), (8, 6), (17, 17)])
def test_avg_pool2d(run, attributes, include, size):
    x = normal(1, 3, *size)
    expected = onnx_run("AveragePool", [x], count_include_pad=int(include), **pool_attributes(attributes))
    result = run(graph.AvgPool2dOp, x, count_include_pad=include, **attributes)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


def test_pooling_in_ceil_mode_skips_a_window_in_the_padding(run):
    x = normal(1, 3, 17, 17)
    attributes = {"kernel": (2, 2), "strides": (2, 2), "pads": (1, 1, 1, 1), "ceil_mode": True}
    assert run(graph.AvgPool2dOp, x, **attributes).shape == (1, 3, 9, 9)
    small = {"kernel": (3, 3), "strides": (3, 3), "pads": (1, 1, 1, 1), "ceil_mode": True}
    assert run(graph.MaxPool2dOp, normal(1, 3, 2, 2), **small).shape == (1, 3, 1, 1)


def test_max_pool_keeps_nan_and_knows_no_zero_outside(run):
    x = np.full((1, 1, 2, 2), -5.0, np.float32)
    x[0, 0, 0, 0] = np.nan
    result = run(graph.MaxPool2dOp, x, kernel=(2, 2), pads=(1, 1, 1, 1))
    assert np.isnan(result[0, 0, :2, :2]).all()
    np.testing.assert_array_equal(result[0, 0, 2], [-5, -5, -5])


def test_max_pool_of_integers(run):
    x = np.arange(-8, 8, dtype=np.int8).reshape(1, 1, 4, 4)
    np.testing.assert_array_equal(run(graph.MaxPool2dOp, x, kernel=(2, 2), strides=(2, 2))[0, 0], [[-3, -1], [5, 7]])


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_avg_pool_of_halves_adds_up_in_f32(run, dtype):
    x = np.full((1, 1, 64, 64), 16, dtype)
    assert run(graph.AvgPool2dOp, x, kernel=(64, 64)).item() == 16
