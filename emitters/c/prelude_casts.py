"""Helpers that convert: bits, halves by integer arithmetic, and floats to integers with saturation."""

from __future__ import annotations

from .literals import integer_literal
from .prelude import Prelude, function, helper
from .types import CType


@helper("bits")
def _bits(prelude: Prelude, name: str, source: CType, target: CType) -> str:
    return function(
        target.text,
        name,
        f"{source.text} a",
        f"{target.text} r;",
        "memcpy(&r, &a, sizeof r);",
        "return r;",
    )


_WIDEN_F16 = (
    "uint32_t sign = (uint32_t)(h & 0x8000u) << 16, rest = h & 0x7fffu, bits;",
    "float r;",
    "if (rest >= 0x7c00u) {",
    "  bits = 0x7f800000u | (rest & 0x03ffu) << 13;",
    "} else if (rest >= 0x0400u) {",
    "  bits = (rest << 13) + 0x38000000u;",
    "} else {",
    "  r = (float)rest * 0x1p-24f;",
    "  memcpy(&bits, &r, sizeof bits);",
    "}",
    "bits |= sign;",
    "memcpy(&r, &bits, sizeof r);",
    "return r;",
)

_NARROW_F16 = (
    "uint32_t bits;",
    "memcpy(&bits, &a, sizeof bits);",
    "uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;",
    "if (rest > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);",
    "if (rest >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);",
    "if (rest >= 0x38800000u) {",
    "  rest -= 0x38000000u;",
    "  return (uint16_t)(sign | (rest + 0x0fffu + (rest >> 13 & 1u)) >> 13);",
    "}",
    "if (rest <= 0x33000000u) return (uint16_t)sign;",
    "uint32_t shift = 126u - (rest >> 23), whole = (rest & 0x007fffffu) | 0x00800000u;",
    "uint32_t result = whole >> shift, lost = whole & ((1u << shift) - 1u), half = 1u << (shift - 1u);",
    "if (lost > half || (lost == half && (result & 1u))) result++;",
    "return (uint16_t)(sign | result);",
)

_WIDEN_BF16 = (
    "uint32_t bits = (uint32_t)h << 16;",
    "float r;",
    "memcpy(&r, &bits, sizeof r);",
    "return r;",
)

_NARROW_BF16 = (
    "uint32_t bits;",
    "memcpy(&bits, &a, sizeof bits);",
    "if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x0040u);",
    "return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);",
)


@helper("widen")
def _widen(prelude: Prelude, name: str, half: CType) -> str:
    return function("float", name, "uint16_t h", *(_WIDEN_F16 if half.suffix == "f16" else _WIDEN_BF16))


@helper("narrow")
def _narrow(prelude: Prelude, name: str, half: CType) -> str:
    return function("uint16_t", name, "float a", *(_NARROW_F16 if half.suffix == "f16" else _NARROW_BF16))


@helper("narrow_f64")
def _narrow_f64(prelude: Prelude, name: str, half: CType) -> str:
    # To f32 rounded to odd first: then the second rounding is as if it were the only one.
    return function(
        "uint16_t",
        name,
        "double a",
        "float f = (float)a;",
        "uint32_t bits;",
        "memcpy(&bits, &f, sizeof bits);",
        "if (isfinite(f) && (double)f != a && !(bits & 1u)) {",
        "  if (fabs(a) > fabs((double)f)) bits++; else bits--;",
        "  memcpy(&f, &bits, sizeof f);",
        "}",
        f"return {prelude.call('narrow', half)}(f);",
    )


def _power_of_two(exponent: int, source: CType) -> str:
    return f"0x1p+{exponent}{'f' if source.text == 'float' else ''}"


@helper("fptosi")
def _fptosi(prelude: Prelude, name: str, source: CType, target: CType) -> str:
    bound = _power_of_two(target.bits - 1, source)
    return function(
        target.text,
        name,
        f"{source.text} a",
        "if (a != a) return 0;",
        f"if (a >= {bound}) return {integer_literal((1 << (target.bits - 1)) - 1, target.bits)};",
        f"if (a < -{bound}) return {integer_literal(-(1 << (target.bits - 1)), target.bits)};",
        f"return ({target.text})a;",
    )


@helper("fptoui")
def _fptoui(prelude: Prelude, name: str, source: CType, target: CType) -> str:
    return function(
        target.text,
        name,
        f"{source.text} a",
        "if (!(a > 0)) return 0;",
        f"if (a >= {_power_of_two(target.bits, source)}) return {integer_literal(-1, target.bits)};",
        f"return ({target.text})({target.unsigned})a;",
    )
