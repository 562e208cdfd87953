"""`assign-schedules`: what the rules decide, written on the functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ..dialects.loop import ScheduleAttr
from ..dialects.signature import SCHEDULE
from ..targets import target_named
from .rules import schedule_of


@dataclass(frozen=True)
class AssignSchedulesPass(ModulePass):
    """
    Write a `schedule` on each loop function, by the first rule that fits each nest, with the numbers of the target.

    Expects: loop functions as conversions leave them; a function that has a schedule keeps it.
    Leaves:  `schedule` attributes for `apply-schedule`; the code is as it was. None for a target without vectors.
    """

    name = "assign-schedules"
    opt_level: ClassVar[int] = 2
    licence: ClassVar[frozenset[str]] = frozenset()

    target: str = "generic"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Decide for every function."""
        machine = target_named(self.target)
        for function in op.walk():
            if not isinstance(function, func.FuncOp) or SCHEDULE in function.attributes:
                continue
            steps = schedule_of(function, machine)
            if steps:
                function.attributes[SCHEDULE] = ScheduleAttr(ArrayAttr([StringAttr(step) for step in steps]))
