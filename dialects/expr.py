"""Index expressions: canonical integer polynomials over atoms, hashable and comparable.

An *atom* is a variable (an `int` position inside an attribute, an SSA value while a pass works, a `str` symbol in the
dims of a tensor) or one of the four compound forms `floordiv`, `mod`, `min`, `max` of expressions. An expression is a
sum of monomials (products of atoms) with integer coefficients, plus a constant. Two expressions that are equal as
polynomials are equal as objects.

Division is floor division; dividing by zero, and the remainder of it, is 0 by definition, so that no expression traps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Variable: TypeAlias = Hashable
"""What an expression is over: `int` positions, SSA values, or `str` symbols."""

CompoundKind: TypeAlias = Literal["floordiv", "mod", "min", "max"]


@dataclass(frozen=True, slots=True)
class Compound:
    """An atom that is not linear: `floordiv` and `mod` have two arguments, `min` and `max` two or more."""

    kind: CompoundKind
    args: tuple[Expr, ...]


class Monomial:
    """A product of atoms, in the order first written, compared without regard to order."""

    __slots__ = ("_hash", "atoms")

    def __init__(self, atoms: tuple[Variable, ...]):
        self.atoms = atoms
        self._hash = hash(atoms[0]) if len(atoms) == 1 else hash(frozenset((a, atoms.count(a)) for a in atoms))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Monomial) or len(self.atoms) != len(other.atoms):
            return False
        if len(self.atoms) == 1:
            return self.atoms[0] == other.atoms[0]
        return all(self.atoms.count(a) == other.atoms.count(a) for a in self.atoms)

    def __mul__(self, other: Monomial) -> Monomial:
        return Monomial(self.atoms + other.atoms)

    def without(self, other: Monomial) -> Monomial | None:
        """The monomial `q` with `q * other == self`, or None; the quotient may be empty."""
        rest = list(self.atoms)
        for atom in other.atoms:
            if atom not in rest:
                return None
            rest.remove(atom)
        return Monomial(tuple(rest)) if rest else ONE_MONOMIAL

    def __repr__(self) -> str:
        return f"Monomial({self.atoms!r})"


class _EmptyMonomial(Monomial):
    """The product of no atoms; only ever a quotient, never a key of an expression."""

    __slots__ = ()

    def __init__(self) -> None:
        self.atoms = ()
        self._hash = 0


ONE_MONOMIAL = _EmptyMonomial()


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
        return _close_division(result) if _has_remainder(result) else result

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
        parts = list(_term_texts(self, name, division, remainder))
        if self.offset or not parts:
            parts.append(("-" if self.offset < 0 else "+", str(abs(self.offset))))
        first_sign, text = parts[0]
        text = f"-{text}" if first_sign == "-" else text
        for sign, part in parts[1:]:
            text += f" {sign} {part}"
        return text


def _term_texts(e: Expr, name: Callable[[Variable], str], division: str, remainder: str) -> Iterator[tuple[str, str]]:
    for monomial, coefficient in e.terms.items():
        atoms = " * ".join(_atom_text(a, name, division, remainder) for a in monomial.atoms)
        magnitude = abs(coefficient)
        yield ("-" if coefficient < 0 else "+", atoms if magnitude == 1 else f"{atoms} * {magnitude}")


def _atom_text(atom: Variable, name: Callable[[Variable], str], division: str, remainder: str) -> str:
    if not isinstance(atom, Compound):
        return name(atom)
    args = [a.text(name, division=division, remainder=remainder) for a in atom.args]
    if atom.kind in ("min", "max"):
        return f"{atom.kind}({', '.join(args)})"
    wrapped = [a if _is_leaf(e) else f"({a})" for a, e in zip(args, atom.args, strict=True)]
    return f"({wrapped[0]} {division if atom.kind == 'floordiv' else remainder} {wrapped[1]})"


def _is_leaf(e: Expr) -> bool:
    return (e.value is not None and e.value >= 0) or e.variable is not None


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


def as_expr(value: Expr | int) -> Expr:
    """An integer as the constant expression; an expression as itself."""
    return Expr.constant(value) if isinstance(value, int) else value


def compound(kind: CompoundKind, args: tuple[Expr, ...]) -> Expr:
    """Rebuild one compound form, simplified."""
    match kind:
        case "floordiv":
            return floordiv(*args)
        case "mod":
            return mod(*args)
        case "min":
            return minimum(*args)
        case "max":
            return maximum(*args)


def _divide_terms(e: Expr, divisor: Expr) -> tuple[Expr, Expr]:
    """Split `e = q * divisor + r` by the terms that `divisor` (one term, no offset, or a constant) divides."""
    if divisor.value is not None:
        d = divisor.value
        quotient = {m: c // d for m, c in e.terms.items() if c % d == 0}
        rest = {m: c for m, c in e.terms.items() if c % d}
        return Expr(quotient, e.offset // d), Expr(rest, e.offset % d)
    if divisor.offset or len(divisor.terms) != 1:
        return Expr.constant(0), e
    ((factor, d),) = divisor.terms.items()
    if d < 0:
        return Expr.constant(0), e
    quotient_expr, rest = Expr.constant(0), dict(e.terms)
    for monomial, coefficient in e.terms.items():
        cofactor = monomial.without(factor)
        if cofactor is None or coefficient % d:
            continue
        del rest[monomial]
        scaled = coefficient // d
        quotient_expr = quotient_expr + (Expr({cofactor: scaled}, 0) if cofactor.atoms else Expr.constant(scaled))
    return quotient_expr, Expr(rest, e.offset)


def floordiv(e: Expr | int, divisor: Expr | int) -> Expr:
    """
    `floor(e / divisor)`, and 0 where `divisor` is 0; what divides exactly comes out of the division.

    A divisor that is not a constant is a size, so never negative; `q * n floordiv n` is taken to be `q`
    (where `n` is 0 the loop that would use it has no trips).
    """
    e, divisor = as_expr(e), as_expr(divisor)
    if divisor.value == 0:
        return Expr.constant(0)
    if divisor.value == 1:
        return e
    if divisor.value is not None and divisor.value < 0:
        return floordiv(-e, -divisor)
    if e == divisor:
        return Expr.constant(1)
    quotient, rest = _divide_terms(e, divisor)
    if rest.value is not None:
        if divisor.value is not None:
            return quotient + rest.value // divisor.value
        if rest.value == 0:
            return quotient
    inner = _quotient_term(rest)
    if inner is not None and divisor.value is not None:
        # (y + x floordiv a) floordiv b is (y * a + x) floordiv (a * b)
        dividend, size = inner.args[0], inner.args[1].value or 0
        whole = (rest - Expr.atom(inner)) * size + dividend
        return quotient + floordiv(whole, size * divisor.value)
    return quotient + Expr.atom(Compound("floordiv", (rest, divisor)))


def _quotient_term(e: Expr) -> Compound | None:
    """The one term of `e` that is a plain division by a positive constant; None if there is none, or more."""
    found: list[Compound] = []
    for monomial, coefficient in e.terms.items():
        atom = monomial.atoms[0]
        if coefficient == 1 and len(monomial.atoms) == 1 and isinstance(atom, Compound) and atom.kind == "floordiv":
            size = atom.args[1].value
            if size is not None and size > 0:
                found.append(atom)
    return found[0] if len(found) == 1 else None


def mod(e: Expr | int, divisor: Expr | int) -> Expr:
    """`e - floordiv(e, divisor) * divisor`, and 0 where `divisor` is 0; multiples of the divisor drop out."""
    e, divisor = as_expr(e), as_expr(divisor)
    if divisor.value is not None and divisor.value in (0, 1, -1):
        return Expr.constant(0)
    if divisor.value is not None and divisor.value < 0:
        return -mod(-e, -divisor)
    if e == divisor:
        return Expr.constant(0)
    _, rest = _divide_terms(e, divisor)
    if rest.value is not None and (divisor.value is not None or rest.value == 0):
        return Expr.constant(rest.value)
    return Expr.atom(Compound("mod", (rest, divisor)))


def minimum(*args: Expr | int) -> Expr:
    """The least of the arguments."""
    return _extremum("min", args)


def maximum(*args: Expr | int) -> Expr:
    """The greatest of the arguments."""
    return _extremum("max", args)


def _extremum(kind: Literal["min", "max"], args: Iterable[Expr | int]) -> Expr:
    choose = min if kind == "min" else max
    flat: dict[Expr, None] = {}
    for arg in map(as_expr, args):
        nested = _single_compound(arg, kind)
        for e in nested.args if nested is not None else (arg,):
            flat.setdefault(e)
    # of arguments that differ by a constant, one decides
    groups: list[Expr] = []
    for e in flat:
        for index, other in enumerate(groups):
            if other.terms == e.terms:
                groups[index] = e if choose(e.offset, other.offset) == e.offset else other
                break
        else:
            groups.append(e)
    if len(groups) == 1:
        return groups[0]
    return Expr.atom(Compound(kind, tuple(groups)))


def _single_compound(e: Expr, kind: CompoundKind) -> Compound | None:
    if e.offset or len(e.terms) != 1:
        return None
    ((monomial, coefficient),) = e.terms.items()
    if coefficient != 1 or len(monomial.atoms) != 1:
        return None
    atom = monomial.atoms[0]
    return atom if isinstance(atom, Compound) and atom.kind == kind else None


def _has_remainder(e: Expr) -> bool:
    return any(isinstance(a, Compound) and a.kind == "mod" for m in e.terms for a in m.atoms)


def _close_division(e: Expr) -> Expr:
    """`k * (x mod d) + k * d * (x floordiv d)` -> `k * x`, for every such pair."""
    for monomial, coefficient in e.terms.items():
        for atom in monomial.atoms:
            if not isinstance(atom, Compound) or atom.kind != "mod":
                continue
            dividend, divisor = atom.args
            quotient = floordiv(dividend, divisor)
            cofactor = monomial.without(Monomial((atom,)))
            assert cofactor is not None
            scale = Expr({cofactor: coefficient}, 0) if cofactor.atoms else Expr.constant(coefficient)
            partner = quotient * divisor * scale
            if partner.offset == 0 and partner.terms and all(e.terms.get(m) == c for m, c in partner.terms.items()):
                removed = {m: c for m, c in e.terms.items() if m not in partner.terms and m is not monomial}
                return Expr(removed, e.offset) + dividend * scale
    return e
