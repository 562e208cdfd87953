"""Every operator of the table on the cases that the onnx package brings: through the graph interpreter, and as C."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
import stepwell
from stepwell.frontends import onnx as frontend
from stepwell.frontends.onnx.operators import OPERATORS
from stepwell.interpreters.run import run

from .onnx_cases import Imported, cases, compare, failures_as_c, imported, operators

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


@pytest.mark.slow
def test_nodecases() -> None:
    passed: dict[str, str] = {}
    refused: dict[str, str] = {}
    wrong: list[str] = []
    for name, case in cases().items():
        try:
            each = imported(case)
            found = run(each.module, "main", each.given)
            for one, other in zip(found, each.expected, strict=True):
                compare(one, other, case)
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
    print(f"{len(cases()) - len(refused)} cases pass, {len(refused)} are refused")
    assert len(cases()) - len(refused) >= 1128


@cache
def _one_case_of_each_operator() -> list[Imported]:
    """The cases come in the order of a hash, so that no family of cases is preferred."""
    chosen: list[Imported] = []
    seen: set[str] = set()
    for case in sorted(cases().values(), key=lambda case: sha256(case.name.encode()).digest()):
        if not operators(case) <= seen:
            with suppress(stepwell.UnsupportedError):
                chosen.append(imported(case))
                seen |= operators(case)
    assert set(OPERATORS) - seen == WITHOUT_CASE
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize(("target", "first"), [("generic", 0), ("native", 1)])
def test_a_case_of_each_operator_as_c(target: str, first: int) -> None:
    """Every other operator for each target; `python tests/frontends/onnx_cases.py TARGET` runs all cases."""
    assert list(failures_as_c(_one_case_of_each_operator()[first::2], target)) == []


def test_a_wrong_result_of_the_c_is_found() -> None:
    each = imported(cases()["test_abs"])
    wrong = replace(each, expected=[-array for array in each.expected])
    (found,) = failures_as_c([wrong], "generic")
    assert found.startswith("test_abs: ")


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
