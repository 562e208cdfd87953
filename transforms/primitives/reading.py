"""What a block reads, copied into a buffer of its own: padding filled in, strides and windows made plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds import Bounds
from ...dialects.expr import Compound, Expr, Variable, floordiv, maximum, mod
from ...dialects.loop import Access, AllocOp, BlockOp, ForOp, IteratorSpec, YieldOp, buffer_type
from .combiners import constant_attribute
from .declaration import Declaration, Parameter, Step
from .nests import available_at, fresh_block_label, like, nested, new_loop, rebuild, variable, writes_to

FORMS = ("box", "points")

CACHE_READ = Declaration(
    word="cache-read",
    pass_name="cache-read",
    parameters=(
        Parameter("block", "block"),
        Parameter("read", "integer"),
        Parameter("form", "word", choices=FORMS, optional=True, default="box"),
        Parameter("phases", "integer", optional=True),
    ),
    does="Copy what a block reads into a buffer of its own before the outermost loop, padding filled in.",
    expects="loops from 0 around the block, and a read of a buffer that they leave alone, at sums of positive multiples"
    " of their variables.",
    leaves="`<block>.read`, which copies, and an unpadded read: of the `box` that contains all that is read, its last"
    " dim in `phases` interleaved parts; or at `points`, one dim for each loop that the read goes along, reduce loops"
    " first.",
)


@dataclass(frozen=True)
class _Copy:
    """A buffer by its shape, where in the original its elements lie (over its dims), and where the block reads it."""

    sizes: tuple[Expr, ...]
    origin: tuple[Expr, ...]
    read: tuple[Expr, ...]


def cache_read(block: BlockOp, read: int, form: str = "box", phases: int | None = None) -> BlockOp:
    """Let `block` read a copy in place of its read number `read`. Returns the block that copies."""
    step = CACHE_READ.step(block, read, form, phases)
    name = block.label.data
    step.require(form in FORMS, f"there is no form {form}: {', '.join(FORMS)}")
    step.require(0 <= read < len(block.reads), f"block {name} has {len(block.reads)} reads: there is no read {read}")
    step.require(phases is None or (phases >= 1 and form == "box"), "there are at least 1 phases, and only of a box")
    access = block.read_accesses[read]
    loops = block.loops()
    step.require(bool(loops), f"block {name} stands in no loop")
    outermost = loops[0]
    step.require(
        not any(writes_to(op, access.buffer) for op in outermost.walk()),
        f"what block {name} reads is written in loop {outermost.label.data}",
    )
    step.require(not access.guard, f"read {read} of block {name} has conditions")
    extents = _extents(step, block, access, outermost)
    copied = _points(block, access, extents) if form == "points" else _box(step, access, extents, phases or 1)

    at = Bounds(outermost)
    sizes = [e if at.is_nonnegative(e) else maximum(e, 0) for e in copied.sizes]
    element = buffer_type(access.buffer).element_type
    shape = [DYNAMIC_INDEX if e.value is None else e.value for e in sizes]
    alloc = like(AllocOp("global", MemRefType(element, shape), [e for e in sizes if e.value is None]), block)
    alloc.buffer.name_hint = f"{access.buffer.name_hint or 'x'}_read"
    copies = [new_loop(f"r{n}", 0, size, "serial", block) for n, size in enumerate(sizes)]
    filled = _copying(block, access, copied.origin, alloc, copies)
    Rewriter.insert_op([alloc, nested(copies, filled)], InsertPoint.before(outermost))
    reads = list(block.read_accesses)
    reads[read] = Access(alloc.buffer, copied.read)
    Rewriter.replace_op(block, rebuild(block, reads=reads))
    return filled


def _copying(
    block: BlockOp, access: Access, origin: tuple[Expr, ...], alloc: AllocOp, loops: Sequence[ForOp]
) -> BlockOp:
    """The block that copies, to stand in `loops`."""
    element: Attribute = buffer_type(access.buffer).element_type
    # beyond what is read there may be nothing to copy: between the phases, and where a loop does not run
    pad = constant_attribute(0, element) if access.pad is None else access.pad
    source = replace(access, indices=origin, pad=pad)
    target = Access(alloc.buffer, tuple(Expr.atom(n) for n in range(len(loops))))
    specs = [IteratorSpec(f"v{loop.label.data}", "spatial", variable(loop)) for loop in loops]
    body = Region(Block(arg_types=BlockOp.argument_types(len(specs), [source], [])))
    body.block.add_op(YieldOp(body.block.args[-1]))
    return like(BlockOp(fresh_block_label(f"{block.label.data}.read", block), specs, [source], [target], body), block)


def _extents(step: Step, block: BlockOp, access: Access, outermost: ForOp) -> dict[int, Expr]:
    """How far each iterator goes that the read mentions, in the order of the loops."""
    name = block.label.data
    used: set[Variable] = set()
    for e in access.indices:
        for monomial, coefficient in e.terms.items():
            plain = len(monomial.atoms) == 1 and not isinstance(monomial.atoms[0], Compound)
            step.require(plain and coefficient > 0, f"block {name} does not read at sums of multiples of iterators")
            used.add(monomial.atoms[0])
    extents: dict[int, Expr] = {}
    bindings = {e.variable: n for n, e in enumerate(block.bindings)}
    for loop in block.loops():
        position = bindings.get(loop.variable)
        if position not in used:
            continue
        step.require(loop.lower.value == 0, f"loop {loop.label.data} does not start at 0")
        step.require(
            all(available_at(v, outermost) for v in loop.upper.variables()),
            f"the extent of loop {loop.label.data} is not known outside of loop {outermost.label.data}",
        )
        assert position is not None
        extents[position] = loop.upper
    step.require(used <= extents.keys(), f"block {name} reads at something else than iterators that are loops")
    return extents


def _box(step: Step, access: Access, extents: dict[int, Expr], phases: int) -> _Copy:
    """All that lies between the first and the last index along each dim."""
    low = [e.offset for e in access.indices]
    spans = [
        (e - offset).substitute({n: extent - 1 for n, extent in extents.items()}) + 1
        for e, offset in zip(access.indices, low, strict=True)
    ]
    step.require(all(e.value is None or e.value > 0 for e in spans), "nothing is read: a loop does not run")
    dims = [Expr.atom(n) for n in range(len(spans))]
    read = [e - offset for e, offset in zip(access.indices, low, strict=True)]
    if phases == 1 or not spans:
        return _Copy(tuple(spans), tuple(d + offset for d, offset in zip(dims, low, strict=True)), tuple(read))
    *sizes, last = spans
    sizes += [Expr.constant(phases), floordiv(last + (phases - 1), phases)]
    dims[-1] = Expr.atom(len(spans)) * phases + Expr.atom(len(spans) - 1)
    read[-1:] = [mod(read[-1], phases), floordiv(read[-1], phases)]
    return _Copy(tuple(sizes), tuple(d + offset for d, offset in zip(dims, low, strict=True)), tuple(read))


def _points(block: BlockOp, access: Access, extents: dict[int, Expr]) -> _Copy:
    """Every element once for each time that it is read."""
    kinds = block.iterator_kinds
    order: Sequence[int] = sorted(extents, key=lambda n: kinds[n] != "reduce")  # stable: as the loops stand
    places: dict[Variable, Expr] = {n: Expr.atom(dim) for dim, n in enumerate(order)}
    origin = tuple(e.substitute(places) for e in access.indices)
    return _Copy(tuple(extents[n] for n in order), origin, tuple(Expr.atom(n) for n in order))
