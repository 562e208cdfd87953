"""What expressions are made of: variables, the compound forms, and products of both."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from .polynomial import Expr

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
