"""What the walk needs to know of a block, found once: its accesses over loop variables, its body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ...analysis.bounds import Bounds
from ...dialects.expr import Compound, Expr, Variable
from ...dialects.loop import Access, BlockOp, IndexOp, YieldOp, buffer_shape, buffer_type
from ...dialects.origin import located
from ...errors import VerifyError


@dataclass(frozen=True, slots=True)
class AccessPlan:
    """One access, over the index values around the block (and elements that the block read before)."""

    buffer: SSAValue
    indices: tuple[Expr, ...]
    address: Expr
    """The element's number in row-major order."""
    guard: tuple[Expr, ...]
    """The conditions that could not be proved."""
    pad: Attribute | None
    element: Attribute
    """The element type."""
    value: SSAValue | None
    """The argument of the body that is the element; for a write, the old one, if it is used."""


@dataclass(frozen=True, slots=True)
class BlockPlan:
    """A block as the walk sees it."""

    op: BlockOp
    bindings: tuple[Expr, ...]
    reads: tuple[AccessPlan, ...]
    """Those whose element is used."""
    writes: tuple[AccessPlan, ...]
    body: tuple[Operation, ...]
    """The scalar ops, without the yield."""
    yielded: tuple[SSAValue, ...]
    products: dict[Operation, Operation]
    """`arith.addf` -> the `arith.mulf` that only it uses."""
    numbers: frozenset[SSAValue]
    """Arguments of the body, elements read, that an access goes by."""


def plan_block(op: BlockOp) -> BlockPlan:
    """Look at a block once; the IR around it must be as it was."""
    planner = _Planner(op)
    reads = planner.reads()
    writes = planner.writes()
    body = tuple(op.body.block.ops)
    last = body[-1]
    assert isinstance(last, YieldOp)
    numbers = frozenset(op.body.block.args[n] for n in planner.as_index if n >= len(planner.bindings))
    return BlockPlan(op, planner.bindings, reads, writes, body[:-1], tuple(last.values), dict(_products(body)), numbers)


def _products(body: Sequence[Operation]) -> list[tuple[Operation, Operation]]:
    """Additions with a product that nothing else uses; of two, the second."""
    found: list[tuple[Operation, Operation]] = []
    for op in body:
        if not isinstance(op, arith.AddfOp):
            continue
        for value in (op.rhs, op.lhs):
            factor = value.owner
            if isinstance(factor, arith.MulfOp) and value.has_one_use():
                found.append((op, factor))
                break
    return found


def resolve(e: Expr) -> Expr:
    """`e` with the results of `loop.index` spelled out."""
    while True:
        mapping: dict[Variable, Expr] = {
            v: v.owner.expr for v in e.variables() if isinstance(v, SSAValue) and isinstance(v.owner, IndexOp)
        }
        if not mapping:
            return e
        e = e.substitute(mapping)


class _Planner:
    """The accesses of one block."""

    def __init__(self, op: BlockOp):
        self.op = op
        self._bounds: Bounds | None = None
        self.bindings = tuple(self.simple(resolve(e)) for e in op.bindings)
        self.positions: dict[Variable, Expr] = dict(enumerate(self.bindings))
        for n, element in enumerate(op.read_elements, len(self.bindings)):
            self.positions[n] = Expr.atom(element)
        self.as_index = {
            cast(int, position)
            for access in (*op.read_accesses, *op.write_accesses)
            for e in (*access.indices, *access.guard)
            for position in e.variables()
        }

    @property
    def bounds(self) -> Bounds:
        if self._bounds is None:
            self._bounds = Bounds(self.op)
        return self._bounds

    def reads(self) -> tuple[AccessPlan, ...]:
        op, count = self.op, len(self.bindings)
        return tuple(
            self.access(access, element, access.pad is not None)
            for n, (access, element) in enumerate(zip(op.read_accesses, op.read_elements, strict=True), count)
            if element.first_use is not None or n in self.as_index
        )

    def writes(self) -> tuple[AccessPlan, ...]:
        op = self.op
        old: Sequence[SSAValue | None] = op.old_elements or [None] * len(op.writes)
        return tuple(
            self.access(access, element if element and element.first_use else None, op.clip is not None)
            for access, element in zip(op.write_accesses, old, strict=True)
        )

    def access(self, access: Access, value: SSAValue | None, bounded: bool) -> AccessPlan:
        indices = tuple(self.simple(e.substitute(self.positions)) for e in access.indices)
        guard = tuple(e.substitute(self.positions) for e in access.guard)
        if bounded and not guard:
            pairs = zip(indices, self.shape(access.buffer), strict=True)
            guard = tuple(e for index, dim in pairs for e in (index, dim - index - 1))
        guard = tuple(e for e in dict.fromkeys(guard) if not self.bounds.is_nonnegative(e)) if guard else ()
        return AccessPlan(
            access.buffer,
            indices,
            self.address(access.buffer, indices),
            guard,
            access.pad if guard else None,
            buffer_type(access.buffer).element_type,
            value,
        )

    def shape(self, buffer: SSAValue) -> tuple[Expr, ...]:
        shape = buffer_shape(buffer)
        if shape is None:
            name = buffer.name_hint or "a buffer"
            raise VerifyError(located(self.op, f"the dims of %{name} are not known: its function needs a loop.shape"))
        return shape

    def address(self, buffer: SSAValue, indices: Sequence[Expr]) -> Expr:
        if len(indices) == 1:
            return indices[0]
        address = Expr.constant(0)
        for index, dim in zip(indices, self.shape(buffer) if indices else (), strict=True):
            address = address * dim + index
        return address

    def simple(self, e: Expr) -> Expr:
        """`e` with what is known of the loops around, if there is anything in it but sums and products."""
        if any(isinstance(atom, Compound) for monomial in e.terms for atom in monomial.atoms):
            return self.bounds.simplify(e)
        return e
