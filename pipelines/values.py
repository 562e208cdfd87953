"""Programs that say what they compute: `// VALUE: f([-1, 2]) = [0, 2]`, checked after every stage."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import Attribute

from ..dialects.element_types import dtype_of
from ..dialects.signature import is_loop_function, parameters
from ..errors import ModelError
from ..interpreters.compare import first_difference
from ..interpreters.run import Runner as InterpreterRunner
from .check import function_named, longest_sum
from .stage import Stage, run_stages

Array = np.ndarray[Any, Any]

VALUE = re.compile(r"^\s*// VALUE(?P<near>~?):\s*(?P<function>[\w.$-]+)\((?P<inputs>.*)\)\s*=\s*(?P<outputs>.*)$", re.M)
SPECIAL = re.compile(r"\b(nan|inf)\b")

CaseRunner = Callable[[str, Sequence[Array]], tuple[Array, ...]]
"""`(function, inputs) -> outputs`."""


@dataclass(frozen=True)
class ValueCase:
    """One line: a function, what it is given, and what it must return."""

    line: int
    function: str
    inputs: tuple[Array, ...]
    outputs: tuple[Any, ...]
    near: bool
    """`VALUE~:` allows the tolerance of the element type; else every bit counts."""

    def check(self, found: Sequence[Array], level: str, terms: int) -> str | None:
        """What is wrong with these outputs; None if nothing is."""
        if len(found) != len(self.outputs):
            return f"line {self.line}: {level}: {len(found)} outputs, where {len(self.outputs)} are given"
        for number, (given, have) in enumerate(zip(self.outputs, found, strict=True)):
            expected = np.asarray(given, dtype=have.dtype)
            if expected.size == have.size == 0:
                expected = expected.reshape(have.shape)
            difference = first_difference(expected, have, licensed=self.near, terms=terms)
            if difference is not None:
                return f"line {self.line}: {level}: @{self.function}, output {number}, {difference}"
        return None


def value_cases(text: str, module: ModuleOp, name: str) -> list[ValueCase]:
    """The `VALUE` lines of a program; `ModelError` for one that cannot be read, and for a program without any."""
    cases: list[ValueCase] = []
    for match in VALUE.finditer(text):
        line = text.count("\n", 0, match.start("function")) + 1
        function = function_named(module, match["function"])
        arguments = parameters(function).inputs if is_loop_function(function) else tuple(function.args)
        try:
            inputs, outputs = _values(match["inputs"]), _values(match["outputs"])
            if len(inputs) != len(arguments):
                raise ValueError(f"{len(inputs)} inputs for {len(arguments)} arguments")
            arrays = tuple(_array(v, a.type) for v, a in zip(inputs, arguments, strict=True))
        except (ValueError, SyntaxError, OverflowError) as error:
            raise ModelError(f"{name}:{line}: error: this VALUE cannot be read: {error}") from error
        cases.append(ValueCase(line, match["function"], arrays, outputs, bool(match["near"])))
    if not cases:
        raise ModelError(f"{name}:1: error: no line says '// VALUE: function(inputs) = outputs'")
    return cases


def _array(value: Any, type: Attribute) -> Array:
    """A list as an array; of one without elements, the type says the shape that a list cannot (`[]` for `?x3`)."""
    array = np.asarray(value, dtype_of(type))
    if array.size or not isinstance(type, ShapedType) or type.get_num_dims() == array.ndim:
        return array
    return array.reshape([max(size, 0) for size in type.get_shape()])


def _values(text: str) -> tuple[Any, ...]:
    """Numbers and nested lists, with nan and inf."""
    plain = SPECIAL.sub(lambda match: "'nan'" if match[1] == "nan" else "1e999", text)
    return tuple(_with_nan(v) for v in literal_eval(f"({plain},)")) if text.strip() else ()


def _with_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_nan(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return float("nan") if value == "nan" else value


def check_values(module: ModuleOp, cases: Sequence[ValueCase], stages: Sequence[Stage], pipeline: str) -> list[str]:
    """Take `module` down, in place, with every case run after each stage; what is wrong, as lines."""
    wrong: list[str] = []
    terms = longest_sum(module)

    def after_stage(stage: Stage, current: ModuleOp) -> None:
        run_cases(cases, runner_of(current), f"{pipeline} pipeline, stage {stage.name}", terms, wrong)

    run_stages(module, stages, after_stage=after_stage)
    return wrong


def runner_of(module: ModuleOp) -> CaseRunner:
    """The interpreters, on a module that stays as it is."""
    return InterpreterRunner(module).run


def run_cases(cases: Sequence[ValueCase], runner: CaseRunner, level: str, terms: int, wrong: list[str]) -> None:
    """Run each case with `runner`, adding what is wrong to `wrong`."""
    for case in cases:
        problem = case.check(runner(case.function, case.inputs), level, terms)
        if problem is not None:
            wrong.append(problem)
