"""How the operands of a sum of products come to lie along the lanes: as they are, or copied before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ..dialects.element_types import bits_of
from ..dialects.expr import Expr
from ..dialects.loop import Access, ForOp, buffer_type
from ..targets import Target
from .nests import UNIT, Nest

PLAIN, BOX, POINTS = "", "box", "points"
"""As it is; a copy of all between the first and the last element read; a copy of each element for each use."""

FULL = 2
"""Vectors in a row of columns, from which on it is long enough by itself."""

ROWS = 32
"""Rows that use a copied element, from which on a copy for each use costs little beside the products."""

CACHES = 16
"""How many times as large as the second cache a copy for each use may be."""


@dataclass(frozen=True)
class Columns:
    """The loop along the lanes, and the spatial loop right around it, if the two could be one."""

    loop: ForOp
    outer: ForOp | None


def form_of(nest: Nest, access: Access, columns: Columns, rows: Sequence[ForOp], target: Target) -> str | None:
    """How a read along the columns becomes one of neighbours: `PLAIN`, `BOX` or `POINTS`; None where it does not."""
    loop, lanes = columns.loop, target.lanes(bits_of(buffer_type(access.buffer).element_type))
    extent = loop.upper.value
    full = extent is None or (extent % lanes == 0 and extent >= FULL * lanes)
    plain = access.pad is None and nest.stride(access, loop) == UNIT
    in_rows = columns.outer is None or nest.walks(access, columns.outer, loop)
    if plain and (full or in_rows):
        return PLAIN
    if not nest.is_affine(access) or access.guard or any(each.upper.value == 0 for each in nest.loops):
        return PLAIN if plain else None
    position = nest.iterator(loop)
    along_last = access.indices[-1].mentions(position) and not any(e.mentions(position) for e in access.indices[:-1])
    overlaps = any(len(e.terms) > 1 for e in access.indices)
    if _pays(nest, access, rows, target) and not (full and overlaps and along_last):
        return POINTS
    if plain:
        return PLAIN
    return BOX if along_last and (extent is None or extent >= lanes) else None


def _pays(nest: Nest, access: Access, rows: Sequence[ForOp], target: Target) -> bool:
    """Whether a copy for each use is small, and each of its elements used by many rows."""
    uses = [loop.upper.value for loop in rows]
    sizes = [loop.upper.value for loop in nest.loops if nest.mentions(access, loop)]
    known = [size for size in (*uses, *sizes) if size is not None]
    if len(known) < len(uses) + len(sizes):
        return False
    bits = bits_of(buffer_type(access.buffer).element_type) * prod(known[len(uses) :])
    return prod(known[: len(uses)]) >= ROWS and 0 < bits // 8 <= CACHES * target.l2


def preparing(nest: Nest, number: int, column: ForOp, form: str) -> str:
    """The step that copies a read in a form other than `PLAIN`."""
    access = nest.block.read_accesses[number]
    phases = access.indices[-1].coefficient(nest.iterator(column)) if form == BOX else None
    interleaved = phases is not None and phases != Expr.constant(1)
    words = ["cache-read", nest.label, str(number), *([POINTS] if form == POINTS else [])]
    return " ".join([*words, *([str(phases.value)] if phases is not None and interleaved else [])])
