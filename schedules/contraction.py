"""Sums of products: a tile of rows and vectors in registers, what follows applied where the tile is written back."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from xdsl.dialects import arith

from ..analysis.bounds import is_nonnegative
from ..dialects.expr import Expr, floordiv
from ..dialects.loop import Access, BlockOp, ForOp, GetGlobalOp
from ..rewriting.naming import Names
from ..targets import Target
from .lanes import lanes_for
from .nests import Decision, Nest, in_one_walk, next_nest, only_between
from .operands import PLAIN, POINTS, Columns, form_of, preparing

VECTORS = 2
"""Vectors side by side in a tile, where there is room: each element of the rows is then used twice when loaded."""


@dataclass(frozen=True)
class _Axis:
    """A loop of the nest once it is prepared, by its label."""

    label: str
    extent: Expr
    kind: str


@dataclass(frozen=True)
class _Contraction:
    """`out[.., j] += rows[i, ..] * columns[.., j]`: the loop along the lanes, and the one that the columns lack."""

    label: str
    axes: tuple[_Axis, ...]
    column: _Axis
    row: _Axis | None
    prepared: tuple[str, ...]
    """Steps after which the nest has these axes, and its reads are unpadded and go along the columns or not at all."""


def contraction(nest: Nest, target: Target, names: Names) -> Decision | None:
    """
    A tile for a sum of products, with one read and the write going along one spatial loop, or two that can be one.

    The tile has as many rows as leave registers for one row of vectors and one broadcast element. What is read along
    the columns with padding or in strides is copied before.
    """
    lanes = lanes_for(nest.block, target)
    if lanes == 1:
        return None
    chain = _followers(nest)
    found = _match(nest, chain, target, lanes)
    if found is None:
        return None
    columns = found.column.extent.value
    if columns is not None and columns < lanes:
        return None
    vectors = VECTORS if columns is None or columns >= VECTORS * lanes else 1
    rows = max(1, (target.vector_registers - vectors - 1) // vectors)
    for step in found.prepared:
        if step.startswith("cache-read"):
            names.unique(f"{found.label}.read")
    tiling = _Tiling(found, lanes, vectors, rows, names)
    for one, after in pairwise(chain):
        tiling.steps.append(f"inline {one.label} {after.label}")
    tiling.tile_rows()
    if chain:
        tiling.steps.append(f"epilogue {tiling.written_back[0]} {chain[-1].label}")
    return Decision(tuple(tiling.steps), (nest.block, *(each.block for each in chain)))


def _match(nest: Nest, chain: list[Nest], target: Target, lanes: int) -> _Contraction | None:
    block = nest.block
    kinds = [nest.kind(loop) for loop in nest.loops]
    if not block.has_init or "ordered" in kinds or len(block.writes) != 1 or not _sums_products(block):
        return None
    (write,) = block.write_accesses
    spatial = [loop for loop, kind in zip(nest.loops, kinds, strict=True) if kind == "spatial"]
    if sorted(map(repr, write.indices)) != sorted(repr(Expr.atom(nest.iterator(loop))) for loop in spatial):
        return None
    column = next((loop for loop in spatial if write.indices[-1] == Expr.atom(nest.iterator(loop))), None)
    moving = [access for access in block.read_accesses if column is not None and nest.mentions(access, column)]
    if column is None or not moving or any(a.pad is not None for a in block.read_accesses if a not in moving):
        return None
    rows = [loop for loop in spatial if loop is not column and not any(nest.mentions(a, loop) for a in moving)]

    around = _outer(nest, chain, column, rows, lanes)
    forms: dict[int, str] = {}
    for number, access in enumerate(block.read_accesses):
        if access in moving:
            form = form_of(nest, access, Columns(column, around), rows, target)
            if form is None:
                return None
            forms[number] = form
    prepared = [preparing(nest, number, column, form) for number, form in forms.items() if form != PLAIN]
    axes = {loop: _Axis(loop.label.data, loop.upper, kind) for loop, kind in zip(nest.loops, kinds, strict=True)}
    reads = (
        [forms.get(n, PLAIN) == POINTS or nest.walks(a, around, column) for n, a in enumerate(block.read_accesses)]
        if around is not None
        else [False]
    )
    if around is not None and all(reads):
        outer, inner = axes.pop(around), axes[column]
        prepared.append(f"fuse {nest.label}/{outer.label} {nest.label}/{inner.label}")
        axes[column] = _Axis(f"{outer.label}.{inner.label}", outer.extent * inner.extent, "spatial")
    row = axes[rows[-1]] if rows else None
    return _Contraction(nest.label, tuple(axes.values()), axes[column], row, tuple(prepared))


def _outer(nest: Nest, chain: list[Nest], column: ForOp, rows: list[ForOp], lanes: int) -> ForOp | None:
    """The spatial loop right around the columns, if one loop in place of both would walk through what is written."""
    place = nest.loops.index(column)
    outer = nest.loops[place - 1] if place else None
    if outer is None or outer in rows or nest.kind(outer) != "spatial":
        return None
    if not in_one_walk([outer.upper, column.upper], lanes) or not _parts(outer.upper * column.upper, lanes, nest):
        return None
    for each in (nest, *chain):
        block, pair = each.block, (outer, column) if each is nest else each.loops[-2:]
        accesses = block.write_accesses if each is nest else (*block.read_accesses, *block.write_accesses)
        if not all(each.walks(access, *pair) for access in accesses):
            return None
    return outer


def _parts(extent: Expr, lanes: int, nest: Nest) -> bool:
    """Whether the part of whole tiles of a loop is seen to be within it; else the cut is clamped, and no tile whole."""
    width = VECTORS * lanes
    whole = floordiv(extent, width) * width
    return is_nonnegative(whole, nest.root) and is_nonnegative(extent - whole, nest.root)


def _sums_products(block: BlockOp) -> bool:
    """Whether the body is `old + read * read`, both reads and the sum in one float type."""
    if len(block.reads) != 2 or not block.updates:
        return False
    total = block.yielded[0].owner
    if not isinstance(total, arith.AddfOp) or total.lhs is not block.old_elements[0]:
        return False
    product = total.rhs.owner
    return isinstance(product, arith.MulfOp) and {product.lhs, product.rhs} == set(block.read_elements)


def _followers(nest: Nest) -> list[Nest]:
    """The nests that come right after, one reading the other's elements as they are, that can go into the tile."""
    chain: list[Nest] = []
    last = nest
    while (after := next_nest(last)) is not None and _takes_over(last, after, nest):
        chain.append(after)
        last = after
    return chain


