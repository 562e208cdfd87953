"""What `arith` says of scalars only: choices, comparisons and casts, in every lane."""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import IntegerType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import bits_of, is_float
from ..loop.maps import resolve_defined
from .lanes import LanewiseOp
from .vectors import (
    Vector,
    as_vector,
    lanes_of,
    parse_named,
    parse_operand_type,
    print_named,
    same_vectors,
    vector_of,
    vector_type,
    verify_mask,
)


@irdl_op_definition
class SelectOp(LanewiseOp):
    """
    In every lane `a` where the mask is on, `b` where it is off.

    ```mlir
    // %m : vector<8xi1>, %a : vector<8xf32>, %b : vector<8xf32>
    %v = simd.select %m, %a, %b : vector<8xf32>
    ```
    """

    name = "simd.select"
    COUNT: ClassVar[int] = 3

    mask = operand_def(Vector)
    a = operand_def(Vector)
    b = operand_def(Vector)

    def verify_(self) -> None:
        """One type, and a mask for it."""
        same_vectors((self.a, self.b, self.out))
        verify_mask(self.mask, lanes_of(self.out))


@irdl_op_definition
class CompareOp(IRDLOperation):
    """
    A mask of the lanes in which a predicate of `arith.cmpf` or `arith.cmpi` holds (these two compare scalars only).

    ```mlir
    // %a : vector<8xf32>, %b : vector<8xf32>
    %m = simd.compare "olt" %a, %b : vector<8xf32>
    ```
    """

    name = "simd.compare"

    a = operand_def(Vector)
    b = operand_def(Vector)
    predicate = prop_def(StringAttr)
    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, predicate: str, a: SSAValue, b: SSAValue):
        super().__init__(
            operands=[a, b],
            properties={"predicate": StringAttr(predicate)},
            result_types=[vector_of(IntegerType(1), lanes_of(a))],
        )

    def verify_(self) -> None:
        """One type, a predicate that it has."""
        element = same_vectors((self.a, self.b)).element_type
        known = CMPF_COMPARISON_OPERATIONS if is_float(element) else CMPI_COMPARISON_OPERATIONS
        if self.predicate.data not in known:
            raise VerifyException(f"predicate '{self.predicate.data}' on {element}: must be one of {', '.join(known)}")
        verify_mask(self.out, lanes_of(self.a))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `"olt" %a, %b : vector<8xf32>`."""
        return cls(*parse_named(parser, "predicate", "vector"))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        print_named(printer, self.predicate.data, self.operands)


CONVERSIONS = ("extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui")
"""The casts of `arith` that `simd.convert` does in every lane."""


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """
    A cast of `arith` in every lane, by its name.

    ```mlir
    // %a : vector<8xi32>
    %v = simd.convert "sitofp" %a : vector<8xi32> to vector<8xf32>
    ```
    """

    name = "simd.convert"

    value = operand_def(Vector)
    cast = prop_def(StringAttr)
    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, cast: str, value: SSAValue, element: Attribute):
        super().__init__(
            operands=[value],
            properties={"cast": StringAttr(cast)},
            result_types=[vector_of(element, lanes_of(value))],
        )

    def verify_(self) -> None:
        """A cast that there is, between types that it is for, of as many lanes."""
        name, source, target = self.cast.data, vector_type(self.value).element_type, vector_type(self.out).element_type
        if name not in CONVERSIONS:
            raise VerifyException(f"cast '{name}': must be one of {', '.join(CONVERSIONS)}")
        if lanes_of(self.value) != lanes_of(self.out):
            raise VerifyException(f"{lanes_of(self.value)} lanes become {lanes_of(self.out)}")
        of_float = name.startswith("fp")
        to_float = name.endswith("fp")
        if is_float(source) != of_float or is_float(target) != to_float:
            raise VerifyException(f"cast '{name}' is not for {source} to {target}")
        if name.startswith("ext") and bits_of(source) >= bits_of(target):
            raise VerifyException(f"cast '{name}' makes wider, not {source} to {target}")
        if name == "trunci" and bits_of(source) <= bits_of(target):
            raise VerifyException(f"cast '{name}' makes narrower, not {source} to {target}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `"sitofp" %a : vector<8xi32> to vector<8xf32>`."""
        cast = parser.parse_str_literal("cast")
        value = resolve_defined(parser, "vector")
        parse_operand_type(parser, value)
        parser.parse_keyword("to")
        position = parser.pos
        type = parser.parse_type()
        try:
            op = cls(cast, value, as_vector(type).element_type)
        except VerifyException as error:
            parser.raise_error(str(error), position, parser.pos)
        if op.out.type != type:
            parser.raise_error(f"the result is {op.out.type}, not {type}", position, parser.pos)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        print_named(printer, self.cast.data, self.operands)
        printer.print_string(" to ")
        printer.print_attribute(self.out.type)
