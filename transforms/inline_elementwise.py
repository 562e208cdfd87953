"""Compute an element where it is read, instead of a whole buffer of them before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.loop import AllocOp, BlockOp
from ..errors import ScheduleError
from .primitives import inline_block


@dataclass(frozen=True)
class InlineElementwisePass(ModulePass):
    """
    Put a block into the one that reads what it writes, where that computes no element twice: `y = relu(t)`, `t = a + b`
    becomes `y = relu(a + b)`.

    The writer must compute each element by itself, into a buffer that one other block alone reads, at one place and
    once for each element; the reader must not reduce, so that what a rule does with a reduction is left to it.

    Expects: loop functions with blocks as a conversion leaves them.
    Leaves:  no buffer that is written element by element only to be read so once.
    """

    name = "inline-elementwise"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Function by function."""
        for function in op.walk():
            if isinstance(function, func.FuncOp):
                while _inline_each_once(function):
                    pass


def _inline_each_once(function: func.FuncOp) -> bool:
    """
    Put writers into their readers, no block twice; whether there was any.

    A chain is halved so, again and again: its blocks are copied as often as it can be halved, not as it is long.
    """
    new: set[BlockOp] = set()
    for block in [b for b in function.walk() if isinstance(b, BlockOp)]:
        consumer = _right_reader(block) if block not in new else None
        if consumer is None or consumer in new:
            continue
        try:
            made = inline_block(block, consumer)
        except ScheduleError:
            continue  # the primitive knows what else makes it wrong, and has changed nothing
        new |= {consumer, made}
    return bool(new)


def _right_reader(producer: BlockOp) -> BlockOp | None:
    """The block that `producer` can be put into without computing an element twice."""
    consumer = _only_reader(producer)
    if consumer is None or consumer.updates or "ordered" in consumer.iterator_kinds:
        return None
    accesses = [a for a in consumer.read_accesses if a.buffer is producer.writes[0]]
    if len(accesses) != 1:
        return None
    read = {v for e in accesses[0].indices for v in e.variables()}
    moving = {n for n, kind in enumerate(consumer.iterator_kinds) if kind != "param"}
    return consumer if moving <= read else None


def _only_reader(producer: BlockOp) -> BlockOp | None:
    """The one block that reads what `producer` writes, where that is all that happens to it."""
    if len(producer.writes) != 1 or not isinstance(producer.writes[0].owner, AllocOp):
        return None
    users = {use.operation for use in producer.writes[0].uses} - {producer}
    if len(users) != 1:
        return None
    (reader,) = users
    return reader if isinstance(reader, BlockOp) and producer.writes[0] not in reader.writes else None
