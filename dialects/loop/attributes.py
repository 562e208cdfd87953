"""Words that `loop` ops use in their properties: kinds of loops and iterators, scopes, schedules."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def

LOOP_KINDS = ("serial", "parallel", "vectorized", "unrolled", "tensorized")
"""What a loop is to become; only `serial` says nothing."""

ITERATOR_KINDS = ("spatial", "reduce", "ordered", "param")
"""What may be done with the points of a block's iterator."""

SCOPES = ("global", "local", "register")
"""Where a buffer lives: in the arena, in one iteration of the enclosing loop, in registers."""


@irdl_attr_definition
class ScheduleAttr(ParametrizedAttribute):
    """The steps that `apply-schedule` replays, in order: `#loop.schedule<["split matmul/i 8"]>`."""

    name = "loop.schedule"

    steps: ArrayAttr[StringAttr] = param_def()

    @property
    def texts(self) -> tuple[str, ...]:
        """The steps as strings."""
        return tuple(step.data for step in self.steps)
