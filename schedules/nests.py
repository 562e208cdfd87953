"""What a rule looks at: a block in its own plain loops, and how its accesses run along them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.expr import Expr, floordiv, mod
from ..dialects.loop import Access, AllocOp, BlockOp, ForOp, buffer_shape, buffer_type

UNIT, UNIFORM = 1, 0
"""Strides along a loop: neighbouring elements, one element."""


_PLAIN = re.compile(r"[A-Za-z0-9_.\-]+")


@dataclass(frozen=True)
class Decision:
    """The steps for a nest, and the blocks that they take in, which no other rule looks at again."""

    steps: tuple[str, ...]
    blocks: tuple[BlockOp, ...]


@dataclass(frozen=True)
class Nest:
    """A block alone in a chain of serial loops from 0, each of which is one iterator."""

    block: BlockOp
    loops: tuple[ForOp, ...]

    @property
    def label(self) -> str:
        """The label of the block."""
        return self.block.label.data

    @property
    def root(self) -> Operation:
        """The outermost op of the nest."""
        return self.loops[0] if self.loops else self.block

    def iterator(self, loop: ForOp) -> int:
        """The position of the iterator that runs along a loop."""
        return next(n for n, e in enumerate(self.block.bindings) if e.variable is loop.variable)

    def kind(self, loop: ForOp) -> str:
        """What a loop is: spatial, reduce or ordered."""
        return self.block.iterator_kinds[self.iterator(loop)]

    def stride(self, access: Access, loop: ForOp) -> int | None:
        """`UNIT` where the last index is the loop's iterator alone, `UNIFORM` where no index has it; None otherwise."""
        position = self.iterator(loop)
        *others, last = access.indices or (Expr.constant(0),)
        if any(e.mentions(position) for e in (*others, *access.guard)):
            return None
        factor = last.coefficient(position)
        return factor.value if factor is not None and factor.value in (UNIT, UNIFORM) else None

    def mentions(self, access: Access, loop: ForOp) -> bool:
        """Whether a loop runs along an access at all."""
        return any(e.mentions(self.iterator(loop)) for e in (*access.indices, *access.guard))

    def is_affine(self, access: Access) -> bool:
        """Whether every index is a sum of positive multiples of iterators that are loops, plus a number."""
        loops = {self.iterator(loop) for loop in self.loops}
        return all(
            len(monomial.atoms) == 1 and monomial.atoms[0] in loops and coefficient > 0
            for e in access.indices
            for monomial, coefficient in e.terms.items()
        )

    def walks(self, access: Access, outer: ForOp, inner: ForOp) -> bool:
        """Whether two loops together walk through the last two dims of the buffer, or do not matter to the access."""
        pair = (self.iterator(outer), self.iterator(inner))
        once = {self.iterator(loop) for loop in self.loops if loop.upper.value == 1} - {*pair}
        indices = tuple(e.substitute({n: Expr.constant(0) for n in once}) for e in access.indices)
        mentioned = [any(e.mentions(position) for position in pair) for e in (*indices, *access.guard)]
        if not any(mentioned):
            return True
        shape = buffer_shape(access.buffer)
        if access.pad is not None or access.guard or shape is None or any(mentioned[:-2]):
            return False
        return indices[-2:] == tuple(map(Expr.atom, pair)) and shape[-2:] == (outer.upper, inner.upper)

    def is_whole(self, access: Access) -> bool:
        """Whether the loops run through the buffer of an access element by element, in its order."""
        shape = buffer_shape(access.buffer)
        positions = [Expr.atom(self.iterator(loop)) for loop in self.loops]
        return list(access.indices) == positions and shape == tuple(loop.upper for loop in self.loops)


def plain_nest(block: BlockOp) -> Nest | None:
    """The nest of a block as a conversion leaves it; None where something has been done to it."""
    loops = tuple(block.loops())
    inner: Operation = block
    for loop in reversed(loops):
        body = loop.body.block
        alone = body.first_op is inner and body.last_op is inner
        if not alone or loop.inits or loop.kind.data != "serial" or loop.lower.value != 0:
            return None
        if any(e.mentions(outer.variable) for outer in loops for e in (loop.lower, loop.upper)):
            return None
        inner = loop
    if not isinstance(inner.parent_op(), func.FuncOp):
        return None
    if block.clip is not None or any(access.guard for access in (*block.read_accesses, *block.write_accesses)):
        return None
    labels = [op.label.data for op in (block, *loops)]
    if len(set(labels[1:])) < len(loops) or not all(map(_PLAIN.fullmatch, labels)):
        return None
    bound = [e.variable for e, kind in zip(block.bindings, block.iterator_kinds, strict=True) if kind != "param"]
    if len(bound) != len(loops) or set(bound) != {loop.variable for loop in loops}:
        return None
    return Nest(block, loops)


def nests_of(function: func.FuncOp) -> Iterator[Nest]:
    """The plain nests of a function, in order."""
    for op in function.walk():
        if isinstance(op, BlockOp) and (nest := plain_nest(op)) is not None:
            yield nest


def next_nest(nest: Nest) -> Nest | None:
    """The plain nest that comes after, with nothing but allocs between; None if there is none."""
    following = nest.root.next_op
    while isinstance(following, AllocOp):
        following = following.next_op
    if following is None:
        return None
    block = next((op for op in following.walk() if isinstance(op, BlockOp)), None)
    return plain_nest(block) if block is not None else None


def in_one_walk(sizes: Sequence[Expr], lanes: int) -> bool:
    """Whether lanes of one loop, in place of loops of these sizes, are seen to be neighbours in a buffer like that."""
    place = Expr.atom("step") * lanes + Expr.atom("lane")
    indices: list[Expr] = []
    rest = place
    for size in reversed(sizes[1:]):
        indices.insert(0, mod(rest, size))
        rest = floordiv(rest, size)
    address = rest
    for size, index in zip(sizes[1:], indices, strict=True):
        address = address * size + index
    return address == place


def local_buffer(buffer: SSAValue) -> bool:
    """Whether a buffer is one of the function's own."""
    return isinstance(buffer.owner, AllocOp)


def only_between(buffer: SSAValue, writer: BlockOp, reader: BlockOp) -> bool:
    """Whether a buffer of the function's own is used by these two blocks and nothing else."""
    return local_buffer(buffer) and all(use.operation in (writer, reader) for use in buffer.uses)


def element_types(block: BlockOp) -> list[Attribute]:
    """The element type of every buffer that a block uses."""
    return [buffer_type(buffer).element_type for buffer in (*block.reads, *block.writes)]