def _takes_over(before: Nest, after: Nest, first: Nest) -> bool:
    block = after.block
    buffer = before.block.writes[0]
    if len(before.block.writes) != 1 or len(block.writes) != 1 or block.updates:
        return False
    if any(kind != "spatial" for kind in block.iterator_kinds) or not only_between(buffer, before.block, block):
        return False
    reads = [access for access in block.read_accesses if access.buffer is buffer]
    if len(reads) != 1 or reads[0].pad is not None or not after.is_whole(reads[0]):
        return False
    others = [access for access in block.read_accesses if access.buffer is not buffer]
    (write,) = block.write_accesses
    return all(_is_there(access, first) for access in others) and write.buffer not in (a.buffer for a in others)


def _is_there(access: Access, first: Nest) -> bool:
    """Whether a buffer is what it will be before the first nest of a chain begins: an argument nobody writes."""
    owner = access.buffer.owner
    given = isinstance(owner, GetGlobalOp) or access.buffer in _arguments(first)
    return given and not any(
        isinstance(use.operation, BlockOp) and access.buffer in use.operation.writes for use in access.buffer.uses
    )


def _arguments(nest: Nest) -> tuple[object, ...]:
    """The arguments of the function that a nest stands in."""
    block = nest.root.parent
    return () if block is None else tuple(block.args)


