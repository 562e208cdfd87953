"""A function of tensors on its way to one of buffers: where each of its values stands."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ..dialects import graph
from ..dialects.array import ConstantArrayAttr
from ..dialects.element_types import dtype_of
from ..dialects.graph.dims import as_tensor, type_of_value
from ..dialects.loop import GetGlobalOp, GlobalOp
from ..dialects.origin import give_origin, located
from ..dialects.signature import input_names
from ..errors import UnsupportedError
from ..rewriting.naming import Names
from .graph_to_loop import Buffer, LoopFunction, Scalar
from .graph_to_loop.buffer import memref_of
from .graph_to_loop.function import Parameter
from .graph_to_loop.scalar import signless


class Constants:
    """The constant buffers of a module: one global for equal arrays."""

    def __init__(self, module: ModuleOp, names: Names):
        self.module = module
        self.names = names
        self.globals: dict[ConstantArrayAttr, GlobalOp] = {}

    def buffer(self, constant: graph.ConstantOp, f: LoopFunction) -> Buffer:
        """The buffer of a constant inside a function."""
        type = constant.value.type
        dims = f.dims_of(type)
        if constant.value not in self.globals:
            self.globals[constant.value] = self._declare(constant, f)
        made = self.globals[constant.value]
        get = GetGlobalOp(made.sym_name.data, memref_of(type.element_type, dims))
        get.buffer.name_hint = constant.out.name_hint
        get.location = constant.location
        f.block.add_op(get)
        return Buffer(get.buffer, type.element_type, dims)

    def _declare(self, constant: graph.ConstantOp, f: LoopFunction) -> GlobalOp:
        value, element = constant.value, constant.value.type.element_type
        if signless(element) != element:
            value = ConstantArrayAttr(value.array.view(dtype_of(signless(element))))
        name = self.names.unique(constant.out.name_hint or "constant")
        made = GlobalOp(name, memref_of(element, f.dims_of(constant.value.type)), value)
        made.location = constant.location
        block = self.module.body.block
        following = next((op for op in block.ops if not isinstance(op, GlobalOp)), None)
        if following is None:
            block.add_op(made)
        else:
            block.insert_op_before(made, following)
        return made


class Destinations:
    """
    The buffers of the values of a tensor function: arguments are inputs, what is returned is an output.

    A value that is returned is computed in the output itself; the second place of one returned twice, an argument and a
    constant are copied at the end. Other values are temporaries.
    """

    def __init__(self, function: FuncOp, constants: Constants, outputs: Sequence[str]):
        self.function = function
        self.constants = constants
        self.returned = _return_of(function).operands
        inputs = [
            Parameter(arg.name_hint or name, as_tensor(arg.type))
            for arg, name in zip(function.args, input_names(function), strict=True)
        ]
        results = [Parameter(name, type_of_value(value)) for name, value in zip(outputs, self.returned, strict=True)]
        self.f = LoopFunction(inputs, results, function)
        self.buffers: dict[SSAValue, Buffer] = dict(zip(function.args, self.f.inputs, strict=True))
        self.places: dict[SSAValue, Buffer] = {}
        for value, output in zip(self.returned, self.f.outputs, strict=True):
            if isinstance(value.owner, Operation) and not isinstance(value.owner, graph.ConstantOp):
                self.places.setdefault(value, output)

    def operations(self) -> list[Operation]:
        """The ops that compute something, in order."""
        return [op for op in self.function.body.block.ops if not isinstance(op, graph.ConstantOp | ReturnOp)]

    def buffer(self, value: SSAValue) -> Buffer:
        """Where a value stands that has been computed, or is an argument or a constant."""
        if value not in self.buffers:
            owner = value.owner
            if not isinstance(owner, graph.ConstantOp):
                raise refusal(owner if isinstance(owner, Operation) else self.function)
            self.buffers[value] = self.constants.buffer(owner, self.f)
        return self.buffers[value]

    def destination(self, value: SSAValue) -> Buffer:
        """Where a value is to be computed."""
        if value in self.places:
            buffer = self.places[value]
        else:
            type = type_of_value(value)
            buffer = self.f.temporary(value.name_hint or "", type.element_type, self.f.dims_of(type))
        self.buffers[value] = buffer
        return buffer

    def done(self, visibility: str | None) -> FuncOp:
        """The function over buffers, in the place of the other one."""
        for value, output in zip(self.returned, self.f.outputs, strict=True):
            if self.places.get(value) is not output:
                self.f.map("copy", output, [self.buffer(value)], _itself)
        made = self.f.done(self.function.sym_name.data, visibility=visibility)
        give_origin(made, self.function.location)
        block = self.function.parent_block()
        assert block is not None
        block.insert_op_before(made, self.function)
        self.function.detach()
        self.function.erase(safe_erase=False)
        return made


def _itself(element: Scalar) -> Scalar:
    return element


def _return_of(function: FuncOp) -> ReturnOp:
    last = function.body.block.last_op
    if not isinstance(last, ReturnOp):
        raise UnsupportedError(located(function, "a function of tensors ends with func.return"))
    return last


def refusal(op: Operation) -> UnsupportedError:
    """The error about an op that is no call of a loop function, where only those may be left."""
    return UnsupportedError(
        located(op, "has no loop form: convert-graph-to-loop comes first, and needs a lowering for every op")
    )
