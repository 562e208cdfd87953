"""What the functions of this room compute on, and how they choose."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, cast

import numpy as np

Value: TypeAlias = Any
"""
A NumPy scalar or an array. NumPy's types cannot say "the same shape and dtype as the operands" for both at once,
so the functions state in words what they return.
"""


_where = cast("Callable[[Value, Value, Value], Value]", np.where)


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """Element by element, the second or the third operand; a scalar if all three are."""
    return _where(condition, yes, no)[()]


def quiet() -> AbstractContextManager[object]:
    """The context in which ops run: overflow, division by zero and NaN are values, not warnings."""
    return cast("AbstractContextManager[object]", np.errstate(all="ignore"))