class _Tiling:
    """The steps of one tiling: rows first, then the columns of each part of the rows."""

    def __init__(self, found: _Contraction, lanes: int, vectors: int, rows: int, names: Names):
        self.found = found
        self.lanes = lanes
        self.vectors = vectors
        self.rows = rows
        self.names = names
        self.steps = list(found.prepared)
        self.written_back: list[str] = []

    def tile_rows(self) -> None:
        """A main part of full tiles; the rows that are left are a tile of their own, or one row at a time."""
        row, label = self.found.row, self.found.label
        # what lies outside of the tiles must lie outside before there are several in it
        order = [*self._others("spatial"), *([] if row is None else [row.label]), self.found.column.label]
        order += self._others("reduce")
        if order != [axis.label for axis in self.found.axes]:
            self._reorder(label, order)
        if row is None:
            self._tile_columns(label, None)
            return
        name, extent = row.label, row.extent.value
        rows = self.rows if extent is None else max(1, min(self.rows, extent))
        left = 1 if extent is None else extent % rows
        if rows == 1 or left == 0:
            self._split_rows(label, name, rows)
            return
        self.steps.append(f"peel {label}/{name} (extent floordiv {rows}) * {rows}")
        tail = self.names.unique(f"{label}.tail")
        self._split_rows(label, name, rows)
        self._split_rows(tail, f"{name}.tail", left)

    def _split_rows(self, label: str, row: str, rows: int) -> None:
        self.steps.append(f"split {label}/{row} {rows}")
        self._tile_columns(label, row)

    def _tile_columns(self, label: str, row: str | None) -> None:
        """Full tiles, then one vector at a time, then one element at a time, as far as there is something left."""
        column = self.found.column.label
        if row is not None:
            self._reorder(label, [f"{row}.outer", column, *self._inside(row)])
        extent = self.found.column.extent.value
        left = extent
        for vectors in dict.fromkeys((self.vectors, 1)):
            width = vectors * self.lanes
            if left is not None and left < width:
                continue
            left = None if left is None else left % width
            if left == 0:
                self._tile(label, row, column, vectors)
                return
            self.steps.append(f"peel {label}/{column} (extent floordiv {width}) * {width}")
            tail = self.names.unique(f"{label}.tail")
            self._tile(label, row, column, vectors)
            label, column = tail, f"{column}.tail"
        self._accumulate(label, column, row)

    def _tile(self, label: str, row: str | None, column: str, vectors: int) -> None:
        outer, lane = f"{column}.outer", f"{column}.inner"
        inside = [lane]
        self.steps.append(f"split {label}/{column} {vectors * self.lanes}")
        if vectors > 1:
            self.steps.append(f"split {label}/{lane} {self.lanes}")
            inside = [f"{lane}.outer", f"{lane}.inner"]
        self._reorder(label, [outer, *self._inside(row), *inside])
        self.steps += [f"kind unrolled {label}/{each}" for each in inside[:-1]]
        self.steps.append(f"kind vectorized {label}/{inside[-1]}")
        self._accumulate(label, outer, row)

    def _inside(self, row: str | None) -> list[str]:
        """The loops right inside the columns: what is summed over, then the rows of the tile."""
        return [*self._others("reduce"), *([] if row is None else [f"{row}.inner"])]

    def _others(self, kind: str) -> list[str]:
        taken = (self.found.row, self.found.column)
        return [axis.label for axis in self.found.axes if axis not in taken and axis.kind == kind]

    def _reorder(self, label: str, order: list[str]) -> None:
        self.steps.append(f"reorder {' '.join(f'{label}/{each}' for each in order)}")

    def _accumulate(self, label: str, column: str, row: str | None) -> None:
        if row is not None:
            self.steps.append(f"kind unrolled {label}/{row}.inner")
        self.steps.append(f"cache-write {label}/{column}")
        self.names.unique(f"{label}.init")
        self.written_back.append(self.names.unique(f"{label}.out"))
