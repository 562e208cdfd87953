"""A product that is added to becomes one op: `multiply` and `add` are `ewise_fma`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects import graph
from ..rewriting import rewrite


def product(value: SSAValue, total: graph.AddOp) -> graph.MultiplyOp | None:
    """The multiplication that gives `value`, if it has as many elements as the sum: no element is multiplied twice."""
    owner = value.owner
    if not isinstance(owner, graph.MultiplyOp) or owner.out.type != total.out.type:
        return None
    return owner


class FuseMultiplyIntoAdd(RewritePattern):
    """`add(multiply(a, b), c)` -> `ewise_fma(a, b, c)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.AddOp, rewriter: PatternRewriter) -> None:
        """Read the product, which stays."""
        multiply = product(op.lhs, op)
        if multiply is None:
            return

        rewriter.replace(op, graph.EwiseFmaOp(multiply.lhs, multiply.rhs, op.rhs))


class FuseMultiplyIntoCommutedAdd(RewritePattern):
    """`add(c, multiply(a, b))` -> `ewise_fma(a, b, c)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.AddOp, rewriter: PatternRewriter) -> None:
        """Read the product, which stays."""
        multiply = product(op.rhs, op)
        if multiply is None:
            return

        rewriter.replace(op, graph.EwiseFmaOp(multiply.lhs, multiply.rhs, op.lhs))


@dataclass(frozen=True)
class FuseMultiplyAddPass(ModulePass):
    """
    Fuse a multiplication into the addition that reads it as its first operand; with `commuted`, as its second one too.

    The fused op rounds twice, as the two did. The multiplication stays for whoever else reads it; `dce` removes it if
    nobody does. A product of fewer elements than the sum stays, since each of its elements would be computed again.

    Expects: any `graph` program.
    Leaves:  no `add` whose first operand is a `multiply` of the shape of the sum.
    """

    name = "fuse-multiply-add"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    commuted: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse everywhere in the module."""
        commuted = (FuseMultiplyIntoCommutedAdd(),) if self.commuted else ()
        rewrite(op, (FuseMultiplyIntoAdd(), *commuted), name=self.name)
