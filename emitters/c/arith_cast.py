"""The C of constants, of conversions that involve floats, and of `bitcast`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr

from ...errors import VerifyError
from .elementwise import Spelling, Terms, scalar, vector
from .literals import literal
from .writer import Writer, emits


@emits(arith.ConstantOp)
def _constant(op: arith.ConstantOp, out: Writer) -> None:
    type, value = out.type(op.result), op.value
    match value:
        case IntegerAttr():
            out.define(op.result, literal(value.value.data, type.element))
        case FloatAttr():
            out.define(op.result, literal(value.value.data, type.element))
        case DenseIntOrFPElementsAttr() if type.lanes:
            lanes = [literal(number, type.element) for number in value.get_values()]
            if type.is_mask:
                lanes = [f"-{lane}" for lane in lanes]
            out.define(op.result, f"{{{', '.join(lanes)}}}")
        case _:
            raise VerifyError(f"no C for a constant {value}")


@scalar(arith.ExtFOp)
def _extf(t: Terms) -> str:
    return f"({t.result.text}){t.widened().names[0]}"


@scalar(arith.TruncFOp)
def _truncf(t: Terms) -> str:
    if t.result.is_half:
        return t.call("narrow_f64" if t.types[0].bits == 64 else "narrow", t.result)
    return f"({t.result.text}){t.names[0]}"


def _saturated(helper: str, truth: str) -> Spelling:
    """A float as an integer: by a helper, or by a comparison where the integer has the two values of a truth value."""

    def spelling(t: Terms) -> str:
        t = t.widened()
        return truth.format(*t.names) if t.result.is_truth else t.call(helper, t.types[0], t.result)

    return spelling


scalar(arith.FPToSIOp)(_saturated("fptosi", "{0} <= -1"))
scalar(arith.FPToUIOp)(_saturated("fptoui", "{0} >= 1"))


@scalar(arith.SIToFPOp)
def _sitofp(t: Terms) -> str:
    compute = t.widened().result.text
    sign = "-" if t.types[0].is_truth else ""
    return t.narrowed(f"({compute}){sign}{t.names[0]}")


@scalar(arith.UIToFPOp)
def _uitofp(t: Terms) -> str:
    return t.narrowed(f"({t.widened().result.text})({t.types[0].unsigned}){t.names[0]}")


@vector(arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp)
def _converted(t: Terms) -> str:
    return f"__builtin_convertvector({t.names[0]}, {t.result.text})"


@vector(arith.UIToFPOp)
def _uitofp_lanes(t: Terms) -> str:
    source = f"{t.names[0]} & 1" if t.types[0].is_mask else f"({t.types[0].unsigned}){t.names[0]}"
    return f"__builtin_convertvector({source}, {t.result.text})"


@scalar(arith.BitcastOp)
def _bitcast(t: Terms) -> str:
    source, target = t.types[0], t.result
    if source.text == target.text:
        return t.names[0]
    if source.is_half or target.is_half:
        return f"({target.text}){t.names[0]}"
    return t.call("bits", source, target)


@vector(arith.BitcastOp)
def _bitcast_lanes(t: Terms) -> str:
    return f"({t.result.text}){t.names[0]}"
