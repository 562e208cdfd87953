"""What a lowering is, and the names under which loop functions are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from .function import LoopFunction

Lowering: TypeAlias = Callable[[LoopFunction, Any], None]
"""Fills in the loop function of one op: its inputs are the operands, its outputs the results."""

FUNCTION_NAMES = {"graph.permute_dims": "transpose"}
"""Loop functions that are not called after their op."""


def function_name(op: str) -> str:
    """What the loop function of an op is called, without a number: `matmul` for `graph.matmul`."""
    return FUNCTION_NAMES.get(op, op.rpartition(".")[2])
