"""Ops that move elements: what one of them does after another is done at once, or not at all."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.exceptions import VerifyException

from ...dialects import graph
from ...dialects.expr import Expr, Variable, as_expr
from ...dialects.graph.movement import TargetShapeOp
from .table import Table


class MergePermutations(RewritePattern):
    """`permute(permute(x, p), q)` -> `permute(x, p[q[i]])`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.PermuteDimsOp, rewriter: PatternRewriter) -> None:
        """Axis `i` of the result is axis `q[i]` of the inner result, which is axis `p[q[i]]` of `x`."""
        inner = op.input.owner
        if not isinstance(inner, graph.PermuteDimsOp):
            return
        first, second = inner.permutation.get_values(), op.permutation.get_values()
        merged = graph.PermuteDimsOp(inner.input, [first[axis] for axis in second])
        if merged.out.type != op.out.type:
            return

        rewriter.replace(op, merged)


def _through(target: graph.DimsAttr, inner: graph.DimsAttr) -> graph.DimsAttr | None:
    """A target over another reshape's result, said over its operand; None if it names what `?` stands for there."""
    sizes: dict[Variable, Expr] = {axis: as_expr(size) for axis, size in enumerate(inner.data) if size is not None}
    if any(isinstance(variable, int) and variable not in sizes for variable in target.variables()):
        return None
    return target.substitute(sizes)


class MergeTargets(RewritePattern):
    """`reshape(reshape(x, s), t)` -> `reshape(x, t)`; `broadcast_to` too"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Say the last target over the first operand."""
        if not isinstance(op, TargetShapeOp):
            return
        inner = op.input.owner
        if not isinstance(inner, TargetShapeOp) or type(inner) is not type(op):
            return
        target = _through(op.shape, inner.shape)
        if target is None:
            return
        try:
            merged = type(op)(inner.input, target)
        except VerifyException:
            return  # `?` beside a 0 is known where equal sizes cancel, and those of `x` are others
        if merged.out.type != op.out.type:
            return

        rewriter.replace(op, merged)


class MergeConcats(RewritePattern):
    """`concat(concat(a, b), c)` -> `concat(a, b, c)`, along one axis and with one reader of the inner one"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.ConcatOp, rewriter: PatternRewriter) -> None:
        """Take the parts of the first part that is a concatenation, and no part twice."""
        inner = next((each for value in op.inputs if (each := _own_concat(op, value.owner)) is not None), None)
        if inner is None:
            return
        parts = [part for value in op.inputs for part in (inner.inputs if value is inner.out else (value,))]
        merged = graph.ConcatOp(parts, op.axis.value.data)
        if merged.out.type != op.out.type:
            return

        rewriter.replace(op, merged)
        rewriter.erase(inner)


def _own_concat(op: graph.ConcatOp, owner: object) -> graph.ConcatOp | None:
    """A concatenation along the same axis that only `op` reads, once."""
    if isinstance(owner, graph.ConcatOp) and owner.axis == op.axis and len(list(owner.out.uses)) == 1:
        return owner
    return None


class DropEmptyParts(RewritePattern):
    """`concat(a, empty)` -> `concat(a)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.ConcatOp, rewriter: PatternRewriter) -> None:
        """Leave out parts of size 0 along the axis, while one is left."""
        axis = op.axis.value.data
        parts = [part for part in op.inputs if graph.dims_of(graph.type_of_value(part))[axis] != 0]
        if not parts or len(parts) == len(op.inputs):
            return
        merged = graph.ConcatOp(parts, axis)
        if merged.out.type != op.out.type:
            return

        rewriter.replace(op, merged)


class ReshapeInsteadOfReduction(RewritePattern):
    """`max(x)` over axes of size 1 -> `reshape(x)`; `min` and `prod` too; not `sum`, which makes 0 of −0"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """One element is its own extremum and product."""
        if not isinstance(op, graph.ReductionOp):
            return
        sizes = graph.dims_of(graph.type_of_value(op.input))
        axes = op.axes.get_values()
        if not axes or any(sizes[axis] != 1 for axis in axes):
            return
        target = [
            size if isinstance(size, int) else Expr.atom(axis)
            for axis, size in enumerate(sizes)
            if op.keepdims is not None or axis not in axes
        ]
        reshape = graph.ReshapeOp(op.input, target)
        if reshape.out.type != op.out.type:
            return

        rewriter.replace(op, reshape)


MOVEMENT: Table = {
    graph.PermuteDimsOp: (MergePermutations(),),
    **{each: (MergeTargets(),) for each in (graph.ReshapeOp, graph.BroadcastToOp)},
    graph.ConcatOp: (DropEmptyParts(), MergeConcats()),
    **{each: (ReshapeInsteadOfReduction(),) for each in (graph.MaxOp, graph.MinOp, graph.ProdOp)},
}
