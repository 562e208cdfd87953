"""A matrix product and the addition of a bias become a function of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.signature import is_loop_function, is_primitive
from ..rewriting import walk
from ..rewriting.naming import module_symbols
from ..rewriting.outline import Parameter, outline


@dataclass(frozen=True)
class Site:
    """A matrix product and the addition that reads it."""

    matmul: graph.MatmulOp
    add: graph.AddOp
    bias: SSAValue


@dataclass(frozen=True)
class FuseMatmulAddPass(ModulePass):
    """
    Outline each `add(matmul(x, w), b)` as a primitive function `fused_matmul_add<n>(x, w, b)`, in program order.

    `b` must broadcast one way: the sum has the type of the product. A product that something else reads as well stays,
    since it would be computed twice; with `allow-multiple-uses` it is. With `commuted`, so is `add(b, matmul(x, w))`.

    Expects: functions of `graph` ops; functions that are primitive, and loop functions, are skipped.
    Leaves:  private functions marked primitive, and calls of them; a second run finds nothing.
    """

    name = "fuse-matmul-add"
    opt_level: ClassVar[int] = 2
    licence: ClassVar[frozenset[str]] = frozenset()

    allow_multiple_uses: bool = False
    commuted: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Outline every site of every function."""
        taken = module_symbols(op)
        names = (name for number in count() if (name := f"fused_matmul_add{number}") not in taken)
        for function in tuple(op.body.block.ops):
            if isinstance(function, FuncOp) and not is_primitive(function) and not is_loop_function(function):
                for site in tuple(self._sites(function)):
                    op.body.block.insert_op_before(_outlined(site, next(names)), function)

    def _sites(self, function: FuncOp) -> Iterator[Site]:
        for op in walk(function):
            if not isinstance(op, graph.AddOp):
                continue
            for product, bias in ((op.lhs, op.rhs), (op.rhs, op.lhs))[: 2 if self.commuted else 1]:
                matmul = product.owner
                if isinstance(matmul, graph.MatmulOp) and self._fits(matmul, op):
                    yield Site(matmul, op, bias)
                    break

    def _fits(self, matmul: graph.MatmulOp, add: graph.AddOp) -> bool:
        single = len(list(matmul.out.uses)) == 1
        return matmul.out.type == add.out.type and (single or self.allow_multiple_uses)


def _outlined(site: Site, name: str) -> FuncOp:
    """The function of a site, which is replaced by a call of it."""
    matmul, add = site.matmul, site.add
    if len(list(matmul.out.uses)) > 1:
        # what others read stays; the function gets a product of its own
        block = add.parent
        assert block is not None, "an op of a function stands in a block"
        copy = matmul.clone()
        block.insert_op_before(copy, add)
        add.operands = [copy.out if operand is matmul.out else operand for operand in add.operands]
        matmul = copy
    parameters = (Parameter("x", matmul.lhs), Parameter("w", matmul.rhs), Parameter("b", site.bias))
    return outline((matmul, add), name, parameters)
