"""What every scalar op of `arith` and `math` computes, once for all levels: see `docs/design/numbers.md`."""

from .evaluate import NAMES, constant, evaluate, function
from .formulas import ARITH, MATH, Builder, Formula, formula
from .values import Value, choose, quiet

__all__ = [
    "ARITH",
    "MATH",
    "NAMES",
    "Builder",
    "Formula",
    "Value",
    "choose",
    "constant",
    "evaluate",
    "formula",
    "function",
    "quiet",
]
