"""Reshaping loops around blocks: split one, fuse two, change their order. Only bindings and bounds change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.accesses import Touch
from ...analysis.bounds import Bounds
from ...dialects.expr import Expr, Variable, floordiv, minimum, mod
from ...dialects.loop import BlockOp, ForOp, enclosing_loops, substitute
from ...errors import ScheduleError, require
from .addresses import blocks_in
from .combiners import is_exact_in_any_order
from .conflicts import describe, never_meet, shared_within
from .declaration import Declaration, Parameter, Step
from .nests import (
    body_of,
    feeds_back,
    in_order,
    labels_around,
    move_ops,
    new_loop,
    only_op,
    other_user,
    variable,
)

SPLIT = Declaration(
    word="split",
    pass_name="split-loop",
    parameters=(
        Parameter("loop", "loop"),
        Parameter("factor", "integer"),
        Parameter("names", "names", optional=True),
    ),
    does="Split a loop into an outer one over tiles and an inner one within a tile.",
    expects="a loop from 0, serial or parallel; a factor of at least 1.",
    leaves="`<label>.outer` and `<label>.inner`, whose bound is a `min` where the factor does not divide the extent.",
)

FUSE = Declaration(
    word="fuse",
    pass_name="fuse-loops",
    parameters=(Parameter("outer", "loop"), Parameter("inner", "loop")),
    does="Make one loop of two nested ones; bindings get `floordiv` and `mod`.",
    expects="the inner loop alone in the outer one, its bounds free of it, both of one kind for each block.",
    leaves="one loop `<outer>.<inner>`, which runs through the same points in the same order.",
)

REORDER = Declaration(
    word="reorder",
    pass_name="reorder-loops",
    parameters=(Parameter("loops", "loops"), Parameter("reassociates", "flag")),
    does="Let the loops named take each other's places in a perfect chain, in the order given, outermost first.",
    expects="a perfect chain, and no value that is written in one iteration and used in another whose order changes.",
    leaves="the same loops in the new order; sums of floats keep their order unless `reassociates` is given.",
    licence=frozenset({"reassociates"}),
)


def split(loop: ForOp, factor: int, names: Sequence[str] | None = None) -> tuple[ForOp, ForOp]:
    """Split `loop` into `<label>.outer` and `<label>.inner` (or `names`): `v := outer * factor + inner`."""
    require(names, (Sequence, type(None)), "two names for the loops", ScheduleError)
    step = SPLIT.step(loop, factor, None if names is None else tuple(names))
    label = loop.label.data
    outer_label, inner_label = _split_names(step, loop, names)
    step.require(factor >= 1, f"the factor of loop {label} must be at least 1, not {factor}")
    step.require(loop.lower.value == 0, f"loop {label} does not start at 0")
    step.require(not loop.inits, f"loop {label} carries values from one iteration to the next")
    step.require(
        loop.kind.data in ("serial", "parallel"), f"loop {label} is {loop.kind.data}: split it before it gets its kind"
    )
    extent = loop.extent
    divides = mod(extent, factor).value == 0

    outer = new_loop(outer_label, 0, floordiv(extent + (factor - 1), factor), loop.kind.data, loop)
    remaining = extent - variable(outer) * factor
    inner = new_loop(inner_label, 0, factor if divides else minimum(factor, remaining), "serial", loop)
    if outer.upper.value == 1:
        inner.set_index_exprs({"bounds": (Expr.constant(0), extent)})
    body_of(outer).add_op(inner)
    _replace_loop(loop, outer, inner, variable(outer) * factor + variable(inner))
    return outer, inner


def _split_names(step: Step, loop: ForOp, names: Sequence[str] | None) -> tuple[str, str]:
    label = loop.label.data
    wanted = (f"{label}.outer", f"{label}.inner") if names is None else tuple(names)
    step.require(len(wanted) == 2, f"a split has two names, not {len(wanted)}")
    outer, inner = wanted[0], wanted[-1]
    taken = labels_around(loop)
    step.require(outer != inner, f"both parts of loop {label} would be called {outer}")
    for name in wanted:
        step.require(name not in taken, f"another loop around the same block is called {name} already")
    return outer, inner


def _replace_loop(old: ForOp, new: ForOp, innermost: ForOp, e: Expr) -> None:
    """Put the nest `new`, whose innermost loop is `innermost`, in the place of `old`, whose variable is now `e`."""
    move_ops(body_of(old), body_of(innermost))
    Rewriter.insert_op(new, InsertPoint.before(old))
    substitute(old.variable, e)
    Rewriter.erase_op(old)


def fuse(outer: ForOp, inner: ForOp) -> ForOp:
    """Make one loop of `outer` and `inner`, which must be all that `outer` contains."""
    step = FUSE.step(outer, inner)
    names = f"loops {outer.label.data} and {inner.label.data}"
    step.require(only_op(body_of(outer)) is inner, f"{names}: the second is not all that the first contains")
    for loop in (outer, inner):
        step.require(loop.lower.value == 0, f"loop {loop.label.data} does not start at 0")
        step.require(not loop.inits, f"loop {loop.label.data} carries values from one iteration to the next")
    step.require(outer.kind.data == inner.kind.data, f"{names} are {outer.kind.data} and {inner.kind.data}")
    extent = inner.extent
    step.require(
        not extent.mentions(outer.variable),
        f"the extent of loop {inner.label.data} depends on loop {outer.label.data}",
    )
    for block in blocks_in(inner):
        one, other = _role(block, outer), _role(block, inner)
        step.require(one == other, f"{names} are {one} and {other} for block {block.label.data}")
    label = f"{outer.label.data}.{inner.label.data}"
    step.require(label not in labels_around(outer), f"another loop around the same block is called {label} already")

    # an inner loop that runs a negative number of times runs as often as one that runs none
    trips = extent if Bounds(inner).is_nonnegative(extent) else _at_least_zero(extent)
    fused = new_loop(label, 0, outer.extent * trips, outer.kind.data, outer)
    move_ops(body_of(inner), body_of(fused))
    Rewriter.insert_op(fused, InsertPoint.before(outer))
    substitute(inner.variable, mod(variable(fused), trips))
    substitute(outer.variable, floordiv(variable(fused), trips))
    Rewriter.erase_op(outer)
    return fused


def _at_least_zero(e: Expr) -> Expr:
    return -minimum(-e, 0)


def _role(block: BlockOp, loop: ForOp) -> str:
    """What a loop is for a block: ordered, reduce, spatial, or nothing it depends on."""
    if block.is_reduced_over(loop):
        return "reduce"
    kinds = {kind for kind, e in zip(block.iterator_kinds, block.bindings, strict=True) if e.mentions(loop.variable)}
    if "ordered" in kinds:
        return "ordered"
    return "spatial" if kinds else "unused"


def reorder(loops: Sequence[ForOp], reassociates: bool = False) -> None:
    """Put `loops`, all in one perfect chain, into the order given, outermost first, on the places that they have."""
    require(loops, Sequence, "loops in their new order", ScheduleError)
    step = REORDER.step(tuple(loops), reassociates)
    step.require(len(set(loops)) == len(loops), "a loop is named twice")
    step.require(len(loops) > 0, "no loop is named")
    places = in_order(loops)
    chain = _chain(step, places)
    order = iter(loops)
    wanted = [next(order) if loop in places else loop for loop in chain]
    _check_bounds(step, wanted)
    for loop in chain:
        step.require(not loop.inits, f"loop {loop.label.data} carries values from one iteration to the next")
    _check_order(step, chain, wanted, reassociates)
    if wanted == chain:
        return

    innermost, outermost = body_of(chain[-1]), chain[0]
    rest = tuple(innermost.ops)
    for op in rest:
        op.detach()
    place = InsertPoint.before(outermost)
    for loop in reversed(chain):
        if loop is not outermost:
            loop.detach()
    holder = outermost.parent
    assert holder is not None
    following = outermost.next_op
    outermost.detach()
    place = InsertPoint.at_end(holder) if following is None else InsertPoint.before(following)
    for parent, child in pairwise(wanted):
        body_of(parent).add_op(child)
    for op in rest:
        body_of(wanted[-1]).add_op(op)
    Rewriter.insert_op(wanted[0], place)


def _chain(step: Step, places: Sequence[ForOp]) -> list[ForOp]:
    """The loops from the outermost of `places` to the innermost, each all that the one around it contains."""
    outermost, innermost = places[0], places[-1]
    chain = [innermost]
    for loop in enclosing_loops(innermost):
        if chain[0] is outermost:
            break
        step.require(
            only_op(body_of(loop)) is chain[0],
            f"loop {loop.label.data} contains more than loop {chain[0].label.data}: the chain is not perfect",
        )
        chain.insert(0, loop)
    for loop in places:
        step.require(loop in chain, f"loop {loop.label.data} is not in one chain with loop {innermost.label.data}")
    return chain


def _check_bounds(step: Step, wanted: Sequence[ForOp]) -> None:
    for n, loop in enumerate(wanted):
        for inside in wanted[n + 1 :]:
            step.require(
                not any(e.mentions(inside.variable) for e in (loop.lower, loop.upper)),
                f"a bound of loop {loop.label.data} depends on loop {inside.label.data}",
            )


def _check_order(step: Step, chain: Sequence[ForOp], wanted: Sequence[ForOp], reassociates: bool) -> None:
    swapped = [(a, b) for n, a in enumerate(chain) for b in chain[n + 1 :] if wanted.index(a) > wanted.index(b)]
    blocks = blocks_in(chain[-1])
    shared = {a: list(shared_within(a)) for a in dict.fromkeys(a for a, _ in swapped)}
    role = {loop: {block: _role(block, loop) for block in blocks} for pair in swapped for loop in pair}
    for a, b in swapped:
        names = f"loops {a.label.data} and {b.label.data}"
        for block in blocks:
            roles = role[a][block], role[b][block]
            step.require(roles != ("ordered", "ordered"), f"{names} are ordered for block {block.label.data}")
            step.require(
                set(roles) != {"unused", "reduce"},
                f"{names}: block {block.label.data} reduces over one and is repeated by the other",
            )
            moves = block.has_init and "reduce" in roles and roles != ("reduce", "reduce")
            step.require(
                not moves or (other_user(block, chain[0]) is None and not feeds_back(block)),
                f"{names}: block {block.label.data} would start its sums at another time, and they are used there",
            )
            step.require(
                roles != ("reduce", "reduce") or reassociates or is_exact_in_any_order(block),
                f"{names} reduce block {block.label.data}: its sum would change its order; allow it by 'reassociates'",
            )
        # two iterations run in another order than before only if `a` is the first loop in which they differ in the
        # old order, and `b` in the new one, the other way round
        equal = [loop for loop in wanted[: wanted.index(b)] if chain.index(loop) > chain.index(a)]

        def crossed(
            copied: Mapping[Variable, Expr], a: ForOp = a, b: ForOp = b, equal: Sequence[ForOp] = equal
        ) -> list[Expr]:
            known = [variable(a) - copied[a.variable] - 1, copied[b.variable] - variable(b) - 1]
            for loop in equal:
                distance = variable(loop) - copied[loop.variable]
                known += [distance, -distance]
            return known

        for one, other in shared[a]:
            block = one.op
            if isinstance(block, BlockOp) and _keeps_sums(block, one, other, (role[a][block], role[b][block])):
                continue
            pairs = ((one, other),) if one is other else ((one, other), (other, one))
            for first, second in pairs:
                step.require(
                    never_meet(first, second, a, crossed),
                    f"iterations of {names} may meet in {describe(one, other)}",
                )


def _keeps_sums(block: BlockOp, one: Touch, other: Touch, roles: tuple[str, str]) -> bool:
    """Whether two writes of a block add to one sum in both iterations, or are of elements that never meet."""
    if block is not other.op or not (one.writes and other.writes):
        return False
    return roles == ("reduce", "reduce") or (one is other and _has_plain_writes(block))


def _has_plain_writes(block: BlockOp) -> bool:
    """Whether each point of the spatial iterators is one element: every index of a write is an iterator of its own."""
    for access in block.write_accesses:
        positions = [e.variable for e in access.indices]
        spatial = {n for n, kind in enumerate(block.iterator_kinds) if kind == "spatial"}
        if None in positions or set(positions) != spatial or len(positions) != len(spatial):
            return False
    return True
