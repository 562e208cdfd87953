"""The shape of loop nests: chains, what stands where, copies with fresh labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ...analysis.aliases import may_alias
from ...dialects.expr import Expr, Variable
from ...dialects.loop import Access, AllocOp, BlockOp, ForOp, IteratorSpec, ShapeOp, StoreOp, ViewOp, enclosing_loops
from ...rewriting.naming import Names
from .addresses import blocks_in, function_of, walk_nest

OpT = TypeVar("OpT", bound=Operation)


def like(op: OpT, origin: Operation) -> OpT:
    """`op`, said to come from where `origin` came from."""
    op.location = origin.location
    return op


def hint(label: str) -> str:
    """A label as the name of a value: `%i_outer` for the loop `i.outer`."""
    return label.replace(".", "_").replace("-", "_")


def new_loop(label: str, lower: Expr | int, upper: Expr | int, kind: str, origin: Operation) -> ForOp:
    """An empty loop."""
    loop = like(ForOp(label, lower, upper, kind=kind), origin)
    loop.variable.name_hint = hint(label) if SSAValue.is_valid_name(hint(label)) else None
    return loop


def variable(loop: ForOp) -> Expr:
    """The variable of a loop as an expression."""
    return Expr.atom(loop.variable)


def body_of(loop: ForOp) -> Block:
    """The block of ops that a loop runs."""
    return loop.body.block


def move_ops(source: Block, target: Block) -> None:
    """Move every op of `source` to the end of `target`."""
    for op in tuple(source.ops):
        op.detach()
        target.add_op(op)


def only_op(block: Block) -> Operation | None:
    """The one op of a block; None if there are none or more."""
    first = block.first_op
    return first if first is not None and first is block.last_op else None


def in_order(loops: Iterable[ForOp]) -> list[ForOp]:
    """Loops around one block, outermost first."""
    return sorted(loops, key=lambda loop: sum(1 for _ in enclosing_loops(loop)))


def loops_between(outer: Operation, inner: Operation) -> list[ForOp]:
    """The loops inside `outer` that contain `inner`, outermost first; none where the two are one."""
    found: list[ForOp] = []
    around = inner if inner is outer else inner.parent_op()
    while around is not None and around is not outer:
        if isinstance(around, ForOp):
            found.append(around)
        around = around.parent_op()
    return found[::-1]


def ancestor_in(op: Operation, block: Block) -> Operation | None:
    """The op of `block` that is or contains `op`."""
    around: Operation | None = op
    while around is not None and around.parent is not block:
        around = around.parent_op()
    return around


def common_block(first: Operation, second: Operation) -> Block:
    """The innermost block of ops that contains both, at any depth."""
    blocks: set[Block] = set()
    around: Operation | None = first
    while around is not None and around.parent is not None:
        blocks.add(around.parent)
        around = around.parent_op()
    around = second
    while around is not None and around.parent is not None:
        if around.parent in blocks:
            return around.parent
        around = around.parent_op()
    raise AssertionError("the operations are not in one function")


def stands_before(first: Operation, second: Operation) -> bool:
    """Whether `first` comes before `second` in program order (in their innermost common block)."""
    block = common_block(first, second)
    one, other = ancestor_in(first, block), ancestor_in(second, block)
    assert one is not None
    assert other is not None
    return one is not other and block.get_operation_index(one) < block.get_operation_index(other)


def available_at(value: Variable, point: Operation) -> bool:
    """Whether an index value is defined where an op inserted before `point` could use it."""
    if not isinstance(value, SSAValue):
        return False
    owner = value.owner
    if isinstance(owner, Block):
        around: Operation | None = point
        while around is not None:
            if around.parent is owner:
                return True
            around = around.parent_op()
        return False
    if owner.parent is None:
        return False
    mine = ancestor_in(point, owner.parent)
    return mine is not None and owner.parent.get_operation_index(owner) < owner.parent.get_operation_index(mine)


def users(buffer: SSAValue) -> list[Operation]:
    """The ops that use a buffer, each once."""
    return list(dict.fromkeys(use.operation for use in buffer.uses))


def writes_to(op: Operation, buffer: SSAValue) -> bool:
    """Whether `op` itself may write an element of `buffer`; an op that is not known is taken to."""
    match op:
        case BlockOp():
            written = op.writes
        case StoreOp():
            written = [op.buffer]
        case ShapeOp() | ViewOp():
            written = []
        case _:
            only_reads = op.has_trait(MemoryReadEffect) and not op.has_trait(MemoryWriteEffect)
            written = [] if only_reads else buffers_of(op)
    return any(may_alias(each, buffer) for each in written)


def reads_from(op: Operation, buffer: SSAValue) -> bool:
    """Whether `op` itself may read an element of `buffer`; an op that is not known is taken to."""
    match op:
        case BlockOp():
            read = [*op.reads, *(op.writes if op.updates else ())]
        case StoreOp() | ShapeOp() | ViewOp():
            read = []
        case _:
            read = buffers_of(op)
    return any(may_alias(each, buffer) for each in read)


def buffers_of(op: Operation) -> list[SSAValue]:
    """The buffers among the operands of an op."""
    return [operand for operand in op.operands if isinstance(operand.type, MemRefType)]


def other_user(block: BlockOp, container: Operation) -> Operation | None:
    """Another op in `container` that uses memory which `block` writes."""
    for op in walk_nest(container):
        used = [] if op is block or isinstance(op, ViewOp) else buffers_of(op)
        if any(may_alias(each, written) for each in used for written in block.writes):
            return op
    return None


def feeds_back(block: BlockOp) -> bool:
    """Whether a block reads, as an operand, memory that it writes."""
    return any(may_alias(read, written) for read in block.reads for written in block.writes)


def fresh_block_label(wanted: str, near: Operation) -> str:
    """`wanted`, with a number if a block of the function has that label."""
    root = function_of(near)
    return Names(block.label.data for block in (blocks_in(root) if root is not None else ())).unique(wanted)


def labels_around(loop: ForOp) -> set[str]:
    """The labels of loops that stand with `loop` around some block, its own left out."""
    labels = {outer.label.data for outer in enclosing_loops(loop)}
    return labels | {op.label.data for op in walk_nest(loop) if isinstance(op, ForOp) and op is not loop}


def erase_nest(block: BlockOp) -> None:
    """Erase a block, and the loops around it that then have nothing left to do."""
    parent = block.parent_op()
    Rewriter.erase_op(block)
    while isinstance(parent, ForOp) and body_of(parent).first_op is None:
        outer = parent.parent_op()
        Rewriter.erase_op(parent)
        parent = outer


def erase_if_unused(buffer: SSAValue) -> None:
    """Erase the alloc of a buffer that nothing uses any more."""
    owner = buffer.owner
    if isinstance(owner, AllocOp) and not list(buffer.uses):
        Rewriter.erase_op(owner)


def nested(loops: Sequence[ForOp], inside: OpT) -> ForOp | OpT:
    """`inside` in empty `loops`, outermost first; gives the outermost op."""
    outermost: ForOp | OpT = inside
    for loop in reversed(loops):
        body_of(loop).add_op(outermost)
        outermost = loop
    return outermost


def iterators_of(block: BlockOp) -> list[IteratorSpec]:
    """The iterators of a block, to build another with."""
    return [
        IteratorSpec(arg.name_hint or f"v{n}", kind, e)
        for n, (arg, kind, e) in enumerate(zip(block.iterators, block.iterator_kinds, block.bindings, strict=True))
    ]


def rebuild(
    block: BlockOp,
    *,
    iterators: Sequence[IteratorSpec] | None = None,
    reads: Sequence[Access] | None = None,
    writes: Sequence[Access] | None = None,
    body: Region | None = None,
    init: Region | None = None,
    label: str | None = None,
    clip: bool | None = None,
) -> BlockOp:
    """A new block like `block`, the parts given in place of its own; it takes over the regions that are not given."""
    old_clip = block.clip is not None
    new = BlockOp(
        block.label.data if label is None else label,
        iterators_of(block) if iterators is None else iterators,
        block.read_accesses if reads is None else reads,
        block.write_accesses if writes is None else writes,
        _taken(block.body) if body is None else body,
        _taken(block.init) if init is None else init,
        clip=old_clip if clip is None else clip,
    )
    new.attributes |= block.attributes
    return like(new, block)


def _taken(region: Region) -> Region:
    """A new region with the contents of `region`, which is left empty."""
    new = Region()
    region.move_blocks(new)
    return new


def at_positions(access: Access, positions: Mapping[Variable, Expr]) -> Access:
    """An access with its indices and its guard over other positions."""
    return Access(
        access.buffer,
        tuple(e.substitute(positions) for e in access.indices),
        access.pad,
        tuple(e.substitute(positions) for e in access.guard),
    )
