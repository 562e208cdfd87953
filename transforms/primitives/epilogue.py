"""Applying a block where its operand is written, instead of in a nest of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from ...analysis.bounds import Bounds
from ...dialects.expr import Expr, Variable
from ...dialects.loop import AllocOp, BlockOp, ForOp, IfOp, IteratorSpec, buffer_shape, buffer_type
from .combiners import constant_attribute
from .declaration import Declaration, Parameter, Step
from .inlining import Link, link_between, plain_positions
from .nests import (
    at_positions,
    available_at,
    body_of,
    erase_if_unused,
    erase_nest,
    fresh_block_label,
    iterators_of,
    like,
    loops_between,
    only_op,
    reads_from,
    stands_before,
    users,
    variable,
    writes_to,
)
from .splicing import Splice

EPILOGUE = Declaration(
    word="epilogue",
    pass_name="epilogue",
    parameters=(Parameter("writer", "block"), Parameter("consumer", "block")),
    does="Apply a block where its operand is written, in the last trip of the reduce loops around.",
    expects="a consumer that reads each element of the writer's buffer once, at plain axes; its other operands there.",
    leaves="the consumer's work in the place of every block that writes that buffer.",
)


def epilogue(writer: BlockOp, consumer: BlockOp) -> tuple[BlockOp, ...]:
    """Apply `consumer` in each block that writes the buffer that `writer` writes. Returns the new blocks."""
    step = EPILOGUE.step(writer, consumer)
    link = link_between(step, writer, consumer)
    axes = _consumer_axes(step, link, consumer)
    writers = _writers(step, link, consumer)
    for each in writers:
        _require_writer(step, link, each, consumer, axes)
    _require_operands(step, link, writers[0], consumer)

    _make_available(link, writers[0], consumer)
    applied = tuple(_apply(link, each, consumer, axes) for each in writers)
    erase_nest(consumer)
    erase_if_unused(link.buffer)
    return applied


def _consumer_axes(step: Step, link: Link, consumer: BlockOp) -> list[int]:
    """The iterator of the consumer that runs along each dim of the buffer; it must run through all of it."""
    name = consumer.label.data
    step.require(len(link.reads) == 1, f"block {name} reads the buffer {len(link.reads)} times")
    access = consumer.read_accesses[link.reads[0]]
    step.require(access.pad is None, f"block {name} pads its read of the buffer")
    step.require(not consumer.updates, f"block {name} updates what it writes")
    guarded = any(access.guard for access in consumer.write_accesses)
    step.require(consumer.clip is None and not guarded, f"block {name} clips its writes")
    axes = plain_positions(step, consumer, access, "reads the buffer at")
    element = len(consumer.kinds) + link.reads[0]
    for other in (*consumer.read_accesses, *consumer.write_accesses):
        step.require(
            not any(e.mentions(element) for e in (*other.indices, *other.guard)),
            f"block {name} indexes by the element it reads",
        )
    shape = buffer_shape(link.buffer)
    assert shape is not None
    root = link.root(consumer)
    loops = [loop for loop in (root, *loops_between(root, consumer)) if isinstance(loop, ForOp)]
    around = consumer.parent_op()
    while around is not None and around is not root.parent_op():
        step.require(isinstance(around, ForOp), f"block {name} stands in '{around.name}'")
        around = around.parent_op()
    bounds = Bounds(consumer)
    for n, (kind, e) in enumerate(zip(consumer.iterator_kinds, consumer.bindings, strict=True)):
        step.require(kind in ("spatial", "param"), f"block {name} has a {kind} axis")
        if n not in axes:
            step.require(
                all(available_at(value, link.alloc) for value in e.variables()),
                f"axis {n} of block {name} is not an axis of the buffer",
            )
            continue
        loop = next((loop for loop in loops if loop.variable is e.variable), None)
        dim = shape[axes.index(n)]
        step.require(
            loop is not None and loop.lower.value == 0 and _equal(bounds, loop.upper, dim),
            f"block {name} does not run through all of dim {axes.index(n)} of the buffer, by a loop of its own",
        )
    return axes


def _equal(bounds: Bounds, one: Expr, other: Expr) -> bool:
    return one == other or (bounds.is_nonnegative(one - other) and bounds.is_nonnegative(other - one))


def _writers(step: Step, link: Link, consumer: BlockOp) -> list[BlockOp]:
    """The blocks that write the buffer, in program order."""
    found: list[BlockOp] = []
    for user in users(link.buffer):
        if user is not consumer and writes_to(user, link.buffer):
            step.require(isinstance(user, BlockOp), f"the buffer is written by '{user.name}'")
            assert isinstance(user, BlockOp)
            found.append(user)
    found.sort(key=lambda block: sum(1 for other in found if stands_before(other, block)))
    for user in users(link.buffer):
        if user is consumer or user in found:
            continue
        step.require(isinstance(user, BlockOp), f"the buffer is used by '{user.name}'")
        assert isinstance(user, BlockOp)
        step.require(
            any(_reloads(link, user, writer) for writer in found),
            f"the buffer is read by block {user.label.data} as well",
        )
    return found


def _reloads(link: Link, reader: BlockOp, writer: BlockOp) -> bool:
    """Whether `reader` only fetches what `writer` left in an earlier trip of a loop that repeats its writes."""
    repeated = _repeats(link, writer)
    return bool(repeated) and repeated[0].is_ancestor(reader) and stands_before(reader, writer)


def _repeats(link: Link, writer: BlockOp) -> list[ForOp]:
    """The loops in which `writer` writes the same elements again, outermost first."""
    (access,) = writer.write_accesses
    written = writer.over_loops(access.indices)
    root = link.root(writer)
    loops = [loop for loop in (root, *loops_between(root, writer)) if isinstance(loop, ForOp)]
    return [loop for loop in loops if not any(e.mentions(loop.variable) for e in written)]


def _require_writer(step: Step, link: Link, writer: BlockOp, consumer: BlockOp, axes: Sequence[int]) -> None:
    name = writer.label.data
    step.require(stands_before(writer, consumer), f"block {name} does not stand before block {consumer.label.data}")
    step.require(
        link.root(writer) is not link.root(consumer),
        f"blocks {name} and {consumer.label.data} stand in one loop, outside of which their buffer is: contract it",
    )
    step.require(len(writer.writes) == 1, f"block {name} writes {len(writer.writes)} buffers")
    step.require(not writer.updates, f"block {name} updates the buffer: accumulate in a tile first (cache-write)")
    step.require(link.buffer not in writer.reads, f"block {name} reads the buffer it writes")
    for kind in writer.iterator_kinds:
        step.require(kind in ("spatial", "param"), f"block {name} has a {kind} axis")
    for loop in _repeats(link, writer):
        step.require(loop.kind.data == "serial", f"loop {loop.label.data} repeats block {name} and is {loop.kind.data}")
    (access,) = writer.write_accesses
    step.require(not access.guard, f"block {name} writes under a condition of its own")
    count = len(writer.kinds)
    step.require(
        all(isinstance(v, int) and v < count for e in access.indices for v in e.variables()),
        f"block {name} writes where an element it reads says",
    )
    if writer.clip is not None:
        shape = buffer_shape(link.buffer)
        for out in consumer.write_accesses:
            same = [e.variable for e in out.indices] == list(axes) and buffer_shape(out.buffer) == shape
            step.require(same, f"block {name} clips, and block {consumer.label.data} writes at other places")


def _require_operands(step: Step, link: Link, first: BlockOp, consumer: BlockOp) -> None:
    """What the consumer reads is there, and what it writes is free, from the first writer on."""
    name = consumer.label.data
    for op in link.between(first, consumer):
        if op is consumer:
            continue
        for buffer in consumer.reads:
            step.require(
                buffer is link.buffer or not writes_to(op, buffer),
                f"what block {name} reads is written after block {first.label.data} has begun",
            )
        for buffer in consumer.writes:
            step.require(
                not writes_to(op, buffer) and not reads_from(op, buffer),
                f"the buffer that block {name} writes is used after block {first.label.data} has begun",
            )
    for access in consumer.read_accesses:
        for out in consumer.write_accesses:
            step.require(
                access.buffer is not out.buffer or access.indices == out.indices,
                f"block {name} reads other elements of the buffer that it writes",
            )
    for buffer in (*consumer.reads, *consumer.writes):
        if not available_at(buffer, link.root(first)):
            owner = buffer.owner
            movable = isinstance(owner, AllocOp) or (isinstance(owner, Operation) and is_side_effect_free(owner))
            step.require(
                movable
                and isinstance(owner, Operation)
                and all(available_at(v, link.root(first)) for v in owner.operands),
                f"a buffer of block {name} is not there yet where block {first.label.data} stands",
            )


def _make_available(link: Link, first: BlockOp, consumer: BlockOp) -> None:
    """Move the allocs of the consumer's buffers up to where the first writer stands."""
    point = link.root(first)
    for buffer in (*consumer.reads, *consumer.writes):
        owner = buffer.owner
        if isinstance(owner, Operation) and not available_at(buffer, point):
            owner.detach()
            Rewriter.insert_op(owner, InsertPoint.before(point))


