"""Moving computation and storage inside loops: just the box that is needed, just the slice that is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.accesses import touches
from ...analysis.bounds import Bounds
from ...dialects.expr import Compound, Expr, Variable, maximum, minimum
from ...dialects.loop import (
    Access,
    AllocOp,
    BlockOp,
    ForOp,
    LoadOp,
    StoreOp,
    buffer_shape,
    buffer_type,
    enclosing_loops,
)
from ...rewriting.naming import Names
from .addresses import blocks_in
from .conflicts import who
from .declaration import Declaration, Parameter, Step
from .inlining import Link, link_between, plain_positions, require_only_users, require_unchanged
from .nests import (
    ancestor_in,
    available_at,
    body_of,
    erase_nest,
    like,
    loops_between,
    nested,
    new_loop,
    rebuild,
    users,
    variable,
)

CONTRACT_SCOPES = ("local", "register")

COMPUTE_AT = Declaration(
    word="compute-at",
    pass_name="compute-at",
    parameters=(Parameter("producer", "block"), Parameter("loop", "loop")),
    does="Compute inside a loop just the box of a block's elements that is read there.",
    expects="a block whose one reader stands in the loop and reads, unpadded, a box of constant size each time.",
    leaves="the block in the loop, over the box; where boxes overlap, elements are computed again.",
)

CONTRACT = Declaration(
    word="contract",
    pass_name="contract-buffer",
    parameters=(
        Parameter("block", "block"),
        Parameter("loop", "loop"),
        Parameter("scope", "word", choices=CONTRACT_SCOPES, optional=True, default="local"),
    ),
    does="Drop the dim of a block's buffer that is always indexed by a loop, and allocate the rest inside the loop.",
    expects="a buffer allocated next to the loop, all of whose users stand in the loop with one index in the dim.",
    leaves="a buffer of one rank less, allocated in each iteration.",
)


def contract_buffer(block: BlockOp, loop: ForOp, scope: str = "local") -> AllocOp:
    """Drop the dim of what `block` writes that `loop` always indexes. Returns the new alloc."""
    step = CONTRACT.step(block, loop, scope)
    label, name = loop.label.data, block.label.data
    step.require(scope in CONTRACT_SCOPES, f"there is no scope {scope}: {', '.join(CONTRACT_SCOPES)}")
    step.require(len(block.writes) == 1, f"block {name} writes {len(block.writes)} buffers")
    alloc = block.writes[0].owner
    if not isinstance(alloc, AllocOp):
        step.refuse(f"the buffer that block {name} writes is seen outside of the function")
    step.require(alloc.parent is loop.parent, f"the buffer of block {name} is not allocated next to loop {label}")
    accesses: list[tuple[Expr, ...]] = []
    for user in users(alloc.buffer):
        step.require(
            loop.is_ancestor(user), f"the buffer of block {name} is used outside of loop {label}, by {who(user)}"
        )
        step.require(isinstance(user, BlockOp | LoadOp | StoreOp), f"the buffer of block {name} is used by {who(user)}")
        accesses += _indices(user, alloc.buffer)
    dim = _common_dim(accesses, loop)
    if dim is None:
        step.refuse(f"no dim of the buffer of block {name} is always indexed by loop {label}")
    for touch in (touch for user in users(alloc.buffer) for touch in touches(user) if touch.buffer is alloc.buffer):
        within = Bounds(touch.op).is_in_bounds([touch.indices[dim]], [alloc.shape_exprs[dim]])
        step.require(
            within or not touch.bounded,
            f"{who(touch.op)} pads or clips an access of the buffer of block {name} by dim {dim}, which would go",
        )
    shape = list(buffer_type(alloc.buffer).get_shape())
    sizes = [e for n, e in enumerate(alloc.shape_exprs) if n != dim and shape[n] == DYNAMIC_INDEX]
    step.require(scope != "register" or not sizes, f"the buffer of block {name} has dynamic dims: not in registers")

    del shape[dim]
    smaller = like(AllocOp(scope, MemRefType(buffer_type(alloc.buffer).element_type, shape), sizes), alloc)
    smaller.buffer.name_hint = alloc.buffer.name_hint
    for user in users(alloc.buffer):
        _use_slice(user, alloc.buffer, smaller.buffer, dim)
    body = body_of(loop)
    first = body.first_op
    assert first is not None
    Rewriter.insert_op(smaller, InsertPoint.before(first))
    Rewriter.erase_op(alloc)
    return smaller


def _indices(user: Operation, buffer: SSAValue) -> list[tuple[Expr, ...]]:
    match user:
        case BlockOp():
            accesses = (*user.read_accesses, *user.write_accesses)
            return [user.over_loops(a.indices) for a in accesses if a.buffer is buffer]
        case LoadOp() | StoreOp():
            return [user.index]
        case _:
            return []


def _common_dim(accesses: Sequence[tuple[Expr, ...]], loop: ForOp) -> int | None:
    """The first dim that all accesses index by the same expression, another one in each iteration of `loop`."""
    for dim, e in enumerate(accesses[0] if accesses else ()):
        factor = e.coefficient(loop.variable)
        if factor is None or factor.value in (None, 0) or any(other[dim] != e for other in accesses):
            continue
        if all(v is loop.variable or available_at(v, loop) for v in e.variables()):
            return dim
    return None


def _use_slice(user: Operation, old: SSAValue, new: SSAValue, dim: int) -> None:
    def slice_of(access: Access) -> Access:
        if access.buffer is not old:
            return access
        return replace(access, buffer=new, indices=(*access.indices[:dim], *access.indices[dim + 1 :]))

    match user:
        case BlockOp():
            reads, writes = [*map(slice_of, user.read_accesses)], [*map(slice_of, user.write_accesses)]
            Rewriter.replace_op(user, rebuild(user, reads=reads, writes=writes))
        case LoadOp():
            indices = slice_of(Access(old, user.index)).indices
            Rewriter.replace_op(user, like(LoadOp(new, indices, user.guard_exprs, user.pad), user))
        case StoreOp():
            indices = slice_of(Access(old, user.index)).indices
            Rewriter.replace_op(user, like(StoreOp(user.value, new, indices, user.guard_exprs), user))
        case _:
            raise AssertionError(user.name)


@dataclass(frozen=True)
class _Box:
    """Along one dim: from `base` on, `size` elements, as far as they are within the buffer."""

    base: Expr
    size: int


def compute_at(producer: BlockOp, loop: ForOp) -> BlockOp:
    """Compute `producer` inside `loop`, over the box that its one reader, which stands there, needs."""
    step = COMPUTE_AT.step(producer, loop)
    name = producer.label.data
    consumer = _reader(step, producer, loop)
    link = link_between(step, producer, consumer)
    require_only_users(step, link, producer, consumer)
    step.require(producer.clip is None and not link.write.guard, f"block {name} clips its writes")
    step.require("ordered" not in producer.iterator_kinds, f"block {name} has an ordered axis")
    step.require(not producer.updates or producer.has_init, f"block {name} updates its buffer and has no init")
    axes = plain_positions(step, producer, link.write, "writes")
    for outer in (loop, *enclosing_loops(loop)):
        step.require(
            outer.kind.data in ("serial", "unrolled") or outer.is_ancestor(link.alloc),
            f"loop {outer.label.data} is {outer.kind.data}: its iterations would write the same elements",
        )
    step.require(link.root(producer) is not link.root(consumer), f"block {name} stands in one loop with its reader")
    own = _own_loops(step, link, producer)
    require_unchanged(step, link, producer, consumer)
    point = ancestor_in(consumer, body_of(loop))
    assert point is not None
    boxes = _boxes(step, link, consumer, loop)
    for n, e in enumerate(producer.bindings):
        if n not in axes:
            inside = [v for v in e.variables() if not available_at(v, point)]
            step.require(all(v in [o.variable for o in own] for v in inside), f"axis {n} of block {name} is not there")
    spatial = {own_loop.variable: axes.index(n) for n, own_loop in _axis_loops(step, producer, own, axes).items()}

    bounds, shape = Bounds(point), buffer_shape(link.buffer)
    assert shape is not None
    names = Names(outer.label.data for outer in (loop, *enclosing_loops(loop)))
    mapping: dict[Variable, Expr] = {}
    copies: list[ForOp] = []
    for each in own:
        wanted = names.unique(each.label.data)
        if each.variable in spatial:
            dim = spatial[each.variable]
            lower, upper = _within(bounds, boxes[dim], shape[dim])
            constant = lower.value is not None and upper.value is not None
            copies.append(new_loop(wanted, lower, upper, each.kind.data if constant else "serial", each))
            mapping[each.variable] = boxes[dim].base + variable(copies[-1])
        else:
            copies.append(
                new_loop(wanted, each.lower.substitute(mapping), each.upper.substitute(mapping), each.kind.data, each)
            )
            mapping[each.variable] = variable(copies[-1])
    moved = producer.clone()
    Rewriter.insert_op(nested(copies, moved), InsertPoint.before(point))
    moved.replace_index(mapping)
    erase_nest(producer)
    return moved


def _reader(step: Step, producer: BlockOp, loop: ForOp) -> BlockOp:
    name, label = producer.label.data, loop.label.data
    inside = [block for block in blocks_in(loop) if any(buffer in block.reads for buffer in producer.writes)]
    step.require(len(inside) == 1, f"block {name} is read by {len(inside)} blocks in loop {label}, not by one")
    step.require(not loop.is_ancestor(producer), f"block {name} stands in loop {label} already")
    return inside[0]


def _own_loops(step: Step, link: Link, producer: BlockOp) -> list[ForOp]:
    """The loops that run the producer and nothing else."""
    root = link.root(producer)
    loops = [loop for loop in (root, *loops_between(root, producer)) if isinstance(loop, ForOp)]
    inner: Operation = producer
    for loop in reversed(loops):
        step.require(
            loop.lower.value == 0 and body_of(loop).first_op is inner and body_of(loop).last_op is inner,
            f"loop {loop.label.data} does not start at 0, or runs more than block {producer.label.data}",
        )
        inner = loop
    step.require(inner is root, f"block {producer.label.data} stands under a condition")
    return loops


def _axis_loops(step: Step, producer: BlockOp, own: Sequence[ForOp], axes: Sequence[int]) -> dict[int, ForOp]:
    """The loop that each axis of the write is bound to, which must be nothing but that loop."""
    found: dict[int, ForOp] = {}
    for n in axes:
        loop = next((loop for loop in own if producer.bindings[n].variable is loop.variable), None)
        uses = [m for m, e in enumerate(producer.bindings) if loop is not None and e.mentions(loop.variable)]
        if loop is None or uses != [n]:
            step.refuse(f"axis {n} of block {producer.label.data} is not one loop: compute it there before it is split")
        found[n] = loop
    for loop in own:
        step.require(
            loop in found.values() or producer.is_reduced_over(loop),
            f"loop {loop.label.data} repeats block {producer.label.data}",
        )
    return found


def _boxes(step: Step, link: Link, consumer: BlockOp, loop: ForOp) -> list[_Box]:
    """What the consumer reads in one iteration of `loop`, along each dim."""
    inner = loops_between(loop, consumer)
    reads = [consumer.over_loops(consumer.read_accesses[n].indices) for n in link.reads]
    boxes: list[_Box] = []
    for dim in range(len(reads[0])):
        spans = [_span(step, consumer, indices[dim], inner) for indices in reads]
        base = spans[0].base
        ends: list[tuple[int, int]] = []
        for span in spans:
            distance = (span.base - base).value
            if distance is None:
                step.refuse(f"block {consumer.label.data} reads boxes at no constant distance, along dim {dim}")
            ends.append((distance, distance + span.size))
        low, high = min(a for a, _ in ends), max(b for _, b in ends)
        boxes.append(_Box(base + low, high - low))
    for box in boxes:
        for v in box.base.variables():
            step.require(
                available_at(v, body_of(loop).first_op or loop),
                f"where block {consumer.label.data} reads is not known at the start of loop {loop.label.data}",
            )
    return boxes


def _span(step: Step, consumer: BlockOp, e: Expr, inner: Sequence[ForOp]) -> _Box:
    size = 1
    for loop in reversed(inner):
        if not e.mentions(loop.variable):
            continue
        factor = e.coefficient(loop.variable)
        trips = _most_trips(loop)
        if factor is None or factor.value is None or trips is None:
            step.refuse(
                f"what block {consumer.label.data} reads in loop {loop.label.data} is not a box of constant size"
            )
        first = loop.lower if factor.value > 0 else loop.lower + (trips - 1)
        e = e.substitute({loop.variable: first})
        size += abs(factor.value) * (trips - 1)
    return _Box(e, size)


def _most_trips(loop: ForOp) -> int | None:
    """A constant that the extent of a loop never exceeds."""
    extent = loop.extent
    if extent.value is not None:
        return max(extent.value, 1)
    for monomial, coefficient in extent.terms.items():
        atom = monomial.atoms[0]
        if len(extent.terms) == 1 and coefficient == 1 and isinstance(atom, Compound) and atom.kind == "min":
            constants = [arg.value for arg in atom.args if arg.value is not None]
            return constants[0] + extent.offset if constants else None
    return None


def _within(bounds: Bounds, box: _Box, dim: Expr) -> tuple[Expr, Expr]:
    """The bounds of a loop over a box, cut off where it cannot be proved to lie within the buffer."""
    low, high = Expr.constant(0), Expr.constant(box.size)
    if not bounds.is_nonnegative(box.base):
        low = maximum(0, -box.base)
    if not bounds.is_nonnegative(dim - box.base - box.size):
        high = minimum(box.size, dim - box.base)
    return low, high
