"""Which vectors a target has for the elements and the ops of a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation

from ..dialects.element_types import bits_of, is_float, is_integer
from ..dialects.loop import BlockOp, YieldOp
from ..dialects.simd import vector_of
from ..targets import Target
from .nests import element_types

LANE_WISE: Mapping[str, str] = {
    "arith.cmpf": "simd.compare",
    "arith.cmpi": "simd.compare",
    "arith.select": "simd.select",
}
"""What stands in a block -> what it is called on lanes, where the names differ."""


def lanes_for(block: BlockOp, target: Target) -> int:
    """How many elements of a block's widest type fill a register of the target; 1 where it lacks an instruction."""
    types = element_types(block)
    if not all(is_float(type) or is_integer(type) for type in types):
        return 1
    lanes = target.lanes(max(map(bits_of, types)))
    needed: list[tuple[str, Sequence[Attribute]]] = [("simd.load", types), ("simd.store", types)]
    needed += [(LANE_WISE.get(op.name, op.name), _types(op)) for op in block.body.block.ops if _computes(op)]
    has_all = all(target.has(name, vector_of(type, lanes)) for name, found in needed for type in found)
    return lanes if has_all else 1


def _computes(op: Operation) -> bool:
    return not isinstance(op, YieldOp | arith.ConstantOp)


def _types(op: Operation) -> Sequence[Attribute]:
    """The types that decide about an op: what a comparison compares, what another op gives."""
    return [op.operands[0].type] if op.name in ("arith.cmpf", "arith.cmpi") else [result.type for result in op.results]
