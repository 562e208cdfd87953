"""Index expressions, bounds and conditions, as simple as what is known where they stand allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..analysis.bounds import Bounds
from ..dialects.expr import Compound, Expr, Variable
from ..dialects.loop import (
    Access,
    BlockOp,
    ForOp,
    IfOp,
    IndexedOp,
    IndexOp,
    LoadOp,
    MapAttr,
    StoreOp,
    YieldOp,
    buffer_shape,
    enclosing_loops,
    substitute,
)
from .primitives.addresses import blocks_in
from .primitives.nests import feeds_back, like, other_user, rebuild
from .primitives.splicing import pruned


@dataclass(frozen=True)
class SimplifyIndicesPass(ModulePass):
    """
    Simplify index expressions with what is known of the values in them, and drop what that decides.

    Expects: any `loop` program, with blocks or below them.
    Leaves:  no loop that runs once or never, and no condition, guard, padding or clip that is known to hold or not to,
             unless the init of a sum would happen elsewhere or not at all; no iterator that nothing uses.
    """

    name = "simplify-indices"
    opt_level: ClassVar[int] = 1
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Simplify from the outside in: what is inside of a loop is looked at when its bounds are known."""
        for region in op.regions:
            _simplify_region(region)


def _simplify_region(region: Region) -> None:
    for block in region.blocks:
        known = _Known(block)
        op = block.first_op
        while op is not None:
            op = _simplify_op(op, known)


class _Known:
    """What is known in one block of ops: the same everywhere in it, since it comes from the ops around."""

    def __init__(self, block: Block):
        self.block = block
        self._bounds: Bounds | None = None

    def at(self, op: Operation) -> Bounds:
        """The facts at an op of the block."""
        if self._bounds is None:
            self._bounds = Bounds(op)
        return self._bounds

    def forget(self) -> None:
        """The ops of the block have changed."""
        self._bounds = None


def _simplify_op(op: Operation, known: _Known) -> Operation | None:
    """Simplify one op and what it contains. Returns the op to go on with."""
    following = op.next_op
    if isinstance(op, IndexedOp):
        _simplify_maps(op, known)
    match op:
        case ForOp() | IfOp():
            opened = _open(op, known)
            if opened is not None:
                known.forget()
                return opened.first or following
        case LoadOp() | StoreOp():
            _simplify_guard(op, known)
        case BlockOp():
            _simplify_block(op, known)
        case IndexOp():
            if len(op.index_values) == 1 and op.expr == Expr.atom(op.index_values[0]):
                Rewriter.replace_op(op, (), op.index_values)
        case _:
            pass
    if not isinstance(op, BlockOp):
        for region in op.regions:
            _simplify_region(region)
    if isinstance(op, ForOp | IfOp) and not op.results and not any(b.first_op for r in op.regions for b in r.blocks):
        Rewriter.erase_op(op)
    return following


def _has_compound(e: Expr) -> bool:
    return any(isinstance(atom, Compound) for monomial in e.terms for atom in monomial.atoms)


def _simplify_maps(op: IndexedOp, known: _Known) -> None:
    changed: dict[str, list[Expr]] = {}
    for name in op.INDEX_MAPS:
        attr = op.index_map(name)
        if attr is None or not any(map(_has_compound, attr.exprs)):
            continue
        exprs = op.index_exprs(name)
        simple = [_also_without_trips(op, known).simplify(e) for e in exprs]
        if simple != list(exprs):
            changed[name] = simple
    if changed:
        op.set_index_exprs(changed)


def _also_without_trips(op: Operation, known: _Known) -> Bounds:
    """
    The facts at an op; where a block in it has its init before a loop around, those there.

    The init happens where it says also if that loop does not run, so that what follows from its running does not count.
    """
    blocks = [block for block in blocks_in(op) if block.has_init]
    around = [loop for loop in enclosing_loops(op) if any(block.is_reduced_over(loop) for block in blocks)]
    return Bounds(around[-1]) if around else known.at(op)


# -- loops and conditions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Opened:
    """That an op was replaced by what it contains; `first` of which is to be looked at next."""

    first: Operation | None


def _open(op: ForOp | IfOp, known: _Known) -> _Opened | None:
    if isinstance(op, ForOp):
        return _open_loop(op, known)
    return _open_condition(op, known)


def _open_loop(loop: ForOp, known: _Known) -> _Opened | None:
    """A loop that runs once is its body; one that never runs is nothing. Not so where an init stands before it."""
    extent = loop.extent
    if extent.value is None and known.at(loop).is_nonnegative(-extent):
        extent = Expr.constant(0)
    if extent.value is None or extent.value > 1:
        return None
    if extent.value <= 0:
        if _has_init_of(loop, loop.body):
            return None
        Rewriter.replace_op(loop, (), loop.inits)
        return _Opened(None)
    if _moves_init(loop):
        return None
    substitute(loop.variable, loop.lower)
    for carried, init in zip(tuple(loop.carried), loop.inits, strict=True):
        carried.replace_all_uses_with(init)
    return _replace_by_body(loop, loop.body.block)


