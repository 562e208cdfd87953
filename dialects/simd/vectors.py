"""Vector types: `vector<8xf32>`, a fixed number of lanes of one element type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrConstraint, BaseAttr, MessageConstraint
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

Vector: AttrConstraint[Attribute] = MessageConstraint(BaseAttr(VectorType), "a vector such as vector<8xf32> expected")
"""Any vector; how many lanes of what, the verifiers say."""


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


def parse_operand_type(parser: Parser, value: SSAValue) -> None:
    """Parse `: vector<8xf32>`, the type that `value` has."""
    position = parser.pos
    if (type := parse_vector(parser)) != value.type:
        parser.raise_error(f"the operand is {value.type}, not {type}", position, parser.pos)
