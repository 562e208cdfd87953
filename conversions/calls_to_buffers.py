"""Functions of tensors -> functions over buffers, which their callers provide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.expr import Expr, Variable
from ..dialects.graph.dims import Dim, Tensor, as_tensor, dim_text
from ..dialects.loop import IndexOp, MapAttr
from ..dialects.origin import located
from ..dialects.signature import (
    INPUTS,
    NOALIAS,
    OUTPUTS,
    REQUIRES,
    input_names,
    is_primitive,
    output_names,
    requirements,
    strings,
)
from ..errors import PipelineError, UnsupportedError
from ..rewriting import walk
from ..rewriting.naming import Names, module_symbols
from .destinations import Constants, Destinations, refusal
from .graph_to_loop import LoopFunction
from .graph_to_loop.convert import unsupported
from .graph_to_loop.function import symbols_of


def has_tensors(function: FuncOp) -> bool:
    """Whether a function is about tensors: in its type, or anywhere inside."""
    types = (*function.function_type.inputs, *function.function_type.outputs)
    values = (v for op in walk(function) for v in (*op.operands, *op.results))
    return any(isinstance(t, TensorType) for t in types) or any(isinstance(v.type, TensorType) for v in values)


def signature_types(function: FuncOp) -> tuple[Tensor, ...]:
    """The tensor types of a function, those of its results last."""
    return tuple(map(as_tensor, (*function.function_type.inputs, *function.function_type.outputs)))


def check_symbols(function: FuncOp) -> None:
    """Refuse a function with a result whose sizes its arguments do not say."""
    inputs = symbols_of(list(map(as_tensor, function.function_type.inputs)))
    for symbol in symbols_of(signature_types(function)):
        if symbol not in inputs:
            text = dim_text(Expr.atom(symbol))
            raise PipelineError(located(function, f"the size {text} of a result is not one of an argument"))


def size_operand(f: LoopFunction, size: Dim, origin: Operation) -> SSAValue:
    """A size as an index value."""
    e = f.dim(0 if size is None else size)
    if e.variable is not None:
        return cast(SSAValue, e.variable)
    index = IndexOp(e)
    index.location = origin.location
    f.block.add_op(index)
    return index.out


class _Converter:
    """Converts the tensor functions of a module, of which `symbols` says the leading dims."""

    def __init__(self, module: ModuleOp, functions: Sequence[FuncOp]):
        self.constants = Constants(module, Names(module_symbols(module)))
        self.symbols = {f.sym_name.data: symbols_of(signature_types(f)) for f in functions}

    def convert(self, function: FuncOp) -> None:
        """Put the function over buffers in the place of one of tensors."""
        visibility = function.sym_visibility.data if function.sym_visibility else None
        names, outputs = input_names(function), output_names(function)
        values = Destinations(function, self.constants, outputs)
        for op in values.operations():
            self.call(values, op)
        kept = {name: a for name, a in function.attributes.items() if name not in (INPUTS, OUTPUTS, REQUIRES)}
        needed = [values.f.dim(e) for e in requirements(function)]
        made = values.done(visibility)
        if NOALIAS not in kept:
            # only private functions are known to be called with buffers that differ
            del made.attributes[NOALIAS]
        made.attributes |= {**kept, INPUTS: strings(names), OUTPUTS: strings(outputs)}
        if needed:
            positions: dict[Variable, Expr] = {a: Expr.atom(n) for n, a in enumerate(made.args)}
            made.attributes[REQUIRES] = MapAttr(tuple(e.substitute(positions) for e in needed))

    def call(self, values: Destinations, op: Operation) -> None:
        """A call with buffers to write the results into."""
        if isinstance(op, graph.CallTirOp):
            callee, sizes = op.callee.root_reference.data, op.dims.data
        elif isinstance(op, CallOp):
            callee = op.callee.root_reference.data
            if callee not in self.symbols:
                raise UnsupportedError(located(op, f"@{callee} is no function of tensors with a body"))
            sizes = tuple(Expr.atom(symbol) for symbol in self.symbols[callee])
        else:
            raise refusal(op)
        inputs = [values.buffer(value).value for value in op.operands]
        dims = [size_operand(values.f, size, op) for size in sizes]
        outputs = [values.destination(value).value for value in op.results]
        made = CallOp(callee, [*dims, *inputs, *outputs], [])
        made.location = op.location
        values.f.block.add_op(made)


@dataclass(frozen=True)
class ConvertCallsToBuffersPass(ModulePass):
    """
    Turn the functions of tensors that remain into functions over buffers: dims, inputs, outputs.

    Calls write into buffers that their caller provides, constants become globals of the module. What is returned is
    computed in the output buffer; an argument, a constant or the second place of a value returned twice is copied.

    Expects: functions that hold `graph.call_tir`, calls of each other, and constants.
    Leaves:  no tensor.
    """

    name = "convert-calls-to-buffers"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of tensors."""
        if (error := unsupported(op)) is not None:
            raise error
        functions = [f for f in op.body.block.ops if isinstance(f, FuncOp) and has_tensors(f)]
        for function in functions:
            if function.is_declaration:
                raise UnsupportedError(located(function, "a function of tensors without a body"))
            if is_primitive(function):
                raise PipelineError(located(function, "a primitive function is left: run fuse-loop-functions first"))
            check_symbols(function)
        converter = _Converter(op, functions)
        for function in functions:
            converter.convert(function)
