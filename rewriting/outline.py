"""Moving a group of ops into a function of their own, and calling it in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.signature import mark_primitive


@dataclass(frozen=True)
class Parameter:
    """A parameter of the new function: its name, and the value that the call passes."""

    name: str
    value: SSAValue


def external_values(group: Sequence[Operation]) -> list[SSAValue]:
    """The values that a group reads and does not compute, each once, in order of first use."""
    inside = {result for op in group for result in op.results}
    return list(dict.fromkeys(operand for op in group for operand in op.operands if operand not in inside))


def outline(group: Sequence[Operation], name: str, parameters: Sequence[Parameter]) -> FuncOp:
    """
    Move `group`, ops in program order of which only the last is read outside, into a new primitive function.

    A call of it takes the place of the last op and keeps its origin and names. The function stands nowhere yet.
    """
    *_, last = group
    results: Iterable[SSAValue] = last.results
    block = Block(arg_types=[parameter.value.type for parameter in parameters])
    values: dict[SSAValue, SSAValue] = {}
    for argument, parameter in zip(block.args, parameters, strict=True):
        argument.name_hint = parameter.name
        values.setdefault(parameter.value, argument)
    for op in group:
        block.add_op(op.clone(values))
    end = ReturnOp(*(values[result] for result in results))
    end.location = last.location
    block.add_op(end)

    types = [result.type for result in last.results]
    function = FuncOp(name, FunctionType.from_lists(block.arg_types, types), Region(block), StringAttr("private"))
    function.location = last.location
    mark_primitive(function)
    call = CallOp(name, [parameter.value for parameter in parameters], types)
    call.location = last.location
    _replace(group, call)
    return function


def _replace(group: Sequence[Operation], call: CallOp) -> None:
    *_, last = group
    block = last.parent
    assert block is not None, "a group stands in a block"
    block.insert_op_before(call, last)
    for old, new in zip(last.results, call.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    for op in reversed(group):
        op.detach()
        op.erase()
