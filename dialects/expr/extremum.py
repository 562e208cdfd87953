"""The least and the greatest of several expressions, simplified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from .atoms import Compound, CompoundKind
from .polynomial import Expr, as_expr


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
