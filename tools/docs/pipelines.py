"""`docs/reference/pipelines.md`: the stages, what each promises and runs, and why in this order."""

from __future__ import annotations

from xdsl.passes import ModulePass

from ...conversions import CONVERSIONS
from ...pipelines import OPTIMISED, REASONS, REFERENCE, is_required, opt_level
from ...pipelines.stage import Stage
from ...targets import target_named
from ...transforms import TRANSFORMS
from .markdown import assembled, table

INTRODUCTION = """
`OPTIMISED(target)` is what `compile` takes by default. After each stage the module is verified, and an operation that
the stage does not allow is an error. A **bold** pass is a conversion: without it the program does not come down. The
number behind a transform is the level of `-O` from which it runs. A phase is where
`pass_context(add_lower_pass=[(phase, f)])` runs a pass of the user: after the work of the stage.
"""


def page() -> str:
    """The page of the two pipelines."""
    target = target_named("generic")
    stages = OPTIMISED(target)
    needed = [pass_.name for stage in REFERENCE(target) for pass_ in stage.passes]
    reasons = [[f"`{reason.first}`", f"`{reason.second}`", reason.because] for reason in REASONS]
    return assembled(
        "Pipelines",
        INTRODUCTION,
        table(["stage", "promise at its end", "passes", "phase"], [_stage(stage) for stage in stages]),
        "`REFERENCE(target)` has the same stages with every transform left out:",
        ", ".join(f"`{name}`" for name in needed) + ".",
        "## Why in this order",
        table(["pass", "stands before", "because"], reasons),
    )


def _stage(stage: Stage) -> list[str]:
    passes = " · ".join(map(_pass, stage.passes)) or "none"
    return [f"`{stage.name}`", stage.promise, passes, "" if stage.phase is None else str(stage.phase)]


def _pass(pass_: ModulePass) -> str:
    """A pass in bold if it is needed, with its level if it is not."""
    return f"**{pass_link(pass_)}**" if is_required(pass_) else f"{pass_link(pass_)} {opt_level(pass_)}"


def pass_link(pass_: ModulePass) -> str:
    """The name of a pass, with a link to its section if it is ours."""
    ours = pass_.name in TRANSFORMS or pass_.name in CONVERSIONS
    return f"[{pass_.name}](passes.md#{pass_.name})" if ours else f"{pass_.name} of xDSL"
