"""Helpers on scalars: division, shifts, extremes and counts, with the rules of `docs/design/numbers.md`."""

from __future__ import annotations

from .prelude import HELPERS, Maker, Prelude, function, helper
from .types import CType


def two(type: CType) -> str:
    """Two parameters of a type."""
    return f"{type.text} a, {type.text} b"


def _negated(type: CType) -> str:
    return f"({type.text})(0u - ({type.wrapping})a)"


@helper("remsi")
def _remsi(prelude: Prelude, name: str, t: CType) -> str:
    return function(t.text, name, two(t), "if (b == 0 || b == -1) return 0;", f"return ({t.text})(a % b);")


def _rounded(step: str) -> Maker:
    """A signed division that adds `step` to the truncated quotient."""

    def make(prelude: Prelude, name: str, t: CType) -> str:
        return function(
            t.text,
            name,
            two(t),
            "if (b == 0) return 0;",
            f"if (b == -1) return {_negated(t)};",
            f"return ({t.text})(a / b{step});",
        )

    return make


def _unsigned(result: str) -> Maker:
    """A division of the operands read as unsigned, `x` and `y`."""

    def make(prelude: Prelude, name: str, t: CType) -> str:
        read = f"{t.unsigned} x = ({t.unsigned})a, y = ({t.unsigned})b;"
        return function(t.text, name, two(t), read, f"return y == 0 ? 0 : ({t.text})({result});")

    return make


def _shift(shifted: str) -> Maker:
    """A shift; `{wrapping}` and `{unsigned}` are the types in which bits move up and down."""

    def make(prelude: Prelude, name: str, t: CType) -> str:
        value = shifted.format(wrapping=t.wrapping, unsigned=t.unsigned)
        return function(t.text, name, two(t), f"return ({t.unsigned})b < {t.bits}u ? ({t.text})({value}) : 0;")

    return make


def _extreme(order: str, zero: str, nan: str, other: str) -> Maker:
    """
    The operand that stands first in an order; `zero` of two zeros, whatever their signs, is a sum.

    A sum, since asking for the sign makes an internal error of gcc 12 where the operand is an absolute value.
    """

    def make(prelude: Prelude, name: str, t: CType) -> str:
        return function(
            t.text,
            name,
            two(t),
            f"if (a != a) return {nan};",
            f"if (b != b) return {other};",
            f"if (a == 0 && b == 0) return {zero};",
            f"return a {order} b ? a : b;",
        )

    return make


BINARY: dict[str, Maker] = {
    "divsi": _rounded(""),
    "floordivsi": _rounded(" - (a % b != 0 && (a < 0) != (b < 0))"),
    "ceildivsi": _rounded(" + (a % b != 0 && (a < 0) == (b < 0))"),
    "divui": _unsigned("x / y"),
    "remui": _unsigned("x % y"),
    "ceildivui": _unsigned("x / y + (x % y != 0)"),
    "shli": _shift("({wrapping})a << b"),
    "shrui": _shift("({unsigned})a >> b"),
    "shrsi": _shift("a >> b"),
    "maximumf": _extreme(">", "a + b", "a", "b"),
    "minimumf": _extreme("<", "-(-a - b)", "a", "b"),
    "maxnumf": _extreme(">", "a + b", "b", "a"),
    "minnumf": _extreme("<", "-(-a - b)", "b", "a"),
}
"""Helpers on two operands of one type."""

HELPERS.update(BINARY)


def _on_indices(*body: str) -> Maker:
    """A function of two indices."""

    def make(prelude: Prelude, name: str) -> str:
        return function("int64_t", name, "int64_t a, int64_t b", *body)

    return make


ON_INDICES: dict[str, Maker] = {
    "floordiv": _on_indices(
        "if (b == 0) return 0;",
        "if (b == -1) return (int64_t)(0u - (uint64_t)a);",
        "return a / b - (a % b != 0 && (a < 0) != (b < 0));",
    ),
    "floormod": _on_indices(
        "if (b == 0 || b == -1) return 0;", "int64_t r = a % b;", "return r != 0 && (r < 0) != (b < 0) ? r + b : r;"
    ),
    "min": _on_indices("return a < b ? a : b;"),
    "max": _on_indices("return a > b ? a : b;"),
}
"""What index expressions call."""

HELPERS.update(ON_INDICES)


@helper("ipowi")
def _ipowi(prelude: Prelude, name: str, t: CType) -> str:
    return function(
        t.text,
        name,
        two(t),
        "if (b < 0) return a == 1 || (a == -1 && b % 2 == 0) ? 1 : a == -1 ? -1 : 0;",
        f"{t.wrapping} result = 1, square = ({t.wrapping})a;",
        "for (; b > 0; b /= 2) {",
        "  if (b % 2 != 0) result *= square;",
        "  square *= square;",
        "}",
        f"return ({t.text})result;",
    )


def _count(name: str, t: CType, *body: str) -> str:
    return function(
        t.text, name, f"{t.text} a", f"{t.unsigned} x = ({t.unsigned})a;", f"{t.text} n = 0;", *body, "return n;"
    )


@helper("ctlz")
def _ctlz(prelude: Prelude, name: str, t: CType) -> str:
    return _count(name, t, f"for (int bit = {t.bits - 1}; bit >= 0 && !(x >> bit & 1u); bit--) n++;")


@helper("cttz")
def _cttz(prelude: Prelude, name: str, t: CType) -> str:
    return _count(name, t, f"for (int bit = 0; bit < {t.bits} && !(x >> bit & 1u); bit++) n++;")


@helper("ctpop")
def _ctpop(prelude: Prelude, name: str, t: CType) -> str:
    return _count(name, t, "for (; x != 0; x &= (" + t.unsigned + ")(x - 1u)) n++;")
