"""
The node cases that the onnx package brings, as graph modules and as C.

`python tests/frontends/onnx_cases.py TARGET` runs all of them that can be imported as C for a target, in some minutes.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import onnx
import stepwell
from onnx import numpy_helper
from stepwell.compiler import as_target, program_of
from stepwell.frontends import onnx as frontend
from stepwell.frontends.onnx.operators import OPERATORS
from stepwell.runtime import load
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

TOLERANCE = {"float16": 2e-3, "bfloat16": 1.6e-2}
TOGETHER = 25
"""As many cases are compiled as one C file."""


@dataclass(frozen=True)
class Imported:
    """A case as a module with the function `main`, the arrays that it is given, and those that should come out."""

    case: Any
    module: ModuleOp
    given: Sequence[np.ndarray]
    expected: Sequence[np.ndarray]


@cache
def cases() -> Mapping[str, Any]:
    """The cases whose operators are all in the table."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = load_model_tests(kind="node")
    return {case.name: case for case in every if operators(case) <= set(OPERATORS)}


def operators(case: Any) -> set[str]:
    """The operators of a case."""
    return {node.op_type for node in case.model.graph.node}


def imported(case: Any) -> Imported:
    """A case as a module; inputs that say a shape or axes become constants. Raises `UnsupportedError`."""
    given, expected = (_arrays(part) if _are_tensors(part) else list(part) for part in case.data_sets[0])
    for first in (len(given), 1, 0):
        try:
            module = frontend.load(_with_constants(case.model, given, first) if first < len(given) else case.model)
        except stepwell.UnsupportedError as error:
            if "is not a constant" not in str(error) or first == 0:
                raise
        else:
            return Imported(case, module, given[:first], expected)
    raise AssertionError("unreachable")


def _arrays(values: Sequence[Any]) -> list[np.ndarray]:
    return [numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else np.asarray(v) for v in values]


def _are_tensors(values: Sequence[Any]) -> bool:
    return all(isinstance(value, (np.ndarray, np.generic, onnx.TensorProto)) for value in values)


def _with_constants(proto: onnx.ModelProto, inputs: Sequence[np.ndarray], first: int) -> onnx.ModelProto:
    """The model with its inputs from `first` on as initializers: shapes and axes that it is given at run time."""
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    for value, array in list(zip(result.graph.input, inputs, strict=True))[first:]:
        result.graph.initializer.append(numpy_helper.from_array(array, value.name))
    return result


def compare(found: np.ndarray, expected: np.ndarray, case: Any) -> None:
    """Refuse what is not within the tolerance of the case."""
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


def failures_as_c(chosen: Sequence[Imported], target: str) -> Iterator[str]:
    """What goes wrong with each of the cases as C."""
    for start in range(0, len(chosen), TOGETHER):
        yield from _failures_together(chosen[start : start + TOGETHER], target)


def _failures_together(chosen: Sequence[Imported], target: str) -> Iterator[str]:
    module = ModuleOp([])
    for each in chosen:
        (function,) = (op for op in each.module.clone().body.block.ops if isinstance(op, FuncOp))
        function.detach()
        function.sym_name = StringAttr(each.case.name)
        module.body.block.add_op(function)
    source = stepwell.emit(module, as_target(target))
    for each in chosen:
        try:
            outputs = load(program_of(source, each.case.name))(*each.given)
            found = outputs if isinstance(outputs, tuple) else (outputs,)
            for one, other in zip(found, each.expected, strict=True):
                compare(one, other, each.case)
        except (AssertionError, stepwell.Error) as error:
            yield f"{each.case.name}: {str(error)[:300]}"


def main(target: str) -> int:
    """All cases as C for a target: the number of those that fail."""
    chosen: list[Imported] = []
    for case in cases().values():
        try:
            chosen.append(imported(case))
        except stepwell.UnsupportedError:
            continue
    failed = list(failures_as_c(chosen, target))
    print("\n".join([*failed, f"{len(chosen) - len(failed)} of {len(chosen)} cases pass"]))
    return len(failed)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1]), 1))
