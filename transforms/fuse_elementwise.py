"""Ops that compute element by element what the next one reads element by element become one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.signature import is_loop_function, is_primitive
from ..rewriting import walk
from ..rewriting.naming import Names, module_symbols
from ..rewriting.outline import Parameter, external_values, outline

HEAVY_OPS: tuple[type[graph.GraphOp], ...] = (
    graph.MatmulOp,
    graph.Conv2dOp,
    *graph.REDUCTION_OPS,
    graph.MaxPool2dOp,
    graph.AvgPool2dOp,
)
"""Ops that compute an element from many: one of them may stand at the head of a group, none behind another op."""

NAMED_OPS = 4
"""How many ops of a group its name tells."""


@dataclass
class Group:
    """Ops that will be one function, found from the last one upwards."""

    root: Operation
    dims: tuple[graph.Dim, ...]
    members: list[Operation] = field(default_factory=list[Operation])
    is_headed: bool = False

    def takes(self, op: Operation) -> bool:
        """Whether an op that only this group reads may join it."""
        return _dims(op) == self.dims and None not in self.dims and not (isinstance(op, HEAVY_OPS) and self.is_headed)

    def add(self, op: Operation) -> None:
        """Take an op in, before those that are in already."""
        self.members.insert(0, op)
        self.is_headed |= isinstance(op, HEAVY_OPS)


def _dims(op: Operation) -> tuple[graph.Dim, ...]:
    return graph.dims_of(graph.type_of_value(op.results[0]))


def groups_of(block: Block) -> list[Group]:
    """The groups of a block, in program order of their last ops."""
    found: list[Group] = []
    group_of: dict[Operation, Group] = {}
    for op in reversed(list(block.ops)):
        heavy = isinstance(op, HEAVY_OPS)
        if not heavy and not isinstance(op, graph.ELEMENTWISE_OPS):
            continue
        readers = {use.operation for use in op.results[0].uses}
        groups = {id(group): group for reader in readers if (group := group_of.get(reader)) is not None}
        group = next(iter(groups.values())) if len(groups) == 1 else None
        if group is None or any(reader not in group_of for reader in readers) or not group.takes(op):
            if heavy:
                continue
            group = Group(op, _dims(op))
            found.append(group)
        group.add(op)
        group_of[op] = group
    return [group for group in reversed(found) if len(group.members) > 1]


def _name(group: Group) -> str:
    kinds = [op.name.removeprefix("graph.") for op in group.members]
    return "_".join(["fused", *kinds[:NAMED_OPS], *(["etc"] if len(kinds) > NAMED_OPS else [])])


def _with_numbers(group: Sequence[Operation]) -> list[Operation]:
    """The group with copies of the constants of one element that it reads: a number belongs in the code."""
    numbers = [
        value.owner
        for value in external_values(group)
        if isinstance(value.owner, graph.ConstantOp) and value.owner.value.array.size == 1
    ]
    copies: list[Operation] = []
    first = group[0]
    block = first.parent
    assert block is not None, "a group stands in a block"
    for number in numbers:
        copy = number.clone()
        block.insert_op_before(copy, first)
        for op in group:
            op.operands = [copy.results[0] if operand is number.results[0] else operand for operand in op.operands]
        copies.append(copy)
    return [*copies, *group]


def _outlined(group: Group, name: str) -> FuncOp:
    ops = _with_numbers(group.members)
    values = external_values(ops)
    return outline(ops, name, [Parameter(f"in{number}", value) for number, value in enumerate(values)])


def _blocks(function: FuncOp) -> Iterator[Block]:
    for op in walk(function):
        for region in op.regions:
            yield from region.blocks


@dataclass(frozen=True)
class FuseElementwisePass(ModulePass):
    """
    Outline groups of elementwise ops, each as a private primitive function named after its ops.

    A group has one result, that of its last op. An op joins the group of those that read it if

    - only that group reads it, however often: nothing is computed twice, and no one else misses it;
    - its result has the very sizes of the group's result, none of them unknown: no element is computed again in a
      broadcast;
    - it is elementwise, or a matrix product, convolution, reduction or pooling, of which a group has at most one.
      Nothing is fused into the operands of such an op.

    Every op in a group is pure, and what it reads from outside stands before the last op, so that nothing moves past an
    effect. Values read several times are passed once; constants of one element go into the function.

    Expects: functions of `graph` ops; functions that are primitive, and loop functions, are skipped.
    Leaves:  no elementwise op that only one elementwise op of its shape reads, except in primitive functions.
    """

    name = "fuse-elementwise"
    opt_level: ClassVar[int] = 2
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Outline every group of every function."""
        names = Names(module_symbols(op))
        for function in tuple(op.body.block.ops):
            if not isinstance(function, FuncOp) or is_primitive(function) or is_loop_function(function):
                continue
            for block in tuple(_blocks(function)):
                for group in groups_of(block):
                    op.body.block.insert_op_before(_outlined(group, names.unique(_name(group))), function)
