"""Running the formulas: one op on values, and the constants of `arith`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute, Operation

from ...dialects.element_types import FLOAT_DTYPES, INTEGER_WIDTHS, dtype_of
from ...errors import VerifyError
from . import casts, floats, functions, integers
from .formulas import formula
from .values import Value, choose, quiet


def _names() -> dict[str, Any]:
    import ml_dtypes

    dtypes = [*FLOAT_DTYPES.values(), *(f"{sign}int{width}" for sign in ("", "u") for width in INTEGER_WIDTHS)]
    names: dict[str, Any] = {name: np.dtype(getattr(ml_dtypes, name, name)) for name in dtypes}
    names |= {"bool_": np.dtype(np.bool_), "as_index": np.int64, "int": int, "choose": choose}
    for room in (floats, integers, functions, casts):
        names |= {name: value for name, value in vars(room).items() if callable(value) and name[0] != "_"}
    return names


NAMES: dict[str, Any] = _names()
"""Every name that a formula may use."""


@cache
def _compiled(expression: str, operands: int) -> Callable[..., Value]:
    names = ", ".join(f"operand{i}" for i in range(operands))
    return eval(f"lambda {names}: {expression}", NAMES)


def function(op: Operation, vector: bool = False) -> Callable[..., Value]:
    """What this op computes, as a function of its operands: scalars, or with `vector` arrays."""
    names = [f"operand{i}" for i in range(len(op.operands))]
    return _compiled(formula(op).text(*names, vector=vector), len(names))


def evaluate(op: Operation, *operands: Value) -> Value:
    """The result of one op on scalars or on arrays that broadcast."""
    if isinstance(op, arith.ConstantOp):
        return constant(op.value)
    with quiet():
        return function(op, vector=any(np.ndim(operand) > 0 for operand in operands))(*operands)


def _number(value: Any, type: Attribute) -> Value:
    """A number as a scalar of the type; integers keep their low bits."""
    if isinstance(type, IndexType):
        return int(value)
    dtype = dtype_of(type)
    if dtype == np.bool_:
        return np.bool_(value != 0)
    if dtype.kind in "iu":
        return np.asarray(int(value) & ((1 << 64) - 1), np.uint64).astype(dtype)[()]
    with quiet():
        return np.float64(value).astype(dtype)


def constant(attribute: Attribute) -> Value:
    """The value of an `arith.constant`: a scalar, a plain `int` for an index, or an array."""
    match attribute:
        case IntegerAttr():
            return _number(attribute.value.data, attribute.type)
        case FloatAttr():
            return _number(attribute.value.data, attribute.type)
        case DenseIntOrFPElementsAttr():
            element, shape = attribute.get_element_type(), attribute.get_shape()
            values = [_number(value, element) for value in attribute.get_values()]
            return np.array(values, dtype_of(element)).reshape(shape)
        case _:
            raise VerifyError(f"a constant of {attribute} has no value here")
