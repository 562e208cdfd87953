"""What all ops that reach into a buffer share, of one element or of several: a place, a guard, a value after `else`."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from .access import buffer_type
from .maps import (
    IndexedOp,
    MapAttr,
    pack,
    parse_conditions,
    parse_index_exprs,
    print_conditions,
    print_index_exprs,
    resolve_buffer,
    resolve_defined,
)


class BufferAccessOp(IndexedOp, IRDLOperation, ABC):
    """An access of a buffer at an index; the operands called `OPERANDS` stand before the buffer."""

    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("indices", "guard")
    OPERANDS: ClassVar[tuple[str, ...]] = ()

    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    indices = prop_def(MapAttr)
    guard = opt_prop_def(MapAttr)

    @property
    def index_start(self) -> int:
        """The leading operands and the buffer stand first."""
        return len(self.OPERANDS) + 1

    @property
    def index(self) -> tuple[Expr, ...]:
        """Where the element is, or the one of lane 0."""
        return self.index_exprs("indices")

    @property
    def guard_exprs(self) -> tuple[Expr, ...]:
        """Expressions that must all be at least zero for memory to be touched."""
        return self.index_exprs("guard")

    def verify_(self) -> None:
        """As many indices as the buffer has dims, and a guard that says something."""
        self.verify_maps()
        rank = buffer_type(self.buffer).get_num_dims()
        if len(self.indices.exprs) != rank:
            raise VerifyException(f"{len(self.indices.exprs)} indices for a buffer of rank {rank}")
        if self.guard is not None and not self.guard.exprs:
            raise VerifyException("a guard without conditions: leave it out")

    @classmethod
    def parse_place(cls, parser: Parser) -> tuple[list[SSAValue], list[Expr]]:
        """Parse `%m, %b[%i]`: the operands up to the buffer, and the index."""
        values: list[SSAValue] = []
        for name in cls.OPERANDS:
            values.append(resolve_defined(parser, name))
            parser.parse_punctuation(",")
        values.append(resolve_buffer(parser))
        return values, parse_index_exprs(parser)

    def print_place(self, printer: Printer) -> None:
        """Print `%m, %b[%i]`, without what follows."""
        printer.print_string(" ")
        for value in self.operands[: len(self.OPERANDS)]:
            printer.print_ssa_value(value)
            printer.print_string(", ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.index)

    def print_guard(self, printer: Printer) -> None:
        """Print `if (…)`."""
        if self.guard is not None:
            printer.print_string(" if ")
            print_conditions(printer, self.guard_exprs)


class BufferReadOp(BufferAccessOp, ABC):
    """An access that gives what it reads; where that is not memory, the value after `else`."""

    pad = opt_prop_def()

    def needs_pad(self) -> bool:
        """Whether something may not be read from memory."""
        return self.guard is not None

    def verify_(self) -> None:
        """A value after else, where it is needed, of the type of the elements."""
        super().verify_()
        if self.needs_pad() != (self.pad is not None):
            raise VerifyException("a guard or a mask, and a value after else, come together")
        if self.pad is not None and getattr(self.pad, "type", None) != buffer_type(self.buffer).element_type:
            raise VerifyException(f"the value after else, {self.pad}, has not the element type")

    def print_pad(self, printer: Printer) -> None:
        """Print `else 0.0 : f32`."""
        if self.pad is not None:
            printer.print_string(" else ")
            printer.print_attribute(self.pad)


def pack_access(
    indices: Sequence[Expr], guard: Sequence[Expr]
) -> tuple[tuple[SSAValue, ...], dict[str, Attribute | None]]:
    """The index operands of an access, and the properties over them."""
    operands, (index_map, guard_map) = pack(indices, guard)
    return operands, {"indices": index_map, "guard": guard_map if guard else None}


def parse_guard(parser: Parser) -> list[Expr]:
    """Parse `if (%i - 1 >= 0)`, or nothing."""
    return parse_conditions(parser) if parser.parse_optional_keyword("if") else []
