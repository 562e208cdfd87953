"""Polynomials over atoms: what an index expression is, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .atoms import Compound, Monomial, Variable
from .text import text


class Expr:
    """A canonical integer polynomial: `terms` (monomial -> nonzero coefficient, in the order written) and `offset`."""

    __slots__ = ("_hash", "_variables", "offset", "terms")

    def __init__(self, terms: Mapping[Monomial, int], offset: int):
        self.terms: dict[Monomial, int] = {m: c for m, c in terms.items() if c}
        self.offset = offset
        # made when first asked for: most expressions are never looked up
        self._hash: int | None = None
        self._variables: tuple[Variable, ...] | None = None

    # -- making ---------------------------------------------------------------------------------------------------

    @staticmethod
    def constant(value: int) -> Expr:
        """The constant `value`."""
        return Expr({}, value)

    @staticmethod
    def atom(atom: Variable) -> Expr:
        """The expression that is one variable (or one compound atom)."""
        return Expr({Monomial((atom,)): 1}, 0)

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def value(self) -> int | None:
        """The integer that this is, or None if it depends on a variable."""
        return None if self.terms else self.offset

    @property
    def variable(self) -> Variable | None:
        """The variable that this is exactly (coefficient 1, no offset), or None."""
        if self.offset or len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms.items()
        if coefficient != 1 or len(monomial.atoms) != 1 or isinstance(monomial.atoms[0], Compound):
            return None
        return monomial.atoms[0]

    def variables(self) -> tuple[Variable, ...]:
        """Every variable in this expression, inside compound atoms too, in order of first appearance."""
        if self._variables is None:
            seen: dict[Variable, None] = {}
            for monomial in self.terms:
                for atom in monomial.atoms:
                    for variable in (
                        (v for e in atom.args for v in e.variables()) if isinstance(atom, Compound) else (atom,)
                    ):
                        seen.setdefault(variable)
            self._variables = tuple(seen)
        return self._variables

    def numbers(self) -> Iterator[int]:
        """Every number in this expression, inside compound atoms too."""
        yield self.offset
        for monomial, coefficient in self.terms.items():
            yield coefficient
            for atom in monomial.atoms:
                if isinstance(atom, Compound):
                    for e in atom.args:
                        yield from e.numbers()

    def mentions(self, variable: Variable) -> bool:
        """Whether `variable` occurs anywhere in this expression."""
        return variable in self.variables()

    def coefficient(self, variable: Variable) -> Expr | None:
        """
        The `c` with `self == c * variable + rest` and neither `c` nor `rest` mentioning `variable`.

        None where there is no such `c`: the variable occurs squared or inside a compound atom.
        """
        result: dict[Monomial, int] = {}
        offset = 0
        for monomial, coefficient in self.terms.items():
            count = monomial.atoms.count(variable)
            if any(isinstance(a, Compound) and any(e.mentions(variable) for e in a.args) for a in monomial.atoms):
                return None
            if count == 0:
                continue
            if count > 1:
                return None
            rest = tuple(a for a in monomial.atoms if a != variable)
            if rest:
                key = Monomial(rest)
                result[key] = result.get(key, 0) + coefficient
            else:
                offset += coefficient
        return Expr(result, offset)

    # -- arithmetic -----------------------------------------------------------------------------------------------

    def __add__(self, other: Expr | int) -> Expr:
        if isinstance(other, int):
            return Expr(self.terms, self.offset + other) if other else self
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
        # (e floordiv d) * d + e mod d is e: only a sum that has a remainder in it can close
        result = Expr(terms, self.offset + other.offset)
        return _closed(result) if _has_remainder(result) else result

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return self * -1

    def __sub__(self, other: Expr | int) -> Expr:
        return self + -other

    def __rsub__(self, other: int) -> Expr:
        return -self + other

    def __mul__(self, other: Expr | int) -> Expr:
        if isinstance(other, int):
            return Expr({m: c * other for m, c in self.terms.items()}, self.offset * other) if other != 1 else self
        terms: dict[Monomial, int] = {}
        for left, a in self.terms.items():
            if other.offset:
                terms[left] = terms.get(left, 0) + a * other.offset
            for right, b in other.terms.items():
                product = left * right
                terms[product] = terms.get(product, 0) + a * b
        if self.offset:
            for right, b in other.terms.items():
                terms[right] = terms.get(right, 0) + b * self.offset
        return Expr(terms, self.offset * other.offset)

    __rmul__ = __mul__

    # -- working --------------------------------------------------------------------------------------------------

    def substitute(self, mapping: Mapping[Variable, Expr]) -> Expr:
        """Replace variables by expressions, everywhere, and bring the result to canonical form."""
        if not self.terms:
            return self
        result = Expr.constant(self.offset)
        changed = False
        kept: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            factors = [_substitute_atom(atom, mapping) for atom in monomial.atoms]
            if all(f is None for f in factors):
                kept[monomial] = coefficient
                if changed:
                    result = result + Expr({monomial: coefficient}, 0)
                continue
            if not changed:
                result = result + Expr(kept, 0)
                changed = True
            product = Expr.constant(coefficient)
            for atom, factor in zip(monomial.atoms, factors, strict=True):
                product = product * (Expr.atom(atom) if factor is None else factor)
            result = result + product
        return result if changed else self

    def renamed(self, names: Mapping[Variable, Variable]) -> Expr:
        """The same expression over other variables, of which no two are one: nothing is to be simplified again."""
        if not self.terms:
            return self
        terms = {Monomial(tuple(_renamed_atom(a, names) for a in m.atoms)): c for m, c in self.terms.items()}
        return Expr(terms, self.offset)

    def evaluate(self, values: Mapping[Variable, int]) -> int:
        """The integer this is when each variable has its value in `values`."""
        total = self.offset
        for monomial, coefficient in self.terms.items():
            product = coefficient
            for atom in monomial.atoms:
                product *= _evaluate_compound(atom, values) if isinstance(atom, Compound) else values[atom]
            total += product
        return total

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((frozenset(self.terms.items()), self.offset))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Expr) and self.offset == other.offset and self.terms == other.terms

    def __repr__(self) -> str:
        return f"Expr({self.text(str)})"

    def text(self, name: Callable[[Variable], str], *, division: str = "floordiv", remainder: str = "mod") -> str:
        """Print with variables named by `name`: `%i * 8 + %j`, `%n floordiv 16`, `min(16, %n - 3)`."""
        return text(self, name, division, remainder)


def _renamed_atom(atom: Variable, names: Mapping[Variable, Variable]) -> Variable:
    if isinstance(atom, Compound):
        return Compound(atom.kind, tuple(e.renamed(names) for e in atom.args))
    return names.get(atom, atom)


def _substitute_atom(atom: Variable, mapping: Mapping[Variable, Expr]) -> Expr | None:
    if not isinstance(atom, Compound):
        return mapping.get(atom)
    args = tuple(a.substitute(mapping) for a in atom.args)
    if all(a is b for a, b in zip(args, atom.args, strict=True)):
        return None
    # the rules are written with expressions, so they are there only after these
    from .simplify import compound

    return compound(atom.kind, args)


def _evaluate_compound(atom: Compound, values: Mapping[Variable, int]) -> int:
    args = [a.evaluate(values) for a in atom.args]
    match atom.kind:
        case "floordiv":
            return args[0] // args[1] if args[1] else 0
        case "mod":
            return args[0] % args[1] if args[1] else 0
        case "min":
            return min(args)
        case "max":
            return max(args)


def _has_remainder(e: Expr) -> bool:
    return any(isinstance(a, Compound) and a.kind == "mod" for m in e.terms for a in m.atoms)


def _closed(e: Expr) -> Expr:
    from .division import close_division

    return close_division(e)


def as_expr(value: Expr | int) -> Expr:
    """An integer as the constant expression; an expression as itself."""
    return Expr.constant(value) if isinstance(value, int) else value
