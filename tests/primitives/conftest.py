"""Running a program before and after steps, and comparing the results bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from stepwell.errors import ScheduleError
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines.stage import new_context
from stepwell.rewriting import verify
from stepwell.transforms.primitives import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

Inputs = Mapping[str, np.ndarray]


def module_of(text: str) -> ModuleOp:
    module = parse(text, "test.mlir", new_context())
    verify(module)
    return module


def function_in(module: ModuleOp) -> FuncOp:
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


def scheduled(text: str, steps: Sequence[str]) -> ModuleOp:
    module = module_of(text)
    Schedule(function_in(module)).apply(*steps)
    verify(module)
    return module


def assert_same(module: ModuleOp, other: ModuleOp, inputs: Inputs) -> None:
    expected = run(module, None, dict(inputs))
    found = run(other, None, dict(inputs))
    assert len(expected) == len(found)
    for one, two in zip(expected, found, strict=True):
        assert one.dtype == two.dtype
        assert one.shape == two.shape
        assert one.tobytes() == two.tobytes(), f"{one}\n{two}\n{other}"


@pytest.fixture
def check() -> Callable[..., ModuleOp]:
    """`check(text, steps, inputs, …)`: the steps keep the text's results on each of the inputs."""

    def compare(text: str, steps: Sequence[str], *inputs: Inputs) -> ModuleOp:
        module, other = module_of(text), scheduled(text, steps)
        for each in inputs:
            assert_same(module, other, each)
        return other

    return compare


@pytest.fixture
def refused() -> Callable[[str, Sequence[str], str], None]:
    """`refused(text, steps, reason)`: the last step is refused for this reason, and leaves everything as it was."""

    def refuse(text: str, steps: Sequence[str], reason: str) -> None:
        module = scheduled(text, steps[:-1])
        before = str(module)
        with pytest.raises(ScheduleError) as error:
            Schedule(function_in(module)).apply(steps[-1])
        assert reason in str(error.value)
        assert steps[-1].split()[0] in str(error.value)
        assert str(module) == before
        verify(module)

    return refuse
