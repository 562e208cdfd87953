"""Compound forms by their kind."""

from __future__ import annotations

from .atoms import CompoundKind
from .division import floordiv, mod
from .extremum import maximum, minimum
from .polynomial import Expr


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
