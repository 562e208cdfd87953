"""Computing the elements of a block where another one reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.expr import Expr, Variable
from ...dialects.loop import Access, AllocOp, BlockOp, IteratorSpec
from .declaration import Declaration, Parameter, Step
from .nests import (
    ancestor_in,
    at_positions,
    available_at,
    erase_if_unused,
    erase_nest,
    iterators_of,
    stands_before,
    users,
    writes_to,
)
from .splicing import Splice

INLINE = Declaration(
    word="inline",
    pass_name="inline-block",
    parameters=(Parameter("producer", "block"), Parameter("consumer", "block")),
    does="Compute the elements of one block where another reads them, and drop the buffer between.",
    expects="a producer with spatial iterators and plain write axes, whose buffer only the consumer reads, unpadded.",
    leaves="the consumer, with the producer's body and reads in it.",
)


@dataclass(frozen=True)
class Link:
    """The one buffer that a block writes and another reads: its alloc, and the numbers of the reads."""

    alloc: AllocOp
    write: Access
    reads: tuple[int, ...]

    @property
    def buffer(self) -> SSAValue:
        """The buffer."""
        return self.alloc.buffer

    def root(self, op: Operation) -> Operation:
        """The op that contains `op` where the buffer is allocated."""
        root = ancestor_in(op, self.alloc.parent) if self.alloc.parent is not None else None
        assert root is not None
        return root

    def between(self, first: Operation, last: Operation) -> Iterator[Operation]:
        """Every op from the root of `first` to that of `last`, both included; what could run between the two."""
        current: Operation | None = self.root(first)
        end = self.root(last)
        while current is not None:
            yield from current.walk()
            if current is end:
                return
            current = current.next_op


def link_between(step: Step, producer: BlockOp, consumer: BlockOp) -> Link:
    """The buffer through which `producer` feeds `consumer`; refused where it is not one local buffer."""
    name, reader = producer.label.data, consumer.label.data
    step.require(producer is not consumer, f"block {name} is named twice")
    step.require(
        len(producer.writes) == 1,
        f"block {name} writes {len(producer.writes)} buffers: only a block that writes one can be moved",
    )
    buffer = producer.writes[0]
    step.require(buffer in consumer.reads, f"block {reader} reads nothing that block {name} writes")
    alloc = buffer.owner
    step.require(isinstance(alloc, AllocOp), f"the buffer that block {name} writes is seen outside of the function")
    assert isinstance(alloc, AllocOp)
    step.require(buffer not in consumer.writes, f"block {reader} writes the buffer of block {name} too")
    step.require(stands_before(producer, consumer), f"block {name} does not stand before block {reader}")
    reads = tuple(n for n, read in enumerate(consumer.reads) if read is buffer)
    return Link(alloc, producer.write_accesses[0], reads)


def require_only_users(step: Step, link: Link, producer: BlockOp, consumer: BlockOp) -> None:
    """Refuse where the buffer has other users than `producer` and `consumer`, or its reads are padded."""
    for user in users(link.buffer):
        label = f"block {user.label.data}" if isinstance(user, BlockOp) else f"'{user.name}'"
        step.require(
            user in (producer, consumer), f"the buffer of block {producer.label.data} is used by {label} as well"
        )
    for n in link.reads:
        step.require(
            consumer.read_accesses[n].pad is None,
            f"block {consumer.label.data} pads its read of block {producer.label.data}: materialize the padding first",
        )


def plain_positions(step: Step, block: BlockOp, access: Access, does: str) -> list[int]:
    """The iterator that each index of an access is, all different."""
    positions: list[int] = []
    for e in access.indices:
        position = e.variable
        if not isinstance(position, int) or position >= len(block.kinds) or position in positions:
            step.refuse(f"block {block.label.data} {does} other than plain, different axes")
        positions.append(position)
    return positions


def require_unchanged(step: Step, link: Link, producer: BlockOp, consumer: BlockOp) -> None:
    """Refuse where something that `producer` reads may be written before `consumer` has read the result."""
    for op in link.between(producer, consumer):
        for buffer in producer.reads:
            step.require(
                not writes_to(op, buffer),
                f"what block {producer.label.data} reads may be written before block {consumer.label.data} runs",
            )


def inline_block(producer: BlockOp, consumer: BlockOp) -> BlockOp:
    """Replace the reads of what `producer` writes by its body, inside `consumer`. Returns the new consumer."""
    step = INLINE.step(producer, consumer)
    name = producer.label.data
    link = link_between(step, producer, consumer)
    for kind in producer.iterator_kinds:
        step.require(kind in ("spatial", "param"), f"block {name} has a {kind} axis")
    step.require(not producer.updates, f"block {name} updates its buffer")
    axes = plain_positions(step, producer, link.write, "writes")
    require_only_users(step, link, producer, consumer)
    others = [n for n in range(len(producer.kinds)) if n not in axes]
    for n in others:
        # what is defined where the buffer is stays the same as long as the buffer lives
        step.require(
            all(available_at(value, link.alloc) for value in producer.bindings[n].variables()),
            f"block {name} depends on a loop that does not index what it writes, by its axis {n}",
        )
    require_unchanged(step, link, producer, consumer)
    _require_no_use_as_index(step, link, producer, consumer)

    new = _inlined(link, producer, consumer, axes, others)
    Rewriter.replace_op(consumer, new)
    erase_nest(producer)
    erase_if_unused(link.buffer)
    return new


def _require_no_use_as_index(step: Step, link: Link, producer: BlockOp, consumer: BlockOp) -> None:
    count = len(consumer.kinds)
    elements = {count + n for n in link.reads}
    for access in (*consumer.read_accesses, *consumer.write_accesses):
        for e in (*access.indices, *access.guard):
            step.require(
                not elements.intersection(e.variables()),
                f"block {consumer.label.data} indexes by what block {producer.label.data} computes",
            )
    in_body = any(iterator.uses.get_length() for iterator in producer.iterators)
    for n in link.reads if in_body else ():
        for e in consumer.read_accesses[n].indices:
            step.require(
                all(isinstance(v, int) and v < count for v in e.variables()),
                f"block {producer.label.data} computes with its axes, which block {consumer.label.data} gathers",
            )


def _inlined(link: Link, producer: BlockOp, consumer: BlockOp, axes: list[int], others: list[int]) -> BlockOp:
    own = iterators_of(consumer)
    extra = iterators_of(producer)
    splice = Splice([*own, *(IteratorSpec(extra[n].name, "param", extra[n].binding) for n in others)])
    positions: dict[Variable, Expr] = {n: Expr.atom(n) for n in range(len(own))}
    copies: dict[int, dict[Variable, Expr]] = {}
    for n, access in enumerate(consumer.read_accesses):
        moved = at_positions(access, positions)
        if n in link.reads:
            copies[n] = dict(zip(axes, moved.indices, strict=True))
            copies[n] |= {other: Expr.atom(len(own) + k) for k, other in enumerate(others)}
            splice.reads_of(producer, copies[n])
        else:
            element = consumer.read_elements[n]
            positions[len(own) + n] = splice.read(moved, element)
    values = splice.old(consumer)
    for n, copy in copies.items():
        (values[consumer.read_elements[n]],) = splice.body_of(producer, copy, {})
    yielded = splice.body_of(consumer, positions, values)
    writes = [at_positions(access, positions) for access in consumer.write_accesses]
    init = None
    if consumer.has_init:
        init = consumer.init.clone()
    return splice.finish(consumer.label.data, writes, yielded, consumer, init=init, clip=consumer.clip is not None)
