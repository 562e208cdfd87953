"""Index expressions as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .atoms import Compound, Variable

if TYPE_CHECKING:
    from .polynomial import Expr


def text(e: Expr, name: Callable[[Variable], str], division: str, remainder: str) -> str:
    """`e` with variables named by `name`, and these words for the two parts of a division."""
    parts = list(_terms(e, name, division, remainder))
    if e.offset or not parts:
        parts.append(("-" if e.offset < 0 else "+", str(abs(e.offset))))
    first_sign, text = parts[0]
    text = f"-{text}" if first_sign == "-" else text
    for sign, part in parts[1:]:
        text += f" {sign} {part}"
    return text


def _terms(e: Expr, name: Callable[[Variable], str], division: str, remainder: str) -> Iterator[tuple[str, str]]:
    for monomial, coefficient in e.terms.items():
        atoms = " * ".join(_atom(a, name, division, remainder) for a in monomial.atoms)
        magnitude = abs(coefficient)
        yield ("-" if coefficient < 0 else "+", atoms if magnitude == 1 else f"{atoms} * {magnitude}")


def _atom(atom: Variable, name: Callable[[Variable], str], division: str, remainder: str) -> str:
    if not isinstance(atom, Compound):
        return name(atom)
    args = [a.text(name, division=division, remainder=remainder) for a in atom.args]
    if atom.kind in ("min", "max"):
        return f"{atom.kind}({', '.join(args)})"
    wrapped = [a if _is_leaf(e) else f"({a})" for a, e in zip(args, atom.args, strict=True)]
    return f"({wrapped[0]} {division if atom.kind == 'floordiv' else remainder} {wrapped[1]})"


def _is_leaf(e: Expr) -> bool:
    return (e.value is not None and e.value >= 0) or e.variable is not None
