"""Ops across the lanes of a vector: reductions to a scalar, shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, VectorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import is_float
from ..loop.maps import resolve_defined
from .vectors import (
    Vector,
    as_vector,
    lanes_of,
    parse_named,
    parse_vector,
    print_named,
    same_vectors,
    vector_of,
    vector_type,
)

COMBINATIONS = ("add", "mul", "max", "min", "umax", "umin", "and", "or", "xor")
"""What `simd.reduce` combines with. `max` and `min` pass NaN on; of integers they are signed, `umax` and `umin` not."""


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """
    Combine an initial value with all lanes, from left to right: `((init + v[0]) + v[1]) + …`.

    ```mlir
    // %x : f32, %v : vector<8xf32>
    %s = simd.reduce "add" %x, %v : vector<8xf32>
    ```
    """

    name = "simd.reduce"

    init = operand_def()
    vector = operand_def(Vector)
    combination = prop_def(StringAttr)
    out = result_def()

    traits = traits_def(Pure())

    def __init__(self, combination: str, init: SSAValue, vector: SSAValue):
        super().__init__(
            operands=[init, vector],
            properties={"combination": StringAttr(combination)},
            result_types=[vector_type(vector).element_type],
        )

    def verify_(self) -> None:
        """Types, and a combination that the elements have."""
        element = vector_type(self.vector).element_type
        if self.init.type != element or self.out.type != element:
            raise VerifyException(
                f"{self.init.type} and {self.vector.type} to {self.out.type}: one element type expected"
            )
        name = self.combination.data
        if name not in COMBINATIONS:
            raise VerifyException(f"combination '{name}': must be one of {', '.join(COMBINATIONS)}")
        if is_float(element) and name not in COMBINATIONS[:4]:
            raise VerifyException(f"combination '{name}' is for integers, not {element}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `"add" %x, %v : vector<8xf32>`."""
        return cls(*parse_named(parser, "combination", "initial value"))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        print_named(printer, self.combination.data, self.operands)


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """
    Lanes by number, out of those of `a` followed by those of `b`.

    ```mlir
    // %a : vector<8xf32>, %b : vector<8xf32>
    %v = simd.shuffle %a, %b [0, 8, 1, 9] : vector<4xf32>
    ```
    """

    name = "simd.shuffle"

    a = operand_def(Vector)
    b = operand_def(Vector)
    lanes = prop_def(DenseArrayBase)
    out = result_def(Vector)

    traits = traits_def(Pure())

    def __init__(self, a: SSAValue, b: SSAValue, lanes: Sequence[int]):
        super().__init__(
            operands=[a, b],
            properties={"lanes": DenseArrayBase.from_list(i64, list(lanes))},
            result_types=[vector_of(vector_type(a).element_type, len(lanes))],
        )

    @property
    def numbers(self) -> Sequence[int]:
        """The number of the lane that each lane of the result comes from."""
        return cast("DenseArrayBase[IntegerType]", self.lanes).get_values()

    def verify_(self) -> None:
        """Types, and lanes that exist."""
        operands = same_vectors((self.a, self.b))
        out: VectorType[Attribute] = as_vector(self.out.type)
        if out != vector_of(operands.element_type, len(self.numbers)):
            raise VerifyException(f"{len(self.numbers)} lanes of {operands.element_type}, not {out}")
        count = 2 * lanes_of(self.a)
        for number in self.numbers:
            if not 0 <= number < count:
                raise VerifyException(f"lane {number} of two vectors with {count} lanes")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%a, %b [0, 8, 1, 9] : vector<4xf32>`."""
        a = resolve_defined(parser, "vector")
        parser.parse_punctuation(",")
        b = resolve_defined(parser, "vector")
        lanes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        position = parser.pos
        type = parse_vector(parser)
        op = cls(a, b, lanes)
        if op.out.type != type:
            parser.raise_error(f"the result is {op.out.type}, not {type}", position, parser.pos)
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f" [{', '.join(map(str, self.numbers))}] : ")
        printer.print_attribute(self.out.type)
