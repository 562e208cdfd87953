"""Binding the dynamic dims of a module that is there already, as the ONNX reader does while it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from ..dialects.expr import Expr, Variable
from ..dialects.graph import DimsAttr, Tensor, dims_of, tensor_of
from ..dialects.graph.dims import shape_text
from ..dialects.signature import input_names
from ..errors import ModelError


def bind_shapes(module: ModuleOp, shapes: Mapping[str, Any]) -> None:
    """
    Give sizes to dynamic dims, in place: `{"x": (1, 784)}` by input, `{"batch": 7}` by the name of a dim.

    Types of results follow with the next shape inference. Raises `ModelError` for a name that no function over tensors
    has, and for a shape that contradicts the declared one.
    """
    used: set[str] = set()
    for function in module.body.block.ops:
        if isinstance(function, FuncOp) and function.body.blocks and all(isa(a.type, Tensor) for a in function.args):
            _bind_function(function, shapes, used)
    if unknown := [name for name in shapes if name not in used]:
        raise ModelError(f"shapes: neither an input nor a dim is called '{unknown[0]}'")


def _bind_function(function: FuncOp, shapes: Mapping[str, Any], used: set[str]) -> None:
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
        if name in shapes and not isinstance(shapes[name], int):
            used.add(name)
            type = _given(type, name, tuple(shapes[name]), symbols)
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


def _given(type: Tensor, name: str, shape: tuple[int, ...], symbols: dict[Variable, Expr]) -> Tensor:
    """The type with the sizes of `shape`; a symbol that is one of them is bound."""
    declared = dims_of(type)
    fits = len(declared) == len(shape) and all(
        d == s or not isinstance(d, int) for d, s in zip(declared, shape, strict=True)
    )
    if not fits:
        raise ModelError(f"shapes: input '{name}' is declared {shape_text(declared)}, not {list(shape)}")
    for dim, size in zip(declared, shape, strict=True):
        if isinstance(dim, Expr) and dim.variable is not None:
            known = symbols.setdefault(dim.variable, Expr.constant(size))
            if known.value != size:
                raise ModelError(f"shapes: dim '{dim.variable}' cannot be {known.value} and {size}")
    return tensor_of(type.element_type, shape)


def _bound(type: Attribute, symbols: Mapping[Variable, Expr]) -> Attribute:
    if not isa(type, Tensor) or not isinstance(type.encoding, DimsAttr):
        return type
    return tensor_of(type.element_type, type.encoding.substitute(symbols).data)


def _dims_attributes(function: FuncOp) -> list[DimsAttr]:
    types = [*function.function_type.inputs, *(r.type for op in function.walk() for r in op.results)]
    return [t.encoding for t in types if isa(t, Tensor) and isinstance(t.encoding, DimsAttr)]
