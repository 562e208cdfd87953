"""Index expressions: canonical integer polynomials over atoms, hashable and comparable.

An *atom* is a variable (an `int` position inside an attribute, an SSA value while a pass works, a `str` symbol in the
dims of a tensor) or one of the four compound forms `floordiv`, `mod`, `min`, `max` of expressions. An expression is a
sum of monomials (products of atoms) with integer coefficients, plus a constant. Two expressions that are equal as
polynomials are equal as objects.

Division is floor division; dividing by zero, and the remainder of it, is 0 by definition, so that no expression traps.
"""

from .atoms import Compound, CompoundKind, Monomial, Variable
from .division import floordiv, mod
from .extremum import maximum, minimum
from .polynomial import Expr, as_expr
from .simplify import compound

__all__ = [
    "Compound",
    "CompoundKind",
    "Expr",
    "Monomial",
    "Variable",
    "as_expr",
    "compound",
    "floordiv",
    "maximum",
    "minimum",
    "mod",
]