def _apply(link: Link, writer: BlockOp, consumer: BlockOp, axes: Sequence[int]) -> BlockOp:
    new = _composed(link, writer, consumer, axes)
    repeats = _repeats(link, writer)
    if not repeats:
        Rewriter.replace_op(writer, new)
        return new
    # apply the consumer in the last trip; in the others, what was there before
    outermost: Operation = writer
    for loop in reversed(loops_between(repeats[-1], writer)):
        if only_op(body_of(loop)) is not outermost:
            break
        outermost = loop
    last = [variable(loop) - loop.upper + 1 for loop in repeats]
    kept = like(IfOp(last, Region(Block()), Region(Block())), writer)
    Rewriter.insert_op(kept, InsertPoint.before(outermost))
    outermost.detach()
    copied = outermost.clone()
    kept.else_body.block.add_op(outermost)
    kept.then_body.block.add_op(copied)
    twin = next(op for op in copied.walk() if isinstance(op, BlockOp))
    if copied is twin:
        Rewriter.replace_op(twin, new)
    else:
        loops: dict[Variable, Expr] = {
            old.variable: Expr.atom(fresh.variable)
            for old, fresh in zip(outermost.walk(), copied.walk(), strict=True)
            if isinstance(old, ForOp) and isinstance(fresh, ForOp)
        }
        new.replace_index(loops)
        Rewriter.replace_op(twin, new)
    return new


