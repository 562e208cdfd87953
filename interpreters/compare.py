"""When two arrays count as the same: docs/design/numbers.md, "Comparing"."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ..dialects.element_types import is_float, type_of
from .graph import Array

TOLERANCES = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2}
"""Relative to the largest magnitude expected, for a value that was computed with a licence."""


@dataclass(frozen=True)
class Difference:
    """The element that differs most: where, what was expected, what was found."""

    index: tuple[int, ...]
    expected: Any
    found: Any

    def __str__(self) -> str:
        return f"element {list(self.index)}: {self.expected!s} became {self.found!s}"


def first_difference(expected: Array, found: Array, *, licensed: bool = False, terms: int = 1) -> Difference | None:
    """
    Where `found` is not the same as `expected`; None if it is nowhere.

    Without a licence every bit counts, but NaN equals NaN. With one, floats may differ by the tolerance of their type
    times the square root of `terms`, the length of the longest sum.
    """
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return Difference((), f"{expected.dtype}{list(expected.shape)}", f"{found.dtype}{list(found.shape)}")
    if expected.size == 0:
        return None
    if is_float(type_of(expected.dtype)):
        wrong = ~_same_floats(expected, found, licensed and expected.dtype.name in TOLERANCES, terms)
    else:
        wrong = expected != found
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape))
    return Difference(index, expected[index], found[index])


def _same_floats(expected: Array, found: Array, licensed: bool, terms: int) -> Array:
    with np.errstate(all="ignore"):
        nans = np.isnan(expected) & np.isnan(found)
        identical = (expected == found) & (np.signbit(expected) == np.signbit(found))
        if not licensed:
            return nans | identical
        wide, other = expected.astype(np.float64), found.astype(np.float64)
        finite = np.isfinite(wide)
        scale = float(np.abs(wide[finite]).max()) if finite.any() else 0.0
        bound = TOLERANCES[expected.dtype.name] * sqrt(max(terms, 1)) * scale
        close = finite & np.isfinite(other) & (np.abs(wide - other) <= bound)
        return nans | identical | (expected == found) | close
