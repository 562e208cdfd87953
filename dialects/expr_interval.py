"""Interval arithmetic over index expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from .expr import Compound, Expr, Variable

Interval: TypeAlias = tuple[int | None, int | None]
"""The least and the greatest value, both included; None where there is no bound."""

ANYTHING: Interval = (None, None)


def interval(e: Expr, ranges: Mapping[Variable, Interval]) -> Interval:
    """The values that `e` can have while each variable stays in its range; without a range it may be anything."""
    total: Interval = (e.offset, e.offset)
    for monomial, coefficient in e.terms.items():
        product: Interval = (coefficient, coefficient)
        for atom in monomial.atoms:
            product = _times(product, _of_atom(atom, ranges))
        total = (_plus(total[0], product[0]), _plus(total[1], product[1]))
    return total


def _of_atom(atom: Variable, ranges: Mapping[Variable, Interval]) -> Interval:
    if not isinstance(atom, Compound):
        return ranges.get(atom, ANYTHING)
    args = [interval(arg, ranges) for arg in atom.args]
    lows, highs = [low for low, _ in args], [high for _, high in args]
    match atom.kind:
        case "min":
            return _unless_open(lows, min(_known(lows), default=None)), min(_known(highs), default=None)
        case "max":
            return max(_known(lows), default=None), _unless_open(highs, max(_known(highs), default=None))
        case "floordiv":
            return _quotient(*args)
        case "mod":
            return _remainder(*args)


def _known(bounds: Iterable[int | None]) -> list[int]:
    return [bound for bound in bounds if bound is not None]


def _unless_open(bounds: Iterable[int | None], value: int | None) -> int | None:
    return None if None in bounds else value


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _times(a: Interval, b: Interval) -> Interval:
    if (0, 0) in (a, b):
        return 0, 0
    if None not in a and None not in b:
        products = [x * y for x in _known(a) for y in _known(b)]
        return min(products), max(products)
    # a half-open range times a range that does not change sign
    for one, other in ((a, b), (b, a)):
        low, high = one
        if low is not None and low >= 0:
            return _scaled(other, low, high)
        if high is not None and high <= 0:
            below, above = _scaled(other, -high, None if low is None else -low)
            return None if above is None else -above, None if below is None else -below
    return ANYTHING


def _scaled(e: Interval, low: int, high: int | None) -> Interval:
    """`e` times something between `low >= 0` and `high`."""

    def bound(value: int | None, outward: bool) -> int | None:
        if value is None:
            return None
        factor = high if outward else low
        return 0 if value == 0 else (None if factor is None else value * factor)

    below, above = e
    return (
        bound(below, below is not None and below < 0),
        bound(above, above is not None and above > 0),
    )


def _quotient(dividend: Interval, divisor: Interval) -> Interval:
    least, most = divisor
    if least is None or least < 0:
        return ANYTHING
    low, high = dividend
    # by 0 the quotient is 0, so 0 stays in the range; by more the quotient comes nearer to 0, and -1 is the nearest
    smallest = max(least, 1)
    bottom = None if low is None else (low // smallest if low < 0 else (low // most if most else 0))
    top = None if high is None else (high // smallest if high >= 0 else (high // most if most else -1))
    if least == 0:
        bottom = None if bottom is None else min(bottom, 0)
        top = None if top is None else max(top, 0)
    return bottom, top


def _remainder(dividend: Interval, divisor: Interval) -> Interval:
    least, most = divisor
    if least is None or least < 0:
        return ANYTHING
    low, high = dividend
    if low is not None and high is not None and least > 0 and low >= 0 and high < least:
        return low, high
    top = None if most is None else max(most - 1, 0)
    if low is not None and low >= 0 and high is not None:
        top = high if top is None else min(top, high)
    return 0, top
