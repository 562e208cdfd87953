"""Binding the dynamic dims of a module that is there already, as the ONNX reader does while it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, TypeAlias

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from ..dialects.expr import Expr, Variable
from ..dialects.graph import Dim, DimsAttr, Tensor, dims_of, tensor_of
from ..dialects.graph.dims import shape_text
from ..dialects.signature import input_names
from ..errors import ModelError

GivenSize: TypeAlias = int | str | None
"""A size, a name for one that is not known, or nothing."""

Given: TypeAlias = dict[str, int | tuple[GivenSize, ...]]
"""The size of a dim by its name, or the shape of an input by its name."""


KINDS = "a dim takes one size, an input a shape"
"""The end of an error about a name: one of the other kind is easily given."""


def given_shapes(shapes: Mapping[str, Any]) -> Given:
    """What a caller says about sizes, as plain numbers. Raises `ModelError` for what is neither a size nor a shape."""
    given: Given = {}
    for name, value in shapes.items():
        if hasattr(value, "__iter__") and not isinstance(value, str):
            given[name] = tuple(size if isinstance(size, str | None) else _size(name, size) for size in value)
        else:
            given[name] = _size(name, value)
    return given


def _size(name: str, value: Any) -> int:
    try:
        size = index(value)
    except TypeError:
        size = -1
    if isinstance(value, bool) or size < 0:
        raise ModelError(f"shapes['{name}']: {value!r} is no size")
    return size


def bind_shapes(module: ModuleOp, shapes: Mapping[str, Any]) -> None:
    """
    Give sizes to dynamic dims, in place: `{"x": (1, 784)}` by input, `{"batch": 7}` by the name of a dim.

    Types of results follow with the next shape inference. Raises `ModelError` for a name that no function over tensors
    has, and for a shape that contradicts the declared one.
    """
    given = given_shapes(shapes)
    used: set[str] = set()
    for function in module.body.block.ops:
        if isinstance(function, FuncOp) and function.body.blocks and all(isa(a.type, Tensor) for a in function.args):
            _bind_function(function, given, used)
    if unknown := [name for name in given if name not in used]:
        what = "dim" if isinstance(given[unknown[0]], int) else "input"
        raise ModelError(f"shapes: no {what} is called '{unknown[0]}'; {KINDS}")


def _bind_function(function: FuncOp, shapes: Given, used: set[str]) -> None:
    symbols: dict[Variable, Expr] = {}
    for attribute in _dims_attributes(function):
        for symbol in attribute.variables():
            if isinstance(symbol, str) and isinstance(size := shapes.get(symbol), int):
                symbols[symbol] = Expr.constant(size)
                used.add(symbol)
    types: list[Attribute] = []
    for name, argument in zip(input_names(function), function.args, strict=True):
        assert isa(argument.type, Tensor)
        type = argument.type
        if isinstance(shape := shapes.get(name), tuple):
            used.add(name)
            type = _given(type, name, shape, symbols)
        types.append(type)
    bound = [_bound(type, symbols) for type in types]
    for argument, type in zip(function.args, bound, strict=True):
        Rewriter.replace_value_with_new_type(argument, type)
    outputs = [_bound(type, symbols) for type in function.function_type.outputs]
    function.function_type = FunctionType.from_lists(bound, outputs)
    for op in function.walk():
        for key, value in op.properties.items():
            if isinstance(value, DimsAttr):
                op.properties[key] = value.substitute(symbols)
        for result in op.results:
            Rewriter.replace_value_with_new_type(result, _bound(result.type, symbols))


def _given(type: Tensor, name: str, shape: Sequence[GivenSize], symbols: dict[Variable, Expr]) -> Tensor:
    """The type with the sizes of `shape`; a symbol that is one of them is bound, and None leaves what is there."""
    declared = dims_of(type)
    fits = len(declared) == len(shape) and all(
        size is None or dim == size or not isinstance(dim, int) for dim, size in zip(declared, shape, strict=True)
    )
    if not fits:
        raise ModelError(f"shapes: input '{name}' is declared {shape_text(declared)}, not {list(shape)}")
    dims: list[Dim] = []
    for dim, size in zip(declared, shape, strict=True):
        if isinstance(size, int) and isinstance(dim, Expr) and dim.variable is not None:
            known = symbols.setdefault(dim.variable, Expr.constant(size))
            if known.value != size:
                raise ModelError(f"shapes: dim '{dim.variable}' cannot be {known.value} and {size}")
        if isinstance(size, int):
            dims.append(size)
        else:
            dims.append(Expr.atom(size) if size is not None and dim is None else dim)
    return tensor_of(type.element_type, dims)


def _bound(type: Attribute, symbols: Mapping[Variable, Expr]) -> Attribute:
    if not isa(type, Tensor) or not isinstance(type.encoding, DimsAttr):
        return type
    return tensor_of(type.element_type, type.encoding.substitute(symbols).data)


def _dims_attributes(function: FuncOp) -> list[DimsAttr]:
    types = [*function.function_type.inputs, *(r.type for op in function.walk() for r in op.results)]
    return [t.encoding for t in types if isa(t, Tensor) and isinstance(t.encoding, DimsAttr)]
