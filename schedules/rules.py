"""The rules, first one that fits first: what is decided from a nest and the numbers of a target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import func

from ..dialects.loop import BlockOp
from ..rewriting.naming import Names
from ..targets import Target
from .contraction import contraction
from .elementwise import elementwise
from .nests import Decision, Nest, nests_of

Fits = Callable[[Nest, Target, Names], Decision | None]
"""From a nest, a target, and the labels of blocks that there are by then, to steps; None where a rule does not fit."""


@dataclass(frozen=True)
class Rule:
    """A name for reports, and what decides."""

    name: str
    fits: Fits


RULES = (
    Rule("contraction", contraction),
    Rule("elementwise", elementwise),
)
"""A nest that no rule fits stays as it is: reductions along the lanes, which would add up in another order, do."""


def schedule_of(function: func.FuncOp, target: Target) -> tuple[str, ...]:
    """The steps for a function: of each nest in order, by the first rule that fits it."""
    if target.vector_bits == 0:
        return ()
    nests = list(nests_of(function))
    names = Names(op.label.data for op in function.walk() if isinstance(op, BlockOp))
    steps: list[str] = []
    done: set[BlockOp] = set()
    for nest in nests:
        if nest.block in done:
            continue
        for rule in RULES:
            decision = rule.fits(nest, target, names)
            if decision is not None:
                steps += decision.steps
                done.update(decision.blocks)
                break
    return tuple(steps)
