"""The C of `arith` on integers: arithmetic in unsigned types, where it wraps."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8
from xdsl.ir import Operation

from .arith_float import as_mask, lanes_of
from .elementwise import Spelling, Terms, scalar, template, vector
from .prelude import HELPERS, Maker, Prelude, function
from .types import CType


def one_bit(t: Terms, spelling: Spelling) -> str:
    """An expression on truth values as one on 8 bits, where 1 is -1, of which the low bit stays."""
    eight = CType(i8)
    names = tuple(f"(int8_t)-{name}" for name in t.names)
    wide = replace(t, result=eight, types=(eight,) * len(names), names=names)
    return f"({spelling(wide)}) & 1"


def _on_integers(kind: type[Operation], spelling: Spelling) -> None:
    scalar(kind)(lambda t: one_bit(t, spelling) if t.result.is_truth else spelling(t))


def _wrapping(operator: str) -> Spelling:
    def spelling(t: Terms) -> str:
        a, b = (f"({t.result.wrapping}){name}" for name in t.names)
        return f"({t.result.text})({a} {operator} {b})"

    return spelling


for _kind, _operator in ((arith.AddiOp, "+"), (arith.SubiOp, "-"), (arith.MuliOp, "*")):
    _on_integers(_kind, _wrapping(_operator))


@vector(arith.AddiOp, arith.SubiOp)
def _sum_lanes(t: Terms) -> str:
    if t.result.is_mask:
        return f"{t.names[0]} ^ {t.names[1]}"
    return _wrapping("+" if t.kind is arith.AddiOp else "-")(t)


@vector(arith.MuliOp)
def _muli_lanes(t: Terms) -> str:
    return f"{t.names[0]} & {t.names[1]}" if t.result.is_mask else _wrapping("*")(t)


for _kind, _operator in ((arith.AndIOp, "&"), (arith.OrIOp, "|"), (arith.XOrIOp, "^")):
    scalar(_kind)(template(f"{{0}} {_operator} {{1}}"))
    vector(_kind)(template(f"{{0}} {_operator} {{1}}"))

_HELPED: dict[type[Operation], str] = {
    arith.DivSIOp: "divsi",
    arith.DivUIOp: "divui",
    arith.RemSIOp: "remsi",
    arith.RemUIOp: "remui",
    arith.FloorDivSIOp: "floordivsi",
    arith.CeilDivSIOp: "ceildivsi",
    arith.CeilDivUIOp: "ceildivui",
    arith.ShLIOp: "shli",
    arith.ShRUIOp: "shrui",
    arith.ShRSIOp: "shrsi",
}


def _helped(t: Terms) -> str:
    return t.call(_HELPED[t.kind], t.result)


for _kind in _HELPED:
    _on_integers(_kind, _helped)


@vector(arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp)
def _shift_lanes(t: Terms) -> str:
    return t.call(f"{_HELPED[t.kind]}_lanes", t.result)


def _shift_helper(shifted: str, signed: bool = False) -> Maker:
    """Shift by the amount modulo the width, and keep the lanes whose amount is below it."""

    def make(prelude: Prelude, name: str, t: CType) -> str:
        read = t.text if signed else t.unsigned
        return function(
            t.text,
            name,
            f"{t.text} a, {t.text} b",
            f"{t.text} fits = ({t.text})(({t.unsigned})b < {t.bits}u);",
            f"return ({t.text})(({read})a {shifted} ({read})(({t.unsigned})b & {t.bits - 1}u)) & fits;",
        )

    return make


HELPERS.update(
    shli_lanes=_shift_helper("<<"), shrui_lanes=_shift_helper(">>"), shrsi_lanes=_shift_helper(">>", signed=True)
)

_EXTREMES: dict[type[Operation], tuple[str, bool]] = {
    arith.MaxSIOp: (">", False),
    arith.MinSIOp: ("<", False),
    arith.MaxUIOp: (">", True),
    arith.MinUIOp: ("<", True),
}
"""Op class -> the comparison that keeps the first operand, and whether it reads unsigned integers."""


def compared(t: Terms, operator: str, unsigned: bool) -> str:
    """The comparison of the first two operands."""
    a, b = (f"({t.types[0].unsigned}){name}" if unsigned else name for name in t.names[:2])
    return f"{a} {operator} {b}"


def _extreme(t: Terms) -> str:
    return f"{compared(t, *_EXTREMES[t.kind])} ? {t.names[0]} : {t.names[1]}"


for _kind in _EXTREMES:
    _on_integers(_kind, _extreme)


@vector(*_EXTREMES)
def _extreme_lanes(t: Terms) -> str:
    a, b = t.names
    first = f"({t.result.text})({compared(t, *_EXTREMES[t.kind])})"
    return f"({a} & {first}) | ({b} & ~{first})"


_OPERATORS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

COMPARISONS: dict[str, tuple[str, bool]] = {
    name: (_OPERATORS.get(name) or _OPERATORS[name[1:]], name[0] == "u") for name in arith.CMPI_COMPARISON_OPERATIONS
}
"""Predicate of `arith.cmpi` -> the operator, and whether it reads unsigned integers."""


def _comparison(t: Terms) -> str:
    assert isinstance(t.op, arith.CmpiOp)
    return compared(t, *COMPARISONS[arith.CMPI_COMPARISON_OPERATIONS[t.op.predicate.value.data]])


@scalar(arith.CmpiOp)
def _cmpi(t: Terms) -> str:
    return one_bit(t, _comparison) if t.types[0].is_truth else _comparison(t)


@vector(arith.CmpiOp)
def _cmpi_lanes(t: Terms) -> str:
    return as_mask(_comparison(t), t.types[0], t.result)


def _converted(value: str, t: Terms) -> str:
    """A vector expression, with lanes of the operand's type, in lanes of the result's."""
    return f"__builtin_convertvector({value}, {t.result.text})"


@scalar(arith.ExtSIOp)
def _extsi(t: Terms) -> str:
    return f"({t.result.text})-{t.names[0]}" if t.types[0].is_truth else f"({t.result.text}){t.names[0]}"


@vector(arith.ExtSIOp)
def _extsi_lanes(t: Terms) -> str:
    if t.types[0].is_mask:
        return lanes_of(t.names[0], t.types[0], t.result)
    return _converted(t.names[0], t)


@scalar(arith.ExtUIOp)
def _extui(t: Terms) -> str:
    return f"({t.result.text})({t.types[0].unsigned}){t.names[0]}"


@vector(arith.ExtUIOp)
def _extui_lanes(t: Terms) -> str:
    if t.types[0].is_mask:
        return f"{lanes_of(t.names[0], t.types[0], t.result)} & 1"
    return _converted(f"({t.types[0].unsigned}){t.names[0]}", t)


@scalar(arith.TruncIOp)
def _trunci(t: Terms) -> str:
    return f"({t.names[0]} & 1) != 0" if t.result.is_truth else f"({t.result.text}){t.names[0]}"


@vector(arith.TruncIOp)
def _trunci_lanes(t: Terms) -> str:
    if t.result.is_mask:
        return as_mask(f"-({t.names[0]} & 1)", t.types[0], t.result)
    return _converted(t.names[0], t)


@scalar(arith.IndexCastOp)
def _index_cast(t: Terms) -> str:
    return _trunci(t) if t.result.bits < t.types[0].bits else _extsi(t)


@vector(arith.IndexCastOp)
def _index_cast_lanes(t: Terms) -> str:
    narrower = t.result.is_mask or (not t.types[0].is_mask and t.result.bits < t.types[0].bits)
    return _trunci_lanes(t) if narrower else _extsi_lanes(t)
