"""The ops of `graph` as Python functions: values, arrays and numbers in, values out."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import index
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..dialects import graph
from ..dialects.element_types import FLOAT_DTYPES, INTEGER_WIDTHS, dtype_of, is_float, type_of
from ..dialects.expr import Expr
from ..dialects.graph.op import AnyTensor
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


class Operations:
    """
    `ops.matmul(x, w)` makes a `graph.matmul`, gives it to `place`, and returns its result.

    There is a function for every op of `graph`, with the parameters of its constructor. Where the op wants a tensor, an
    array or a number becomes a `graph.constant`; where it wants an element type, a name such as `"f32"` does. What is
    of another kind than the constructor's annotations say is refused here: the ops trust them.
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
        kinds = _kinds(self.op)
        like = _number_type([value for name, value in bound.arguments.items() if kinds[name] in _TENSORS])
        try:
            for name, value in bound.arguments.items():
                bound.arguments[name] = self._argument(name, kinds[name], value, like)
            op = self.op(*bound.args, **bound.kwargs)
        except (VerifyException, VerifyError) as error:
            raise VerifyError(f"{self.op.name}: {error}") from error
        self.place(op)
        return op.results[0]

    def _argument(self, name: str, kind: str, value: Any, like: Attribute | None) -> Any:
        """An argument as the constructor takes it."""
        if value is None and kind.endswith("| None"):
            return None
        kind = kind.removesuffix(" | None")
        if kind == "SSAValue":
            return self._tensor(value, like)
        if kind == "Sequence[SSAValue]":
            return [self._tensor(one, like) for one in _items(name, value, "tensors")]
        return _READERS[kind](name, value)

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
def _kinds(op: type[graph.GraphOp]) -> dict[str, str]:
    """What each parameter of the constructor takes: its annotation."""
    return {name: str(parameter.annotation) for name, parameter in _signature(op).parameters.items()}


_TENSORS = frozenset({"SSAValue", "SSAValue | None", "Sequence[SSAValue]"})


def _items(name: str, value: Any, what: str) -> Sequence[Any]:
    if isinstance(value, (str, bytes, SSAValue)) or not hasattr(value, "__iter__"):
        raise VerifyError(f"{name} is a list of {what}, found {_described(cast(object, value))}")
    return list(value)


def _described(value: object) -> str:
    return repr(value) if isinstance(value, (int, float, str)) else type(value).__name__


def _index(value: Any) -> int | None:
    """A whole number as an `int`; None for anything else, True and False too."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def _whole_number(name: str, value: Any) -> int:
    number = _index(value)
    if number is None or not -(2**63) <= number < 2**64:
        raise VerifyError(f"{name}: a whole number of 64 bits expected, found {_described(value)}")
    return number


def _whole_numbers(name: str, value: Any) -> list[int]:
    return [_whole_number(name, each) for each in _items(name, value, "whole numbers")]


def _number(name: str, value: Any) -> float:
    if not isinstance(value, (bool, int, float, np.integer, np.floating, np.bool_)):
        raise VerifyError(f"{name}: a number expected, found {_described(cast(object, value))}")
    return cast(float, value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise VerifyError(f"{name}: True or False expected, found {_described(value)}")
    return value is True or value == np.True_


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise VerifyError(f"{name}: a word expected, found {_described(value)}")
    return value


def sizes(name: str, value: Any) -> list[graph.Dim]:
    """A shape: of each axis its size, an expression, a name for a size known at run time, or None."""
    return [_size(name, each) for each in _items(name, value, "sizes")]


def _size(name: str, size: Any) -> graph.Dim:
    if size is None or isinstance(size, Expr):
        return size
    if isinstance(size, str) and size not in ("", "?"):
        return Expr.atom(size)
    number = _index(size)
    if number is None or not 0 <= number < 2**63:
        raise VerifyError(f"{name}: {_described(size)} is no size; None is one of which nothing is known")
    return number


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "int": _whole_number,
    "Sequence[int]": _whole_numbers,
    "float": _number,
    "bool": _flag,
    "str": _word,
    "Attribute": lambda name, value: element_type(value),
    "Sequence[Dim] | DimsAttr": lambda name, value: value if isinstance(value, graph.DimsAttr) else sizes(name, value),
    "ConstantArrayAttr | np.ndarray": (
        lambda name, value: value if isinstance(value, graph.ConstantArrayAttr) else as_array(value, None)
    ),
}
"""Annotation of a parameter that is no tensor -> `(name, value)` to the value, or an error that says what is wanted."""


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
        array = np.asarray(cast("np.ndarray[Any, Any]", value))
        try:
            type_of(array.dtype)
        except ValueError as error:
            raise VerifyError(str(error)) from error
        return array
    if isinstance(value, (bool, int, float)):
        if element_type is None:
            raise VerifyError(f"the number {value} has no tensor beside it that says its element type")
        return with_elements(np.array(value), element_type)
    raise VerifyError(f"a tensor, an array or a number expected, found {type(value).__name__}")


def with_elements(array: np.ndarray[Any, Any], element_type: Attribute) -> np.ndarray[Any, Any]:
    """The array with other elements: floats are rounded, an integer or truth value must be the number that it was."""
    try:
        with np.errstate(all="ignore"):
            made = array.astype(dtype_of(element_type))
            kept = is_float(element_type) or bool(
                ((made.astype(array.dtype) == array) & ((made < 0) == (array < 0))).all()
            )
    except (OverflowError, ValueError):
        kept, made = False, array
    if not kept:
        what = f"{array.item()} is" if array.size == 1 else "these numbers are"
        raise VerifyError(f"{what} not of {element_type}; cast the tensor beside it, or give an array of its type")
    return made


def element_type(spec: Any) -> Attribute:
    """
    An element type from itself, from MLIR's or NumPy's name (`"f32"`, `"float32"`), or from a dtype.

    NumPy's codes that count bytes, `"f4"`, are refused: `"i4"` would be four bytes there, and four bits here.
    """
    if isinstance(spec, Attribute) and AnyTensor.accepts(spec):
        return spec
    try:
        if spec is None or isinstance(spec, Attribute):
            raise TypeError(spec)
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
