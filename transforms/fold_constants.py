"""What depends on constants only is computed now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ..dialects import graph
from ..dialects.element_types import bytes_of, is_float
from ..interpreters.graph import evaluate_op, has_own_value
from ..rewriting import rewrite

ADDING_OPS: tuple[type[graph.GraphOp], ...] = (
    graph.MatmulOp,
    graph.Conv2dOp,
    graph.SumOp,
    graph.MeanOp,
    graph.ProdOp,
    graph.SoftmaxOp,
    graph.LayerNormOp,
    graph.AvgPool2dOp,
)
"""Ops whose float result depends on the order in which a lowering adds up."""


def has_one_value(op: Operation) -> bool:
    """Whether every way down gives this op the same bits, from its operands alone."""
    return has_own_value(op) and not (isinstance(op, ADDING_OPS) and is_float(op.results[0].type))


class FoldConstants(RewritePattern):
    """`f(constant, …)` -> `constant`"""

    def __init__(self, limit: int):
        self.limit = limit

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Evaluate an op whose operands are all constants."""
        if not op.operands or not has_one_value(op):
            return
        operands = [owner.value.array for each in op.operands if isinstance(owner := each.owner, graph.ConstantOp)]
        if len(operands) != len(op.operands) or not self._is_small(op, sum(array.nbytes for array in operands)):
            return

        (array,) = evaluate_op(op, operands)
        constant = graph.ConstantOp(array)
        if constant.out.type != op.results[0].type:
            return

        rewriter.replace(op, constant)

    def _is_small(self, op: Operation, given: int) -> bool:
        type = graph.type_of_value(op.results[0])
        sizes = graph.dims_of(type)
        count = 1
        for size in sizes:
            if not isinstance(size, int):
                return False
            count *= size
        return count * bytes_of(type) <= max(self.limit, given)


@dataclass(frozen=True)
class FoldConstantsPass(ModulePass):
    """
    Replace ops on constants by what they compute, with the numbers of the interpreter.

    Float ops that add up many elements stay, since their bits depend on the order of a lowering. A result of more than
    `limit` bytes stays too, unless its operands are as large: a broadcast number is not written out.

    Expects: any `graph` program.
    Leaves:  no op on constants alone, except those; constants that nothing reads any more are left to `dce`.
    """

    name = "fold-constants"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    limit: int = 65536

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fold until nothing is left to fold."""
        rewrite(op, (FoldConstants(self.limit),), name=self.name)
