"""Functions of `graph` ops: what each value is, in order, with the sizes that the arguments give to symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects import graph
from ...dialects.element_types import dtype_of
from ...dialects.expr import Expr, Variable
from ...dialects.graph.dims import as_tensor, dim_text, variable_text
from ...dialects.origin import located
from ...dialects.signature import input_names, requirements
from ...errors import RunError
from ..arguments import check_requirements
from .arrays import Array
from .evaluate import evaluate_op

Call: TypeAlias = Callable[[str, tuple[Array, ...]], Sequence[Array]]
"""`(callee, arguments) -> results`: runs a function of tensors."""

CallTir: TypeAlias = Callable[[str, tuple[int, ...], tuple[Array, ...], tuple[Array, ...]], None]
"""`(callee, dims, inputs, outputs)`: runs a loop function, which writes the outputs."""


@dataclass
class _Frame:
    """One call of a function: the arrays of its values, the sizes of its symbols."""

    values: dict[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])
    sizes: dict[Variable, int] = field(default_factory=dict[Variable, int])

    def arrays(self, values: Iterable[SSAValue]) -> tuple[Array, ...]:
        return tuple(self.values[value] for value in values)


@dataclass(frozen=True)
class GraphFunctions:
    """Evaluates functions of `graph` ops; `call` and `call_tir` run what they call."""

    call: Call
    call_tir: CallTir

    def evaluate(self, function: FuncOp, arguments: Sequence[Array]) -> tuple[Array, ...]:
        """The results of a function on these arrays."""
        name = function.sym_name.data
        if function.is_declaration:
            raise RunError(located(function, f"@{name} has no body to run"))
        if len(arguments) != len(function.args):
            raise RunError(located(function, f"@{name} takes {len(function.args)} arrays, found {len(arguments)}"))
        frame = _Frame()
        for argument, name, array in zip(function.args, input_names(function), arguments, strict=True):
            _check_array(function, name, argument.type, array)
            frame.values[argument] = array
        _bind_sizes(function, frame)
        check_requirements(f"'{function.sym_name.data}'", requirements(function), frame.sizes, variable_text)
        return self._run_block(function.body.block, frame)

    def _run_block(self, block: Block, frame: _Frame) -> tuple[Array, ...]:
        for op in block.ops:
            if isinstance(op, ReturnOp | graph.OutputOp):
                return frame.arrays(op.operands)
            results = self._run_op(op, frame)
            for result, array in zip(op.results, results, strict=True):
                frame.values[result] = array
        raise RunError("a block that runs to its end without a terminator")

    def _run_op(self, op: Operation, frame: _Frame) -> Sequence[Array]:
        operands = frame.arrays(op.operands)
        match op:
            case graph.DataflowOp():
                return self._run_block(op.body.block, frame)
            case CallOp():
                return self.call(op.callee.string_value(), operands)
            case graph.CallTirOp():
                dims = tuple(_size(op, size, frame) for size in op.dims.data)
                outputs = tuple(_destination(op, value.type, frame) for value in op.outs)
                self.call_tir(op.callee.string_value(), dims, operands, outputs)
                return outputs
            case _:
                return evaluate_op(op, operands, frame.sizes)


def _check_array(function: FuncOp, name: str, type: Attribute, array: Array) -> None:
    """Refuse an array that is not of its argument's element type and rank."""
    if not isa(type, graph.Tensor):
        raise RunError(located(function, f"argument '{name}' is {type}, which is no tensor"))
    dtype = dtype_of(type)
    if array.dtype != dtype:
        raise RunError(f"argument '{name}' has elements {dtype}, found {array.dtype}")
    if array.ndim != type.get_num_dims():
        raise RunError(f"argument '{name}' has rank {type.get_num_dims()}, found an array of shape {array.shape}")


def _bind_sizes(function: FuncOp, frame: _Frame) -> None:
    """Let symbols stand for the sizes of the arguments; refuse a size that contradicts another."""
    found: list[tuple[str, graph.Dim, int]] = []
    for argument, name in zip(function.args, input_names(function), strict=True):
        sizes = graph.dims_of(as_tensor(argument.type))
        for axis, (size, actual) in enumerate(zip(sizes, frame.values[argument].shape, strict=True)):
            found.append((f"axis {axis} of argument '{name}'", size, actual))
            if isinstance(size, Expr) and isinstance(size.variable, str):
                frame.sizes.setdefault(size.variable, actual)
    for place, size, actual in found:
        if isinstance(size, Expr):
            known = all(variable in frame.sizes for variable in size.variables())
            expected = size.evaluate(frame.sizes) if known else actual
        else:
            expected = actual if size is None else size
        if expected != actual:
            text = dim_text(size)
            raise RunError(f"{place} is {text if text == str(expected) else f'{text} = {expected}'}, found {actual}")


def _size(op: Operation, size: graph.Dim, frame: _Frame) -> int:
    """The number that a size is in this run."""
    if isinstance(size, int):
        return size
    if size is None or not all(variable in frame.sizes for variable in size.variables()):
        raise RunError(located(op, f"the size {dim_text(size)} is given by no argument; run infer-shapes first"))
    return size.evaluate(frame.sizes)


def _destination(op: Operation, type: Attribute, frame: _Frame) -> Array:
    """An array to write a result into."""
    shape = [_size(op, size, frame) for size in graph.dims_of(as_tensor(type))]
    return np.zeros(shape, dtype_of(type))
