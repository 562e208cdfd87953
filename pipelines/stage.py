"""What a stage is: a named stretch of the way down, and the promise every module keeps at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..dialects.origin import located
from ..errors import PipelineError, require
from ..rewriting import verify, walk
from .injection import run_injected
from .run import run_pass

Observer = Callable[[str, ModulePass, ModuleOp], None]
"""Called after each pass with the stage's name, the pass and the module."""


@dataclass(frozen=True)
class Stage:
    """A named stretch of the way down, and the promise every module keeps at its end."""

    name: str
    """What `--stop-after` takes and what a dump is called."""
    promise: str
    """One sentence, true of every module that leaves here."""
    legal: Callable[[Operation], bool]
    """The only operations allowed to remain."""
    passes: tuple[ModulePass, ...] = ()
    phase: int | None = None
    """Which lowering phase of a user's pass ends here, if any."""


def run_stages(
    module: ModuleOp,
    stages: Sequence[Stage],
    *,
    stop_after: str | None = None,
    after_pass: Observer | None = None,
    after_stage: Callable[[Stage, ModuleOp], None] | None = None,
) -> None:
    """
    Take `module` down through `stages`, in place, checking each stage's promise.

    A module that is further down already, such as one of loops, begins at the first stage that allows its operations.
    Raises `PipelineError` for an unknown `stop_after` and for an operation that a stage should not have left behind.
    """
    names = [stage.name for stage in stages]
    if stop_after is not None and stop_after not in names:
        raise PipelineError(f"no stage '{stop_after}': the stages are {', '.join(names)}")
    context = new_context()
    ahead = stages_ahead(module, stages)
    if stop_after is not None and stop_after not in [stage.name for stage in ahead]:
        return
    for stage in ahead:
        for pass_ in stage.passes:
            run_pass(pass_, context, module, verified=False)
            if after_pass is not None:
                after_pass(stage.name, pass_, module)
        if stage.phase is not None:
            run_injected(stage.phase, context, module)
        verify(module)
        check_legal(stage, module)
        if after_stage is not None:
            after_stage(stage, module)
        if stage.name == stop_after:
            return


def stages_ahead(module: ModuleOp, stages: Sequence[Stage]) -> Sequence[Stage]:
    """The stages from the first that allows all operations of `module`; all of them where none does."""
    operations = [op for op in walk(module) if not isinstance(op, ModuleOp)]
    for number, stage in enumerate(stages):
        if all(map(stage.legal, operations)):
            return stages[number:]
    return stages


def new_context() -> Context:
    """A context that knows every dialect of the environment, those of other packages too."""
    from xdsl.universe import Universe

    context = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    return context


def check_legal(stage: Stage, module: ModuleOp) -> None:
    """Raise `PipelineError` for the first operation that `stage` does not allow."""
    for op in walk(module):
        if not isinstance(op, ModuleOp) and not stage.legal(op):
            raise PipelineError(located(op, f"stage '{stage.name}' left this behind; its promise: {stage.promise}"))


def insert_after(stages: Sequence[Stage], name: str, new: Stage) -> tuple[Stage, ...]:
    """The stages with `new` right after the one called `name`."""
    require(stages, Sequence, "a sequence of stages, such as OPTIMISED(target)")
    require(new, Stage, "a Stage to insert")
    for index, stage in enumerate(stages):
        if stage.name == name:
            return (*stages[: index + 1], new, *stages[index + 1 :])
    raise PipelineError(f"no stage '{name}': the stages are {', '.join(s.name for s in stages)}")
