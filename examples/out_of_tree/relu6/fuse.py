"""Recognise a relu6 that a model spells out."""

from dataclasses import dataclass

from stepwell.dialects import graph
from stepwell.rewriting import rewrite
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern

from .meaning import Relu6Op


class FuseRelu6(RewritePattern):
    """`minimum(relu(x), 6)` -> `relu6(x)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.MinimumOp, rewriter):
        relu, six = op.lhs.owner, op.rhs.owner
        if not isinstance(relu, graph.ReluOp) or not isinstance(six, graph.ConstantOp):
            return
        if relu.input.type == op.out.type and (six.value.array == 6).all():
            rewriter.replace(op, Relu6Op(relu.input))


@dataclass(frozen=True)
class FuseRelu6Pass(ModulePass):
    """Say `minimum(relu(x), 6)` as one op."""

    name = "fuse-relu6"

    def apply(self, ctx, op):
        rewrite(op, (FuseRelu6(),), name=self.name)
