"""A program at every level: as written, after each stage of both pipelines, and as C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import stepwell
from stepwell.compiler import load, parse
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines import run_stages
from stepwell.pipelines.check import longest_sum
from stepwell.targets import runs_here, target_named
from xdsl.dialects.builtin import ModuleOp

Array = np.ndarray[Any, Any]


def compare_everywhere(model: Any, inputs: Sequence[Any], *expected: Any, near: bool = False) -> None:
    """Each level gives `expected`: bit by bit, or with `near` within the tolerance of the type."""
    module = parse(model) if isinstance(model, str) else load(model)
    arrays = [np.asarray(x) for x in inputs]
    terms = longest_sum(module)

    def agree(level: str, found: Sequence[Array]) -> None:
        assert len(found) == len(expected), level
        for number, (want, have) in enumerate(zip(expected, found, strict=True)):
            difference = first_difference(np.asarray(want, have.dtype), have, licensed=near, terms=terms)
            assert difference is None, f"{level}, output {number}: {difference}"

    agree("as written", run(module, "main", arrays))
    for pipeline, target in (
        (stepwell.REFERENCE, "generic"),
        (stepwell.OPTIMISED, "generic"),
        (stepwell.OPTIMISED, "native"),
    ):
        machine = target_named(target)
        lowered = module.clone()

        def after_stage(stage: stepwell.Stage, current: ModuleOp, name: str = f"{pipeline.__name__} {target}") -> None:
            agree(f"{name}, stage {stage.name}", run(current, "main", arrays))

        run_stages(lowered, pipeline(machine), after_stage=after_stage)
        if runs_here(machine):
            found = stepwell.compile(lowered, machine, stages=(), function="main").call(arrays)
            agree(f"{pipeline.__name__}, C for {machine.name}", found)


@pytest.fixture
def everywhere() -> Callable[..., None]:
    """`everywhere(model, inputs, *expected, near=False)`"""
    return compare_everywhere
