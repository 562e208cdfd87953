"""Taking reductions apart: the init as a nest of its own, accumulation in a tile, partial results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds import Bounds
from ...dialects.expr import Expr, Variable
from ...dialects.loop import (
    Access,
    AllocOp,
    BlockOp,
    ForOp,
    IfOp,
    IteratorSpec,
    YieldOp,
    buffer_type,
    enclosing_loops,
)
from ...errors import ScheduleError
from ...rewriting import decompose
from .addresses import blocks_in, function_of
from .combiners import combiner, constant_attribute, init_number, is_exact_in_any_order, is_neutral
from .conflicts import who
from .declaration import Declaration, Parameter, Step
from .nests import (
    ancestor_in,
    at_positions,
    available_at,
    body_of,
    feeds_back,
    fresh_block_label,
    hint,
    iterators_of,
    like,
    nested,
    new_loop,
    other_user,
    rebuild,
    variable,
)
from .splicing import pruned

TILE_SCOPES = ("register", "local", "global")

DECOMPOSE = Declaration(
    word="decompose",
    pass_name="decompose-reduction",
    parameters=(Parameter("block", "block"),),
    does="Put the init of a reduction into a nest of its own, before the outermost reduce loop.",
    expects="a block with an init; without `block`, every one that has an init.",
    leaves="`<block>.init`, and the block without an init.",
)

CACHE_WRITE = Declaration(
    word="cache-write",
    pass_name="cache-write",
    parameters=(
        Parameter("loop", "loop"),
        Parameter("scope", "word", choices=TILE_SCOPES, optional=True, default="register"),
    ),
    does="Accumulate in a tile inside the loop, and write the tile back when its sums are done.",
    expects="a block with an init, alone in the loop; the spatial loops inside have constant extents.",
    leaves="`<block>.init`, the block on the tile, `<block>.out`; where a reduce loop lies around, `<block>.reload`"
    " in all but its first trip.",
)

RFACTOR = Declaration(
    word="rfactor",
    pass_name="rfactor",
    parameters=(Parameter("loop", "loop"), Parameter("reassociates", "flag")),
    does="Reduce to one partial result for each iteration of a reduce loop, then combine these.",
    expects="a block with a neutral init and one known combiner; `reassociates` for sums and products of floats.",
    leaves="`<block>.partial` on a new buffer, over which the loop is spatial, and the block, which combines.",
    licence=frozenset({"reassociates"}),
)


@dataclass(frozen=True)
class _Tile:
    """What a block writes inside some op: the spatial loops there are the coordinates."""

    block: BlockOp
    loops: tuple[ForOp, ...]

    def fresh(self) -> tuple[list[ForOp], dict[Variable, Expr]]:
        """Empty copies of the loops, and what their old variables are in them."""
        mapping: dict[Variable, Expr] = {}
        copies: list[ForOp] = []
        for loop in self.loops:
            lower, upper = loop.lower.substitute(mapping), loop.upper.substitute(mapping)
            copies.append(new_loop(loop.label.data, lower, upper, loop.kind.data, self.block))
            mapping[loop.variable] = variable(copies[-1])
        return copies, mapping

    def coordinates(self, loops: Sequence[ForOp]) -> list[IteratorSpec]:
        """An iterator for each of the loops (the tile's own, or copies of them)."""
        return [IteratorSpec(f"v{hint(loop.label.data)}", "spatial", variable(loop)) for loop in loops]

    def written(self, mapping: dict[Variable, Expr]) -> tuple[list[IteratorSpec], list[Access]]:
        """The iterators that index what the block writes, at copied loops, and the writes over these."""
        accesses = self.block.write_accesses
        used = {v for access in accesses for e in (*access.indices, *access.guard) for v in e.variables()}
        kept = [n for n in range(len(self.block.kinds)) if n in used]
        renumbered: dict[Variable, Expr] = {old: Expr.atom(new) for new, old in enumerate(kept)}
        specs = iterators_of(self.block)
        iterators = [
            IteratorSpec(
                specs[n].name,
                "param" if specs[n].kind == "param" else "spatial",
                specs[n].binding.substitute(mapping),
            )
            for n in kept
        ]
        return iterators, [at_positions(access, renumbered) for access in accesses]


def _tile_inside(step: Step, block: BlockOp, point: Operation) -> _Tile:
    """The spatial loops from `point` down to `block`, if what is written there is a tile over them."""
    name = block.label.data
    written = [e for a in block.write_accesses for e in block.over_loops((*a.indices, *a.guard))]
    around: Operation = block
    while around is not point:
        parent = around.parent_op()
        assert parent is not None
        step.require(isinstance(parent, ForOp), f"block {name} stands in '{parent.name}' within its reduce loops")
        around = parent
    tile = [loop for loop in block.loops() if point.is_ancestor(loop) and not block.is_reduced_over(loop)]
    variables = {loop.variable for loop in tile}
    for loop in tile:
        step.require(
            any(e.mentions(loop.variable) for e in written),
            f"loop {loop.label.data} repeats block {name} and indexes nothing that it writes",
        )
        for e in (loop.lower, loop.upper):
            step.require(
                all(v in variables or available_at(v, point) for v in e.variables()),
                f"a bound of loop {loop.label.data} depends on a reduce loop of block {name}",
            )
    step.require(
        all(v in variables or available_at(v, point) for e in written for v in e.variables()),
        f"block {name} writes where something computed in its reduce loops says",
    )
    return _Tile(block, tuple(tile))


def _require_alone(step: Step, block: BlockOp, container: Operation) -> None:
    """Refuse where another op in `container` uses what `block` writes."""
    user = other_user(block, container)
    if user is not None:
        step.refuse(f"the buffer of block {block.label.data} is used by {who(user)} in its reduce loops")


def _require_no_feedback(step: Step, block: BlockOp) -> None:
    """Refuse where the block reads, as an operand, what it has accumulated so far: in a tile it would not be there."""
    step.require(not feeds_back(block), f"block {block.label.data} reads the buffer that it accumulates in")


def decompose_reduction(block: BlockOp) -> BlockOp:
    """Put the init of `block` before its outermost reduce loop. Returns the block of the init."""
    step = DECOMPOSE.step(block)
    name = block.label.data
    step.require(block.has_init, f"block {name} has no init")
    reduced = [loop for loop in block.loops() if block.is_reduced_over(loop)]
    _require_alone(step, block, reduced[0] if reduced else block)
    label = fresh_block_label(f"{name}.init", block)
    try:
        init = decompose.decompose_reduction(block)
    except ScheduleError as error:
        step.refuse(str(error))
    init.label = StringAttr(label)
    return init


def _writing(
    origin: BlockOp,
    suffix: str,
    iterators: Sequence[IteratorSpec],
    reads: Sequence[Access],
    writes: Sequence[Access],
    init: Region | None = None,
    *,
    clip: bool | None = None,
) -> BlockOp:
    """A block that writes the values of an init, or without one the elements that it reads."""
    types = BlockOp.argument_types(len(iterators), reads, ())
    inner = Block(arg_types=types)
    for iterator, arg in zip(iterators, inner.args, strict=False):
        arg.name_hint = iterator.name if SSAValue.is_valid_name(iterator.name) else None
    if init is None:
        inner.add_op(like(YieldOp(*inner.args[len(iterators) :]), origin))
    else:
        mapper: dict[SSAValue, SSAValue] = {}
        for op in init.block.ops:
            inner.add_op(op.clone(mapper))
    label = fresh_block_label(f"{origin.label.data}.{suffix}", origin)
    clips = origin.clip is not None if clip is None else clip
    return pruned(like(BlockOp(label, iterators, reads, writes, Region(inner), clip=clips), origin))


def cache_write(loop: ForOp, scope: str = "register") -> tuple[BlockOp, BlockOp, BlockOp]:
    """Accumulate in a tile inside `loop`. Returns the blocks of the init, of the updates, and of the write-back."""
    step = CACHE_WRITE.step(loop, scope)
    label = loop.label.data
    step.require(scope in TILE_SCOPES, f"there is no scope {scope}: {', '.join(TILE_SCOPES)}")
    blocks = blocks_in(loop)
    step.require(len(blocks) == 1, f"loop {label} contains {len(blocks)} blocks, not one")
    (block,) = blocks
    name = block.label.data
    step.require(block.has_init, f"block {name} has no init")
    point = ancestor_in(block, body_of(loop))
    assert point is not None
    tile = _tile_inside(step, block, point)
    for each in tile.loops:
        step.require(
            each.lower.value == 0 and each.extent.value is not None,
            f"the extent of loop {each.label.data} in the tile is not constant",
        )
    around = [outer for outer in (loop, *enclosing_loops(loop)) if block.is_reduced_over(outer)]
    for outer in around:
        step.require(outer.lower.value == 0, f"loop {outer.label.data} does not start at 0")
        step.require(
            Bounds(outer).is_nonnegative(outer.extent - 1),
            f"reduce loop {outer.label.data} of block {name} lies around the tile and may not run at all",
        )
    if around:
        _require_first_trip(step, block, loop, around[-1])
    _require_alone(step, block, around[-1] if around else loop)
    _require_no_feedback(step, block)
    return _with_tile(tile, point, scope, [variable(outer) for outer in around])


def _require_first_trip(step: Step, block: BlockOp, loop: ForOp, outermost: ForOp) -> None:
    """Refuse where the loop may be left out in the first trip of the reduce loops around, which is to do the init."""
    inner: Operation = loop
    while inner is not outermost:
        around = inner.parent_op()
        assert around is not None
        changes = isinstance(around, IfOp) and not all(
            available_at(v, outermost) for e in around.condition_exprs for v in e.variables()
        )
        step.require(
            isinstance(around, ForOp | IfOp) and not changes,
            f"block {block.label.data} stands in '{around.name}' within its reduce loops",
        )
        inner = around


def _with_tile(tile: _Tile, point: Operation, scope: str, trips: Sequence[Expr]) -> tuple[BlockOp, BlockOp, BlockOp]:
    block = tile.block
    buffers = [_tile_buffer(tile, scope, buffer, point) for buffer in block.writes]

    loops, _ = tile.fresh()
    at = tuple(Expr.atom(n) for n in range(len(loops)))
    tiles = [Access(buffer, at) for buffer in buffers]
    init = _writing(block, "init", tile.coordinates(loops), (), tiles, block.init, clip=False)
    start = nested(loops, init)
    if trips:
        # in the first trip of the reduce loops around the init, in the others what is there already
        again, mapping = tile.fresh()
        reload = _copying(tile, "reload", again, mapping, buffers, to_tile=True)
        start = like(
            IfOp([-trip for trip in trips], Region(Block([start])), Region(Block([nested(again, reload)]))), block
        )
    Rewriter.insert_op(start, InsertPoint.before(point))

    back, mapping = tile.fresh()
    out = _copying(tile, "out", back, mapping, buffers, to_tile=False)
    Rewriter.insert_op(nested(back, out), InsertPoint.after(point))
    updated = _on_tile(tile, buffers, keeps_init=False)
    Rewriter.replace_op(block, updated)
    return init, updated, out


def _tile_buffer(tile: _Tile, scope: str, buffer: SSAValue, point: Operation) -> SSAValue:
    extents = [extent for loop in tile.loops if (extent := loop.extent.value) is not None]
    alloc = like(AllocOp(scope, MemRefType(buffer_type(buffer).element_type, extents)), tile.block)
    name = f"{hint(tile.block.label.data)}_tile"
    alloc.buffer.name_hint = name if SSAValue.is_valid_name(name) else None
    Rewriter.insert_op(alloc, InsertPoint.before(point))
    return alloc.buffer


def _copying(
    tile: _Tile,
    suffix: str,
    loops: Sequence[ForOp],
    mapping: dict[Variable, Expr],
    buffers: Sequence[SSAValue],
    *,
    to_tile: bool,
) -> BlockOp:
    """A block that copies the tile to where the block of the tile wrote, or the other way."""
    outside, accesses = tile.written(mapping)
    iterators = [*outside, *tile.coordinates(loops)]
    at = tuple(Expr.atom(len(outside) + n) for n in range(len(loops)))
    tiles = [Access(buffer, at) for buffer in buffers]
    reads, writes = (accesses, tiles) if to_tile else (tiles, accesses)
    if to_tile:
        reads = [
            replace(access, pad=constant_attribute(0, buffer_type(access.buffer).element_type))
            if access.guard or tile.block.clip is not None
            else access
            for access in reads
        ]
    return _writing(tile.block, suffix, iterators, reads, writes, clip=None if not to_tile else False)


def _on_tile(tile: _Tile, buffers: Sequence[SSAValue], *, keeps_init: bool) -> BlockOp:
    """The tile's block, writing to the tile."""
    block = tile.block
    own = iterators_of(block)
    specs = [*own, *tile.coordinates(tile.loops)]
    count, added = len(own), len(tile.loops)
    moved: dict[Variable, Expr] = {count + n: Expr.atom(count + added + n) for n in range(len(block.reads))}
    reads = [at_positions(access, moved) for access in block.read_accesses]
    at = tuple(Expr.atom(count + n) for n in range(added))
    for n, spec in enumerate(specs[count:]):
        arg = block.body.block.insert_arg(IndexType(), count + n)
        arg.name_hint = spec.name if SSAValue.is_valid_name(spec.name) else None
    writes = [Access(buffer, at) for buffer in buffers]
    init = None if keeps_init else Region()
    return pruned(rebuild(block, iterators=specs, reads=reads, writes=writes, init=init, clip=False))


def rfactor(loop: ForOp, reassociates: bool = False) -> tuple[BlockOp, BlockOp]:
    """Reduce to partial results over `loop`, then combine. Returns the block of these and the one that combines."""
    step = RFACTOR.step(loop, reassociates)
    label = loop.label.data
    blocks = [block for block in blocks_in(loop) if block.is_reduced_over(loop)]
    step.require(len(blocks) == 1, f"loop {label} reduces {len(blocks)} blocks, not one")
    (block,) = blocks
    name = block.label.data
    found = combiner(block)
    step.require(block.has_init, f"block {name} has no init")
    if found is None:
        step.refuse(f"block {name} does not combine by one op that is known to be associative")
    step.require(
        reassociates or is_exact_in_any_order(block),
        f"block {name} sums floats, which would change its order; allow it by 'reassociates'",
    )
    start = init_number(block)
    step.require(
        start is not None and is_neutral(block, found, start), f"the init of block {name} is not a neutral constant"
    )
    container = next(outer for outer in block.loops() if block.is_reduced_over(outer))
    step.require(available_at(block.writes[0], container), f"the buffer of block {name} is allocated in a reduce loop")
    tile = _tile_inside(step, block, container)
    _require_alone(step, block, container)
    _require_no_feedback(step, block)
    step.require(loop.lower.value == 0, f"loop {label} does not start at 0")
    for each in (*tile.loops, loop):
        step.require(
            all(available_at(v, container) for e in (each.lower, each.upper) for v in e.variables())
            and each.lower.value == 0,
            f"the bounds of loop {each.label.data} depend on loops inside of the reduction of block {name}",
        )

    return _factored(tile, loop, container)


def _factored(tile: _Tile, loop: ForOp, container: Operation) -> tuple[BlockOp, BlockOp]:
    block = tile.block
    name = block.label.data
    extents = [each.extent for each in (*tile.loops, loop)]
    shape = [DYNAMIC_INDEX if e.value is None else e.value for e in extents]
    scope = "global" if container.parent_op() is function_of(container) else "local"
    element = buffer_type(block.writes[0]).element_type
    alloc = like(AllocOp(scope, MemRefType(element, shape), [e for e in extents if e.value is None]), block)
    Rewriter.insert_op(alloc, InsertPoint.before(container))

    # the block that combines the partial results, after the loops of the block
    loops, mapping = tile.fresh()
    lanes = new_loop(loop.label.data, 0, loop.extent, "serial", block)
    iterators, writes = tile.written(mapping)
    coordinates = tile.coordinates(loops)
    specs = [*iterators, *coordinates, IteratorSpec(f"v{hint(loop.label.data)}", "reduce", variable(lanes))]
    at = tuple(Expr.atom(len(iterators) + n) for n in range(len(coordinates) + 1))
    found = combiner(block)
    assert found is not None
    read = Access(alloc.buffer, at)
    body = Block(arg_types=BlockOp.argument_types(len(specs), [read], writes))
    partial, old = body.args[-2:]
    op = found.op.clone({found.term: partial, block.old_elements[0]: old})
    body.add_ops([op, like(YieldOp(op.results[0]), block)])
    init = block.init.clone()
    clip = block.clip is not None
    combining = pruned(like(BlockOp(name, specs, [read], writes, Region(body), init, clip=clip), block))
    Rewriter.insert_op(nested([*loops, lanes], combining), InsertPoint.after(container))

    # the block itself, with the loop as an axis of what it writes
    block.label = StringAttr(fresh_block_label(f"{name}.partial", block))
    partials = _on_tile(_Tile(block, (*tile.loops, loop)), [alloc.buffer], keeps_init=True)
    Rewriter.replace_op(block, partials)
    return partials, combining
