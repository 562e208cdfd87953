"""Vector types: `vector<8xf32>`, a fixed number of lanes of one element type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, BaseAttr, MessageConstraint
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..element_types import is_element
from ..loop.maps import resolve_defined

Vector: AttrConstraint[Attribute] = MessageConstraint(BaseAttr(VectorType), "a vector such as vector<8xf32> expected")
"""Any vector; how many lanes of what, the verifiers say."""

MAX_LANES = 1 << 16
"""Far more than registers have; what is written lane by lane stays of a size that can be written."""


@cache
def vector_of(element: Attribute, lanes: int) -> VectorType[Attribute]:
    """The type of `lanes` elements."""
    return VectorType(element, [lanes])


def vector_type(value: SSAValue) -> VectorType[Attribute]:
    """The type of a value that is a vector of rank 1."""
    return as_vector(value.type)


def as_vector(type: Attribute) -> VectorType[Attribute]:
    """`type` as a vector type of rank 1; an error if it is not one."""
    if not isinstance(type, VectorType):
        raise VerifyException(f"a vector expected, found {type}")
    vector = cast("VectorType[Attribute]", type)
    if vector.get_num_dims() != 1 or any(dim.value.data for dim in vector.scalable_dims):
        raise VerifyException(f"a vector of one fixed number of lanes expected, found {type}")
    if not 0 < vector.get_shape()[0] <= MAX_LANES:
        raise VerifyException(f"a vector has 1 to {MAX_LANES} lanes, found {type}")
    if not is_element(vector):
        raise VerifyException(f"no lane can hold {vector.element_type}, found {type}")
    return vector


def lanes_of(value: SSAValue) -> int:
    """How many lanes a vector has."""
    return vector_type(value).get_shape()[0]


def verify_mask(mask: SSAValue, lanes: int) -> None:
    """A mask has one truth value for each lane."""
    if vector_type(mask) != vector_of(IntegerType(1), lanes):
        raise VerifyException(f"a mask for {lanes} lanes is vector<{lanes}xi1>, not {mask.type}")


def parse_vector(parser: Parser) -> VectorType[Attribute]:
    """Parse `: vector<8xf32>`."""
    parser.parse_punctuation(":")
    position = parser.pos
    try:
        return as_vector(parser.parse_type())
    except VerifyException as error:
        parser.raise_error(str(error), position, parser.pos)


def same_vectors(values: Sequence[SSAValue]) -> VectorType[Attribute]:
    """The one type of several vectors."""
    first = vector_type(values[0])
    for value in values[1:]:
        if value.type != first:
            raise VerifyException(f"vectors of one type expected, found {first} and {value.type}")
    return first


def parse_named(parser: Parser, what: str, first: str) -> tuple[str, SSAValue, SSAValue]:
    """Parse `"add" %a, %b : vector<8xf32>`: which of several an op does, its operands, and the type of the last."""
    word = parser.parse_str_literal(what)
    a = resolve_defined(parser, first)
    parser.parse_punctuation(",")
    b = resolve_defined(parser, "vector")
    parse_operand_type(parser, b)
    return word, a, b


def print_named(printer: Printer, word: str, operands: Sequence[SSAValue]) -> None:
    """Print `"add" %a, %b : vector<8xf32>`."""
    printer.print_string(" ")
    printer.print_string_literal(word)
    printer.print_string(" ")
    printer.print_list(operands, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_attribute(operands[-1].type)


def parse_operand_type(parser: Parser, value: SSAValue) -> None:
    """Parse `: vector<8xf32>`, the type that `value` has."""
    position = parser.pos
    if (type := parse_vector(parser)) != value.type:
        parser.raise_error(f"the operand is {value.type}, not {type}", position, parser.pos)
