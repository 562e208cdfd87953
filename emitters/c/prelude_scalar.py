"""Helpers on scalars: division, shifts, extremes and counts, with the rules of `docs/design/numbers.md`."""

from __future__ import annotations

from .prelude import Prelude, function, helper
from .types import CType


def two(type: CType) -> str:
    """Two parameters of a type."""
    return f"{type.text} a, {type.text} b"


def _negated(type: CType) -> str:
    return f"({type.text})(0u - ({type.wrapping})a)"


@helper("divsi")
def _divsi(prelude: Prelude, name: str, t: CType) -> str:
    return function(
        t.text,
        name,
        two(t),
        "if (b == 0) return 0;",
        f"if (b == -1) return {_negated(t)};",
        f"return ({t.text})(a / b);",
    )


@helper("remsi")
def _remsi(prelude: Prelude, name: str, t: CType) -> str:
    return function(t.text, name, two(t), "if (b == 0 || b == -1) return 0;", f"return ({t.text})(a % b);")


def _rounded(name: str, t: CType, step: str) -> str:
    return function(
        t.text,
        name,
        two(t),
        "if (b == 0) return 0;",
        f"if (b == -1) return {_negated(t)};",
        f"return ({t.text})(a / b {step});",
    )


@helper("floordivsi")
def _floordivsi(prelude: Prelude, name: str, t: CType) -> str:
    return _rounded(name, t, "- (a % b != 0 && (a < 0) != (b < 0))")


@helper("ceildivsi")
def _ceildivsi(prelude: Prelude, name: str, t: CType) -> str:
    return _rounded(name, t, "+ (a % b != 0 && (a < 0) == (b < 0))")


def _unsigned(name: str, t: CType, result: str) -> str:
    return function(
        t.text,
        name,
        two(t),
        f"{t.unsigned} x = ({t.unsigned})a, y = ({t.unsigned})b;",
        f"return y == 0 ? 0 : {result};",
    )


@helper("divui")
def _divui(prelude: Prelude, name: str, t: CType) -> str:
    return _unsigned(name, t, f"({t.text})(x / y)")


@helper("remui")
def _remui(prelude: Prelude, name: str, t: CType) -> str:
    return _unsigned(name, t, f"({t.text})(x % y)")


@helper("ceildivui")
def _ceildivui(prelude: Prelude, name: str, t: CType) -> str:
    return _unsigned(name, t, f"({t.text})(x / y + (x % y != 0))")


def _shift(name: str, t: CType, shifted: str) -> str:
    return function(t.text, name, two(t), f"return ({t.unsigned})b < {t.bits}u ? ({t.text})({shifted}) : 0;")


@helper("shli")
def _shli(prelude: Prelude, name: str, t: CType) -> str:
    return _shift(name, t, f"({t.wrapping})a << b")


@helper("shrui")
def _shrui(prelude: Prelude, name: str, t: CType) -> str:
    return _shift(name, t, f"({t.unsigned})a >> b")


@helper("shrsi")
def _shrsi(prelude: Prelude, name: str, t: CType) -> str:
    return _shift(name, t, "a >> b")


@helper("floordiv")
def _floordiv(prelude: Prelude, name: str) -> str:
    return function(
        "int64_t",
        name,
        "int64_t a, int64_t b",
        "if (b == 0) return 0;",
        "return a / b - (a % b != 0 && (a < 0) != (b < 0));",
    )


@helper("floormod")
def _floormod(prelude: Prelude, name: str) -> str:
    return function(
        "int64_t",
        name,
        "int64_t a, int64_t b",
        "if (b == 0) return 0;",
        "int64_t r = a % b;",
        "return r != 0 && (r < 0) != (b < 0) ? r + b : r;",
    )


@helper("min")
def _min(prelude: Prelude, name: str) -> str:
    return function("int64_t", name, "int64_t a, int64_t b", "return a < b ? a : b;")


@helper("max")
def _max(prelude: Prelude, name: str) -> str:
    return function("int64_t", name, "int64_t a, int64_t b", "return a > b ? a : b;")


def _extreme(name: str, t: CType, order: str, zero: str, nan: str, other: str) -> str:
    return function(
        t.text,
        name,
        two(t),
        f"if (a != a) return {nan};",
        f"if (b != b) return {other};",
        f"if (a == b) return signbit(a) ? {zero};",
        f"return a {order} b ? a : b;",
    )


@helper("maximumf")
def _maximumf(prelude: Prelude, name: str, t: CType) -> str:
    return _extreme(name, t, ">", "b : a", "a", "b")


@helper("minimumf")
def _minimumf(prelude: Prelude, name: str, t: CType) -> str:
    return _extreme(name, t, "<", "a : b", "a", "b")


@helper("maxnumf")
def _maxnumf(prelude: Prelude, name: str, t: CType) -> str:
    return _extreme(name, t, ">", "b : a", "b", "a")


@helper("minnumf")
def _minnumf(prelude: Prelude, name: str, t: CType) -> str:
    return _extreme(name, t, "<", "a : b", "b", "a")


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
