"""Operand groups of an op with segment sizes, read without unpacking the attribute through xDSL each time."""

from __future__ import annotations

from functools import cache
from struct import unpack
from typing import TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, VarOperandDef

SEGMENTS = "operandSegmentSizes"

Op = TypeVar("Op", bound=IRDLOperation)


def segment_sizes(op: Operation) -> tuple[int, ...]:
    """How many operands each group has."""
    return _unpacked(cast(DenseArrayBase, op.properties[SEGMENTS]).data.data)


@cache
def _unpacked(data: bytes) -> tuple[int, ...]:
    return unpack(f"<{len(data) // 4}i", data)


def quick_groups(definition: type[Op]) -> type[Op]:
    """
    Read the variadic operand fields of an op definition by `segment_sizes`.

    xDSL's own fields cost ten times as much, and a schedule reads the buffers of a block some thousand times.
    """
    for number, (name, group) in enumerate(definition.get_irdl_definition().operands):
        if isinstance(group, VarOperandDef):
            setattr(definition, name, _field(number))
    return definition


def _field(number: int) -> property:
    def group(op: Operation) -> tuple[SSAValue, ...]:
        sizes = segment_sizes(op)
        start = sum(sizes[:number])
        return cast("tuple[SSAValue, ...]", op.operands[start : start + sizes[number]])

    return property(group)
