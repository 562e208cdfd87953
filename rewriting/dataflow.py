"""Taking dataflow scopes away: what is in them is pure anyway."""

from __future__ import annotations

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects import graph


class DissolveDataflow(RewritePattern):
    """`graph.dataflow { …; graph.output %y }` -> `…`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.DataflowOp, rewriter: PatternRewriter) -> None:
        """Put the body in the place of the scope."""
        output = op.output
        values = tuple(output.values)
        rewriter.erase(output)
        rewriter.inline_block(op.body.block, rewriter.insertion_point)
        rewriter.replace(op, (), values)
