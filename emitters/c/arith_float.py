"""The C of `arith` on floats."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation

from .elementwise import Terms, scalar, template, through_f32, vector
from .prelude import HELPERS, Maker, Prelude, function
from .types import CType

_OPERATORS: dict[type[Operation], str] = {
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
}

for _kind, _operator in _OPERATORS.items():
    scalar(_kind)(through_f32(template(f"{{0}} {_operator} {{1}}")))
    vector(_kind)(template(f"{{0}} {_operator} {{1}}"))


@scalar(arith.NegfOp)
def _negf(t: Terms) -> str:
    return f"(uint16_t)({t.names[0]} ^ 0x8000u)" if t.result.is_half else f"-{t.names[0]}"


vector(arith.NegfOp)(template("-{0}"))

_EXTREMES: dict[type[Operation], str] = {
    arith.MaximumfOp: "maximumf",
    arith.MinimumfOp: "minimumf",
    arith.MaxnumfOp: "maxnumf",
    arith.MinnumfOp: "minnumf",
}


def _extreme(t: Terms) -> str:
    name = _EXTREMES[t.kind]
    return t.call(f"{name}_lanes" if t.result.lanes else name, t.result)


scalar(*_EXTREMES)(through_f32(_extreme))
vector(*_EXTREMES)(_extreme)


def _extreme_lanes(keep_a: str, equal: str) -> Maker:
    """
    Take `a` where `keep_a` holds, else `b`; where they are equal, combine their bits.

    Equal numbers differ only if they are zeros: `&` of the bits is then +0 unless both are -0, and `|` is -0 unless
    both are +0.
    """

    def make(prelude: Prelude, name: str, t: CType) -> str:
        mask = f"i{t.bits}x{t.lanes}"
        return function(
            t.text,
            name,
            f"{t.text} a, {t.text} b",
            f"{mask} x = ({mask})a, y = ({mask})b, first = {keep_a}, same = a == b;",
            f"{mask} r = (x & first) | (y & ~first);",
            f"return ({t.text})((r & ~same) | ((x {equal} y) & same));",
        )

    return make


HELPERS.update(
    maximumf_lanes=_extreme_lanes("(a > b) | (a != a)", "&"),
    minimumf_lanes=_extreme_lanes("(a < b) | (a != a)", "|"),
    maxnumf_lanes=_extreme_lanes("(a > b) | (b != b)", "&"),
    minnumf_lanes=_extreme_lanes("(a < b) | (b != b)", "|"),
)


_PREDICATES = {
    "false": "((void){0}, (void){1}, 0)",
    "oeq": "{0} == {1}",
    "ogt": "{0} > {1}",
    "oge": "{0} >= {1}",
    "olt": "{0} < {1}",
    "ole": "{0} <= {1}",
    "one": "{0} < {1} || {0} > {1}",
    "ord": "{0} == {0} && {1} == {1}",
    "ueq": "!({0} < {1} || {0} > {1})",
    "ugt": "!({0} <= {1})",
    "uge": "!({0} < {1})",
    "ult": "!({0} >= {1})",
    "ule": "!({0} > {1})",
    "une": "{0} != {1}",
    "uno": "{0} != {0} || {1} != {1}",
    "true": "((void){0}, (void){1}, 1)",
}
"""Predicate -> its C: comparisons with NaN are false, so `u…` negates the opposite."""

LANE_PREDICATES = _PREDICATES | {
    "false": "({0} < {0}) & ({1} < {1})",
    "true": "~(({0} < {0}) & ({1} < {1}))",
    "one": "({0} < {1}) | ({0} > {1})",
    "ord": "({0} == {0}) & ({1} == {1})",
    "ueq": "~(({0} < {1}) | ({0} > {1}))",
    "uno": "({0} != {0}) | ({1} != {1})",
    **{
        name: f"~({{0}} {operator} {{1}})"
        for name, operator in (("ugt", "<="), ("uge", "<"), ("ult", ">="), ("ule", ">"))
    },
}


def _predicate(t: Terms) -> str:
    assert isinstance(t.op, arith.CmpfOp)
    return arith.CMPF_COMPARISON_OPERATIONS[t.op.predicate.value.data]


@scalar(arith.CmpfOp)
def _cmpf(t: Terms) -> str:
    return _PREDICATES[_predicate(t)].format(*t.widened().names)


@vector(arith.CmpfOp)
def _cmpf_lanes(t: Terms) -> str:
    return as_mask(LANE_PREDICATES[_predicate(t)].format(*t.names), t.types[0], t.result)


def as_mask(comparison: str, compared: CType, mask: CType) -> str:
    """What comparing vectors gives, as the type of a vector of truth values."""
    if compared.bits == mask.bits:
        return comparison
    return f"__builtin_convertvector({comparison}, {mask.text})"


def lanes_of(mask: str, type: CType, target: CType) -> str:
    """A vector of truth values as lanes as wide as those of `target`."""
    if type.bits == target.bits:
        return mask
    return f"__builtin_convertvector({mask}, i{target.bits}x{target.lanes})"


@scalar(arith.SelectOp)
def _select(t: Terms) -> str:
    return f"{t.names[0]} ? {t.names[1]} : {t.names[2]}"


@vector(arith.SelectOp)
def _select_lanes(t: Terms) -> str:
    return blend(t) if t.types[0].lanes else _select(t)


def blend(t: Terms) -> str:
    """Lane by lane the second operand where the first, a mask, is on, else the third."""
    integers = f"i{t.result.bits}x{t.result.lanes}"
    chosen = lanes_of(t.names[0], t.types[0], t.result)
    yes, no = (f"({integers}){name}" for name in t.names[1:])
    return f"({t.result.text})(({yes} & {chosen}) | ({no} & ~{chosen}))"
