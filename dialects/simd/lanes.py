"""Vectors made and combined in registers: masks, broadcasts, the fused multiply-add, extremes, reductions, shuffles."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType, IntegerType
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import is_float, is_integer
from ..expr import Expr
from ..loop.maps import IndexedOp, MapAttr, expr_list, pack, parse_index_expr, resolve_defined
from .vectors import (
    Vector,
    lanes_of,
    parse_vector,
    same_vectors,
    vector_of,
    vector_type,
    verify_mask,
)


@irdl_op_definition
class MaskOp(IndexedOp, IRDLOperation):
    """
    A mask for the first lanes: lane `l` is on where `l` is less than the expression.

    ```mlir
    %m = simd.mask %n - %i * 8 : vector<8xi1>
    ```
    """

    name = "simd.mask"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("map",)

    index_operands = var_operand_def(IndexType())
    map = prop_def(MapAttr)
    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, count: Expr, lanes: int):
        operands, (attr,) = pack((count,))
        super().__init__(operands=[operands], properties={"map": attr}, result_types=[vector_of(IntegerType(1), lanes)])

    @property
    def count(self) -> Expr:
        """How many lanes are on (none below zero, all above their number)."""
        return self.index_exprs("map")[0]

    def verify_(self) -> None:
        """One expression, a mask."""
        self.verify_maps()
        if len(self.map.exprs) != 1:
            raise VerifyException(f"{len(self.map.exprs)} expressions: must be one")
        verify_mask(self.out, lanes_of(self.out))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%n - %i * 8 : vector<8xi1>`."""
        count = parse_index_expr(parser)
        position = parser.pos
        op = cls(count, (type := parse_vector(parser)).get_shape()[0])
        if op.out.type != type:
            parser.raise_error(f"a mask is a vector of i1, not {type}", position, parser.pos)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(f" {expr_list(printer, [self.count])} : ")
        printer.print_attribute(self.out.type)


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """
    One scalar in every lane.

    ```mlir
    // %x : f32
    %v = simd.broadcast %x : vector<8xf32>
    ```
    """

    name = "simd.broadcast"

    value = operand_def()
    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, value: SSAValue, lanes: int):
        super().__init__(operands=[value], result_types=[vector_of(value.type, lanes)])

    def verify_(self) -> None:
        """The lanes have the type of the scalar."""
        if vector_type(self.out).element_type != self.value.type:
            raise VerifyException(f"{self.value.type} in the lanes of {self.out.type}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%x : vector<8xf32>`."""
        value = resolve_defined(parser, "scalar")
        position = parser.pos
        op = cls(value, (type := parse_vector(parser)).get_shape()[0])
        if op.out.type != type:
            parser.raise_error(f"the lanes hold {value.type}, not {type.element_type}", position, parser.pos)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.out.type)


@irdl_op_definition
class IotaOp(IRDLOperation):
    """
    The numbers of the lanes: 0, 1, 2, …

    ```mlir
    %v = simd.iota : vector<8xi64>
    ```
    """

    name = "simd.iota"

    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, element: Attribute, lanes: int):
        super().__init__(result_types=[vector_of(element, lanes)])

    def verify_(self) -> None:
        """Integers that hold the numbers."""
        element = vector_type(self.out).element_type
        if not is_integer(element) or element == IntegerType(1):
            raise VerifyException(f"lane numbers are integers, not {element}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `: vector<8xi64>`."""
        type = parse_vector(parser)
        return cls(type.element_type, type.get_shape()[0])

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" : ")
        printer.print_attribute(self.out.type)


class LanewiseOp(IRDLOperation, ABC):
    """Vectors of one type in, one out; `%a, %b : vector<8xf32>`."""

    COUNT: ClassVar[int]

    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, *values: SSAValue):
        super().__init__(operands=list(values), result_types=[values[-1].type])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%a, %b : vector<8xf32>`."""
        values = [resolve_defined(parser, "vector")]
        for _ in range(cls.COUNT - 1):
            parser.parse_punctuation(",")
            values.append(resolve_defined(parser, "vector"))
        op = cls(*values)
        position = parser.pos
        if (type := parse_vector(parser)) != op.out.type:
            parser.raise_error(f"the operands are {op.out.type}, not {type}", position, parser.pos)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.out.type)

    def verify_(self) -> None:
        """One type."""
        same_vectors((*self.operands, self.out))


class FloatLanewiseOp(LanewiseOp, ABC):
    """A lane-wise op on floats."""

    def verify_(self) -> None:
        """One type, of floats."""
        super().verify_()
        if not is_float(self.out.type):
            raise VerifyException(f"a vector of floats expected, found {self.out.type}")


@irdl_op_definition
class FmaOp(FloatLanewiseOp):
    """
    `a * b + c` in every lane, rounded once.

    ```mlir
    // %a : vector<8xf32>, %b : vector<8xf32>, %c : vector<8xf32>
    %v = simd.fma %a, %b, %c : vector<8xf32>
    ```
    """

    name = "simd.fma"
    COUNT: ClassVar[int] = 3

    a = operand_def(Vector)
    b = operand_def(Vector)
    c = operand_def(Vector)


@irdl_op_definition
class MaxOp(FloatLanewiseOp):
    """
    `a > b ? a : b` in every lane: `b` where one of them is NaN, and where they are equal (zeros of either sign too).

    Cheaper than `arith.maximumf`, which passes every NaN on and makes max(+0, -0) +0.

    ```mlir
    // %a : vector<8xf32>, %b : vector<8xf32>
    %v = simd.max %a, %b : vector<8xf32>
    ```
    """

    name = "simd.max"
    COUNT: ClassVar[int] = 2

    a = operand_def(Vector)
    b = operand_def(Vector)


@irdl_op_definition
class MinOp(FloatLanewiseOp):
    """
    `a < b ? a : b` in every lane: `b` where one of them is NaN, and where they are equal (zeros of either sign too).

    ```mlir
    // %a : vector<8xf32>, %b : vector<8xf32>
    %v = simd.min %a, %b : vector<8xf32>
    ```
    """

    name = "simd.min"
    COUNT: ClassVar[int] = 2

    a = operand_def(Vector)
    b = operand_def(Vector)
