"""Whether iterations meet: two accesses of one buffer, one of them a write, in different iterations of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.accesses import Touch, touches
from ...analysis.aliases import may_alias
from ...analysis.bounds import Bounds
from ...dialects.expr import Compound, Expr, Variable
from ...dialects.loop import AllocOp, BlockOp, ForOp, IndexOp, LoadOp, ShapeOp, StoreOp, ViewOp, buffer_shape
from .addresses import blocks_in, walk_nest
from .nests import buffers_of, loops_between, nested

Assume = Callable[[Mapping[Variable, Expr]], Sequence[Expr]]
"""From the variables of copied loops to what is known of the two iterations, as expressions that are at least 0."""


def touches_in(root: Operation) -> Iterator[Touch]:
    """Every access to a buffer in `root`; that of an op that is not known may be anywhere, and has no indices."""
    for op in walk_nest(root):
        if isinstance(op, BlockOp | LoadOp | StoreOp):
            found = list(touches(op))
            written = {(t.buffer, t.indices) for t in found if t.writes}
            # what is read where the same op writes says no more than the write
            yield from (t for t in found if t.writes or (t.buffer, t.indices) not in written)
        elif not isinstance(op, AllocOp | ShapeOp | ViewOp):
            for buffer in buffers_of(op):
                yield Touch(op, buffer, (), (), True, False)


def conflicting(first: Operation, second: Operation) -> Iterator[tuple[Touch, Touch]]:
    """Pairs of accesses, one in each, of buffers that may share elements, and with a write among them."""
    others = list(touches_in(second))
    for one in touches_in(first):
        for other in others:
            if (one.writes or other.writes) and may_alias(one.buffer, other.buffer):
                yield one, other


def shared_within(loop: ForOp) -> Iterator[tuple[Touch, Touch]]:
    """Pairs of accesses in `loop`, each once, of memory that outlives an iteration and with a write among them."""
    found = [t for t in touches_in(loop) if not (isinstance(t.buffer.owner, AllocOp) and _is_inside(t.buffer, loop))]
    for one, other in combinations_with_replacement(found, 2):
        if (one.writes or other.writes) and may_alias(one.buffer, other.buffer):
            yield one, other


def never_meet(one: Touch, other: Touch, copied: ForOp, assume: Assume) -> bool:
    """
    Whether it can be proved that `one` and `other` touch different elements.

    `other` is taken at iterations of its own of `copied`, a loop around it, and of the loops inside that; what is
    known of these iterations is said by `assume`.
    """
    if not one.indices or not other.indices or one.buffer is not other.buffer or _is_inside(one.buffer, copied):
        return False  # indices tell elements of one buffer apart, where it is the same in both iterations
    # a copy of the loops around `other`, put where `one` stands for as long as the question lasts
    renamed: dict[Variable, Expr] = {}
    copies: list[ForOp] = []
    for loop in (copied, *loops_between(copied, other.op)):
        lower, upper = (_rename(e, renamed, copied) for e in (loop.lower, loop.upper))
        copies.append(ForOp(loop.label.data, lower, upper))
        renamed[loop.variable] = Expr.atom(copies[-1].variable)
    marker = IndexOp(Expr.constant(0))
    Rewriter.insert_op(nested(copies, marker), InsertPoint.before(one.op))
    try:
        bounds = Bounds(marker, assume(renamed))
        second = tuple(_rename(e, renamed, copied) for e in other.indices)
        differences = [a - b for a, b in _coordinates(one, one.indices, second)]
        # the address of a fused loop needs no division where its indices do: what is simplest is soonest decided
        return any(_differ(bounds, e) for e in sorted(differences, key=_complexity))
    finally:
        copies[0].detach()
        copies[0].erase()


def _complexity(e: Expr) -> tuple[int, int]:
    compounds = sum(isinstance(atom, Compound) for monomial in e.terms for atom in monomial.atoms)
    return compounds, len(e.terms)


def _differ(bounds: Bounds, difference: Expr) -> bool:
    return bounds.is_nonnegative(difference - 1) or bounds.is_nonnegative(-difference - 1)


def _coordinates(touch: Touch, first: tuple[Expr, ...], second: tuple[Expr, ...]) -> Iterator[tuple[Expr, Expr]]:
    """Pairs of which one different pair means different elements: the dims, then the row-major address."""
    yield from zip(first, second, strict=True)
    shape = buffer_shape(touch.buffer)
    if shape is not None and len(shape) > 1:
        yield _address(shape, first), _address(shape, second)


def _address(shape: Sequence[Expr], indices: Sequence[Expr]) -> Expr:
    address = Expr.constant(0)
    for dim, e in zip(shape, indices, strict=True):
        address = address * dim + e
    return address


def _rename(e: Expr, renamed: dict[Variable, Expr], copied: ForOp) -> Expr:
    """`e` at the copied iterations; a value computed there that is not a loop variable may be anything."""
    while computed := {v: index.expr for v in e.variables() if (index := _computing(v)) is not None}:
        e = e.substitute(computed)
    unknown: dict[Variable, Expr] = {
        v: Expr.atom(object()) for v in e.variables() if v not in renamed and _is_inside(v, copied)
    }
    return e.substitute({**renamed, **unknown})


def _computing(value: Variable) -> IndexOp | None:
    owner = value.owner if isinstance(value, SSAValue) else None
    return owner if isinstance(owner, IndexOp) else None


def _is_inside(value: Variable, loop: ForOp) -> bool:
    if not isinstance(value, SSAValue):
        return False
    owner = value.owner
    around = owner.parent_op() if isinstance(owner, Block) else owner
    return around is not None and loop.is_ancestor(around)


def later(loop: ForOp) -> Assume:
    """That the first iteration of `loop` comes after the copied one."""
    return lambda copied: [Expr.atom(loop.variable) - copied[loop.variable] - 1]


def why_not_parallel(loop: ForOp) -> str | None:
    """Why the iterations of `loop` may not run in any order; None where they may."""
    label = loop.label.data
    if loop.inits:
        return f"loop {label} carries values from one iteration to the next"
    for op in blocks_in(loop):
        if op.is_reduced_over(loop):
            return f"{label} feeds a reduce axis of {op.label.data}"
        for kind, e in zip(op.iterator_kinds, op.bindings, strict=True):
            if kind == "ordered" and e.mentions(loop.variable):
                return f"{label} feeds an ordered axis of {op.label.data}"
    for one, other in shared_within(loop):
        pairs = ((one, other),) if one is other else ((one, other), (other, one))
        if not all(never_meet(a, b, loop, later(loop)) for a, b in pairs):
            return f"two iterations of {label} may meet in {describe(one, other)}"
    return None


def describe(one: Touch, other: Touch) -> str:
    """The buffer and the blocks of two accesses, for a message."""
    name = f"%{one.buffer.name_hint}" if one.buffer.name_hint else "one buffer"
    return f"{name}, touched by {' and '.join(dict.fromkeys((who(one.op), who(other.op))))}"


def who(op: Operation) -> str:
    """A block by its label, another op by its name."""
    return f"block {op.label.data}" if isinstance(op, BlockOp) else f"'{op.name}'"
