"""What must hold of the attributes by which a function says what it takes, gives and needs: see `signature`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, IndexType, IntegerAttr, MemRefType, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from .element_types import bits_of
from .expr import Expr
from .graph.dims import DimsAttr
from .loop.maps import MapAttr
from .signature import (
    DIMS,
    ELEMENTS,
    INPUTS,
    LAYOUT_FREE,
    OUTPUTS,
    OUTPUTS_COUNT,
    REQUIRES,
    SHAPES,
    WORKSPACE,
    is_loop_function,
    parameters,
)

BELOW_GRAPH = (DIMS, OUTPUTS_COUNT, ELEMENTS, SHAPES, WORKSPACE)
"""What only a function over buffers says."""


def verify_signature(function: FuncOp) -> None:
    """Raise `VerifyException` where an attribute of a function is not of its form, or contradicts the arguments."""
    if function.attributes.keys().isdisjoint(_RULES):
        return
    types = (*function.function_type.inputs, *function.function_type.outputs)
    if any(isinstance(type, TensorType) for type in types):
        for name in BELOW_GRAPH:
            if name in function.attributes:
                raise VerifyException(f"'{name}' is for functions over buffers, and this one is over tensors")
    for name, rule in _RULES.items():
        if name in function.attributes:
            rule(function, function.attributes[name])
    if is_loop_function(function) and not function.is_declaration:
        _verify_counts(function, len(parameters(function).inputs), len(parameters(function).outputs))
    elif not is_loop_function(function):
        _verify_counts(function, len(function.function_type.inputs), len(function.function_type.outputs))


def _elements_of(name: str, attr: Attribute, kind: type[Attribute] | UnionType, what: str) -> Sequence[Any]:
    if not isinstance(attr, ArrayAttr) or not all(isinstance(one, kind) for one in attr):  # pyright: ignore[reportUnknownVariableType]
        raise VerifyException(f"'{name}' is a list of {what}, found {attr}")
    return tuple(attr)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


# the text of a name beyond ASCII is read as bytes
def _verify_inputs(function: FuncOp, attr: Attribute) -> None:
    _elements_of(INPUTS, attr, StringAttr | BytesAttr, "names")


def _verify_outputs(function: FuncOp, attr: Attribute) -> None:
    _elements_of(OUTPUTS, attr, StringAttr | BytesAttr, "names")


def _verify_dims(function: FuncOp, attr: Attribute) -> None:
    names = [one.data for one in _elements_of(DIMS, attr, StringAttr, "names")]
    if len(set(names)) != len(names):
        raise VerifyException(f"'{DIMS}' names a dim twice: {', '.join(names)}")
    types = function.function_type.inputs.data
    sizes = sum(isinstance(type, IndexType) for type in types)
    if len(names) != sizes or not all(isinstance(type, IndexType) for type in types[:sizes]):
        raise VerifyException(f"'{DIMS}' names the leading index arguments, found {len(names)} names for {sizes}")


def _verify_outputs_count(function: FuncOp, attr: Attribute) -> None:
    buffers = sum(isinstance(type, MemRefType) for type in function.function_type.inputs)
    buffers -= WORKSPACE in function.attributes
    if not isinstance(attr, IntegerAttr) or not 0 <= attr.value.data <= buffers:  # pyright: ignore[reportUnknownMemberType]
        raise VerifyException(f"'{OUTPUTS_COUNT}' says how many of the {buffers} buffers are written, found {attr}")


def _verify_elements(function: FuncOp, attr: Attribute) -> None:
    elements = _elements_of(ELEMENTS, attr, Attribute, "element types")
    given = parameters(function) if OUTPUTS_COUNT in function.attributes else None
    if given is None:
        raise VerifyException(f"'{ELEMENTS}' needs '{OUTPUTS_COUNT}'")
    buffers = [argument.type for argument in (*given.inputs, *given.outputs)]
    if len(elements) != len(buffers):
        raise VerifyException(f"'{ELEMENTS}' has {len(elements)} types for {len(buffers)} inputs and outputs")
    for element, buffer in zip(elements, buffers, strict=True):
        try:
            agree = bits_of(element) == bits_of(buffer)
        except ValueError as error:
            raise VerifyException(f"'{ELEMENTS}': {error}") from None
        if not agree:
            raise VerifyException(f"'{ELEMENTS}' says {element} of a {buffer}")


def _verify_map(function: FuncOp, name: str, attr: Attribute) -> tuple[Expr, ...]:
    """A map over the dims arguments."""
    if not isinstance(attr, MapAttr):
        raise VerifyException(f"'{name}' is a #loop.map over the dims, found {attr}")
    attr.verify_numbers()
    sizes = sum(isinstance(type, IndexType) for type in function.function_type.inputs)
    for position in attr.positions():
        if position >= sizes:
            raise VerifyException(f"'{name}' mentions d{position}, but there are {sizes} dims")
    return attr.exprs


def _verify_shapes(function: FuncOp, attr: Attribute) -> None:
    maps = _elements_of(SHAPES, attr, MapAttr, "#loop.map")
    for one in maps:
        _verify_map(function, SHAPES, one)
    buffers = sum(isinstance(type, MemRefType) for type in function.function_type.inputs)
    buffers -= WORKSPACE in function.attributes
    if len(maps) != buffers:
        raise VerifyException(f"'{SHAPES}' has {len(maps)} shapes for {buffers} buffers")


def _verify_workspace(function: FuncOp, attr: Attribute) -> None:
    if len(_verify_map(function, WORKSPACE, attr)) != 1:
        raise VerifyException(f"'{WORKSPACE}' is one number of bytes, found {attr}")
    last = function.function_type.inputs.data[-1:]
    if not last or not isinstance(last[0], MemRefType) or bits_of(last[0]) != 8:  # pyright: ignore[reportUnknownArgumentType]
        raise VerifyException(f"'{WORKSPACE}' needs a last argument memref<?xi8>")


def _verify_requires(function: FuncOp, attr: Attribute) -> None:
    if isinstance(attr, DimsAttr):
        if not all(isinstance(e, Expr) and all(isinstance(v, str) for v in e.variables()) for e in attr.data):
            raise VerifyException(f"'{REQUIRES}' has expressions over symbols, found {attr}")
        if is_loop_function(function):
            raise VerifyException(f"'{REQUIRES}' of a function over buffers is a #loop.map over the dims, found {attr}")
    else:
        _verify_map(function, REQUIRES, attr)


def _verify_layout_free(function: FuncOp, attr: Attribute) -> None:
    count = len(function.function_type.inputs)
    for one in _elements_of(LAYOUT_FREE, attr, IntegerAttr, "argument numbers"):
        if not 0 <= one.value.data < count:
            raise VerifyException(f"'{LAYOUT_FREE}' names argument {one.value.data} of {count}")


def _verify_counts(function: FuncOp, inputs: int, outputs: int) -> None:
    """Names are one for each."""
    for name, count in ((INPUTS, inputs), (OUTPUTS, outputs)):
        attr = function.attributes.get(name)
        if isinstance(attr, ArrayAttr) and len(attr) != count:  # pyright: ignore[reportUnknownArgumentType]
            raise VerifyException(f"'{name}' has {len(attr)} names for {count}")  # pyright: ignore[reportUnknownArgumentType]


Rule: TypeAlias = Callable[[FuncOp, Attribute], None]

_RULES: dict[str, Rule] = {
    INPUTS: _verify_inputs,
    OUTPUTS: _verify_outputs,
    DIMS: _verify_dims,
    WORKSPACE: _verify_workspace,
    OUTPUTS_COUNT: _verify_outputs_count,
    ELEMENTS: _verify_elements,
    SHAPES: _verify_shapes,
    REQUIRES: _verify_requires,
    LAYOUT_FREE: _verify_layout_free,
}
"""Attribute -> what must hold of it, in this order: one may rely on those before."""
