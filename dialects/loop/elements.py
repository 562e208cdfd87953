"""Elements of buffers and index values as SSA values: the scalar accesses below the block level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from .access import buffer_type
from .maps import (
    IndexedOp,
    MapAttr,
    expr_list,
    pack,
    parse_conditions,
    parse_index_expr,
    parse_index_exprs,
    parse_optional_pad,
    print_conditions,
    print_index_exprs,
    resolve_defined,
)
from .memory import verify_rank


@irdl_op_definition
class LoadOp(IndexedOp, IRDLOperation):
    """
    The element at an index; where a guard is below zero, the value after `else`, and memory is not touched.

    ```mlir
    // %b : memref<8xf32>
    %v = loop.load %b[%i - 1] if (%i - 1 >= 0) else 0.0 : f32
    ```
    """

    name = "loop.load"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("indices", "guard")

    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    indices = prop_def(MapAttr)
    guard = opt_prop_def(MapAttr)
    pad = opt_prop_def()
    out = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        buffer: SSAValue,
        indices: Sequence[Expr],
        guard: Sequence[Expr] = (),
        pad: Attribute | None = None,
    ):
        operands, (index_map, guard_map) = pack(indices, guard)
        super().__init__(
            operands=[buffer, operands],
            properties={"indices": index_map, "guard": guard_map if guard else None, "pad": pad},
            result_types=[buffer_type(buffer).element_type],
        )

    @property
    def index_start(self) -> int:
        """The buffer stands first."""
        return 1

    @property
    def index(self) -> tuple[Expr, ...]:
        """Where the element is."""
        return self.index_exprs("indices")

    @property
    def guard_exprs(self) -> tuple[Expr, ...]:
        """Expressions that must all be at least zero for memory to be read."""
        return self.index_exprs("guard")

    def verify_(self) -> None:
        """Rank, type, guard with value."""
        self.verify_maps()
        verify_rank(self.buffer, self.indices)
        if self.out.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"loads {self.out.type} from a buffer of {buffer_type(self.buffer).element_type}")
        if (self.guard is None) != (self.pad is None):
            raise VerifyException("a guard and a value after else come together")
        if self.pad is not None and getattr(self.pad, "type", None) != self.out.type:
            raise VerifyException(f"the value after else, {self.pad}, has not the element type {self.out.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse `%b[%i] if (…) else v : f32`."""
        buffer = resolve_defined(parser, "buffer")
        indices = parse_index_exprs(parser)
        guard: list[Expr] = []
        pad = None
        if parser.parse_optional_keyword("if"):
            guard = parse_conditions(parser)
            pad = parse_optional_pad(parser)
        position = parser.pos
        if pad is None:
            parser.parse_punctuation(":")
            type = parser.parse_type()
        else:
            type = getattr(pad, "type", None)
        if isinstance(buffer.type, MemRefType) and buffer_type(buffer).element_type != type:
            parser.raise_error(f"the buffer holds {buffer_type(buffer).element_type}, not {type}", position, parser.pos)
        return cls(buffer, indices, guard, pad)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.index)
        if self.guard is not None:
            printer.print_string(" if ")
            print_conditions(printer, self.guard_exprs)
        if self.pad is not None:
            printer.print_string(" else ")
            printer.print_attribute(self.pad)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.out.type)


@irdl_op_definition
class StoreOp(IndexedOp, IRDLOperation):
    """
    Set the element at an index, if every guard is at least zero.

    ```mlir
    // %v : f32, %b : memref<8xf32>
    loop.store %v, %b[%i] if (%n - %i - 1 >= 0)
    ```
    """

    name = "loop.store"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("indices", "guard")

    value = operand_def()
    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    indices = prop_def(MapAttr)
    guard = opt_prop_def(MapAttr)

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, value: SSAValue, buffer: SSAValue, indices: Sequence[Expr], guard: Sequence[Expr] = ()):
        operands, (index_map, guard_map) = pack(indices, guard)
        super().__init__(
            operands=[value, buffer, operands],
            properties={"indices": index_map, "guard": guard_map if guard else None},
        )

    @property
    def index_start(self) -> int:
        """The value and the buffer stand first."""
        return 2

    @property
    def index(self) -> tuple[Expr, ...]:
        """Where the element goes."""
        return self.index_exprs("indices")

    @property
    def guard_exprs(self) -> tuple[Expr, ...]:
        """Expressions that must all be at least zero for memory to be written."""
        return self.index_exprs("guard")

    def verify_(self) -> None:
        """Rank and type."""
        self.verify_maps()
        verify_rank(self.buffer, self.indices)
        if self.value.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"stores {self.value.type} to a buffer of {buffer_type(self.buffer).element_type}")

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse `%v, %b[%i] if (…)`."""
        value = resolve_defined(parser, "value")
        parser.parse_punctuation(",")
        buffer = resolve_defined(parser, "buffer")
        indices = parse_index_exprs(parser)
        guard = parse_conditions(parser) if parser.parse_optional_keyword("if") else []
        return cls(value, buffer, indices, guard)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.index)
        if self.guard is not None:
            printer.print_string(" if ")
            print_conditions(printer, self.guard_exprs)


@irdl_op_definition
class IndexOp(IndexedOp, IRDLOperation):
    """
    The value of an index expression, for where an op needs it as an operand.

    ```mlir
    %e = loop.index %i * 2 + 1
    ```
    """

    name = "loop.index"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("map",)

    index_operands = var_operand_def(IndexType())
    map = prop_def(MapAttr)
    out = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, e: Expr):
        operands, (attr,) = pack((e,))
        super().__init__(operands=[operands], properties={"map": attr}, result_types=[IndexType()])

    @property
    def index_start(self) -> int:
        """All operands are index values."""
        return 0

    @property
    def expr(self) -> Expr:
        """The expression."""
        return self.index_exprs("map")[0]

    def verify_(self) -> None:
        """One expression."""
        self.verify_maps()
        if len(self.map.exprs) != 1:
            raise VerifyException(f"{len(self.map.exprs)} expressions: must be one")

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        """Parse `%i * 2 + 1`."""
        return cls(parse_index_expr(parser))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(f" {expr_list(printer, [self.expr])}")
