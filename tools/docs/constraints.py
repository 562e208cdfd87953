"""Constraints of ops by the names that the dialects give them; xDSL prints hundreds of characters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import ArrayOfConstraint, SymbolNameConstraint
from xdsl.ir import Attribute
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    MessageConstraint,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
)

from ...dialects import __name__ as DIALECTS_PACKAGE
from ...dialects.graph.op import TensorConstraint


def named_constraints() -> list[tuple[str, AttrConstraint[Attribute]]]:
    """The constraints that are constants of the dialect modules loaded so far, each under the first of its names."""
    found: list[tuple[str, AttrConstraint[Attribute]]] = []
    for module in sorted(name for name in sys.modules if name.startswith(f"{DIALECTS_PACKAGE}.")):
        for name, value in sorted(vars(sys.modules[module]).items()):
            if isinstance(value, AttrConstraint) and not name.startswith("_") and value is not vars(builtin).get(name):
                constraint = cast("AttrConstraint[Attribute]", value)
                if all(constraint != other for _, other in found):
                    found.append((name, constraint))
    return found


def constraint_name(constraint: object, named: Sequence[tuple[str, AttrConstraint[Attribute]]]) -> str:
    """What a constraint of an operand, a result or an attribute is called, in code quotes."""
    for name, other in named:
        if constraint == other:
            return f"`{name}`"
    match constraint:
        case RangeLengthConstraint():
            return constraint_name(constraint.constraint, named)
        case RangeOf():
            return constraint_name(constraint.constr, named)
        case ArrayOfConstraint():
            return f"list of {constraint_name(constraint.elem_range_constraint, named)}"
        case VarConstraint() | MessageConstraint():
            return constraint_name(
                constraint.constraint if isinstance(constraint, VarConstraint) else constraint.constr, named
            )
        case BaseAttr():
            return _class_name(constraint.attr)
        case ParamAttrConstraint():
            return _class_name(constraint.base_attr)
        case EqAttrConstraint():
            return f"`{constraint.attr}`"
        case SymbolNameConstraint():
            return "symbol name"
        case AnyAttr():
            return "anything"
        case _:
            raise TypeError(
                f"a constraint of class {type(constraint).__name__} has no name: make it a constant of its dialect"
            )


WORDS: dict[type[Attribute], str] = {
    builtin.ArrayAttr: "list",
    builtin.DenseArrayBase: "list of integers",
    builtin.SymbolRefAttr: "symbol",
    builtin.UnitAttr: "flag",
}
"""What attributes of xDSL are called where their own name says little."""


def _class_name(attribute: type[Attribute]) -> str:
    """`memref` for any memref; the name of an attribute of ours as it is written."""
    name = WORDS.get(attribute, attribute.name)
    return f"`#{name}`" if "." in name else name


def meaning(constraint: AttrConstraint[Attribute], named: Sequence[tuple[str, AttrConstraint[Attribute]]]) -> str:
    """What a named constraint accepts, in words."""
    match constraint:
        case TensorConstraint():
            return f"a tensor of {constraint.elements}"
        case MessageConstraint():
            return constraint.message.removesuffix(" expected")
        case _:
            others = [(name, other) for name, other in named if other is not constraint]
            return constraint_name(constraint, others)
