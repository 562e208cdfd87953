"""Arithmetic on single elements, as the ops on tensors mean it: what the bodies of nests are written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from ...dialects.element_types import bits_of, integer_type, is_float
from ...dialects.loop import RemfOp
from ...errors import UnsupportedError


def signless(element: Attribute) -> Attribute:
    """The type that holds such an element in a buffer: integers say no more whether they have a sign."""
    integer = integer_type(element)
    return element if integer is None else IntegerType(integer.width.data)


def is_unsigned(element: Attribute) -> bool:
    """Whether these are integers without sign; a truth value is one."""
    integer = integer_type(element)
    return integer is not None and (integer.width.data == 1 or integer.signedness.data is Signedness.UNSIGNED)


def lowest(element: Attribute) -> float:
    """What is not above any element: what `max` begins with."""
    if is_float(element):
        return float("-inf")
    return 0 if is_unsigned(element) else -(2 ** (bits_of(element) - 1))


def highest(element: Attribute) -> float:
    """What is not below any element: what `min` begins with."""
    if is_float(element):
        return float("inf")
    return 2 ** (bits_of(element) - (0 if is_unsigned(element) else 1)) - 1


def number(value: float, element: Attribute) -> FloatAttr[AnyFloat] | IntegerAttr[IntegerType] | IntegerAttr[IndexType]:
    """A number as a constant of the type in which a buffer holds such elements."""
    if isa(element, AnyFloat):
        return FloatAttr(float(value), element)
    if isinstance(element, IndexType):
        return IntegerAttr(int(value), element)
    return IntegerAttr(int(value), IntegerType(bits_of(element)), truncate_bits=True)


def insert(op: Operation, element: Attribute, builder: Builder) -> Scalar:
    """The result of an op put where the builder stands."""
    builder.insert(op)
    return Scalar(op.results[0], element, builder)


def constant(value: float, element: Attribute, builder: Builder) -> Scalar:
    """A constant put where the builder stands."""
    return insert(arith.ConstantOp(number(value, element)), element, builder)


BinaryClass: TypeAlias = Callable[[SSAValue, SSAValue], Operation]
UnaryClass: TypeAlias = Callable[[SSAValue], Operation]

FLOAT_PREDICATES = {"equal": "oeq", "not_equal": "une", "less": "olt", "less_equal": "ole"}
SIGNED_PREDICATES = {"equal": "eq", "not_equal": "ne", "less": "slt", "less_equal": "sle"}
UNSIGNED_PREDICATES = {"equal": "eq", "not_equal": "ne", "less": "ult", "less_equal": "ule"}


class Scalar:
    """
    One element inside the body of a block. Arithmetic on it adds ops to the body; a plain number stands for a constant.

    `element` is the element type of the tensor, which may be unsigned, or `index`; the value has the signless type.
    """

    __slots__ = ("builder", "element", "value")

    def __init__(self, value: SSAValue, element: Attribute, builder: Builder):
        self.value = value
        self.element = element
        self.builder = builder

    # -- making ---------------------------------------------------------------------------------------------------

    def insert(self, op: Operation, element: Attribute | None = None) -> Scalar:
        """The result of an op put into the body; of the type of this scalar unless `element` says another."""
        return insert(op, self.element if element is None else element, self.builder)

    def constant(self, value: float) -> Scalar:
        """A constant of this scalar's type."""
        return constant(value, self.element, self.builder)

    def _other(self, other: Scalar | float) -> SSAValue:
        return other.value if isinstance(other, Scalar) else self.constant(other).value

    def _binary(
        self, on_float: BinaryClass, signed: BinaryClass, unsigned: BinaryClass, other: Scalar | float
    ) -> Scalar:
        cls = on_float if is_float(self.element) else unsigned if is_unsigned(self.element) else signed
        return self.insert(cls(self.value, self._other(other)))

    def _integer(self, cls: BinaryClass, other: Scalar | float) -> Scalar:
        return self.insert(cls(self.value, self._other(other)))

    def math(self, cls: UnaryClass) -> Scalar:
        """A function of this element."""
        return self.insert(cls(self.value))

    # -- arithmetic -----------------------------------------------------------------------------------------------

    def __add__(self, other: Scalar | float) -> Scalar:
        return self._binary(arith.AddfOp, arith.AddiOp, arith.AddiOp, other)

    def __sub__(self, other: Scalar | float) -> Scalar:
        return self._binary(arith.SubfOp, arith.SubiOp, arith.SubiOp, other)

    def __mul__(self, other: Scalar | float) -> Scalar:
        return self._binary(arith.MulfOp, arith.MuliOp, arith.MuliOp, other)

    def __truediv__(self, other: Scalar | float) -> Scalar:
        """The quotient; integers truncate."""
        return self._binary(arith.DivfOp, arith.DivSIOp, arith.DivUIOp, other)

    def __neg__(self) -> Scalar:
        return self.math(arith.NegfOp) if is_float(self.element) else self.constant(0) - self

    def maximum(self, other: Scalar | float) -> Scalar:
        """The larger; NaN if either is."""
        return self._binary(arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp, other)

    def minimum(self, other: Scalar | float) -> Scalar:
        """The smaller; NaN if either is."""
        return self._binary(arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp, other)

    def remainder(self, other: Scalar | float) -> Scalar:
        """What the truncating division leaves: it has the sign of the dividend."""
        return self._binary(RemfOp, arith.RemSIOp, arith.RemUIOp, other)

    def magnitude(self) -> Scalar:
        """The element without its sign."""
        if is_float(self.element):
            return self.math(math.AbsFOp)
        return self if is_unsigned(self.element) else self.math(math.AbsIOp)

    # -- bits -----------------------------------------------------------------------------------------------------

    def __and__(self, other: Scalar | float) -> Scalar:
        return self._integer(arith.AndIOp, other)

    def __or__(self, other: Scalar | float) -> Scalar:
        return self._integer(arith.OrIOp, other)

    def __xor__(self, other: Scalar | float) -> Scalar:
        return self._integer(arith.XOrIOp, other)

    def __invert__(self) -> Scalar:
        return self ^ -1

    def __lshift__(self, other: Scalar | float) -> Scalar:
        return self._integer(arith.ShLIOp, other)

    def __rshift__(self, other: Scalar | float) -> Scalar:
        return self._integer(arith.ShRUIOp if is_unsigned(self.element) else arith.ShRSIOp, other)

    # -- choosing -------------------------------------------------------------------------------------------------

    def _compare(self, relation: str, other: Scalar | float) -> Scalar:
        right = self._other(other)
        if is_float(self.element):
            return self.insert(arith.CmpfOp(self.value, right, FLOAT_PREDICATES[relation]), i1)
        predicates = UNSIGNED_PREDICATES if is_unsigned(self.element) else SIGNED_PREDICATES
        return self.insert(arith.CmpiOp(self.value, right, predicates[relation]), i1)

    def equal(self, other: Scalar | float) -> Scalar:
        """Whether the two are equal; NaN equals nothing."""
        return self._compare("equal", other)

    def not_equal(self, other: Scalar | float) -> Scalar:
        """Whether the two differ; NaN differs from everything."""
        return self._compare("not_equal", other)

    def less(self, other: Scalar | float) -> Scalar:
        """Whether this is below the other; false with NaN."""
        return self._compare("less", other)

    def less_equal(self, other: Scalar | float) -> Scalar:
        """Whether this is at most the other; false with NaN."""
        return self._compare("less_equal", other)

    def select(self, on_true: Scalar, on_false: Scalar) -> Scalar:
        """By this truth value, one of two."""
        return self.insert(arith.SelectOp(self.value, on_true.value, on_false.value), on_true.element)

    # -- converting -----------------------------------------------------------------------------------------------

    def cast(self, element: Attribute) -> Scalar:
        """The element in another type, as `graph.cast` says."""
        if element == self.element:
            return self
        if isinstance(self.element, IndexType):
            return self.insert(arith.IndexCastOp(self.value, i64), i64).cast(element)
        if element == i1:
            return self.not_equal(0)
        if is_float(self.element):
            return self._float_to_float(element) if is_float(element) else self._float_to_integer(element)
        return self._integer_to_float(element) if is_float(element) else self._integer_to_integer(element)

    def _float_to_float(self, element: Attribute) -> Scalar:
        if not isa(element, AnyFloat):
            raise UnsupportedError(f"no cast from {self.element} to {element}")
        difference = bits_of(element) - bits_of(self.element)
        if difference == 0:
            return self._float_to_float(f32)._float_to_float(element)
        cls: Callable[[SSAValue, AnyFloat], Operation] = arith.ExtFOp if difference > 0 else arith.TruncFOp
        return self.insert(cls(self.value, element), element)

    def _float_to_integer(self, element: Attribute) -> Scalar:
        cls = arith.FPToUIOp if is_unsigned(element) else arith.FPToSIOp
        return self.insert(cls(self.value, IntegerType(bits_of(element))), element)

    def _integer_to_float(self, element: Attribute) -> Scalar:
        if not isa(element, AnyFloat):
            raise UnsupportedError(f"no cast from {self.element} to {element}")
        cls = arith.UIToFPOp if is_unsigned(self.element) else arith.SIToFPOp
        return self.insert(cls(self.value, element), element)

    def _integer_to_integer(self, element: Attribute) -> Scalar:
        width = IntegerType(bits_of(element))
        difference = bits_of(element) - bits_of(self.element)
        if difference == 0:
            return Scalar(self.value, element, self.builder)
        if difference < 0:
            return self.insert(arith.TruncIOp(self.value, width), element)
        cls = arith.ExtUIOp if is_unsigned(self.element) else arith.ExtSIOp
        return self.insert(cls(self.value, width), element)
