"""Replace an index value by an expression wherever it is used."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...errors import require
from ..expr import Expr, as_expr
from .elements import IndexOp
from .maps import IndexedOp


def substitute(value: SSAValue, e: Expr | int) -> None:
    """
    Replace every use of the index `value` by the expression `e` over index values, in place.

    Only maps change: a body never mentions loop variables, its iterators do. An op that takes the index as a plain
    operand gets a `loop.index` before it.
    """
    require(value, SSAValue, "an index value to substitute")
    require(e, (Expr, int), "an expression over index values")
    e = as_expr(e)
    replacement = e.variable
    for use in tuple(value.uses):
        op = use.operation
        if isinstance(op, IndexedOp) and use.index >= op.index_start:
            if value in op.operands[op.index_start :]:
                op.replace_index({value: e})
        elif isinstance(replacement, SSAValue):
            op.operands[use.index] = replacement
        else:
            index = IndexOp(e)
            index.location = op.location
            Rewriter.insert_op(index, InsertPoint.before(op))
            op.operands[use.index] = index.out
