"""The whole way down as one pass, for command lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..errors import PipelineError
from ..targets import target_named
from . import OPTIMISED, REFERENCE
from .stage import run_stages


@dataclass(frozen=True)
class LowerPass(ModulePass):
    """
    Take a module down through the stages: `lower{target=avx2 stop-after=loop pipeline=reference level=2 strict=true}`.

    Expects: any module that `stepwell compile` takes.
    Leaves:  what the last stage promises, or the stage named by `stop-after`; then `-t c` can write the C.
    """

    name = "lower"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset(("reassociates", "contracts", "approximates"))

    target: str = "generic"
    stop_after: str | None = None
    pipeline: str = "optimised"
    level: int = 3
    strict: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the stages, in place."""
        target = target_named(self.target)
        if self.pipeline not in ("optimised", "reference"):
            raise PipelineError(f"no pipeline '{self.pipeline}': it is optimised or reference")
        stages = (
            REFERENCE(target) if self.pipeline == "reference" else OPTIMISED(target, self.level, strict=self.strict)
        )
        run_stages(op, stages, stop_after=self.stop_after)
