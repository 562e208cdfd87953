"""Private functions that nothing calls, and globals that nothing reads, are taken out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..dialects.loop import GlobalOp
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


def _symbol(op: Operation) -> str | None:
    """The name of an op that may go when nothing mentions it: a private function, a constant buffer."""
    if isinstance(op, FuncOp):
        return op.sym_name.data if op.sym_visibility == StringAttr("private") else None
    return op.sym_name.data if isinstance(op, GlobalOp) else None


@dataclass(frozen=True)
class EliminateDeadSymbolsPass(ModulePass):
    """
    Remove private functions and globals that nothing mentions, directly or through others, that is not private.

    Expects: any module.
    Leaves:  every private function and every global is reached from a function that is not private.
    """

    name = "eliminate-dead-symbols"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Mark what is reached, and erase the rest."""
        top = tuple(op.body.block.ops)
        symbols = {name: each for each in top if (name := _symbol(each)) is not None}
        waiting = [each for each in top if _symbol(each) is None]
        reached = set(waiting)
        while waiting:
            for name in sorted(_named_by(waiting.pop())):
                symbol = symbols.get(name)
                if symbol is not None and symbol not in reached:
                    reached.add(symbol)
                    waiting.append(symbol)
        for each in top:
            if each not in reached:
                each.detach()
                each.erase()
