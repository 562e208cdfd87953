"""What is done to every element of a concatenation is done to its parts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ..dialects import graph
from ..errors import PipelineError
from ..rewriting import rewrite, walk

UNARY_OPS: tuple[type[graph.GraphOp], ...] = (*graph.UNARY_OPS, *graph.TEST_OPS, graph.CastOp)
"""Ops that compute each element from one element."""


def concat_below(op: Operation) -> graph.ConcatOp | None:
    """The concatenation that a unary op reads directly, and that nothing else reads."""
    if not isinstance(op, UNARY_OPS):
        return None
    concat = op.operands[0].owner
    if not isinstance(concat, graph.ConcatOp) or len(list(concat.out.uses)) != 1:
        return None
    return concat


class ReorderConcatAndUnary(RewritePattern):
    """`relu(concat(a, b, …))` -> `concat(relu(a), relu(b), …)`"""

    def __init__(self, only: Collection[Operation] | None = None):
        self.only = only

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Apply the op to every part, and join what comes out."""
        concat = concat_below(op)
        if concat is None or (self.only is not None and op not in self.only):
            return

        parts = [_applied(op, value) for value in concat.inputs]
        joined = graph.ConcatOp.create(
            operands=[part.results[0] for part in parts],
            result_types=[op.results[0].type],
            properties=concat.properties,
            attributes=concat.attributes,
        )

        rewriter.replace(op, (*parts, joined))
        rewriter.erase(concat)


def _applied(op: Operation, value: SSAValue) -> Operation:
    """The same unary op, attributes kept, of another value."""
    element = graph.type_of_value(op.results[0]).element_type
    type = graph.tensor_of(element, graph.dims_of(graph.type_of_value(value)))
    return op.create(operands=[value], result_types=[type], properties=op.properties, attributes=op.attributes)


@dataclass(frozen=True)
class ReorderConcatReluPass(ModulePass):
    """
    Move `relu`, or another op of one element, from a concatenation to its parts, where it may meet what computed them.

    Only where it reads the concatenation directly and nothing else does. Goes on until no such place is left; with
    `steps=1` each op that stands above a concatenation moves once, and what that brings about waits for another step.

    Expects: any `graph` program.
    Leaves:  no elementwise op of one operand that is the only reader of a `concat` (without `steps`).
    """

    name = "reorder-concat-relu"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    steps: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Reorder everywhere, to the end or `steps` times."""
        if self.steps < 0:
            raise PipelineError(f"pass '{self.name}': steps is a number of steps, or 0 for all, found {self.steps}")
        if self.steps == 0:
            rewrite(op, (ReorderConcatAndUnary(),), name=self.name)
        for _ in range(self.steps):
            sites = {each for each in walk(op) if concat_below(each) is not None}
            if not sites:
                return
            rewrite(op, (ReorderConcatAndUnary(sites),), name=self.name, recursively=False)
