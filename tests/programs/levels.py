"""One program at every level: each stage through the interpreters, and as compiled C, plain and with sanitizers."""

from __future__ import annotations

import stepwell
from stepwell import runtime
from stepwell.emitters.c import emit_module
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines import Stage, run_stages
from stepwell.pipelines.check import longest_sum
from stepwell.targets import target_named
from xdsl.dialects.builtin import ModuleOp

from .generator import Program
from .machines import can_run, program_for
from .sanitized import Sanitized


class Mismatch(AssertionError):
    """A level computes something else than the level before."""


def compare_levels(program: Program, sanitized: Sanitized | None = None, compiled: bool = True) -> None:
    """Raise `Mismatch` at the first level whose outputs differ from those of the graph."""
    pipeline = stepwell.REFERENCE if program.reference else stepwell.OPTIMISED
    target = target_named(program.target)
    expected = run(program.module, "main", program.inputs)
    terms = longest_sum(program.module)

    def agree(level: str, found: tuple[object, ...]) -> None:
        for number, (want, have, exact) in enumerate(zip(expected, found, program.exact, strict=True)):
            difference = first_difference(want, have, licensed=not exact, terms=terms)
            if difference is not None:
                raise Mismatch(f"{level}: output {number}, {difference}\n{program!r}")

    def after_stage(stage: Stage, module: ModuleOp) -> None:
        agree(f"stage {stage.name}", run(module, "main", program.inputs))

    lowered = program.module.clone()
    run_stages(lowered, pipeline(target), after_stage=after_stage)
    if not compiled or not can_run(target):
        return
    source = emit_module(lowered, target)
    found = runtime.load(program_for(source, target))(*program.inputs)
    agree(f"C for {target.name}", found if isinstance(found, tuple) else (found,))
    if sanitized is not None:
        found = sanitized.run(source, program.inputs, target=target.name)
        agree(f"C for {target.name} with sanitizers", found)
