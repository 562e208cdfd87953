"""The ends of loops: peel the last iterations off, or round the extent up and pad."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.bounds import Bounds
from ...dialects.expr import Expr, Variable, as_expr, floordiv, maximum, minimum, mod
from ...dialects.loop import (
    Access,
    AllocOp,
    BlockOp,
    ForOp,
    IfOp,
    IndexOp,
    ViewOp,
    buffer_shape,
    buffer_type,
    is_scalar_op,
    substitute,
)
from .addresses import blocks_in, index_text, walk_nest
from .combiners import (
    Number,
    combiner,
    constant_attribute,
    is_neutral,
    is_number_of,
    neutral_value,
    number_of,
    padded_term,
)
from .declaration import Declaration, Parameter, Step
from .nests import fresh_block_label, labels_around, rebuild, variable

PEEL = Declaration(
    word="peel",
    pass_name="peel-loop",
    parameters=(Parameter("loop", "loop"), Parameter("at", "index")),
    does="Cut a loop in two: the iterations before `at`, and the rest as a nest of its own after them.",
    expects="a loop from 0; no block below that still has its init and reduces over the loop.",
    leaves="the loop up to `at`, and a copy for the rest whose loop and blocks are labelled `<label>.tail`.",
)

PAD = Declaration(
    word="pad",
    pass_name="pad-loop",
    parameters=(
        Parameter("loop", "loop"),
        Parameter("multiple", "integer"),
        Parameter("value", "number", optional=True),
    ),
    does="Round the extent of a loop up to a multiple; reads beyond get `else value`, writes beyond are clipped.",
    expects="a loop whose iterations beyond the extent write out of bounds, or add what is neutral to a reduction.",
    leaves="a loop whose extent the multiple divides.",
)


_PADDED = (ForOp, IfOp, BlockOp, AllocOp, ViewOp, IndexOp)
"""What a padded loop may contain, scalar ops aside: blocks, whose accesses are padded, and what stands around them."""


def peel(loop: ForOp, at: Expr | int) -> tuple[ForOp, ForOp]:
    """Cut `loop` into `[0, at)` and `[at, extent)`; exact for every value of `at`. Returns both loops."""
    at = as_expr(at)
    step = PEEL.step(loop, at)
    label = loop.label.data
    step.require(loop.lower.value == 0, f"loop {label} does not start at 0")
    step.require(not loop.inits, f"loop {label} carries values from one iteration to the next")
    step.require(
        loop.kind.data in ("serial", "parallel"), f"loop {label} is {loop.kind.data}: peel it before it gets its kind"
    )
    for block in blocks_in(loop):
        step.require(
            not (block.has_init and block.is_reduced_over(loop)),
            f"loop {label} reduces block {block.label.data}, whose init would run again: decompose it first",
        )
    tail_label = f"{label}.tail"
    step.require(tail_label not in labels_around(loop), f"another loop around the same block is called {tail_label}")
    extent = loop.extent
    bounds = Bounds(loop)
    beyond = extent - at
    within = all(side.value is None or side.value >= 0 for side in (at, beyond))
    step.require(within, f"{index_text(at, loop)} is not within the range of loop {label}")
    # where it cannot be proved that `at` lies within the range, each part is cut off where it would leave it
    end = at if bounds.is_nonnegative(beyond) else minimum(at, extent)
    start = at if bounds.is_nonnegative(at) else maximum(at, 0)

    tail = loop.clone()
    tail.label = type(loop.label)(tail_label)
    Rewriter.insert_op(tail, InsertPoint.after(loop))
    for block in blocks_in(tail):
        block.label = type(block.label)(fresh_block_label(f"{block.label.data}.tail", loop))
    loop.set_index_exprs({"bounds": (Expr.constant(0), end)})
    tail.set_index_exprs({"bounds": (Expr.constant(0), extent - start)})
    substitute(tail.variable, start + variable(tail))
    return loop, tail


def pad_loop(loop: ForOp, multiple: int, value: Number | None = None) -> ForOp:
    """Round the extent of `loop` up to a multiple; `value` is what padded reads get, else what is neutral."""
    step = PAD.step(loop, multiple, value)
    label = loop.label.data
    step.require(multiple >= 1, f"the multiple of loop {label} must be at least 1, not {multiple}")
    step.require(loop.lower.value == 0, f"loop {label} does not start at 0")
    step.require(not loop.inits, f"loop {label} carries values from one iteration to the next")
    for op in walk_nest(loop):
        step.require(
            isinstance(op, _PADDED) or is_scalar_op(op), f"loop {label} contains '{op.name}', which cannot be padded"
        )
        if isinstance(op, ForOp) and op is not loop:
            step.require(
                not any(e.mentions(loop.variable) for e in (op.lower, op.upper)),
                f"a bound of loop {op.label.data} depends on loop {label}",
            )
        if isinstance(op, AllocOp):
            step.require(
                not any(e.mentions(loop.variable) for e in op.shape_exprs),
                f"the size of a buffer depends on loop {label}",
            )
    extent = loop.extent
    if mod(extent, multiple).value == 0:
        return loop
    pads = [(block, _pads(step, loop, block, value)) for block in blocks_in(loop)]

    for block, reads in pads:
        clip = block.clip is not None or not block.is_reduced_over(loop)
        new = rebuild(block, reads=reads, clip=clip)
        Rewriter.replace_op(block, new)
    loop.set_index_exprs({"bounds": (Expr.constant(0), floordiv(extent + (multiple - 1), multiple) * multiple)})
    return loop


def _pads(step: Step, loop: ForOp, block: BlockOp, value: Number | None) -> list[Access]:
    """The reads of `block` with what they get beyond the extent; refused where that would change a result."""
    label, name = loop.label.data, block.label.data
    for kind, e in zip(block.iterator_kinds, block.bindings, strict=True):
        step.require(kind != "ordered" or not e.mentions(loop.variable), f"loop {label} is ordered for block {name}")
    reduced = block.is_reduced_over(loop)
    found = combiner(block) if reduced else None
    if not reduced:
        for access in block.write_accesses:
            step.require(
                not access.guard, f"block {name} writes under a condition of its own: pad before storage is flat"
            )
            step.require(
                _is_beyond(loop, block, access),
                f"block {name} writes beyond loop {label} within its buffer, where clipping does not reach",
            )
    else:
        step.require(
            found is not None, f"loop {label} reduces block {name} in a way that is not known to have a neutral"
        )
    if value is None:
        value = 0 if found is None else neutral_value(found)
    reads: list[Access] = []
    padded: dict[SSAValue, Number] = {}
    gathered: set[Variable] = set()
    start = len(block.kinds)
    for n, access in enumerate(block.read_accesses):
        touched = any(e.mentions(loop.variable) for e in block.over_loops(access.indices)) or any(
            e.mentions(position) for e in access.indices for position in gathered
        )
        if not touched:
            reads.append(access)
            continue
        gathered.add(start + n)
        element = buffer_type(access.buffer).element_type
        step.require(not access.guard, f"block {name} reads under a condition of its own: pad before storage is flat")
        step.require(access.pad is not None or is_number_of(value, element), f"{value} is no number of type {element}")
        pad: Attribute = constant_attribute(value, element) if access.pad is None else access.pad
        reads.append(Access(access.buffer, access.indices, pad))
        number = number_of(pad)
        if number is not None and _is_beyond(loop, block, access):
            padded[block.read_elements[n]] = number
    if found is not None:
        term = padded_term(found, padded)
        step.require(
            term is not None and is_neutral(block, found, term),
            f"loop {label} reduces block {name}: padded with {value}, what is beyond the extent is not neutral",
        )
    return reads


def _is_beyond(loop: ForOp, block: BlockOp, access: Access) -> bool:
    """Whether every iteration at or after the extent of `loop` is proved to be out of the bounds of the access."""
    shape = buffer_shape(access.buffer)
    if shape is None:
        return False
    bounds = Bounds(block)
    for e, dim in zip(block.over_loops(access.indices), shape, strict=True):
        factor = e.coefficient(loop.variable)
        if factor is None or factor.value is None or factor.value <= 0:
            continue
        if bounds.is_nonnegative(e.substitute({loop.variable: loop.extent}) - dim):
            return True
    return False
