"""Elements of buffers and index values as SSA values: the scalar accesses below the block level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
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
from .access_op import BufferAccessOp, BufferReadOp, pack_access, parse_guard
from .maps import IndexedOp, MapAttr, expr_list, pack, parse_index_expr, parse_optional_pad


@irdl_op_definition
class LoadOp(BufferReadOp):
    """
    The element at an index; where a guard is below zero, the value after `else`, and memory is not touched.

    ```mlir
    // %b : memref<8xf32>
    %v = loop.load %b[%i - 1] if (%i - 1 >= 0) else 0.0 : f32
    ```
    """

    name = "loop.load"

    out = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        buffer: SSAValue,
        indices: Sequence[Expr],
        guard: Sequence[Expr] = (),
        pad: Attribute | None = None,
    ):
        operands, properties = pack_access(indices, guard)
        super().__init__(
            operands=[buffer, operands],
            properties={**properties, "pad": pad},
            result_types=[buffer_type(buffer).element_type],
        )

    def verify_(self) -> None:
        """The type of the elements."""
        super().verify_()
        if self.out.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"loads {self.out.type} from a buffer of {buffer_type(self.buffer).element_type}")

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse `%b[%i] if (…) else v : f32`."""
        (buffer,), indices = cls.parse_place(parser)
        guard = parse_guard(parser)
        pad = parse_optional_pad(parser) if guard else None
        position = parser.pos
        if pad is None:
            parser.parse_punctuation(":")
            type = parser.parse_type()
        else:
            type = getattr(pad, "type", None)
        if buffer_type(buffer).element_type != type:
            parser.raise_error(f"the buffer holds {buffer_type(buffer).element_type}, not {type}", position, parser.pos)
        return cls(buffer, indices, guard, pad)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        self.print_place(printer)
        self.print_guard(printer)
        self.print_pad(printer)
        if self.pad is None:
            printer.print_string(" : ")
            printer.print_attribute(self.out.type)


@irdl_op_definition
class StoreOp(BufferAccessOp):
    """
    Set the element at an index, if every guard is at least zero.

    ```mlir
    // %v : f32, %b : memref<8xf32>
    loop.store %v, %b[%i] if (%n - %i - 1 >= 0)
    ```
    """

    name = "loop.store"
    OPERANDS: ClassVar[tuple[str, ...]] = ("value",)

    value = operand_def()

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, value: SSAValue, buffer: SSAValue, indices: Sequence[Expr], guard: Sequence[Expr] = ()):
        operands, properties = pack_access(indices, guard)
        super().__init__(operands=[value, buffer, operands], properties=properties)

    def verify_(self) -> None:
        """The type of the elements."""
        super().verify_()
        if self.value.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"stores {self.value.type} to a buffer of {buffer_type(self.buffer).element_type}")

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse `%v, %b[%i] if (…)`."""
        (value, buffer), indices = cls.parse_place(parser)
        return cls(value, buffer, indices, parse_guard(parser))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        self.print_place(printer)
        self.print_guard(printer)


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
