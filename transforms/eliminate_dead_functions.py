"""Private functions that nothing calls are taken out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..rewriting import walk


def _names_in(attribute: Attribute) -> Iterator[str]:
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.root_reference.data
    elif isinstance(attribute, ArrayAttr):
        for each in cast("ArrayAttr[Attribute]", attribute):
            yield from _names_in(each)


def _named_by(op: Operation) -> set[str]:
    """The symbols that an op and everything in it mention."""
    return {
        name
        for inner in walk(op)
        for attribute in (*inner.properties.values(), *inner.attributes.values())
        for name in _names_in(attribute)
    }


def _is_private(op: Operation) -> bool:
    return isinstance(op, FuncOp) and op.sym_visibility == StringAttr("private")


@dataclass(frozen=True)
class EliminateDeadFunctionsPass(ModulePass):
    """
    Remove private functions that are not called, directly or through others, from what is not private.

    Expects: any module.
    Leaves:  every private function is reached from one that is not.
    """

    name = "eliminate-dead-functions"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Mark what is reached, and erase the rest."""
        top = tuple(op.body.block.ops)
        functions = {each.sym_name.data: each for each in top if isinstance(each, FuncOp)}
        waiting = [each for each in top if not _is_private(each)]
        reached = set(waiting)
        while waiting:
            for name in sorted(_named_by(waiting.pop())):
                function = functions.get(name)
                if function is not None and function not in reached:
                    reached.add(function)
                    waiting.append(function)
        for each in top:
            if each not in reached:
                each.detach()
                each.erase()