def _open_condition(op: IfOp, known: _Known) -> _Opened | None:
    """A condition that is known to hold is left out; one that is known not to decides for the other side."""
    bounds = known.at(op)
    conditions = op.condition_exprs
    open_ones = [c for c in conditions if not bounds.is_nonnegative(c)]
    # a side that is never taken may still have inits before a loop around
    keeps_else = _has_init_of(op, op.else_body)
    if not open_ones and not keeps_else:
        return _replace_by_body(op, op.then_body.block)
    if any(bounds.is_nonnegative(-c - 1) for c in open_ones) and not _has_init_of(op, op.then_body):
        if op.else_body.blocks:
            return _replace_by_body(op, op.else_body.block)
        Rewriter.erase_op(op)
        return _Opened(None)
    if len(open_ones) < len(conditions) and not keeps_else:
        op.set_index_exprs({"conditions": open_ones})
    return None


def _has_init_of(op: ForOp | IfOp, region: Region) -> bool:
    """Whether a block in a region of `op` has its init before `op`: it happens however often the region runs."""
    return any(
        isinstance(block, BlockOp)
        and block.has_init
        and any(block.is_reduced_over(loop) and loop.is_ancestor(op) for loop in block.loops())
        for block in region.walk()
    )


def _moves_init(loop: ForOp) -> bool:
    """Whether a sum that starts before the loop would start later without it, after something that looks at it."""
    return any(
        block.has_init and block.is_reduced_over(loop) and (feeds_back(block) or other_user(block, loop) is not None)
        for block in blocks_in(loop)
    )


def _replace_by_body(op: Operation, body: Block) -> _Opened:
    last = body.last_op
    results: list[SSAValue] = []
    if isinstance(last, YieldOp):
        results = list(last.values)
        Rewriter.erase_op(last)
    first = body.first_op
    for inner in tuple(body.ops):
        inner.detach()
        Rewriter.insert_op(inner, InsertPoint.before(op))
    Rewriter.replace_op(op, (), results)
    return _Opened(first)


# -- accesses ---------------------------------------------------------------------------------------------------------


def _simplify_guard(op: LoadOp | StoreOp, known: _Known) -> None:
    guards = op.guard_exprs
    if not guards:
        return
    bounds = known.at(op)
    open_ones = [g for g in guards if not bounds.is_nonnegative(g)]
    if any(bounds.is_nonnegative(-g - 1) for g in open_ones):
        if isinstance(op, StoreOp):
            Rewriter.erase_op(op)
        else:
            pad = cast("IntegerAttr | FloatAttr", op.pad)
            Rewriter.replace_op(op, like(arith.ConstantOp(pad), op))
        return
    if len(open_ones) == len(guards):
        return
    if isinstance(op, StoreOp):
        Rewriter.replace_op(op, like(StoreOp(op.value, op.buffer, op.index, open_ones), op))
    else:
        new = like(LoadOp(op.buffer, op.index, open_ones, op.pad if open_ones else None), op)
        new.out.name_hint = op.out.name_hint
        Rewriter.replace_op(op, new)


def _simplify_block(block: BlockOp, known: _Known) -> None:
    args = block.body.block.args
    positions: dict[Variable, Expr] = {arg: Expr.atom(n) for n, arg in enumerate(args)}

    def simpler(e: Expr, bounds: Bounds) -> Expr:
        if not _has_compound(e):
            return e
        (over_args,) = MapAttr((e,)).over(args)
        return bounds.simplify(over_args).substitute(positions)

    def holds(condition: Expr, bounds: Bounds) -> bool:
        return bounds.is_nonnegative(*block.over_loops((condition,)))

    def within(access: Access, bounds: Bounds) -> bool:
        if access.guard:
            return all(holds(e, bounds) for e in access.guard)
        shape = buffer_shape(access.buffer)
        return shape is not None and bounds.is_in_bounds(block.over_loops(access.indices), shape)

    def simplified(access: Access, bounds: Bounds) -> Access:
        padded = (access.pad is not None or access.guard) and not within(access, bounds)
        guard = tuple(simpler(e, bounds) for e in access.guard if not holds(e, bounds))
        indices = tuple(simpler(e, bounds) for e in access.indices)
        return Access(access.buffer, indices, access.pad if padded else None, guard)

    reads = [simplified(access, known.at(block)) for access in block.read_accesses]
    starts = _also_without_trips(block, known)
    writes = [simplified(access, starts) for access in block.write_accesses]
    clip = block.clip is not None and not all(within(access, starts) for access in block.write_accesses)
    unchanged = (
        tuple(reads) == block.read_accesses
        and tuple(writes) == block.write_accesses
        and clip == (block.clip is not None)
    )
    new = block if unchanged else rebuild(block, reads=reads, writes=writes, clip=clip)
    slim = pruned(new)
    if slim is not block:
        Rewriter.replace_op(block, slim)
