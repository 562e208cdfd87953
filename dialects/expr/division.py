"""Floor division and its remainder, simplified: what divides exactly comes out."""

from __future__ import annotations

from .atoms import Compound, Monomial
from .polynomial import Expr, as_expr


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


def close_division(e: Expr) -> Expr:
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
