"""A table of patterns by the op that they match, and the one pattern that looks in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import graph

Table: TypeAlias = Mapping[type[Operation], tuple[RewritePattern, ...]]
"""Op class -> the patterns that match it, tried in this order."""


class ByOpClass(RewritePattern):
    """The first pattern in a table that fires."""

    def __init__(self, table: Table):
        self.table = table

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Try the patterns for the class of the op."""
        for pattern in self.table.get(op.__class__, ()):
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return


class FoldToOperand(RewritePattern):
    """`f(x)` -> `x`, where the op's own `fold` says so"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Ask any op of the dialect that folds."""
        if not isinstance(op, graph.GraphOp) or not isinstance(op, HasFolderInterface):
            return
        folded = op.fold()
        if folded is None:
            return
        values = [value for value in folded if isinstance(value, SSAValue)]
        if len(values) != len(op.results):
            return

        rewriter.replace(op, (), values)
