"""`stepwell run --values`: the VALUE lines of a program, at every stage and as C on every target that runs here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .. import compiler, runtime
from ..pipelines import OPTIMISED, REFERENCE, Stage
from ..pipelines.check import longest_sum
from ..pipelines.values import Array, ValueCase, check_values, run_cases, runner_of, value_cases
from ..targets import TARGETS, Target, runs_here, target_named
from .reporting import UsageError


def check_file(file: str, target: str | None) -> tuple[int, list[str]]:
    """How many values a program gives, and what is wrong with them. Without a target: on all that run here."""
    if Path(file).suffix != ".mlir":
        raise UsageError("--values reads the VALUE lines of an .mlir file")
    module = compiler.load(file)
    cases = value_cases(Path(file).read_text(encoding="utf-8"), module, file)
    wrong: list[str] = []
    run_cases(cases, runner_of(module), "as written", longest_sum(module), wrong)
    generic = target_named("generic")
    targets = [target_named(target)] if target else [one for one in map(target_named, TARGETS) if runs_here(one)]
    wrong += _check(module, cases, generic, REFERENCE, "reference")
    for one in targets:
        wrong += _check(module, cases, one, OPTIMISED, "optimised")
    return len(cases), wrong


def _check(
    module: ModuleOp,
    cases: Sequence[ValueCase],
    target: Target,
    stages: Callable[[Target], Sequence[Stage]],
    pipeline: str,
) -> list[str]:
    lowered = module.clone()
    wrong = check_values(lowered, cases, stages(target), f"{pipeline} {target.name}")
    source = compiler.emit(lowered, target, stages=())

    def call(function: str, inputs: Sequence[Array]) -> tuple[Array, ...]:
        return runtime.load(compiler.program_of(source, function)).call(inputs)

    run_cases(cases, call, f"{pipeline} pipeline, C for {target.name}", longest_sum(module), wrong)
    return wrong
