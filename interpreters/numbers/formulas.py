"""`ARITH` and `MATH`: what each op means, as a Python expression over NumPy values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation
from xdsl.utils.type import get_element_type_or_self

from ...dialects.element_types import dtype_of
from ...dialects.loop import RemfOp
from ...errors import VerifyError


@dataclass(frozen=True)
class Formula:
    """
    A Python expression over operands `{0}`, `{1}`, … and the names in `NAMES`.

    `scalar` is the cheapest for NumPy scalars (and for an `index`, a plain `int`); `lanes` is right for arrays.
    """

    scalar: str
    lanes: str = ""

    def text(self, *operands: str, vector: bool = False) -> str:
        """The expression over operands of these names."""
        return (self.lanes if vector and self.lanes else self.scalar).format(*operands)


Builder = Callable[[Operation], Formula]
"""What the tables hold: an op, with its types and properties, to its formula."""


def _operand_type(op: Operation) -> Any:
    return get_element_type_or_self(op.operands[0].type)


def _dtype_name(op: Operation) -> str:
    """How `NAMES` calls the dtype of the result."""
    name = dtype_of(op.results[0].type).name
    return "bool_" if name == "bool" else name


def same(scalar: str, lanes: str = "") -> Builder:
    """One formula for all types."""
    formula = Formula(scalar, lanes)
    return lambda op: formula


def call(name: str, operands: int) -> Builder:
    """A call of the function of that name."""
    return same(f"{name}({', '.join(f'{{{i}}}' for i in range(operands))})")


def integer(name: str, cheap: str = "", lanes: str = "") -> Builder:
    """
    An op on two integers: the function of that name.

    `cheap` does as well on scalars of the wider types, and on arrays too unless `lanes` differs.
    """
    general = f"{name}({{0}}, {{1}})"
    on_index = Formula(f"int({name}(as_index({{0}}), as_index({{1}})))", general)
    on_bool = Formula(general)
    on_wide = Formula(cheap or general, lanes)

    def build(op: Operation) -> Formula:
        match _operand_type(op):
            case IndexType():
                return on_index
            case element if element == i1:
                return on_bool
            case _:
                return on_wide

    return build


def cast(name: str) -> Builder:
    """A conversion to the type of the result."""

    def build(op: Operation) -> Formula:
        return Formula(f"{name}({{0}}, {_dtype_name(op)})")

    return build


def _index_cast(op: Operation) -> Formula:
    lanes = f"index_cast({{0}}, {_dtype_name(op)})"
    if isinstance(_operand_type(op), IndexType):
        return Formula(lanes.replace("{0}", "as_index({0})"), lanes)
    return Formula("-int({0})" if _operand_type(op) == i1 else "int({0})", lanes)


_CMPI_CHEAP = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}


def _cmpi(op: Operation) -> Formula:
    assert isinstance(op, arith.CmpiOp)
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    general = f"cmpi('{predicate}', {{0}}, {{1}})"
    if isinstance(_operand_type(op), IndexType):
        return Formula(f"cmpi('{predicate}', as_index({{0}}), as_index({{1}}))", general)
    if predicate in _CMPI_CHEAP and _operand_type(op) != i1:
        return Formula(f"{{0}} {_CMPI_CHEAP[predicate]} {{1}}")
    return Formula(general)


CMPF = {
    "false": "({0} != {0}) & ({1} == {1}) & ({0} == {0})",
    "oeq": "{0} == {1}",
    "ogt": "{0} > {1}",
    "oge": "{0} >= {1}",
    "olt": "{0} < {1}",
    "ole": "{0} <= {1}",
    "one": "({0} < {1}) | ({0} > {1})",
    "ord": "({0} == {0}) & ({1} == {1})",
    "ueq": "~(({0} < {1}) | ({0} > {1}))",
    "ugt": "~({0} <= {1})",
    "uge": "~({0} < {1})",
    "ult": "~({0} >= {1})",
    "ule": "~({0} > {1})",
    "une": "{0} != {1}",
    "uno": "({0} != {0}) | ({1} != {1})",
    "true": "({0} == {0}) | ({0} != {0}) | ({1} == {1})",
}
"""Predicate of `arith.cmpf` -> its formula: a comparison with NaN is false, so `u…` predicates negate the opposite."""


def _cmpf(op: Operation) -> Formula:
    assert isinstance(op, arith.CmpfOp)
    return Formula(CMPF[arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]])


ARITH: dict[type[Operation], Builder] = {
    arith.AddfOp: same("{0} + {1}"),
    arith.SubfOp: same("{0} - {1}"),
    arith.MulfOp: same("{0} * {1}"),
    arith.DivfOp: same("{0} / {1}"),
    arith.NegfOp: same("-{0}"),
    RemfOp: call("remf", 2),
    arith.MaximumfOp: same("maximumf_scalar({0}, {1})", "maximumf({0}, {1})"),
    arith.MinimumfOp: same("minimumf_scalar({0}, {1})", "minimumf({0}, {1})"),
    arith.MaxnumfOp: call("maxnumf", 2),
    arith.MinnumfOp: call("minnumf", 2),
    arith.CmpfOp: _cmpf,
    arith.CmpiOp: _cmpi,
    arith.SelectOp: same("{1} if {0} else {2}", "choose({0}, {1}, {2})"),
    arith.AddiOp: integer("addi", "{0} + {1}"),
    arith.SubiOp: integer("subi", "{0} - {1}"),
    arith.MuliOp: integer("muli", "{0} * {1}"),
    arith.DivSIOp: integer("divsi"),
    arith.DivUIOp: integer("divui"),
    arith.RemSIOp: integer("remsi"),
    arith.RemUIOp: integer("remui"),
    arith.FloorDivSIOp: integer("floordivsi"),
    arith.CeilDivSIOp: integer("ceildivsi"),
    arith.CeilDivUIOp: integer("ceildivui"),
    arith.MaxSIOp: integer("maxsi", "{0} if {0} >= {1} else {1}", "maxsi({0}, {1})"),
    arith.MinSIOp: integer("minsi", "{0} if {0} <= {1} else {1}", "minsi({0}, {1})"),
    arith.MaxUIOp: integer("maxui"),
    arith.MinUIOp: integer("minui"),
    arith.AndIOp: integer("andi", "{0} & {1}"),
    arith.OrIOp: integer("ori", "{0} | {1}"),
    arith.XOrIOp: integer("xori", "{0} ^ {1}"),
    arith.ShLIOp: integer("shli"),
    arith.ShRUIOp: integer("shrui"),
    arith.ShRSIOp: integer("shrsi"),
    arith.ExtFOp: cast("extf"),
    arith.TruncFOp: cast("truncf"),
    arith.FPToSIOp: cast("fptosi"),
    arith.FPToUIOp: cast("fptoui"),
    arith.SIToFPOp: cast("sitofp"),
    arith.UIToFPOp: cast("uitofp"),
    arith.ExtSIOp: cast("extsi"),
    arith.ExtUIOp: cast("extui"),
    arith.TruncIOp: cast("trunci"),
    arith.BitcastOp: cast("bitcast"),
    arith.IndexCastOp: _index_cast,
}
"""Op class of `arith`, and the one that it lacks -> what it computes."""


def _on_integer(name: str) -> Builder:
    """An op on one integer, which may be an index."""

    def build(op: Operation) -> Formula:
        if isinstance(_operand_type(op), IndexType):
            return Formula(f"int({name}(as_index({{0}})))", f"{name}({{0}})")
        return Formula(f"{name}({{0}})")

    return build


UNARY_FUNCTIONS: dict[type[Operation], str] = {
    math.AbsFOp: "absf",
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.AtanOp: "atan",
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
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.RoundOp: "round",
    math.RoundEvenOp: "roundeven",
    math.RsqrtOp: "rsqrt",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.SqrtOp: "sqrt",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}
"""Op class of `math` on one float -> the function that computes it."""

MATH: dict[type[Operation], Builder] = {
    **{op: call(name, 1) for op, name in UNARY_FUNCTIONS.items()},
    math.AbsIOp: _on_integer("absi"),
    math.CountLeadingZerosOp: _on_integer("ctlz"),
    math.CountTrailingZerosOp: _on_integer("cttz"),
    math.CtPopOp: _on_integer("ctpop"),
    math.Atan2Op: call("atan2", 2),
    math.CopySignOp: call("copysign", 2),
    math.PowFOp: call("powf", 2),
    math.FPowIOp: call("fpowi", 2),
    math.IPowIOp: integer("ipowi"),
    math.FmaOp: call("fma", 3),
}
"""Op class of `math` -> what it computes."""


def formula(op: Operation) -> Formula:
    """What this op computes, for its types and properties."""
    builder = ARITH.get(op.__class__) or MATH.get(op.__class__)
    if builder is None:
        raise VerifyError(
            f"'{op.name}' has no scalar meaning; interpreters/numbers/formulas.py lists the ops that have"
        )
    return builder(op)
