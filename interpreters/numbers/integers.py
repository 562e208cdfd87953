"""
Integer ops on two's complement values: they wrap, and division by zero is zero.

Operands are arrays or scalars of an integer dtype, signed or not; an unsigned op reads the bits of a signed dtype as
unsigned, and returns the dtype it was given. `bool` stands for `i1`, whose 1 is -1 when read as signed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .values import Value, choose


def unsigned(x: Value) -> Value:
    """The same bits, read as an unsigned integer."""
    return x.view(np.dtype(f"uint{x.dtype.itemsize * 8}"))


def signed(x: Value) -> Value:
    """The same bits, read as a signed integer."""
    return x.view(np.dtype(f"int{x.dtype.itemsize * 8}"))


def _one_bit(function: Callable[..., Value], operands: tuple[Value, ...]) -> Value:
    """A function on `bool`: the operands as 0 and -1, and the low bit of the result."""
    wide = (-operand.astype(np.int8) for operand in operands)
    return (function(*wide) & np.int8(1)).astype(np.bool_)


def as_signed(function: Callable[..., Value]) -> Callable[..., Value]:
    """Let a function of signed integers take every integer dtype."""

    def apply(*operands: Value) -> Value:
        dtype = operands[0].dtype
        if dtype == np.bool_:
            return _one_bit(function, operands)
        return function(*(signed(operand) for operand in operands)).astype(dtype)

    apply.__name__ = function.__name__
    apply.__doc__ = function.__doc__
    return apply


def as_unsigned(function: Callable[..., Value]) -> Callable[..., Value]:
    """Let a function of unsigned integers take every integer dtype."""

    def apply(*operands: Value) -> Value:
        dtype = operands[0].dtype
        if dtype == np.bool_:
            return _one_bit(apply, operands)
        return function(*(unsigned(operand) for operand in operands)).astype(dtype)

    apply.__name__ = function.__name__
    apply.__doc__ = function.__doc__
    return apply


@as_unsigned
def addi(a: Value, b: Value) -> Value:
    """The sum, wrapping."""
    return a + b


@as_unsigned
def subi(a: Value, b: Value) -> Value:
    """The difference, wrapping."""
    return a - b


@as_unsigned
def muli(a: Value, b: Value) -> Value:
    """The product, wrapping."""
    return a * b


def _nonzero(divisor: Value) -> Value:
    """A divisor with 1 in place of 0."""
    return choose(divisor == 0, divisor.dtype.type(1), divisor)


def _unless_zero(divisor: Value, result: Value) -> Value:
    """The result, or 0 where the divisor is 0."""
    return choose(divisor == 0, result.dtype.type(0), result)


@as_signed
def floordivsi(a: Value, b: Value) -> Value:
    """The quotient rounded down; by 0 it is 0."""
    return _unless_zero(b, a // _nonzero(b))


def _inexact(a: Value, b: Value, quotient: Value) -> Value:
    """Whether `quotient * b` is not `a`."""
    return (b != 0) & (quotient * b != a)


@as_signed
def divsi(a: Value, b: Value) -> Value:
    """The quotient rounded toward zero; by 0 it is 0."""
    down = floordivsi(a, b)
    return down + (_inexact(a, b, down) & ((a < 0) != (b < 0))).astype(a.dtype)


@as_signed
def ceildivsi(a: Value, b: Value) -> Value:
    """The quotient rounded up; by 0 it is 0."""
    down = floordivsi(a, b)
    return down + _inexact(a, b, down).astype(a.dtype)


@as_signed
def remsi(a: Value, b: Value) -> Value:
    """What truncating division leaves, with the sign of the dividend; by 0 it is 0."""
    return _unless_zero(b, a - divsi(a, b) * b)


@as_unsigned
def divui(a: Value, b: Value) -> Value:
    """The quotient of unsigned integers; by 0 it is 0."""
    return _unless_zero(b, a // _nonzero(b))


@as_unsigned
def remui(a: Value, b: Value) -> Value:
    """The remainder of unsigned integers; by 0 it is 0."""
    return _unless_zero(b, a % _nonzero(b))


@as_unsigned
def ceildivui(a: Value, b: Value) -> Value:
    """The quotient of unsigned integers rounded up; by 0 it is 0."""
    divisor = _nonzero(b)
    return _unless_zero(b, a // divisor + (a % divisor != 0).astype(a.dtype))


@as_signed
def maxsi(a: Value, b: Value) -> Value:
    """The larger signed integer."""
    return np.maximum(a, b)


@as_signed
def minsi(a: Value, b: Value) -> Value:
    """The smaller signed integer."""
    return np.minimum(a, b)


@as_unsigned
def maxui(a: Value, b: Value) -> Value:
    """The larger unsigned integer."""
    return np.maximum(a, b)


@as_unsigned
def minui(a: Value, b: Value) -> Value:
    """The smaller unsigned integer."""
    return np.minimum(a, b)


def andi(a: Value, b: Value) -> Value:
    """The bits that both have."""
    return a & b


def ori(a: Value, b: Value) -> Value:
    """The bits that either has."""
    return a | b


def xori(a: Value, b: Value) -> Value:
    """The bits that just one has."""
    return a ^ b


def _shifted(shift: Callable[[Value, Value], Value], x: Value, amount: Value) -> Value:
    """Shift by an amount read as unsigned; by the width or more gives 0."""
    amount = unsigned(amount)
    fits = amount < amount.dtype.type(x.dtype.itemsize * 8)
    near = choose(fits, amount, amount.dtype.type(0)).astype(x.dtype)
    return choose(fits, shift(x, near), x.dtype.type(0))


@as_unsigned
def shli(x: Value, amount: Value) -> Value:
    """The bits moved up, zeros below."""
    return _shifted(np.left_shift, x, amount)


@as_unsigned
def shrui(x: Value, amount: Value) -> Value:
    """The bits moved down, zeros above."""
    return _shifted(np.right_shift, x, amount)


@as_signed
def shrsi(x: Value, amount: Value) -> Value:
    """The bits moved down, copies of the sign above; by the width or more it is 0."""
    return _shifted(np.right_shift, x, amount)


@as_signed
def absi(x: Value) -> Value:
    """The magnitude; that of the least integer wraps to itself."""
    return np.abs(x)


@as_signed
def ipowi(base: Value, exponent: Value) -> Value:
    """The power, wrapping; to a negative exponent it is 0 but for the bases 1 and -1."""
    zero, one = base.dtype.type(0), base.dtype.type(1)
    result, square, rest = choose(base == base, one, one), base, exponent
    while np.any(rest > 0):
        result = choose((rest > 0) & ((rest & one) != 0), result * square, result)
        square, rest = square * square, rest >> one
    inverse = choose(base == one, one, choose(base == -one, choose((exponent & one) != 0, base, one), zero))
    return choose(exponent < 0, inverse, result)


def _leading_zeros(bits: Value, width: int) -> Value:
    """How often a value of that width can be halved before it is 0, from the width down."""
    count = np.zeros(np.shape(bits), bits.dtype) + bits.dtype.type(width)
    for _ in range(width):
        count = count - (bits != 0).astype(bits.dtype)
        bits = bits >> bits.dtype.type(1)
    return count[()]


def ctlz(x: Value) -> Value:
    """How many of the highest bits are 0."""
    if x.dtype == np.bool_:
        return ~x
    return _leading_zeros(unsigned(x), x.dtype.itemsize * 8).astype(x.dtype)


def cttz(x: Value) -> Value:
    """How many of the lowest bits are 0; the width if all are."""
    if x.dtype == np.bool_:
        return ~x
    bits = unsigned(x)
    low = bits & (~bits + bits.dtype.type(1))
    width = x.dtype.itemsize * 8
    place = bits.dtype.type(width - 1) - _leading_zeros(low, width)
    return choose(bits == 0, bits.dtype.type(width), place).astype(x.dtype)


def ctpop(x: Value) -> Value:
    """How many bits are 1."""
    if x.dtype == np.bool_:
        return x
    bits = unsigned(x)
    count, one = bits & bits.dtype.type(0), bits.dtype.type(1)
    for place in range(x.dtype.itemsize * 8):
        count = count + ((bits >> bits.dtype.type(place)) & one)
    return count.astype(x.dtype)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def cmpi(predicate: str, a: Value, b: Value) -> Value:
    """The truth of a predicate of `arith.cmpi`, such as `slt` or `uge`."""
    if predicate in COMPARISONS:
        return COMPARISONS[predicate](a, b)
    read = unsigned if predicate[0] == "u" else signed
    if a.dtype == np.bool_:
        a, b = -a.astype(np.int8), -b.astype(np.int8)
    return COMPARISONS[predicate[1:]](read(a), read(b))
