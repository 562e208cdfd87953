"""Points at a place in a loop nest at which all facts hold, to see at once that a goal has no proof."""

from __future__ import annotations

from random import Random

from ..dialects.expr import Expr, Variable
from .facts import Facts, is_size

COUNT = 6
"""How many points are looked at."""

STEPS = (0, 1, 2, 3, 7, 16, 45)
"""How far from its bound a value may lie that has one on one side only."""


class Samples:
    """
    A few points; a goal that is below zero at one of them cannot be proved, and no proof need be searched for.

    Values are drawn when first asked for, those that facts relate at once. The numbers are random, and always the same.
    """

    def __init__(self, facts: Facts):
        self._points: list[_Point] = []
        for number in range(COUNT):
            point = _Point(facts, number)
            if all(point.evaluate(e) >= 0 for e in facts.conditions) and point.is_met:
                self._points.append(point)

    def refute(self, e: Expr) -> bool:
        """Whether `e` is below zero at a point."""
        return any(point.evaluate(e) < 0 and point.is_met for point in self._points)


class _Point:
    """Values of variables, within the bounds that are known of them."""

    def __init__(self, facts: Facts, number: int):
        self.facts = facts
        self.number = number
        self.random = Random(number)
        self.values: dict[Variable, int] = {}
        self.is_met = True
        """Whether values were found for all variables; there are none in a loop that does not run here."""

    def evaluate(self, e: Expr) -> int:
        """What `e` is at this point."""
        for variable in e.variables():
            if variable not in self.values:
                self.values[variable] = self._value(variable)
        return e.evaluate(self.values)

    def _value(self, variable: Variable) -> int:
        low = max((self.evaluate(e) for e in self.facts.lower(variable)), default=None)
        high = min((self.evaluate(e) for e in self.facts.upper(variable)), default=None)
        if low is not None and is_size(variable) and (high is None or low < high):
            # division by a size is simplified as if it were not 0
            low = max(low, 1)
        if low is None or high is None:
            step = self.random.choice(STEPS)
            return low + step if low is not None else high - step if high is not None else step - STEPS[-2]
        if low > high:
            self.is_met = False
            return low
        # the ends tell most
        return (low, high)[self.number] if self.number < 2 else self.random.randint(low, high)
