"""The C of `math`: libm's functions for f32 and f64, bits where the sign alone is meant."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.ir import Operation

from ...dialects.loop import RemfOp
from .arith_integer import one_bit
from .elementwise import Spelling, Terms, scalar, through_f32, vector

LIBM: dict[type[Operation], str] = {
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.AtanOp: "atan",
    math.Atan2Op: "atan2",
    math.AtanhOp: "atanh",
    math.CbrtOp: "cbrt",
    math.CeilOp: "ceil",
    math.CosOp: "cos",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    math.ExpOp: "exp",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.FloorOp: "floor",
    math.FmaOp: "fma",
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.PowFOp: "pow",
    RemfOp: "fmod",
    math.RoundOp: "round",
    # to the nearest, halves to the even one: the mode that a C program starts in
    math.RoundEvenOp: "rint",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.SqrtOp: "sqrt",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}
"""Op class -> the function of `math.h`, without the `f` that f32 adds."""


def _libm(t: Terms) -> str:
    return f"{LIBM[t.kind]}{'f' if t.types[0].bits == 32 else ''}({', '.join(t.names)})"


scalar(*LIBM)(through_f32(_libm))


@scalar(math.RsqrtOp)
@through_f32
def _rsqrt(t: Terms) -> str:
    return f"1.0f / sqrtf({t.names[0]})" if t.types[0].bits == 32 else f"1.0 / sqrt({t.names[0]})"


@scalar(math.AbsFOp)
def _absf(t: Terms) -> str:
    if t.result.is_half:
        return f"(uint16_t)({t.names[0]} & 0x7fffu)"
    return f"fabs{'f' if t.result.bits == 32 else ''}({t.names[0]})"


@scalar(math.CopySignOp)
def _copysign(t: Terms) -> str:
    a, b = t.names
    if t.result.is_half:
        return f"(uint16_t)(({a} & 0x7fffu) | ({b} & 0x8000u))"
    return f"copysign{'f' if t.result.bits == 32 else ''}({a}, {b})"


@vector(math.AbsFOp)
def _absf_lanes(t: Terms) -> str:
    unsigned = t.result.unsigned
    return f"({t.result.text})(({unsigned}){t.names[0]} & {_magnitude_bits(t)})"


@vector(math.CopySignOp)
def _copysign_lanes(t: Terms) -> str:
    a, b = (f"({t.result.unsigned}){name}" for name in t.names)
    return f"({t.result.text})(({a} & {_magnitude_bits(t)}) | ({b} & ~{_magnitude_bits(t)}))"


def _magnitude_bits(t: Terms) -> str:
    """All bits but the sign's, as a scalar that C spreads over the lanes."""
    return "UINT64_C(0x7fffffffffffffff)" if t.result.bits == 64 else "0x7fffffffu"


@scalar(math.FPowIOp)
def _fpowi(t: Terms) -> str:
    wide = t.widened()
    return t.narrowed(f"({wide.result.text})pow((double){wide.names[0]}, (double){wide.names[1]})")


def _helped(name: str) -> Spelling:
    def spelling(t: Terms) -> str:
        return one_bit(t, spelling) if t.result.is_truth else t.call(name, t.result)

    return spelling


scalar(math.IPowIOp)(_helped("ipowi"))


def _count(name: str, of_truth: str) -> Spelling:
    return lambda t: of_truth.format(t.names[0]) if t.result.is_truth else t.call(name, t.result)


scalar(math.CountLeadingZerosOp)(_count("ctlz", "!{0}"))
scalar(math.CountTrailingZerosOp)(_count("cttz", "!{0}"))
scalar(math.CtPopOp)(_count("ctpop", "{0}"))


@scalar(math.AbsIOp)
def _absi(t: Terms) -> str:
    if t.result.is_truth:
        return t.names[0]
    a, wide = t.names[0], t.result.wrapping
    return f"({t.result.text})({a} < 0 ? 0u - ({wide}){a} : ({wide}){a})"
