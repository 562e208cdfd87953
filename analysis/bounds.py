"""
What can be proved about index expressions at a place in a loop nest: signs, bounds of accesses, simpler forms.

A proof replaces one atom after another, from the innermost loop out, by the bound that makes the expression least;
both arms of `min` and `max` are tried. What cannot be proved is answered with False: it is never assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from xdsl.ir import Operation

from ..dialects.expr import Compound, Expr, Monomial, Variable, compound, floordiv, maximum, minimum, mod
from ..dialects.expr_interval import interval
from .facts import Facts, Rank, resolve
from .samples import Samples

__all__ = ["Bounds", "interval", "is_in_bounds", "is_nonnegative", "simplify"]

FUEL = 300
"""How many goals one question may raise before the answer is that it cannot be proved."""

DEPTH = 40
"""How many atoms are replaced one after another."""

CONDITIONS = 3
"""How many conditions one proof may combine."""


def is_nonnegative(e: Expr, at: Operation) -> bool:
    """Whether it can be proved that `e`, over SSA index values, is at least 0 whenever `at` is executed."""
    return Bounds(at).is_nonnegative(e)


def is_in_bounds(indices: Sequence[Expr], shape: Sequence[Expr], at: Operation) -> bool:
    """Whether it can be proved that every index is at least 0 and less than its dim whenever `at` is executed."""
    return Bounds(at).is_in_bounds(indices, shape)


def simplify(e: Expr, at: Operation) -> Expr:
    """`e` with divisions, remainders, `min` and `max` resolved by what can be proved at `at`."""
    return Bounds(at).simplify(e)


class Bounds:
    """
    The facts at one place, to ask more than one question there; `assuming` adds expressions known to be at least 0.

    Valid only until the IR around changes.
    """

    def __init__(self, at: Operation, assuming: Sequence[Expr] = ()):
        self.facts = Facts(at, assuming)
        self._fuel = 0
        self._depth = 0
        self._conditions = 0
        self._proved: dict[Expr, bool] = {}
        self._samples: Samples | None = None

    def is_nonnegative(self, e: Expr) -> bool:
        """Whether `e >= 0` can be proved here."""
        self._fuel = FUEL
        return self._prove(resolve(e))

    def is_in_bounds(self, indices: Sequence[Expr], shape: Sequence[Expr]) -> bool:
        """Whether `0 <= index < dim` can be proved here, for every pair."""
        return all(
            self.is_nonnegative(index) and self.is_nonnegative(dim - index - 1)
            for index, dim in zip(indices, shape, strict=True)
        )

    # -- proving --------------------------------------------------------------------------------------------------

    def _prove(self, e: Expr) -> bool:
        if e.value is not None:
            return e.value >= 0
        known = self._proved.get(e)
        if known is not None:
            return known
        low, high = interval(e, self.facts.ranges(e))
        if low is not None and low >= 0:
            return True
        if (high is not None and high < 0) or self._fuel <= 0 or self._depth >= DEPTH or self._refuted(e):
            return False
        self._fuel -= 1
        self._depth += 1
        # what is asked again while it is being proved has no proof on that way
        self._proved[e] = False
        result = self._eliminate(e) or self._by_condition(e)
        if result or (self._fuel > 0 and self._conditions == 0):
            self._proved[e] = result
        else:
            del self._proved[e]
        self._depth -= 1
        return result

    def _refuted(self, e: Expr) -> bool:
        """Whether there is a point here at which `e` is below zero; a goal on the way to a proof holds at all."""
        if self._samples is None:
            self._samples = Samples(self.facts)
        return self._samples.refute(e)

    def _eliminate(self, e: Expr) -> bool:
        for atom in self._innermost_first(e):
            factor, rest = _split(e, atom)
            rising = self._sign(factor)
            if rising is None:
                continue
            ways = self._least(atom, factor, rest, rising)
            if any(all(self._prove(goal) for goal in goals) for goals in ways):
                return True
            if ways and not isinstance(atom, Compound):
                return False
        return False

    def _innermost_first(self, e: Expr) -> list[Variable]:
        atoms: dict[Variable, tuple[Rank, bool]] = {}
        for monomial in e.terms:
            for atom in monomial.atoms:
                if atom not in atoms:
                    atoms[atom] = (self.facts.rank(atom), isinstance(atom, Compound))
        return sorted(atoms, key=lambda atom: atoms[atom], reverse=True)

    def _sign(self, e: Expr) -> bool | None:
        """True where `e >= 0`, False where `e <= 0` is proved, else None."""
        if e.value is not None:
            return e.value >= 0
        if self._prove(e):
            return True
        return False if self._prove(-e) else None

    def _least(self, atom: Variable, factor: Expr, rest: Expr, rising: bool) -> list[list[Expr]]:
        """Ways to prove `factor * atom + rest >= 0`: each a list of goals that together suffice."""
        if isinstance(atom, Compound):
            args = atom.args
            match atom.kind:
                case "min" | "max":
                    goals = [factor * arg + rest for arg in args]
                    return [goals] if rising == (atom.kind == "min") else [[goal] for goal in goals]
                case "floordiv":
                    return self._least_quotient(args[0], args[1], factor, rest, rising)
                case "mod":
                    return self._least_remainder(args[0], args[1], factor, rest, rising)
        bounds = self.facts.lower(atom) if rising else self.facts.upper(atom)
        return [[factor * bound + rest] for bound in bounds]

    def _least_quotient(self, x: Expr, d: Expr, factor: Expr, rest: Expr, rising: bool) -> list[list[Expr]]:
        ways: list[list[Expr]] = []
        if self._prove(d - 1):
            # d * (x floordiv d) is x less at most d - 1; and d * e > -d says as much as e >= 0
            multiple = x - d + 1 if rising else x
            ways.append([factor * multiple + d * rest + d - 1])
        if self._prove(d) and self._prove(x):
            ways.append([rest if rising else factor * x + rest])
        return ways

    def _least_remainder(self, x: Expr, d: Expr, factor: Expr, rest: Expr, rising: bool) -> list[list[Expr]]:
        ways: list[list[Expr]] = []
        positive = self._prove(d - 1)
        if rising:
            if positive and self._prove(x) and self._prove(d - 1 - x):
                ways.append([factor * x + rest])
            if positive or self._prove(d):
                ways.append([rest])
            return ways
        if positive:
            ways.append([factor * (d - 1) + rest])
        if self._prove(d) and self._prove(x):
            ways.append([factor * x + rest])
        return ways

    def _by_condition(self, e: Expr) -> bool:
        """Subtract a multiple of an expression known to be at least 0, so that a negative term goes away."""
        if self._conditions == CONDITIONS:
            return False
        self._conditions += 1
        found = any(self._prove(goal) for goal in self._without_known(e))
        self._conditions -= 1
        return found

    def _without_known(self, e: Expr) -> Iterator[Expr]:
        for known in self.facts.conditions:
            for monomial, coefficient in known.terms.items():
                own = e.terms.get(monomial, 0)
                if own * coefficient <= 0:
                    continue
                common = gcd(own, coefficient)
                goal = e * (abs(coefficient) // common) - known * (abs(own) // common)
                yield goal

    # -- simplifying ----------------------------------------------------------------------------------------------

    def simplify(self, e: Expr) -> Expr:
        """`e` with divisions, remainders, `min` and `max` resolved where what is known here decides them."""
        result = Expr.constant(e.offset)
        for monomial, coefficient in e.terms.items():
            product = Expr.constant(coefficient)
            for atom in monomial.atoms:
                product = product * (self._simplify_atom(atom) if isinstance(atom, Compound) else Expr.atom(atom))
            result = result + product
        return result

    def _simplify_atom(self, atom: Compound) -> Expr:
        args = tuple(self.simplify(arg) for arg in atom.args)
        e = compound(atom.kind, args)
        if e.offset or len(e.terms) != 1:
            return e if args == atom.args else self.simplify(e)
        ((monomial, coefficient),) = e.terms.items()
        inner = monomial.atoms[0]
        if coefficient != 1 or len(monomial.atoms) != 1 or not isinstance(inner, Compound):
            return e
        match inner.kind:
            case "min" | "max":
                return self._simplify_extremum(inner)
            case "floordiv" | "mod":
                return self._simplify_division(inner)

    def _simplify_extremum(self, atom: Compound) -> Expr:
        least = atom.kind == "min"
        kept: list[Expr] = list(atom.args)
        for arg in atom.args:
            others = [other for other in kept if other != arg]
            if any(self.is_nonnegative(arg - other if least else other - arg) for other in others):
                kept.remove(arg)
        return minimum(*kept) if least else maximum(*kept)

    def _simplify_division(self, atom: Compound) -> Expr:
        x, d = atom.args
        divides = atom.kind == "floordiv"
        if self.is_nonnegative(x) and self.is_nonnegative(d - 1 - x):
            return Expr.constant(0) if divides else x
        size = d.value
        if size is None:
            return Expr.atom(atom)
        low, high = interval(x, self.facts.ranges(x))
        if low is not None and high is not None and low // size == high // size:
            return Expr.constant(low // size) if divides else x - low // size * size
        # with 0 <= r < g and g a divisor of d: (g * y + r) floordiv d is y floordiv (d / g)
        for g in sorted({gcd(c, size) for c in x.terms.values()} - {1}, reverse=True):
            outer = Expr({m: c // g for m, c in x.terms.items() if c % g == 0}, x.offset // g)
            small = Expr({m: c for m, c in x.terms.items() if c % g}, x.offset % g)
            if outer.terms and self.is_nonnegative(small) and self.is_nonnegative(g - 1 - small):
                if divides:
                    return floordiv(outer, size // g)
                return small if size == g else mod(outer, size // g) * g + small
        return Expr.atom(atom)


def _split(e: Expr, atom: Variable) -> tuple[Expr, Expr]:
    """`e` as `factor * atom + rest`, one power of the atom taken out; what is inside compound atoms stays there."""
    factor: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    offset = 0
    own = Monomial((atom,))
    for monomial, coefficient in e.terms.items():
        cofactor = monomial.without(own)
        if cofactor is None:
            rest[monomial] = coefficient
        elif cofactor.atoms:
            factor[cofactor] = coefficient
        else:
            offset += coefficient
    return Expr(factor, offset), Expr(rest, e.offset)
