"""What every op of the `graph` dialect shares: inferred result types, constraints on elements, pieces of syntax."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import TypeVar, override
from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerAttr, IntegerType, TensorType, UnitAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, IRDLOperation, VerificationContext
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..element_types import FLOAT_DTYPES, INTEGER_WIDTHS, integer_type
from ..expr import Expr
from .dims import DimsAttr, Tensor, dim_text, parse_dim, type_of_value
from .inference import LOCAL, Solver, check_declared


class GraphOp(IRDLOperation, ABC):
    """An op whose result types follow from its operands and attributes."""

    @abstractmethod
    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The types of the results, as far as they follow; refuses operands that do not fit together."""

    def requirements(self) -> tuple[Expr, ...]:
        """What must not be negative in a run for the operands to fit together, beyond what equal sizes say."""
        return ()

    @override
    def verify_(self) -> None:
        inferred = self.infer_result_types()
        if len(inferred) != len(self.results):
            raise VerifyException(f"{len(self.results)} results, inferred {len(inferred)}")
        for index, (result, type) in enumerate(zip(self.results, inferred, strict=True)):
            check_declared(type_of_value(result), type, f"result {index}" if len(inferred) > 1 else "the result")

    def operand_tensors(self) -> tuple[Tensor, ...]:
        """The types of all operands, in order."""
        return tuple(map(type_of_value, self.operands))


# -- constraints on elements --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TensorConstraint(AttrConstraint[TensorType[Attribute]]):
    """A ranked tensor whose elements are of one kind; `elements` names the kind in the error."""

    elements: str
    accepts: Callable[[Attribute], bool]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Refuse anything but a ranked tensor of such elements."""
        if not (isinstance(attr, TensorType) and self.accepts(attr.element_type)):  # pyright: ignore[reportUnknownArgumentType,reportUnknownMemberType]
            raise VerifyException(f"a tensor of {self.elements} expected, found {attr}")

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[TensorType[Attribute]]:
        """There are no type variables inside."""
        return self


def is_bool_element(element: Attribute) -> bool:
    """Whether the elements are truth values, `i1`."""
    return element == IntegerType(1)


def is_integer_element(element: Attribute) -> bool:
    """Whether the elements are integers of more than one bit that an array can hold."""
    integer = integer_type(element)
    return integer is not None and integer == element and integer.width.data in INTEGER_WIDTHS


def is_float_element(element: Attribute) -> bool:
    """Whether the elements are floats themselves; those of a vector or a complex number are none."""
    return element.__class__ in FLOAT_DTYPES


def is_numeric_element(element: Attribute) -> bool:
    """Whether the elements are numbers: floats or integers, not truth values."""
    return is_float_element(element) or is_integer_element(element)


AnyTensor = TensorConstraint("numbers or truth values", lambda e: is_numeric_element(e) or is_bool_element(e))
NumericTensor = TensorConstraint("numbers", is_numeric_element)
FloatTensor = TensorConstraint("floats", is_float_element)
IntegerTensor = TensorConstraint("integers", is_integer_element)
BoolTensor = TensorConstraint("truth values (i1)", is_bool_element)

# -- attributes ---------------------------------------------------------------------------------------------------

Integers = DenseArrayBase.constr(i64)
Integer = IntegerAttr.constr(i64)


def integers(values: Sequence[int]) -> DenseArrayBase[I64]:
    """A list of integers as an attribute."""
    return DenseArrayBase.from_list(i64, list(values))


def integer(value: int) -> IntegerAttr[I64]:
    """One integer as an attribute."""
    return IntegerAttr(value, i64)


def flag(value: bool) -> UnitAttr | None:
    """A flag as an optional attribute."""
    return UnitAttr() if value else None


# -- syntax -------------------------------------------------------------------------------------------------------


@irdl_custom_directive
class LikeInput(CustomDirective):
    """`tensor<4xf32>` where the result has the type of the input, else `tensor<4xf32> -> tensor<?xf32>`."""

    input: TypeDirective
    out: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one type, or two."""
        type = parser.parse_type()
        self.input.set(state, (type,))
        self.out.set(state, (parser.parse_type() if parser.parse_optional_punctuation("->") else type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the second type only where it differs."""
        (input,), (out,) = self.input.get(op), self.out.get(op)
        state.print_whitespace(printer)
        printer.print_attribute(input)
        if out != input:
            printer.print_string(" -> ")
            printer.print_attribute(out)


@irdl_custom_directive
class LeadingDims(CustomDirective):
    """` dims [batch, 2 * n]`, or nothing where there are none."""

    dims: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the optional list."""
        sizes = (
            parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser))
            if parser.parse_optional_keyword("dims")
            else ()
        )
        self.dims.set(state, DimsAttr(sizes))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the list if it is not empty."""
        dims = self.dims.get(op)
        if isinstance(dims, DimsAttr) and dims.data:
            state.print_whitespace(printer)
            printer.print_string("dims ")
            with printer.in_square_brackets():
                printer.print_list(dims.data, lambda size: printer.print_string(dim_text(size)))

    def can_parse_empty(self) -> bool:
        """Whether the list may be absent."""
        return True
