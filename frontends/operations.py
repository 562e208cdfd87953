"""The ops of `graph` as Python functions: values, arrays and numbers in, values out."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..dialects import graph
from ..dialects.element_types import FLOAT_DTYPES, INTEGER_WIDTHS, dtype_of, type_of
from ..errors import VerifyError

Operand = SSAValue | np.ndarray[Any, Any] | np.generic | float
"""What may stand where an op wants a tensor. A Python number takes the element type of the tensors beside it."""

_STRUCTURE = frozenset({"dataflow", "output", "call_tir"})

FUNCTIONS: dict[str, type[graph.GraphOp]] = {
    op.name.removeprefix("graph."): op
    for op in graph.Graph.operations
    if issubclass(op, graph.GraphOp) and op.name.removeprefix("graph.") not in _STRUCTURE
}
"""Name of the function -> the op that it makes: every op of the dialect that computes a tensor."""


ELEMENT_TYPE = "element type"


class Operations:
    """
    `ops.matmul(x, w)` makes a `graph.matmul`, gives it to `place`, and returns its result.

    There is a function for every op of `graph`, with the parameters of its constructor. Where the op wants a tensor, an
    array or a number becomes a `graph.constant`; where it wants an element type, a name such as `"f32"` does.
    """

    def __init__(self, place: Callable[[graph.GraphOp], object]):
        self._place = place

    def __getattr__(self, name: str) -> Callable[..., SSAValue]:
        if name not in FUNCTIONS:
            raise AttributeError(f"no op graph.{name}")
        return _Function(FUNCTIONS[name], self._place)

    def __dir__(self) -> Iterable[str]:
        return FUNCTIONS


class _Function:
    """One op as a function: what it is called with goes to the constructor, whose parameters are not repeated here."""

    def __init__(self, op: type[graph.GraphOp], place: Callable[[graph.GraphOp], object]):
        self.op = op
        self.place = place
        self.__doc__ = op.__doc__

    def __call__(self, *arguments: Any, **options: Any) -> SSAValue:
        try:
            bound = _signature(self.op).bind(*arguments, **options)
        except TypeError as error:
            raise VerifyError(f"{self.op.name}: {error}") from error
        kinds = _operand_parameters(self.op)
        like = _number_type([bound.arguments.get(name) for name, kind in kinds.items() if kind != ELEMENT_TYPE])
        for name, value in bound.arguments.items():
            kind = kinds.get(name)
            if kind == "operand" and value is not None:
                bound.arguments[name] = self._tensor(value, like)
            elif kind == "operands":
                bound.arguments[name] = [self._tensor(one, like) for one in cast("Sequence[Any]", value)]
            elif kind == ELEMENT_TYPE:
                bound.arguments[name] = element_type(value)
        try:
            op = self.op(*bound.args, **bound.kwargs)
        except VerifyException as error:
            raise VerifyError(f"{self.op.name}: {error}") from error
        self.place(op)
        return op.results[0]

    def _tensor(self, value: Any, like: Attribute | None) -> SSAValue:
        if isinstance(value, SSAValue):
            return cast(SSAValue, value)
        op = graph.ConstantOp(as_array(value, like))
        self.place(op)
        return op.results[0]


@cache
def _signature(op: type[graph.GraphOp]) -> inspect.Signature:
    parameters = list(inspect.signature(op.__init__).parameters.values())
    return inspect.Signature(parameters[1:])


@cache
def _operand_parameters(op: type[graph.GraphOp]) -> dict[str, str]:
    """Which parameters of the constructor are tensors, lists of tensors, or an element type: by their annotations."""
    kinds = {"SSAValue": "operand", "SSAValue | None": "operand", "Sequence[SSAValue]": "operands"}
    kinds["Attribute"] = ELEMENT_TYPE
    found = {name: kinds.get(str(each.annotation)) for name, each in _signature(op).parameters.items()}
    return {name: kind for name, kind in found.items() if kind is not None}


def _number_type(operands: Iterable[Any]) -> Attribute | None:
    """The element type of a number among these operands: that of the first tensor of numbers, else of truth values."""
    found: Attribute | None = None
    for operand in operands:
        element = _element_of(operand)
        if element is not None and element != IntegerType(1):
            return element
        found = found or element
    return found


def _element_of(operand: Any) -> Attribute | None:
    match operand:
        case SSAValue():
            value = cast(SSAValue, operand)
            return graph.type_of_value(value).element_type if isinstance(value.type, TensorType) else None
        case np.ndarray() | np.generic():
            return type_of(np.asarray(cast("np.ndarray[Any, Any]", operand)).dtype)
        case list() | tuple():
            return _number_type(cast("Sequence[Any]", operand))
        case _:
            return None


def as_array(value: Any, element_type: Attribute | None) -> np.ndarray[Any, Any]:
    """An array or number as an array; a Python number takes the element type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(cast("np.ndarray[Any, Any]", value))
    if isinstance(value, (bool, int, float)):
        if element_type is None:
            raise VerifyError(f"the number {value} has no tensor beside it that says its element type")
        with np.errstate(all="ignore"):
            return np.array(value).astype(dtype_of(element_type))
    raise VerifyError(f"a tensor, an array or a number expected, found {type(value).__name__}")


def element_type(spec: Any) -> Attribute:
    """
    An element type from itself, from MLIR's or NumPy's name (`"f32"`, `"float32"`), or from a dtype.

    NumPy's codes that count bytes, `"f4"`, are refused: `"i4"` would be four bytes there, and four bits here.
    """
    if isinstance(spec, Attribute):
        return spec
    try:
        if isinstance(spec, str) and spec not in _dtype_names() and _COUNTS_BYTES.fullmatch(spec):
            raise TypeError(spec)
        if isinstance(spec, str):
            spec = _dtype_names().get(spec, spec)
        return type_of(np.dtype(spec))
    except (TypeError, ValueError) as error:
        raise VerifyError(f"'{spec}' is no element type: f32, bf16, i64, ui8, i1, … or a NumPy dtype") from error


_COUNTS_BYTES = re.compile(r"[<>=|]?[biuf][0-9]+")


@cache
def _dtype_names() -> dict[str, np.dtype[Any]]:
    """The names that MLIR has for element types, and those of `ml_dtypes`, with their dtypes."""
    floats = [cls() for cls in FLOAT_DTYPES]
    signs = (Signedness.SIGNLESS, Signedness.UNSIGNED)
    integers = [IntegerType(width, sign) for sign in signs for width in INTEGER_WIDTHS]
    types: list[Attribute] = [*floats, *integers, IntegerType(1)]
    return {str(each): dtype_of(each) for each in types} | {dtype_of(each).name: dtype_of(each) for each in types}
