"""How a `loop.block` is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import DictionaryAttr, IndexType
from xdsl.ir import Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..expr import Expr
from ..expr_syntax import parse_expr
from .access import Access, IteratorSpec, buffer_type
from .attributes import ITERATOR_KINDS
from .maps import (
    MapAttr,
    as_buffer,
    as_defined,
    expr_list,
    parse_conditions,
    parse_index_expr,
    parse_optional_pad,
    print_conditions,
    resolve_buffer,
)

if TYPE_CHECKING:
    from .block import BlockOp


class BlockParts(NamedTuple):
    """What the text of a block says."""

    label: str
    iterators: list[IteratorSpec]
    reads: list[Access]
    writes: list[Access]
    body: Region
    init: Region | None
    clip: bool
    attributes: DictionaryAttr | None


def parse_block(parser: Parser) -> BlockParts:
    """Parse the form of the docstring of `BlockOp`."""
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
        if operand.operand_name not in names or operand.index:
            parser.raise_error(
                f"%{operand.operand_name} is not an iterator of this block, nor a read to the left", operand.span
            )
        return Expr.atom(names[operand.operand_name])

    def parse_place() -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_expr(parser, variable))
        guard = parse_conditions(parser, variable) if parser.parse_optional_keyword("if") else []
        return tuple(indices), tuple(guard)

    def parse_read() -> Access:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        buffer = resolve_buffer(parser)
        indices, guard = parse_place()
        names[argument.name.text[1:]] = len(arguments)
        arguments.append(argument.resolve(buffer_type(buffer).element_type))
        return Access(buffer, indices, parse_optional_pad(parser), guard)

    def parse_write() -> Access:
        position = parser.pos
        first = parser.parse_unresolved_operand("buffer or %old = buffer expected")
        if parser.parse_optional_punctuation("="):
            buffer = resolve_buffer(parser)
            old.append(Parser.Argument(first.span, buffer_type(buffer).element_type))
        else:
            buffer = as_buffer(parser, as_defined(parser, first, "buffer", position), position)
        indices, guard = parse_place()
        return Access(buffer, indices, guard=guard)

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
    return BlockParts(label, specs, reads, writes, body, init, clip, attributes)


def print_block(op: BlockOp, printer: Printer) -> None:
    """Print what `parse_block` reads, accesses on lines of their own."""
    args = op.body.block.args
    printer.print_string(" ")
    printer.print_string_literal(op.label.data)
    printer.print_string(" (")
    for n, (iterator, kind, e) in enumerate(zip(op.iterators, op.iterator_kinds, op.bindings, strict=True)):
        printer.print_string(", " if n else "")
        printer.print_ssa_value(iterator)
        printer.print_string(f" : {kind} = {expr_list(printer, [e])}")
    printer.print_string(")")
    with printer.indented(), printer.indented():
        printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
        printer.print_string("reads(")
        for n, (access, element) in enumerate(zip(op.read_accesses, op.read_elements, strict=True)):
            printer.print_string(", " if n else "")
            printer.print_ssa_value(element)
            printer.print_string(" = ")
            _print_access(printer, access, args)
        printer.print_string(")")
        printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
        printer.print_string("writes(")
        for n, access in enumerate(op.write_accesses):
            printer.print_string(", " if n else "")
            if op.updates:
                printer.print_ssa_value(op.old_elements[n])
                printer.print_string(" = ")
            _print_access(printer, access, args)
        printer.print_string(")")
    if op.clip is not None:
        printer.print_string(" clip")
    printer.print_op_attributes(op.attributes, print_keyword=True)
    if op.has_init:
        printer.print_string(" init ")
        printer.print_region(op.init, print_empty_block=False)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


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
