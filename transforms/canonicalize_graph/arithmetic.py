"""Elementwise ops that say nothing, or say something twice. Every rule keeps all bits, those of NaN and −0 too."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, Signedness, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects import graph
from ...dialects.element_types import bits_of, integer_type, is_integer
from .table import Table


def is_number(value: SSAValue, number: float) -> bool:
    """Whether a value is a constant that is this number everywhere; 0 and −0 are two."""
    import numpy as np

    owner = value.owner
    if not isinstance(owner, graph.ConstantOp) or owner.value.array.size == 0:
        return False
    array = owner.value.array
    wanted = np.asarray(number).astype(array.dtype)
    if array.flat[0] != wanted:
        return False  # the rest of a large weight need not be looked at
    if array.dtype.kind in "iub":
        return bool((array == wanted).all())
    return bool(((array == wanted) & (np.signbit(array) == np.signbit(wanted))).all())


@dataclass(frozen=True)
class DropNeutralOperand(RewritePattern):
    """`x * 1`, `x + -0.0`, `x - 0.0`, `x / 1`, `pow(x, 1)` -> `x`; `x + 0.0` is not `x` where `x` is −0"""

    number: float
    either_side: bool = False

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Drop an operand that changes no bit, unless the result has its shape from it."""
        lhs, rhs = op.operands
        for kept, other in ((lhs, rhs), (rhs, lhs))[: 2 if self.either_side else 1]:
            if kept.type == op.results[0].type and is_number(other, self.number):
                rewriter.replace(op, (), (kept,))
                return


class DropDoubleInverse(RewritePattern):
    """`f(f(x))` -> `x`, for `negate`, `logical_not`, `bitwise_not`"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Read past two ops that undo each other."""
        inner = op.operands[0].owner
        if not isinstance(inner, type(op)) or inner.operands[0].type != op.results[0].type:
            return

        rewriter.replace(op, (), (inner.operands[0],))


class DropRepetition(RewritePattern):
    """`f(f(x))` -> `f(x)`, for `relu`, `abs`, `sign`, `ceil`, `floor`, `round`"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Read the first of two equal ops."""
        inner = op.operands[0]
        if not isinstance(inner.owner, type(op)) or inner.type != op.results[0].type:
            return

        rewriter.replace(op, (), (inner,))


class DropNegateBelowAbs(RewritePattern):
    """`abs(negate(x))` -> `abs(x)`; not of unsigned integers, where `negate` wraps and `abs` does nothing"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.AbsOp, rewriter: PatternRewriter) -> None:
        """The sign is lost anyway."""
        inner = op.input.owner
        if not isinstance(inner, graph.NegateOp) or inner.input.type != op.input.type:
            return
        integer = integer_type(graph.type_of_value(op.input).element_type)
        if integer is not None and integer.signedness.data is Signedness.UNSIGNED:
            return

        rewriter.replace(op, graph.AbsOp(inner.input))


class DropChoiceOfOne(RewritePattern):
    """`max(x, x)`, `min(x, x)`, `and(x, x)`, `or(x, x)` -> `x`"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Drop an op whose operands are one value."""
        lhs, rhs = op.operands
        if lhs is not rhs or lhs.type != op.results[0].type:
            return

        rewriter.replace(op, (), (lhs,))


class DropSelect(RewritePattern):
    """`select(c, x, x)` -> `x`; `select(true, x, y)` -> `x`; `select(false, x, y)` -> `y`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.SelectOp, rewriter: PatternRewriter) -> None:
        """Drop a choice that is made, unless the result has its shape from the rest."""
        if op.on_true is op.on_false or is_number(op.condition, True):
            chosen = op.on_true
        elif is_number(op.condition, False):
            chosen = op.on_false
        else:
            return
        if chosen.type != op.out.type:
            return

        rewriter.replace(op, (), (chosen,))


_FORMATS: dict[type[Attribute], tuple[int, int]] = {
    BFloat16Type: (8, 128),
    Float16Type: (11, 16),
    Float32Type: (24, 128),
    Float64Type: (53, 1024),
}
"""Float types: how many binary digits they have, and the power of two that is just too large."""


_HALVES = (BFloat16Type, Float16Type)


def holds(narrow: Attribute, wide: Attribute) -> bool:
    """Whether every element of one type is one of another: `i8` in `f16`, `f16` in `f32`, not `i32` in `f32`."""
    if bits_of(narrow) == 1:
        return True
    small, large = integer_type(narrow), integer_type(wide)
    if small is not None and large is not None:
        unsigned, into_unsigned = (each.signedness.data is Signedness.UNSIGNED for each in (small, large))
        spare = bits_of(wide) - bits_of(narrow)
        return spare >= 0 if unsigned == into_unsigned else unsigned and spare > 0
    if wide.__class__ not in _FORMATS:
        return False
    digits, bound = _FORMATS[wide.__class__]
    if small is not None:
        return bits_of(narrow) - (small.signedness.data is not Signedness.UNSIGNED) <= digits
    own_digits, own_bound = _FORMATS.get(narrow.__class__, (digits + 1, bound))
    return own_digits <= digits and own_bound <= bound


class MergeCasts(RewritePattern):
    """`cast(cast(x, wide), to)` -> `cast(x, to)`, where `wide` holds every element of `x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.CastOp, rewriter: PatternRewriter) -> None:
        """Cast straight to the last type."""
        inner = op.input.owner
        if not isinstance(inner, graph.CastOp):
            return
        first, wide, last = (graph.type_of_value(value).element_type for value in (inner.input, op.input, op.out))
        if not holds(first, wide):
            return
        if is_integer(first) and is_integer(last) and not is_integer(wide) and not holds(first, last):
            return  # a float saturates where an integer wraps
        if is_integer(first) and not is_integer(wide) and last.__class__ in _HALVES and not holds(first, f32):
            return  # an integer becomes a half through f32, which rounds once more

        rewriter.replace(op, graph.CastOp(inner.input, last))


ARITHMETIC: Table = {
    graph.MultiplyOp: (DropNeutralOperand(1, either_side=True),),
    graph.AddOp: (DropNeutralOperand(-0.0, either_side=True),),
    graph.SubtractOp: (DropNeutralOperand(0.0),),
    graph.DivideOp: (DropNeutralOperand(1),),
    graph.PowerOp: (DropNeutralOperand(1),),
    **{each: (DropDoubleInverse(),) for each in (graph.NegateOp, graph.LogicalNotOp, graph.BitwiseNotOp)},
    **{each: (DropRepetition(),) for each in (graph.ReluOp, graph.SignOp, graph.CeilOp, graph.FloorOp, graph.RoundOp)},
    graph.AbsOp: (DropRepetition(), DropNegateBelowAbs()),
    **{
        each: (DropChoiceOfOne(),) for each in (graph.MaximumOp, graph.MinimumOp, graph.LogicalAndOp, graph.LogicalOrOp)
    },
    graph.SelectOp: (DropSelect(),),
    graph.CastOp: (MergeCasts(),),
}
