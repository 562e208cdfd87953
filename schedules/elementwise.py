"""Nests that compute or move one element at a time: lanes along the innermost axis, the rest one by one."""

from __future__ import annotations

from ..dialects.loop import Access
from ..rewriting.naming import Names
from ..targets import Target
from .lanes import lanes_for
from .nests import UNIFORM, UNIT, Decision, Nest, in_one_walk


def elementwise(nest: Nest, target: Target, names: Names) -> Decision | None:
    """
    Lanes for a nest whose writes, and reads that move at all, go element by element along the innermost loop.

    Where the loops run through whole buffers in their order, they are one loop first: rows shorter than a register
    do not matter then.
    """
    block = nest.block
    lanes = lanes_for(block, target)
    if lanes == 1 or not nest.loops or block.updates:
        return None
    if any(kind not in ("spatial", "param") for kind in block.iterator_kinds):
        return None
    loop = nest.loops[-1]
    if any(nest.stride(access, loop) != UNIT for access in block.write_accesses):
        return None
    if not all(_goes_along(nest, access) for access in block.read_accesses):
        return None

    label, name = loop.label.data, nest.label
    steps: list[str] = []
    extent = loop.upper
    if len(nest.loops) > 1 and _is_one_row(nest, lanes):
        label, extent = nest.loops[0].label.data, nest.loops[0].upper
        for inner in nest.loops[1:]:
            steps.append(f"fuse {name}/{label} {name}/{inner.label.data}")
            label, extent = f"{label}.{inner.label.data}", extent * inner.upper
    if extent.value is not None and extent.value < lanes:
        return None
    if extent.value is None or extent.value % lanes:
        steps.append(f"peel {name}/{label} (extent floordiv {lanes}) * {lanes}")
        names.unique(f"{name}.tail")
    steps += [f"split {name}/{label} {lanes}", f"kind vectorized {name}/{label}.inner"]
    return Decision(tuple(steps), (block,))


def _goes_along(nest: Nest, access: Access) -> bool:
    """Whether a read meets one element, or neighbours, unpadded, along the innermost loop."""
    loop = nest.loops[-1]
    stride = nest.stride(access, loop)
    if stride is None or (stride == UNIT and access.pad is not None):
        return False
    first = len(nest.block.kinds)
    reads = nest.block.read_accesses
    gathered = [reads[v - first] for e in access.indices for v in e.variables() if isinstance(v, int) and v >= first]
    return all(nest.stride(read, loop) == UNIFORM and _goes_along(nest, read) for read in gathered)


def _is_one_row(nest: Nest, lanes: int) -> bool:
    """Whether all loops together are one walk through whole buffers, and lanes of it are seen to be neighbours."""
    for access in (*nest.block.read_accesses, *nest.block.write_accesses):
        if not nest.is_whole(access) and any(nest.mentions(access, loop) for loop in nest.loops):
            return False
    return in_one_walk([loop.upper for loop in nest.loops], lanes)
