"""
Blocks: their iterators, accesses and bodies, and where their inits happen.

An init belongs to every point of the spatial iterators, so it happens before the outermost loop that reduces, for all
points that this loop will meet, and so even where that loop has no iterations at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.expr import Expr, Variable
from ...dialects.loop import BlockOp, ForOp, IfOp, WhileOp
from ...dialects.origin import located
from ...errors import VerifyError
from ..numbers import constant
from ..registry import interprets
from .buffers import zero
from .source import Source


@interprets(BlockOp)
def block(op: BlockOp, out: Source) -> None:
    """Read, compute, write."""
    if op in out.inits:
        write_init(op, op, out)
    _bind(op, range(len(op.kinds)), out)
    for element, access in zip(op.read_elements, op.read_accesses, strict=True):
        pad = None if access.pad is None else out.object(constant(access.pad), "pad")
        place = out.place(access.buffer, _over_arguments(op, access.indices), op)
        out.read(element, place, op, _over_arguments(op, access.guard), pad)
    for element, access in zip(op.old_elements, op.write_accesses, strict=False):
        # an old element outside of the bounds is never used: the write is dropped
        dropped = out.object(zero(element.type), "zero") if op.clip is not None or access.guard else None
        place = out.place(access.buffer, _over_arguments(op, access.indices), op)
        out.read(element, place, op, _over_arguments(op, access.guard), dropped)
    _write(op, out.block(op.body.block), out)


def _over_arguments(op: BlockOp, exprs: Sequence[Expr]) -> list[Expr]:
    """Expressions over positions as expressions over the arguments of the body."""
    arguments: dict[Variable, Expr] = {n: Expr.atom(arg) for n, arg in enumerate(op.body.block.args)}
    return [e.substitute(arguments) for e in exprs]


def _bind(op: BlockOp, positions: Iterable[int], out: Source) -> None:
    for position in positions:
        iterator, binding = op.iterators[position], op.bindings[position]
        out.know(iterator, out.range(binding))
        if binding.variable is not None:
            out.alias(iterator, out.index(binding))
        else:
            out.alias(iterator, out.fresh(iterator.name_hint or "it"))
            out.assign(iterator, out.index(binding))


def _write(op: BlockOp, values: Sequence[SSAValue], out: Source) -> None:
    for value, access in zip(values, op.write_accesses, strict=True):
        place = out.place(access.buffer, _over_arguments(op, access.indices), op)
        out.write(place, out.name(value), op, _over_arguments(op, access.guard), op.clip is not None)


# -- inits --------------------------------------------------------------------------------------------------------


def find_inits(function: Operation) -> dict[Operation, list[BlockOp]]:
    """For every block with an init, the outermost loop that reduces for it, or the block itself; in program order."""
    inits: dict[Operation, list[BlockOp]] = {}
    for op in function.walk():
        if isinstance(op, BlockOp) and op.has_init:
            inits.setdefault(_place_of_init(op), []).append(op)
    return inits


def _place_of_init(op: BlockOp) -> Operation:
    place: Operation = op
    for outer in _around(op):
        # an iteration of a while loop is a run of its own, and so is one that has the buffer to itself
        if isinstance(outer, WhileOp) or any(_is_inside(buffer, outer) for buffer in op.writes):
            break
        if isinstance(outer, ForOp) and op.is_reduced_over(outer):
            place = outer
    return place


def _around(op: Operation) -> Iterator[Operation]:
    outer = op.parent_op()
    while outer is not None:
        yield outer
        outer = outer.parent_op()


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    return op.is_ancestor(owner) and owner is not op


def write_init(op: BlockOp, place: Operation, out: Source) -> None:
    """The init of a block, for all spatial points that `place`, a loop that reduces or the block itself, will meet."""
    path: list[tuple[Operation, Block]] = []
    inner: Operation = op
    while inner is not place:
        assert inner.parent is not None
        outer = inner.parent_op()
        assert outer is not None
        path.append((outer, inner.parent))
        inner = outer
    _write_init_under(op, path[::-1], place, out)


def _write_init_under(op: BlockOp, path: list[tuple[Operation, Block]], place: Operation, out: Source) -> None:
    if not path:
        used = {v for access in op.write_accesses for e in (*access.indices, *access.guard) for v in e.variables()}
        positions = [n for n in range(len(op.kinds)) if n in used]
        _require(op, place, [op.bindings[n] for n in positions], "an index of its write")
        _bind(op, positions, out)
        _write(op, out.block(op.init.block), out)
        return
    (outer, block), *rest = path
    if isinstance(outer, ForOp) and not op.is_reduced_over(outer):
        _require(op, place, [outer.lower, outer.upper], f"the range of loop '{outer.label.data}'")
        with out.room_for_loop(), out.loop(outer):
            _write_init_under(op, rest, place, out)
        return
    condition = ""
    if isinstance(outer, IfOp):
        fixed = [e for e in outer.condition_exprs if not _changes(op, place, e)]
        # where a condition changes while the block reduces, the points behind it are among those that are reduced
        if block is outer.then_body.block:
            condition = out.conditions(fixed) if fixed else ""
        elif len(fixed) == len(outer.condition_exprs):
            condition = f"not ({out.conditions(fixed)})"
    if not condition:
        _write_init_under(op, rest, place, out)
        return
    with out.under(f"if {condition}:"):
        _write_init_under(op, rest, place, out)


def _changes(op: BlockOp, place: Operation, e: Expr) -> bool:
    """Whether an expression is over something that is only known inside of the loops that reduce."""
    return any(not _is_known(op, place, cast("SSAValue[Attribute]", v)) for v in e.variables())


def _is_known(op: BlockOp, place: Operation, value: SSAValue) -> bool:
    if place is op or not _is_inside(value, place):
        return True
    loop = value.owner.parent_op()
    return isinstance(loop, ForOp) and value is loop.variable and not op.is_reduced_over(loop)


def _require(op: BlockOp, place: Operation, exprs: Sequence[Expr], what: str) -> None:
    if any(_changes(op, place, e) for e in exprs):
        raise VerifyError(
            located(op, f"the init of block '{op.label.data}' has no place: {what} changes while it reduces")
        )
