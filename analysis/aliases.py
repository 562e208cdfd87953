"""Which buffers may share memory: views of one workspace, and buffers that loops and conditions hand on."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ..dialects.element_types import bits_of
from ..dialects.expr import Expr
from ..dialects.loop import (
    AllocOp,
    ConditionOp,
    ForOp,
    GetGlobalOp,
    IfOp,
    ViewOp,
    WhileOp,
    YieldOp,
    buffer_type,
)
from .bounds import Bounds

ANYWHERE = "anywhere"
"""Stands for memory that nothing is known of, in place of a buffer."""


def origins(buffer: SSAValue) -> set[SSAValue | str]:
    """
    The memory that a buffer may be (part of): allocs, arguments of the function, globals by name.

    What a loop carries is what it begins with or what an iteration hands on; a view is part of its workspace.
    """
    found: set[SSAValue | str] = set()
    seen: set[SSAValue] = set()
    waiting = [buffer]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        sources = _sources(value)
        if sources is None:
            found.add(_origin(value))
        else:
            waiting += sources
    return found


def _origin(value: SSAValue) -> SSAValue | str:
    owner = value.owner
    if isinstance(owner, GetGlobalOp):
        return f"@{owner.global_name.root_reference.data}"
    is_argument = isinstance(value, BlockArgument) and isinstance(value.owner.parent_op(), func.FuncOp | None)
    return value if is_argument or isinstance(owner, AllocOp) else ANYWHERE


def _sources(value: SSAValue) -> list[SSAValue] | None:
    """The values that a buffer is one of, or part of; None where it is memory of its own, or nothing is known."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        around, number = value.owner.parent_op(), value.index
        match around:
            case ForOp():
                return _handed_on(around, number - 1)
            case WhileOp() if value.owner is around.condition.block:
                return [around.inits[number], *_yielded(around.body.block.last_op, number)]
            case WhileOp():
                return _yielded(around.condition.block.last_op, number)
            case _:
                return None
    assert isinstance(value, OpResult)
    number = value.index
    match owner:
        case ViewOp():
            return [owner.workspace]
        case ForOp():
            return _handed_on(owner, number)
        case IfOp():
            return [v for r in owner.regions for b in r.blocks for v in _yielded(b.last_op, number)]
        case WhileOp():
            return _yielded(owner.condition.block.last_op, number)
        case _:
            return None


def _handed_on(loop: ForOp, number: int) -> list[SSAValue]:
    return [loop.inits[number], *_yielded(loop.body.block.last_op, number)]


def _yielded(last: Operation | None, number: int) -> list[SSAValue]:
    return [last.values[number]] if isinstance(last, YieldOp | ConditionOp) else []


def may_alias(one: SSAValue, other: SSAValue) -> bool:
    """Whether two buffers may have an element in common."""
    if one is other:
        return True
    first, second = origins(one), origins(other)
    if ANYWHERE in first or ANYWHERE in second:
        return True
    return not first.isdisjoint(second) and not _are_apart(one, other)


def _are_apart(one: SSAValue, other: SSAValue) -> bool:
    """Whether two views of one workspace are proved to lie one after the other."""
    first, second = one.owner, other.owner
    if not isinstance(first, ViewOp) or not isinstance(second, ViewOp) or first.workspace is not second.workspace:
        return False
    distance = second.offset_expr - first.offset_expr
    return any(
        Bounds(first).is_nonnegative(gap) for gap in (distance - _bytes_of(first), -distance - _bytes_of(second))
    )


def _bytes_of(view: ViewOp) -> Expr:
    size = Expr.constant(bits_of(buffer_type(view.buffer).element_type) // 8)
    for dim in view.shape_exprs:
        size = size * dim
    return size
