"""Arrays as the graph interpreter sees them: their type, and the wider type in which sums are taken."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ..numbers.floats import HALVES

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def accumulator(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type in which sums and products of these elements are taken: f32 for f16 and bf16, else their own."""
    return np.dtype(np.float32) if dtype in HALVES else dtype


def accumulated(x: Array) -> Array:
    """The elements in the type in which they are summed."""
    return x.astype(accumulator(x.dtype), copy=False)


def rounded(x: Any, dtype: np.dtype[Any]) -> Array:
    """A sum in the type of its elements."""
    return np.asarray(x).astype(dtype, copy=False)