def _composed(link: Link, writer: BlockOp, consumer: BlockOp, axes: Sequence[int]) -> BlockOp:
    """The body of the writer, then that of the consumer on what the writer yields, at the writer's points."""
    own, extra = iterators_of(writer), iterators_of(consumer)
    others = [n for n in range(len(extra)) if n not in axes]
    splice = Splice([*own, *(IteratorSpec(extra[n].name, "param", extra[n].binding) for n in others)])
    (written,) = writer.write_accesses
    at_writer: dict[Variable, Expr] = {n: Expr.atom(n) for n in range(len(own))}
    splice.reads_of(writer, at_writer)
    at_consumer: dict[Variable, Expr] = dict(zip(axes, written.indices, strict=True))
    at_consumer |= {n: Expr.atom(len(own) + k) for k, n in enumerate(others)}
    first = len(splice.reads)
    splice.reads_of(consumer, at_consumer, skipped=link.reads)
    if writer.clip is not None:
        for n in range(first, len(splice.reads)):
            access = splice.reads[n]
            if access.pad is None:
                pad = constant_attribute(0, buffer_type(access.buffer).element_type)
                splice.reads[n] = replace(access, pad=pad)
    (element,) = splice.body_of(writer, at_writer, {})
    values: dict[SSAValue, SSAValue] = {consumer.read_elements[link.reads[0]]: element}
    yielded = splice.body_of(consumer, at_consumer, values)
    writes = [at_positions(access, at_consumer) for access in consumer.write_accesses]
    label = fresh_block_label(f"{writer.label.data}.{consumer.label.data}", writer)
    return splice.finish(label, writes, yielded, consumer, clip=writer.clip is not None)
