"""`loop.block`: one statement of a loop nest, with its iterators, its accesses, and a pure scalar body."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IndexType, MemRefType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ..expr import Expr, Variable
from .access import Access, IteratorSpec, buffer_type, guards_of, guards_property
from .block_rules import verify_block
from .block_text import parse_block, print_block
from .control import ForOp, YieldOp, enclosing_loops
from .maps import IndexedOp, MapAttr, pack
from .segments import quick_groups, segment_sizes

_SAY_ACCESSES = ("read_maps", "write_maps", "pads", "read_guards", "write_guards")


class _Known(NamedTuple):
    """The operands and properties that the accesses were last made from, and the accesses: reads, writes."""

    said: tuple[object, ...]
    accesses: tuple[tuple[Access, ...], tuple[Access, ...]]


@quick_groups
@irdl_op_definition
class BlockOp(IndexedOp, IRDLOperation):
    """
    For every point of the spatial iterators, in loop order: the init, then the body at every reduce point.

    The declared reads and writes are the accesses: the body gets the elements read as arguments, and yields the
    elements written. A write that names its old element (`writes(%old = …)`) gets it as an argument too.
    A read with `else v` is `v` out of bounds, and `clip` drops writes that are. Where an access says `if (… >= 0)`
    these conditions decide in place of the bounds: `%x = %X[%vi - 1] if (%vi - 1 >= 0) else 0.0 : f32`.

    ```mlir
    // %X : memref<4x8xf32>, %S : memref<4xf32>
    loop.block "sum" (%vi : spatial = %i, %vj : reduce = %j) reads(%x = %X[%vi, %vj]) writes(%s = %S[%vi]) init {
      %zero = arith.constant 0.0 : f32
      loop.yield %zero
    } {
      %t = arith.addf %s, %x : f32
      loop.yield %t
    }
    ```
    """

    name = "loop.block"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("bind",)

    reads = var_operand_def(MemRefType)
    writes = var_operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    label = prop_def(StringAttr)
    kinds = prop_def(ArrayAttr[StringAttr])
    bind = prop_def(MapAttr)
    read_maps = prop_def(ArrayAttr[MapAttr])
    write_maps = prop_def(ArrayAttr[MapAttr])
    pads = prop_def(ArrayAttr)
    clip = opt_prop_def(UnitAttr)
    read_guards = opt_prop_def(ArrayAttr[MapAttr])
    write_guards = opt_prop_def(ArrayAttr[MapAttr])
    init = region_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        label: str,
        iterators: Sequence[IteratorSpec],
        reads: Sequence[Access],
        writes: Sequence[Access],
        body: Region | None = None,
        init: Region | None = None,
        *,
        updates: bool = False,
        clip: bool = False,
    ):
        """
        Build a block; with no `body`, an empty one with the right arguments is made.

        `updates` says that the body gets the old elements of the writes.
        """
        operands, (bind,) = pack([it.binding for it in iterators])
        if body is None:
            body = Region(Block(arg_types=self.argument_types(len(iterators), reads, writes if updates else ())))
            for iterator, arg in zip(iterators, body.block.args, strict=False):
                arg.name_hint = iterator.name if SSAValue.is_valid_name(iterator.name) else None
        super().__init__(
            operands=[[r.buffer for r in reads], [w.buffer for w in writes], operands],
            properties={
                "label": StringAttr(label),
                "kinds": ArrayAttr([StringAttr(it.kind) for it in iterators]),
                "bind": bind,
                "read_maps": ArrayAttr([MapAttr(r.indices) for r in reads]),
                "write_maps": ArrayAttr([MapAttr(w.indices) for w in writes]),
                "pads": ArrayAttr([UnitAttr() if r.pad is None else r.pad for r in reads]),
                "clip": UnitAttr() if clip else None,
                "read_guards": guards_property(reads),
                "write_guards": guards_property(writes),
            },
            regions=[init or Region(), body],
        )

    @staticmethod
    def argument_types(iterators: int, reads: Sequence[Access], updated: Sequence[Access]) -> list[Attribute]:
        """The types of a body's arguments: indices, elements read, old elements of the writes in `updated`."""
        elements = [buffer_type(a.buffer).element_type for a in (*reads, *updated)]
        return [*(IndexType() for _ in range(iterators)), *elements]

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def index_start(self) -> int:
        """The buffers stand first."""
        reads, writes, _ = segment_sizes(self)
        return reads + writes

    @property
    def iterator_kinds(self) -> tuple[str, ...]:
        """The kind of each iterator."""
        return tuple([k.data for k in self.kinds.data])

    @property
    def bindings(self) -> tuple[Expr, ...]:
        """What each iterator is, over loop variables and other index values."""
        return self.index_exprs("bind")

    @property
    def iterators(self) -> Sequence[BlockArgument]:
        """The iterators inside the body."""
        return self.body.block.args[: len(self.kinds)]

    @property
    def read_elements(self) -> Sequence[BlockArgument]:
        """The elements read, inside the body."""
        start = len(self.kinds)
        return self.body.block.args[start : start + len(self.reads)]

    @property
    def old_elements(self) -> Sequence[BlockArgument]:
        """The old elements of the writes, inside the body; empty unless the block updates."""
        return self.body.block.args[len(self.kinds) + len(self.reads) :]

    @property
    def updates(self) -> bool:
        """Whether the body gets the old elements of its writes."""
        return bool(self.old_elements)

    @property
    def has_init(self) -> bool:
        """Whether the block says what its writes hold before the first reduce point."""
        return bool(self.init.blocks)

    @property
    def read_accesses(self) -> tuple[Access, ...]:
        """The reads; index expressions are over positions (iterators first, then earlier reads)."""
        return self._accesses[0]

    @property
    def write_accesses(self) -> tuple[Access, ...]:
        """The writes; index expressions are over positions."""
        return self._accesses[1]

    @property
    def _accesses(self) -> tuple[tuple[Access, ...], tuple[Access, ...]]:
        """The reads and the writes, made anew when something that says them has been replaced."""
        said = (self._operands, *map(self.properties.get, _SAY_ACCESSES))
        known: _Known | None = vars(self).get("known accesses")
        if known is not None and all(map(is_, known.said, said)):
            return known.accesses
        reads = tuple(
            Access(buffer, attr.exprs, None if isinstance(pad, UnitAttr) else pad, guard)
            for buffer, attr, pad, guard in zip(
                self.reads, self.read_maps, self.pads, guards_of(self.read_guards, len(self.reads)), strict=True
            )
        )
        writes = tuple(
            Access(buffer, attr.exprs, guard=guard)
            for buffer, attr, guard in zip(
                self.writes, self.write_maps, guards_of(self.write_guards, len(self.writes)), strict=True
            )
        )
        vars(self)["known accesses"] = _Known(said, (reads, writes))
        return reads, writes

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The elements that the body writes."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last.values

    def over_loops(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Expressions over positions as expressions over loop variables; an earlier read stays its body argument."""
        bindings = self.bindings
        values: dict[Variable, Expr] = dict(enumerate(bindings))
        if any(v not in values for e in exprs for v in e.variables()):
            for n, element in enumerate(self.read_elements, len(bindings)):
                values[n] = Expr.atom(element)
        return tuple(e.substitute(values) for e in exprs)

    def loops(self) -> list[ForOp]:
        """The loops around this block, outermost first."""
        return list(enclosing_loops(self))[::-1]

    def is_reduced_over(self, loop: ForOp) -> bool:
        """Whether `loop` reduces for this block: some reduce binding mentions it and no index of a write does."""
        variable = loop.variable
        moved = {
            n: kind
            for n, (kind, e) in enumerate(zip(self.iterator_kinds, self.bindings, strict=True))
            if e.mentions(variable)
        }
        if "reduce" not in moved.values():
            return False
        return not any(
            e.mentions(variable)
            for write in self.write_accesses
            for e in self.over_loops([e for e in write.indices if not moved.keys().isdisjoint(e.variables())])
        )

    def verify_(self) -> None:
        """The rules of section "a block" in docs/design/loop.md."""
        verify_block(self)

    @classmethod
    def parse(cls, parser: Parser) -> BlockOp:
        """Parse the form of the class docstring."""
        parts = parse_block(parser)
        op = cls(parts.label, parts.iterators, parts.reads, parts.writes, parts.body, parts.init, clip=parts.clip)
        if parts.attributes is not None:
            op.attributes |= parts.attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads, accesses on lines of their own."""
        print_block(self, printer)
