"""Building one block out of the reads and bodies of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.expr import Expr, Variable
from ...dialects.loop import Access, BlockOp, IndexOp, IteratorSpec, YieldOp, buffer_type
from .nests import at_positions, like


class Splice:
    """A block under construction: iterators first, then reads and bodies of other blocks, put at given points."""

    def __init__(self, iterators: Sequence[IteratorSpec]):
        self.iterators = tuple(iterators)
        self.reads: list[Access] = []
        self.block = Block(arg_types=[IndexType() for _ in iterators])
        self._elements: list[SSAValue] = []
        for iterator, arg in zip(iterators, self.block.args, strict=True):
            arg.name_hint = iterator.name if SSAValue.is_valid_name(iterator.name) else None

    def read(self, access: Access, named: SSAValue) -> Expr:
        """Add a read, its indices over positions of the new block; gives its position. Equal reads are one."""
        if access in self.reads:
            return Expr.atom(len(self.iterators) + self.reads.index(access))
        self.reads.append(access)
        element = self.block.insert_arg(buffer_type(access.buffer).element_type, len(self.block.args))
        element.name_hint = named.name_hint
        self._elements.append(element)
        return Expr.atom(len(self.iterators) + len(self.reads) - 1)

    def reads_of(self, source: BlockOp, positions: dict[Variable, Expr], skipped: Sequence[int] = ()) -> None:
        """Add the reads of `source`; `positions` says where its iterators are, and gets where its reads are."""
        for n, access in enumerate(source.read_accesses):
            if n not in skipped:
                element = source.read_elements[n]
                positions[len(source.kinds) + n] = self.read(at_positions(access, positions), element)

    def old(self, source: BlockOp) -> dict[SSAValue, SSAValue]:
        """Add the old elements that the body of `source` gets, after all reads."""
        values: dict[SSAValue, SSAValue] = {}
        for element in source.old_elements:
            values[element] = self.block.insert_arg(element.type, len(self.block.args))
            values[element].name_hint = element.name_hint
        return values

    def body_of(
        self, source: BlockOp, positions: Mapping[Variable, Expr], values: Mapping[SSAValue, SSAValue]
    ) -> list[SSAValue]:
        """Add the ops of a body, its reads being at `positions` or given in `values`; gives what it yields."""
        mapped = dict(values)
        for n, element in enumerate(source.read_elements, len(source.kinds)):
            if element not in mapped:
                mapped[element] = self._element(positions[n])
        for n, iterator in enumerate(source.iterators):
            if iterator.uses.get_length():
                mapped[iterator] = self._index(positions[n], source)
        for op in source.body.block.ops:
            if not isinstance(op, YieldOp):
                self.block.add_op(op.clone(mapped))
        return [mapped.get(value, value) for value in source.yielded]

    def _element(self, position: Expr) -> SSAValue:
        number = position.variable
        assert isinstance(number, int)
        return self._elements[number - len(self.iterators)]

    def _index(self, e: Expr, origin: Operation) -> SSAValue:
        number = e.variable
        if isinstance(number, int):
            return self.block.args[number]
        arguments: dict[Variable, Expr] = {n: Expr.atom(arg) for n, arg in enumerate(self.block.args)}
        index = like(IndexOp(e.substitute(arguments)), origin)
        self.block.add_op(index)
        return index.out

    def finish(
        self,
        label: str,
        writes: Sequence[Access],
        yielded: Sequence[SSAValue],
        origin: BlockOp,
        *,
        init: Region | None = None,
        clip: bool = False,
    ) -> BlockOp:
        """The block, without the iterators that nothing uses."""
        self.block.add_op(like(YieldOp(*yielded), origin))
        body = Region(self.block)
        return pruned(like(BlockOp(label, self.iterators, self.reads, writes, body, init, clip=clip), origin))


def pruned(block: BlockOp) -> BlockOp:
    """`block`, or one in its place without the iterators that no access and no op of the body uses."""
    accesses = (*block.read_accesses, *block.write_accesses)
    used = {v for access in accesses for e in (*access.indices, *access.guard) for v in e.variables()}
    kept = [
        n
        for n, (arg, kind) in enumerate(zip(block.iterators, block.iterator_kinds, strict=True))
        if n in used or kind == "reduce" or arg.uses.get_length()
    ]
    if len(kept) == len(block.kinds):
        return block
    count = len(block.kinds)
    moved: dict[Variable, Expr] = {old: Expr.atom(new) for new, old in enumerate(kept)}
    moved |= {count + n: Expr.atom(len(kept) + n) for n in range(len(block.reads))}
    specs = [
        IteratorSpec(block.iterators[n].name_hint or f"v{n}", block.iterator_kinds[n], block.bindings[n]) for n in kept
    ]

    reads = [at_positions(access, moved) for access in block.read_accesses]
    writes = [at_positions(access, moved) for access in block.write_accesses]
    body, init = Region(), Region()
    for n in reversed(range(count)):
        if n not in kept:
            block.body.block.erase_arg(block.body.block.args[n])
    block.body.move_blocks(body)
    block.init.move_blocks(init)
    new = BlockOp(block.label.data, specs, reads, writes, body, init, clip=block.clip is not None)
    new.attributes |= block.attributes
    like(new, block)
    if block.parent is None:
        block.erase()  # what stands nowhere must not count as a user of its buffers
    return new
