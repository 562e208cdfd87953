"""Every operator of the table on the cases that the onnx package brings, through the graph interpreter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import onnx
import pytest
import stepwell
from onnx import numpy_helper
from stepwell.frontends import onnx as frontend
from stepwell.frontends.onnx.operators import OPERATORS
from stepwell.interpreters.run import run

WITHOUT_CASE = {"GlobalLpPool"}
"""Operators that the suite has no case for; compared with onnxruntime in test_onnx_models.py."""

EXPECTED_REFUSALS = {
    "elements of type": "4-bit, 8-bit and 16-element floats, strings",
    "axes over a tensor of rank": "windows over three axes",
    "windows over 3 axes": "windows over three axes",
    "training": "random or statistical in training",
    "a scale for each block": "blocked quantization",
    "resampling that is not 'nearest'": "linear and cubic resampling",
    "antialias and aspect ratio": "resampling that keeps an aspect ratio",
    "labels that occur twice": "diagonals in Einstein's notation",
    "is not computed": "the second output of MaxPool",
    "opsets 7 to": "older than opset 7",
    "not a tensor": "sequences and optionals",
}
"""Reasons for which a case whose operators are all in the table may be refused, part of the message -> what it is."""

TOLERANCE = {"float16": 2e-3, "bfloat16": 1.6e-2}


@cache
def _cases() -> dict[str, Any]:
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = load_model_tests(kind="node")
    return {case.name: case for case in cases if {node.op_type for node in case.model.graph.node} <= set(OPERATORS)}


def _arrays(values: Sequence[Any]) -> list[np.ndarray]:
    return [numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else np.asarray(v) for v in values]


def _with_constants(proto: onnx.ModelProto, inputs: Sequence[np.ndarray], first: int) -> onnx.ModelProto:
    """The model with its inputs from `first` on as initializers: shapes and axes that it is given at run time."""
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    for value, array in list(zip(result.graph.input, inputs, strict=True))[first:]:
        result.graph.initializer.append(numpy_helper.from_array(array, value.name))
    return result


def _outputs(case: Any) -> tuple[Sequence[np.ndarray], Sequence[np.ndarray]]:
    given, expected = (_arrays(part) if _are_tensors(part) else list(part) for part in case.data_sets[0])
    for first in (len(given), 1, 0):
        try:
            module = frontend.load(_with_constants(case.model, given, first) if first < len(given) else case.model)
        except stepwell.UnsupportedError as error:
            if "is not a constant" not in str(error) or first == 0:
                raise
        else:
            return run(module, "main", given[:first]), expected
    raise AssertionError("unreachable")


def _are_tensors(values: Sequence[Any]) -> bool:
    return all(isinstance(value, (np.ndarray, np.generic, onnx.TensorProto)) for value in values)


@pytest.mark.slow
def test_node_cases() -> None:
    passed: dict[str, str] = {}
    refused: dict[str, str] = {}
    wrong: list[str] = []
    for name, case in _cases().items():
        try:
            found, expected = _outputs(case)
            for one, other in zip(found, expected, strict=True):
                _compare(one, other, case)
        except stepwell.UnsupportedError as error:
            refused[name] = str(error)
        except (AssertionError, stepwell.Error) as error:
            wrong.append(f"{name}: {str(error)[:300]}")
        else:
            passed.update({node.op_type: name for node in case.model.graph.node})
    assert not wrong, "\n".join(wrong)
    unexpected = {n: r for n, r in refused.items() if not any(part in r for part in EXPECTED_REFUSALS)}
    assert not unexpected
    assert set(OPERATORS) - set(passed) == WITHOUT_CASE
    print(f"{len(_cases()) - len(refused)} cases pass, {len(refused)} are refused")
    assert len(_cases()) - len(refused) >= 1128


def _compare(found: np.ndarray, expected: np.ndarray, case: Any) -> None:
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if found.dtype.name in TOLERANCE:
        tolerance = TOLERANCE[found.dtype.name]
        found, expected = found.astype(np.float64), expected.astype(np.float64)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * _largest(expected))
    else:
        np.testing.assert_allclose(found, expected, rtol=case.rtol, atol=case.atol)


def _largest(array: np.ndarray) -> float:
    finite = np.abs(array[np.isfinite(array)])
    return float(finite.max(initial=1e-6))


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 12, 13, 17, 18, 21, 24])
def test_each_opset_is_read(opset: int) -> None:
    from onnx import TensorProto, helper

    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    given = np.array([[1, -2, np.nan], [-0.0, np.inf, -np.inf]], np.float32)
    (found,) = run(frontend.load(proto), "main", [given])
    np.testing.assert_array_equal(found, np.where(given < 0, 0, given))
