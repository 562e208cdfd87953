"""One agreed form for what a graph can say in several ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import graph
from ...rewriting import rewrite
from ...rewriting.dataflow import DissolveDataflow
from .arithmetic import ARITHMETIC
from .movement import MOVEMENT
from .table import ByOpClass, FoldToOperand, Table

CANONICAL: Table = {graph.DataflowOp: (DissolveDataflow(),), **ARITHMETIC, **MOVEMENT}
"""Op class -> its patterns. Beside them, every op is asked whether it folds to its operand."""


@dataclass(frozen=True)
class CanonicalizeGraphPass(ModulePass):
    """
    Bring a graph into its agreed form: no dataflow scopes, no op that says nothing or says again what was said.

    Only what keeps every bit: `x * 1` is `x`, `x + -0.0` is `x`; `x + 0.0`, `x * 0` and `x - x` stay as they are.

    Expects: any `graph` program.
    Leaves:  no `graph.dataflow`; no op that a pattern here, or its own `fold`, takes for its operand.
    """

    name = "canonicalize-graph"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the patterns until none fires."""
        rewrite(op, (ByOpClass(CANONICAL), FoldToOperand()), name=self.name)
