"""`loop.block`: one statement of a loop nest, with its iterators, its accesses, and a pure scalar body."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerType, MemRefType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
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
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, Variable
from ..expr_syntax import parse_expr
from .access import Access, IteratorSpec, buffer_type, guards_of, guards_property
from .attributes import ITERATOR_KINDS
from .control import ForOp, YieldOp, enclosing_loops
from .maps import (
    IndexedOp,
    MapAttr,
    expr_list,
    pack,
    parse_conditions,
    parse_index_expr,
    parse_optional_pad,
    print_conditions,
    resolve_defined,
)
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

    # -- rules ----------------------------------------------------------------------------------------------------

    def verify_(self) -> None:
        """The rules of section "a block" in docs/design/loop.md."""
        self.verify_maps()
        count, kinds = len(self.kinds), self.iterator_kinds
        for kind in kinds:
            if kind not in ITERATOR_KINDS:
                raise VerifyException(f"iterator kind '{kind}': must be one of {', '.join(ITERATOR_KINDS)}")
        if len(self.bind.exprs) != count:
            raise VerifyException(f"{count} iterators, but {len(self.bind.exprs)} bindings")
        if not (len(self.read_maps) == len(self.reads) == len(self.pads)) or len(self.write_maps) != len(self.writes):
            raise VerifyException("each access needs one map, and each read one pad (unit where it has none)")
        for guards, accesses in ((self.read_guards, self.reads), (self.write_guards, self.writes)):
            if guards is not None and len(guards) != len(accesses):
                raise VerifyException("guards are given for each read, or each write, or not at all")
        if not self.writes:
            raise VerifyException("a block must write something")
        if len(set(self.writes)) != len(self.writes):
            raise VerifyException("a buffer is written twice: use one block for each write")
        self._verify_arguments()
        for n, access in enumerate(self.read_accesses):
            self._verify_access(access, "read", count + n)
            if access.pad is not None and getattr(access.pad, "type", None) != buffer_type(access.buffer).element_type:
                raise VerifyException(f"the value outside the bounds, {access.pad}, has not the element type")
            if access.guard and access.pad is None:
                raise VerifyException("a guarded read needs a value after else")
        for access in self.write_accesses:
            self._verify_access(access, "write", count + len(self.reads))
            for e in access.indices:
                for position in e.variables():
                    if isinstance(position, int) and position < count and kinds[position] == "reduce":
                        raise VerifyException("a write is indexed by a reduce iterator")
                    if isinstance(position, int) and position >= count and "ordered" not in kinds:
                        raise VerifyException(
                            "a write indexed by an element read may meet itself: needs an ordered iterator"
                        )
        self._verify_regions()

    def _verify_arguments(self) -> None:
        count = len(self.kinds)
        args = self.body.block.args
        expected = self.argument_types(count, self.read_accesses, self.write_accesses)
        without_old = expected[: count + len(self.reads)]
        found = [a.type for a in args]
        if found not in (expected, without_old):
            raise VerifyException(
                f"the body takes ({', '.join(map(str, found))}): must be the iterators, the elements read"
                f" and possibly the old elements, ({', '.join(map(str, expected))})"
            )
        if "reduce" in self.iterator_kinds and not self.updates:
            raise VerifyException("a block that reduces must name the old element: writes(%old = …)")

    def _verify_access(self, access: Access, what: str, limit: int) -> None:
        rank = buffer_type(access.buffer).get_num_dims()
        if len(access.indices) != rank:
            raise VerifyException(f"a {what} has {len(access.indices)} indices for a buffer of rank {rank}")
        count = len(self.kinds)
        for e in (*access.indices, *access.guard):
            for position in e.variables():
                if not isinstance(position, int) or position >= limit:
                    raise VerifyException(f"a {what} uses d{position}: only iterators and reads to its left are there")
                if position >= count:
                    element = self.read_elements[position - count].type
                    if not isinstance(element, IntegerType | IndexType):
                        raise VerifyException(f"a {what} is indexed by a read of {element}: must be an integer")

    def _verify_regions(self) -> None:
        types = [buffer_type(w).element_type for w in self.writes]
        reduces = "reduce" in self.iterator_kinds
        if self.has_init:
            if not reduces:
                raise VerifyException("an init, but no reduce iterator")
            if self.init.block.args:
                raise VerifyException("the init takes no arguments")
        for region, what in ((self.init, "init"), (self.body, "body")):
            for block in region.blocks:
                last = block.last_op
                if not isinstance(last, YieldOp):
                    raise VerifyException(f"the {what} must end with loop.yield of one element for each write")
                if [v.type for v in last.values] != types:
                    raise VerifyException(
                        f"the {what} yields ({', '.join(str(v.type) for v in last.values)}), "
                        f"but the writes hold ({', '.join(map(str, types))})"
                    )
                for op in block.ops:
                    if op is not last and not is_scalar_op(op):
                        raise VerifyException(f"'{op.name}' in the {what}: only pure scalar ops may stand there")

    # -- text -----------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, parser: Parser) -> BlockOp:
        """Parse the form of the class docstring."""
        label = parser.parse_str_literal(": the label of a block")
        names: dict[str, int] = {}
        specs: list[IteratorSpec] = []
        arguments: list[Parser.Argument] = []
        old: list[Parser.Argument] = []

        def parse_iterator() -> None:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation(":")
            kind = parser.parse_keyword_in(ITERATOR_KINDS, "iterator kind")
            parser.parse_punctuation("=")
            names[argument.name.text[1:]] = len(arguments)
            specs.append(IteratorSpec(argument.name.text[1:], kind, parse_index_expr(parser)))
            arguments.append(argument.resolve(IndexType()))

        def variable() -> Expr | None:
            operand = parser.parse_optional_unresolved_operand()
            if operand is None:
                return None
            if operand.operand_name not in names:
                parser.raise_error(
                    f"%{operand.operand_name} is not an iterator of this block, nor a read to the left", operand.span
                )
            return Expr.atom(names[operand.operand_name])

        def parse_place() -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
            indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_expr(parser, variable))
            guard = parse_conditions(parser, variable) if parser.parse_optional_keyword("if") else []
            return tuple(indices), tuple(guard)

        def parse_access(argument: Parser.UnresolvedArgument | None) -> Access:
            buffer = resolve_defined(parser, "buffer")
            if not isinstance(buffer.type, MemRefType):
                parser.raise_error(f"a buffer is a memref, not {buffer.type}")
            indices, guard = parse_place()
            access = Access(buffer, indices, parse_optional_pad(parser), guard)
            if argument is not None:
                names[argument.name.text[1:]] = len(arguments)
                arguments.append(argument.resolve(buffer_type(buffer).element_type))
            return access

        def parse_read() -> Access:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            return parse_access(argument)

        def parse_write() -> Access:
            position = parser.pos
            first = parser.parse_unresolved_operand("buffer or %old = buffer expected")
            if not parser.parse_optional_punctuation("="):
                known = parser.ssa_values.get(first.operand_name)
                if known is None or not isinstance(known[0].type, MemRefType):
                    parser.raise_error(
                        f"buffer %{first.operand_name} is not defined before this use", position, parser.pos
                    )
                indices, guard = parse_place()
                return Access(known[0], indices, guard=guard)
            access = parse_access(None)
            old.append(Parser.Argument(first.span, buffer_type(access.buffer).element_type))
            return access

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_iterator)
        parser.parse_keyword("reads")
        reads = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_read)
        parser.parse_keyword("writes")
        writes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_write)
        if old and len(old) != len(writes):
            parser.raise_error("name the old element of every write, or of none")
        clip = parser.parse_optional_keyword("clip") is not None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        init = parser.parse_region(()) if parser.parse_optional_keyword("init") else None
        body = parser.parse_region([*arguments, *old])
        op = cls(label, specs, reads, writes, body, init, clip=clip)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads, accesses on lines of their own."""
        args = self.body.block.args
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(" (")
        for n, (iterator, kind, e) in enumerate(zip(self.iterators, self.iterator_kinds, self.bindings, strict=True)):
            printer.print_string(", " if n else "")
            printer.print_ssa_value(iterator)
            printer.print_string(f" : {kind} = {expr_list(printer, [e])}")
        printer.print_string(")")
        with printer.indented(), printer.indented():
            printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
            printer.print_string("reads(")
            for n, (access, element) in enumerate(zip(self.read_accesses, self.read_elements, strict=True)):
                printer.print_string(", " if n else "")
                printer.print_ssa_value(element)
                printer.print_string(" = ")
                self._print_access(printer, access, args)
            printer.print_string(")")
            printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
            printer.print_string("writes(")
            for n, access in enumerate(self.write_accesses):
                printer.print_string(", " if n else "")
                if self.updates:
                    printer.print_ssa_value(self.old_elements[n])
                    printer.print_string(" = ")
                self._print_access(printer, access, args)
            printer.print_string(")")
        if self.clip is not None:
            printer.print_string(" clip")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if self.has_init:
            printer.print_string(" init ")
            printer.print_region(self.init, print_empty_block=False)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @staticmethod
    def _print_access(printer: Printer, access: Access, args: Sequence[SSAValue]) -> None:
        printer.print_ssa_value(access.buffer)
        exprs = MapAttr(access.indices).over(args)
        printer.print_string(f"[{expr_list(printer, exprs)}]")
        if access.guard:
            printer.print_string(" if ")
            print_conditions(printer, MapAttr(access.guard).over(args))
        if access.pad is not None:
            printer.print_string(" else ")
            printer.print_attribute(access.pad)


def is_scalar_op(op: Operation) -> bool:
    """Whether `op` may stand in the body of a block: no regions, no effects (`arith`, `math`, and their like)."""
    # xDSL leaves the trait out of some: arith.remui, arith.extsi
    return not op.regions and (is_side_effect_free(op) or op.name.startswith(("arith.", "math.")))
