"""What a loop is to become: parallel, vectorized, unrolled, or serial again."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr

from ...dialects.loop import AssertOp, ForOp, WhileOp
from .addresses import walk_nest
from .conflicts import why_not_parallel
from .declaration import Declaration, Parameter

KINDS = ("serial", "parallel", "vectorized", "unrolled")

KIND = Declaration(
    word="kind",
    pass_name="set-loop-kind",
    parameters=(Parameter("loop", "loop"), Parameter("kind", "word", choices=KINDS)),
    does="Say what a loop is to become.",
    expects="parallel, vectorized: no two iterations meet in an element; vectorized, unrolled: a constant extent.",
    leaves="the loop, annotated.",
)


def set_kind(loop: ForOp, kind: str) -> ForOp:
    """Annotate `loop` with a kind of `KINDS`."""
    step = KIND.step(loop, kind)
    label = loop.label.data
    step.require(kind in KINDS, f"there is no kind {kind}: a loop is {', '.join(KINDS)}")
    step.require(kind == "serial" or not loop.inits, f"loop {label} carries values from one iteration to the next")
    if kind in ("vectorized", "unrolled"):
        step.require(loop.extent.value is not None, f"the extent of loop {label} is not constant")
    if kind == "vectorized":
        step.require(loop.lower.value == 0, f"loop {label} does not start at 0")
        for op in walk_nest(loop):
            step.require(
                not isinstance(op, WhileOp | func.CallOp),
                f"loop {label} contains '{op.name}', which may leave early or do anything",
            )
    if kind in ("parallel", "vectorized"):
        ends = any(isinstance(op, AssertOp) for op in walk_nest(loop))
        step.require(not ends, f"loop {label} contains 'loop.assert', which may end the function")
    if kind in ("parallel", "vectorized") and (reason := why_not_parallel(loop)) is not None:
        step.refuse(reason)
    loop.kind = StringAttr(kind)
    return loop
