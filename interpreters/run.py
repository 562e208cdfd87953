"""Running a function of a module, at whatever level it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.element_types import dtype_of
from ..dialects.origin import located
from ..dialects.signature import input_names
from ..errors import RunError, VerifyError
from .arguments import Array, Inputs, Interface, Parameter, as_array, check_names
from .graph import GraphFunctions
from .loop.buffers import Workspace, from_array, to_array
from .loop.functions import Program


def run(module: ModuleOp, function: str | None = None, inputs: Inputs = ()) -> tuple[Array, ...]:
    """
    Run a function on NumPy arrays, by name or in order; its outputs as arrays.

    `function` is by default `main`, or the only public function. Over tensors it is evaluated as a graph, over
    buffers as loops: outputs and workspace are made here, dims follow from the shapes of the inputs. An output over
    buffers may be given too, by its name or after all inputs; then it starts with these contents.
    """
    return Runner(module).run(function, inputs)


class Runner:
    """A module to run more than once, as long as it stays as it is."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.program = Program(module)
        self._graph = GraphFunctions(self._call, self._call_tir)

    def run(self, function: str | None = None, inputs: Inputs = ()) -> tuple[Array, ...]:
        """Run a function on arrays, as the function `run` does."""
        op = entry(self.module, function)
        try:
            if _is_over_tensors(op):
                return self._graph.evaluate(op, _in_order(op, inputs))
            interface = Interface(op)
            return self._run_loops(interface, *interface.bind(inputs))
        except MemoryError as error:
            raise RunError(f"no memory for what '{op.sym_name.data}' computes") from error

    def _call(self, callee: str, arguments: tuple[Array, ...]) -> Sequence[Array]:
        return self._graph.evaluate(entry(self.module, callee), arguments)

    def _call_tir(
        self, callee: str, dims: tuple[int, ...], inputs: tuple[Array, ...], outputs: tuple[Array, ...]
    ) -> None:
        interface = Interface(entry(self.module, callee), len(outputs))
        given = dict(zip(interface.inputs, inputs, strict=True))
        sizes = interface.solve(given, dict(zip(interface.dims, dims, strict=True)))
        for output, result in zip(outputs, self._run_loops(interface, sizes, given), strict=True):
            if output.shape != result.shape:
                raise RunError(f"'{callee}' gives shape {result.shape}, its caller expects {output.shape}")
            output[...] = result.view(output.dtype)

    def _run_loops(
        self, interface: Interface, dims: Mapping[BlockArgument, int], arrays: Mapping[Parameter, Array]
    ) -> tuple[Array, ...]:
        values: dict[SSAValue, Any] = {**dims}
        for parameter in (*interface.inputs, *interface.outputs):
            given = arrays.get(parameter)
            if given is None:
                values[parameter.argument] = [None] * prod(interface.shape_of(parameter, dims))
                continue
            # unsigned elements are in buffers of signless ones, by their bits
            buffer = from_array(np.ascontiguousarray(given).view(parameter.stored), parameter.element)
            values[parameter.argument] = buffer if parameter.is_buffer else buffer[0]
        if interface.workspace is not None:
            values[interface.workspace] = Workspace.of_size(interface.workspace_size(dims))
        name = interface.function.sym_name.data
        results = self.program.call(name, *(values[a] for a in interface.function.args))
        outputs: list[Array] = []
        for parameter in interface.outputs:
            what, shape = f"output '{parameter.name}' of '{name}'", interface.shape_of(parameter, dims)
            buffer = values[parameter.argument]
            outputs.append(to_array(interface.function, buffer, parameter.stored, shape, what).view(parameter.dtype))
        return (*outputs, *map(np.asarray, results))


def _is_over_tensors(function: FuncOp) -> bool:
    types = (*function.function_type.inputs, *function.function_type.outputs)
    if any(isinstance(type, TensorType) for type in types):
        return True
    # a model of constants only
    return not any(isinstance(type, MemRefType) for type in types) and any(
        isinstance(result.type, TensorType) for op in function.walk() for result in op.results
    )


def _in_order(function: FuncOp, inputs: Inputs) -> list[Array]:
    """The inputs of a function over tensors, in order."""
    names = input_names(function)
    if isinstance(inputs, Mapping):
        check_names(inputs, names, names)
        values = [inputs[name] for name in names]
    elif len(inputs) == len(names):
        values = list(inputs)
    else:
        raise RunError(f"{len(inputs)} inputs given, {len(names)} needed: {', '.join(names) or 'none'}")
    return [as_array(value, dtype_of(a.type)) for value, a in zip(values, function.args, strict=True)]


def entry(module: ModuleOp, function: str | None) -> FuncOp:
    """The function of that name; without one `main`, or the only public function. It must have a body."""
    op = _named(module, function)
    if op.is_declaration:
        raise VerifyError(located(op, f"function '{op.sym_name.data}' has no body"))
    return op


def _named(module: ModuleOp, function: str | None) -> FuncOp:
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}
    if function is not None:
        if function not in functions:
            raise RunError(f"no function '{function}'; there is {', '.join(functions) or 'none'}")
        return functions[function]
    if "main" in functions:
        return functions["main"]
    public = [op for op in functions.values() if op.sym_visibility is None or op.sym_visibility.data == "public"]
    if len(public) != 1:
        names = ", ".join(op.sym_name.data for op in public) or "none"
        raise RunError(f"which function? There is no 'main', and these are public: {names}")
    return public[0]
