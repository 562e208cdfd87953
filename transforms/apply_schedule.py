"""Replay the steps that a rule or a person wrote on a function."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.loop import ScheduleAttr
from ..dialects.origin import origin
from ..dialects.signature import SCHEDULE
from ..errors import ScheduleError
from .primitives import Schedule
from .primitives.steps import licence_of


@dataclass(frozen=True)
class ApplySchedulePass(ModulePass):
    """
    Do the steps of the `schedule` attribute of each function, in order, and remove the attribute.

    Expects: `loop` functions; steps that are legal one after the other (`docs/design/schedules.md`).
    Leaves:  the scheduled nests and no `schedule` attribute. With `print-trace` the steps done go to standard error.

    Floats are added up in another order only by a step that says `reassociates`; all others keep every bit.
    """

    name = "apply-schedule"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset({"reassociates"})

    print_trace: bool = False

    def licence_for(self, module: ModuleOp) -> frozenset[str]:
        """What the steps on the functions of `module` may do to a float result."""
        attributes = (op.attributes.get(SCHEDULE) for op in module.walk())
        texts = (text for a in attributes if isinstance(a, ScheduleAttr) for text in a.texts)
        return frozenset(word for text in texts for word in licence_of(text))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replay."""
        for function in [f for f in op.walk() if isinstance(f, func.FuncOp)]:
            attribute = function.attributes.get(SCHEDULE)
            if attribute is None:
                continue
            if not isinstance(attribute, ScheduleAttr):
                raise ScheduleError(f"function @{function.sym_name.data}: its schedule is not a #loop.schedule")
            schedule = Schedule(function)
            try:
                schedule.apply(*attribute.texts)
            except ScheduleError as error:
                place = origin(function)
                prefix = f"{place}: error: " if place else ""
                raise ScheduleError(f"{prefix}function @{function.sym_name.data}: {error}") from None
            del function.attributes[SCHEDULE]
            if self.print_trace:
                for text in schedule.trace:
                    print(f"@{function.sym_name.data}: {text}", file=sys.stderr)
