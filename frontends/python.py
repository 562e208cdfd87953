"""
A graph written in Python.

```python
b = GraphBuilder()
with b.function("main", {"x": tensor((1, 784), "f32")}) as (x,):
    with b.dataflow():
        h = b.emit(b.relu(b.add(b.matmul(x, w), bias)))
        y = b.emit_output(b.softmax(h))
    b.emit_func_output(y)
module = b.get()
```
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from ..dialects import graph
from ..dialects.graph.op import AnyTensor
from ..dialects.origin import text_location
from ..dialects.signature import INPUTS, strings
from ..errors import VerifyError
from ..rewriting import verify
from .operations import Operations, as_array, element_type, sizes, with_elements
from .value_names import value_name


def tensor(shape: Sequence[int | str | None], element: Any = "f32") -> graph.Tensor:
    """
    The type of a tensor: `tensor((1, 784), "f32")`, `tensor(("batch", 784))`.

    A name is a size known at run time, the same wherever it occurs; None is a size of which nothing is known.
    """
    return graph.tensor_of(element_type(element), sizes("shape", shape))


@dataclass
class _Function:
    """The function being written, and the scopes that are open in it."""

    op: FuncOp
    scopes: list[_Scope] = field(default_factory=list["_Scope"])
    names: dict[str, int] = field(default_factory=dict[str, int])
    left: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What a scope that is closed has put out -> what that is outside."""

    def sees(self, value: SSAValue) -> bool:
        """Whether the scopes that are open have a value."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return any(scope.block is block for scope in self.scopes)

    def next_name(self, stem: str) -> str:
        """`lv`, `lv1`, `lv2`, …"""
        count = self.names.get(stem, 0)
        self.names[stem] = count + 1
        return f"{stem}{count or ''}"


@dataclass
class _Scope:
    block: Block
    outputs: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    """What leaves a dataflow scope, and what it is called outside."""
    is_dataflow: bool = False


class GraphBuilder(Operations):
    """
    Writes functions of `graph` ops.

    `b.matmul(x, w)` is an expression; `emit` binds it to a name, and everything it was made from that has none yet.
    Types are inferred. Every op keeps the line of Python that emitted it as its origin.
    """

    def __init__(self) -> None:
        super().__init__(place=lambda op: None)
        self._functions: dict[str, FuncOp] = {}
        self._open: _Function | None = None

    @contextmanager
    def function(self, name: str, inputs: Mapping[str, graph.Tensor]) -> Generator[tuple[SSAValue, ...]]:
        """Open a function; the `with` gives its arguments, one for each of `inputs` (name -> `tensor(…)`)."""
        if self._open is not None:
            raise VerifyError(f"function '{name}' cannot be written inside '{self._open.op.sym_name.data}'")
        if name in self._functions:
            raise VerifyError(f"there is a function '{name}' already")
        _check_signature(name, inputs)
        block = Block(arg_types=tuple(inputs.values()))
        for argument, given in zip(block.args, inputs, strict=True):
            argument.name_hint = value_name(given)
        op = FuncOp(name, FunctionType.from_lists(block.arg_types, []), Region(block))
        op.attributes[INPUTS] = strings(tuple(inputs))
        op.location = _caller()
        self._open = function = _Function(op, [_Scope(block)])
        try:
            yield tuple(block.args)
            if not isinstance(block.last_op, ReturnOp):
                raise VerifyError(f"function '{name}' has no output: end it with emit_func_output")
            self._functions[name] = function.op
        finally:
            self._open = None

    @contextmanager
    def dataflow(self) -> Generator[None]:
        """Open a scope of pure ops; what is used after it leaves through `emit_output`."""
        function, outer = self._where()
        if outer.is_dataflow:
            raise VerifyError("a dataflow scope cannot be opened inside another")
        scope = _Scope(Block(), is_dataflow=True)
        function.scopes.append(scope)
        location = _caller()
        try:
            yield
        finally:
            # after an error too: who catches it stands in the function again, without this scope
            function.scopes.pop()
        scope.block.add_op(graph.OutputOp(*scope.outputs))
        op = graph.DataflowOp(scope.block)
        op.location = scope.block.ops.last.location = location  # pyright: ignore[reportOptionalMemberAccess]
        outer.block.add_op(op)
        for (inner, given), result in zip(scope.outputs.items(), op.results, strict=True):
            result.name_hint = given
            function.left[inner] = result

    def emit(self, value: SSAValue, name: str | None = None) -> SSAValue:
        """Put the op that computes `value` into the function, after those it needs, and name its result."""
        function, scope = self._where()
        _check_value(value)
        _check_name(name)
        self._insert(value, "lv" if scope.is_dataflow else "gv", name)
        value = function.left.get(value, value)
        if not function.sees(value):
            raise VerifyError(f"{_name(value)} is of another scope: a value leaves its scope by emit_output")
        return value

    def emit_output(self, value: SSAValue, name: str | None = None) -> SSAValue:
        """The same as `emit`, for a value that leaves the dataflow scope."""
        function, scope = self._where()
        if not scope.is_dataflow:
            raise VerifyError("emit_output belongs in a dataflow scope; a function ends with emit_func_output")
        value = self.emit(value, name)
        if value not in scope.outputs:
            scope.outputs[value] = value_name(name or "") or function.next_name("gv")
        return value

    def emit_func_output(self, value: SSAValue | Sequence[SSAValue]) -> None:
        """End the function: it returns this value, or these."""
        function, scope = self._where()
        if scope.is_dataflow:
            raise VerifyError("a function ends outside its dataflow scopes")
        values: list[SSAValue] = list(value) if isinstance(value, list | tuple) else [cast(SSAValue, value)]
        for each in values:
            _check_value(each)
        results = [self.emit(each) for each in values]
        scope.block.add_op(end := ReturnOp(*results))
        end.location = _caller()
        types = FunctionType.from_lists(scope.block.arg_types, [each.type for each in results])
        function.op.function_type = types

    def constant(self, value: Any, element: Any = None) -> SSAValue:
        """An array or a number as a tensor, with `element` of that type."""
        type = None if element is None else element_type(element)
        array = as_array(value, type)
        return graph.ConstantOp(array if type is None else with_elements(array, type)).results[0]

    def call(self, name: str, *arguments: SSAValue) -> tuple[SSAValue, ...]:
        """Call a function that this builder has written before."""
        if name not in self._functions:
            raise VerifyError(f"no function '{name}' has been written yet")
        callee = self._functions[name]
        for argument in arguments:
            _check_value(argument)
        types: list[Attribute] = list(callee.function_type.outputs)
        return tuple(CallOp(name, list(arguments), types).results)

    def get(self) -> ModuleOp:
        """The module with every function written so far, verified."""
        if self._open is not None:
            raise VerifyError(f"function '{self._open.op.sym_name.data}' is still open")
        module = ModuleOp([function.clone() for function in self._functions.values()])
        verify(module)
        return module

    # -- inside ---------------------------------------------------------------------------------------------------

    def _where(self) -> tuple[_Function, _Scope]:
        if self._open is None:
            raise VerifyError("open a function first: with b.function(name, inputs) as arguments: …")
        if isinstance(self._open.scopes[0].block.last_op, ReturnOp):
            raise VerifyError(f"function '{self._open.op.sym_name.data}' has its output already")
        return self._open, self._open.scopes[-1]

    def _insert(self, value: SSAValue, stem: str, name: str | None) -> None:
        """Insert the op of `value` and, before it, whatever it needs that stands nowhere yet."""
        function, scope = self._where()
        location = _caller()
        final = value.owner
        stack: list[Operation] = [final] if isinstance(final, Operation) else []
        while stack:
            op = stack[-1]
            waiting = [operand.owner for operand in op.operands if _is_loose(operand)] if op.parent is None else []
            if waiting:
                stack.extend(each for each in reversed(waiting) if isinstance(each, Operation))
                continue
            stack.pop()
            if op.parent is not None:
                continue
            op.operands = [function.left.get(operand, operand) for operand in op.operands]
            _check_scope(op, function)
            op.location = location
            scope.block.add_op(op)
            if op is not final and not isinstance(op, graph.ConstantOp):
                for result in op.results:
                    result.name_hint = function.next_name("lv" if scope.is_dataflow else "gv")
        if isinstance(value, OpResult) and value.name_hint is None:
            value.name_hint = value_name(name) if name is not None else function.next_name(stem)


def _is_loose(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.parent is None


def _check_scope(op: Operation, function: _Function) -> None:
    for operand in op.operands:
        if not function.sees(operand):
            raise VerifyError(
                f"'{op.name}' uses {_name(operand)} of another scope: a value leaves its scope by emit_output"
            )


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else "a value"


def _check_value(value: object) -> None:
    """Refuse what is no value."""
    if not isinstance(value, SSAValue):
        what = type(value).__name__
        raise VerifyError(f"a value of this builder expected, found {what}; b.constant makes one of an array")


def _check_name(name: object) -> None:
    """Refuse a name that is no text."""
    if name is not None and not isinstance(name, str):
        raise VerifyError(f"a name is text, found {name!r}")


def _check_signature(name: Any, inputs: Any) -> None:
    """Refuse a function without a name, and inputs that are no tensors by name."""
    if not isinstance(name, str) or not name:
        raise VerifyError(f"a function has a name, found {name!r}")
    if not isinstance(inputs, Mapping):
        raise VerifyError(f"function '{name}': inputs are a mapping from names to tensor(…)")
    for given, type in cast("Mapping[Any, Any]", inputs).items():
        if not isinstance(given, str) or not isa(type, graph.Tensor) or not AnyTensor.accepts(type.element_type):
            raise VerifyError(f"function '{name}': input {given!r} is a name with a tensor(…), found {type}")


_HERE = os.path.dirname(__file__)


def _caller() -> Any:
    """The line of Python outside this package's frontends that is being executed."""
    frame = inspect.currentframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if os.path.dirname(file) != _HERE and os.path.basename(file) != "contextlib.py":
            return text_location(os.path.basename(file), frame.f_lineno, 1)
        frame = frame.f_back
    raise AssertionError("no caller")
