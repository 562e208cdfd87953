"""How a block combines: the op that joins an old element with a new term, what is neutral, whether order counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_types import dtype_of
from ...dialects.loop import BlockOp

Number = int | float


@dataclass(frozen=True)
class Combiner:
    """`op(old, term)`: what a block with one write yields, its old element being used for nothing else."""

    op: Operation
    term: SSAValue


@dataclass(frozen=True)
class _Rule:
    """The neutral element for a type of some width, and whether the order of terms changes the result."""

    neutral: Callable[[int], Number]
    exact: bool


_RULES: Mapping[type[Operation], _Rule] = {
    arith.AddfOp: _Rule(lambda width: 0.0, exact=False),
    arith.MulfOp: _Rule(lambda width: 1.0, exact=False),
    arith.MaximumfOp: _Rule(lambda width: -math.inf, exact=True),
    arith.MinimumfOp: _Rule(lambda width: math.inf, exact=True),
    arith.AddiOp: _Rule(lambda width: 0, exact=True),
    arith.MuliOp: _Rule(lambda width: 1, exact=True),
    arith.MaxSIOp: _Rule(lambda width: -(1 << (width - 1)), exact=True),
    arith.MinSIOp: _Rule(lambda width: (1 << (width - 1)) - 1, exact=True),
    arith.MaxUIOp: _Rule(lambda width: 0, exact=True),
    arith.MinUIOp: _Rule(lambda width: -1, exact=True),
    arith.AndIOp: _Rule(lambda width: -1, exact=True),
    arith.OrIOp: _Rule(lambda width: 0, exact=True),
    arith.XOrIOp: _Rule(lambda width: 0, exact=True),
}


def combiner(block: BlockOp) -> Combiner | None:
    """How `block` combines; None if that is not one op known here, or if it writes more than one buffer."""
    if len(block.writes) != 1 or not block.updates:
        return None
    old, yielded = block.old_elements[0], block.yielded[0]
    op = yielded.owner
    if not isinstance(op, Operation) or type(op) not in _RULES or op.operands.count(old) != 1:
        return None
    if old.uses.get_length() != 1 or yielded.uses.get_length() != 1:
        return None
    left, right = op.operands
    return Combiner(op, right if left is old else left)


def is_exact_in_any_order(block: BlockOp) -> bool:
    """Whether the order in which `block` meets its terms does not change the result, not even in the last bit."""
    found = combiner(block)
    return found is not None and _RULES[type(found.op)].exact


def neutral_value(found: Combiner) -> Number:
    """The number that combines with anything to that."""
    return _RULES[type(found.op)].neutral(_width(found.term.type))


def _width(type: Attribute) -> int:
    """The bits of an integer type; 0 for another."""
    return cast("IntegerType", type).bitwidth if isinstance(type, IntegerType) else 0


def constant_number(value: SSAValue) -> Number | None:
    """The number that a scalar constant is; None for what is not one."""
    owner = value.owner
    return number_of(owner.value) if isinstance(owner, arith.ConstantOp) else None


def number_of(attribute: Attribute | None) -> Number | None:
    """The number in an integer or float attribute."""
    match attribute:
        case FloatAttr() | IntegerAttr():
            return attribute.value.data
        case _:
            return None


def constant_attribute(value: Number, element: Attribute) -> Attribute:
    """A number as a typed constant of an element type."""
    if isinstance(element, IntegerType):
        return IntegerAttr(int(value), cast("IntegerType", element), truncate_bits=True)
    assert isinstance(element, AnyFloat)
    return FloatAttr(float(value), element)


def is_number_of(value: Number, element: Attribute) -> bool:
    """Whether an element type has the number: an integer type has whole ones that fit its bits, signed or not."""
    width = _width(element)
    if width == 0:
        return True
    return math.isfinite(value) and value == int(value) and -(1 << (width - 1)) <= value < 1 << width


def same_number(one: Number | None, other: Number | None) -> bool:
    """Equal numbers of one sign: +0 and -0 are different."""
    if one is None or other is None:
        return False
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def padded_term(found: Combiner, padded: Mapping[SSAValue, Number]) -> Number | None:
    """What the term of a combiner is where the elements in `padded` have these values; None where that is open."""
    return _evaluate(found.term, padded)


def _evaluate(value: SSAValue, known: Mapping[SSAValue, Number]) -> Number | None:
    if value in known:
        return known[value]
    owner = value.owner
    if not isinstance(owner, Operation):
        return None
    if isinstance(owner, arith.ConstantOp):
        return constant_number(value)
    operands = [_evaluate(operand, known) for operand in owner.operands]
    if any(operand is None for operand in operands):
        return None
    a, *rest = [operand for operand in operands if operand is not None]
    match owner:
        case arith.MulfOp():
            return _rounded(a * rest[0], owner.result.type)
        case arith.AddfOp():
            return _rounded(a + rest[0], owner.result.type)
        case arith.NegfOp():
            return -a
        case arith.MuliOp():
            return _wrap(int(a) * int(rest[0]), owner.result.type)
        case arith.AddiOp():
            return _wrap(int(a) + int(rest[0]), owner.result.type)
        case arith.ExtFOp() | arith.ExtSIOp():
            return a
        case arith.ExtUIOp():
            return a if a >= 0 else None
        case _:
            return None


def _rounded(value: Number, type: Attribute) -> Number:
    """What an op that gives a number gives in its float type."""
    import numpy as np

    with np.errstate(over="ignore"):
        return float(dtype_of(type).type(value))


def _wrap(value: int, type: Attribute) -> int:
    width = _width(type)
    wrapped = value & ((1 << width) - 1)
    return wrapped - (1 << width) if wrapped >> (width - 1) else wrapped


def is_neutral(block: BlockOp, found: Combiner, value: Number) -> bool:
    """
    Whether combining with `value` changes nothing.

    +0 is neutral for a float sum only where the sum starts at +0: it would turn a sum of -0 into +0.
    """
    neutral = neutral_value(found)
    if isinstance(found.op, arith.AddfOp):
        if same_number(value, -0.0):
            return True
        return same_number(value, 0.0) and init_number(block) is not None and same_number(init_number(block), 0.0)
    if isinstance(neutral, int) and isinstance(value, int):
        return (neutral - value) % (1 << _width(found.term.type)) == 0
    return same_number(value, neutral)


def init_number(block: BlockOp) -> Number | None:
    """The constant that a block with one write starts from."""
    if not block.has_init:
        return None
    last = block.init.block.last_op
    assert last is not None
    return constant_number(last.operands[0])
