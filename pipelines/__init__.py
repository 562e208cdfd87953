"""In which order: the stages of the way down, as two tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ..errors import PipelineError, require
from ..targets import Target
from .injection import LowerPass as LowerPass
from .injection import pass_context as pass_context
from .stage import Stage as Stage
from .stage import insert_after as insert_after
from .stage import new_context as new_context
from .stage import run_stages as run_stages


@dataclass(frozen=True)
class Before:
    """A reason for the order: `first` stands before `second`, `because`."""

    first: str
    second: str
    because: str


REASONS = (
    Before("infer-shapes", "convert-graph-to-loop", "a lowering reads the dims off the types"),
    Before("canonicalize-graph", "fuse-elementwise", "a dissolved dataflow block no longer hides a producer"),
    Before("fold-constants", "fuse-elementwise", "what is constant need not be computed in a group"),
    Before("fuse-elementwise", "fuse-matmul-add", "a group that takes in the activation too is better than the pair"),
    Before("fuse-elementwise", "convert-graph-to-loop", "after it, producers are nests, not ops"),
    Before("convert-graph-to-loop", "fuse-loop-functions", "it joins the loop functions that a group calls"),
    Before(
        "fuse-loop-functions", "convert-calls-to-buffers", "an intermediate of a group becomes a buffer of its function"
    ),
    Before("convert-calls-to-buffers", "check-bounds", "the buffers of callers are there, and what they hand on"),
    Before("check-bounds", "inline-elementwise", "what is read for an assertion is not computed elsewhere then"),
    Before("check-bounds", "flatten-storage", "a flat buffer does not know the bounds of its dims"),
    Before("inline-elementwise", "assign-schedules", "a rule looks at the nests that are left"),
    Before("assign-schedules", "apply-schedule", "decisions are made before they are carried out"),
    Before("apply-schedule", "flatten-storage", "tiles are said on buffers with their shape"),
    Before("flatten-storage", "convert-loop-to-simd", "a lane's stride is read off a flat address"),
    Before("convert-loop-to-simd", "plan-buffers", "register buffers are gone, and need no place"),
)
"""Checked against the tables by a test."""


LEVELS = (0, 1, 2, 3)
"""What `-O` takes: a transform of a higher `opt_level` is left out."""


def OPTIMISED(target: Target, level: int = 3, *, strict: bool = False) -> tuple[Stage, ...]:
    """
    The stages for `target` with every transform of opt level `level` or below.

    With `strict` no licence is used: a sum keeps its order, a multiplication and an addition round one after the other,
    so that the C gives what the interpreters give at stage `loop`, bit for bit, but for the functions of `math.h`.
    Raises `PipelineError` for a level that there is not.
    """
    if level not in LEVELS:
        raise PipelineError(f"no level {level}: the levels are {', '.join(map(str, LEVELS))}")
    return tuple(
        replace(stage, passes=tuple(p for p in stage.passes if is_required(p) or opt_level(p) <= level))
        for stage in _stages(target, strict)
    )


def REFERENCE(target: Target) -> tuple[Stage, ...]:
    """The same stages with every transform left out: only what is needed to come down."""
    return tuple(replace(stage, passes=tuple(filter(is_required, stage.passes))) for stage in _stages(target, True))


def is_required(pass_: ModulePass) -> bool:
    """Whether the program does not come down without this pass: it lives in `conversions/`."""
    return ".conversions." in f".{type(pass_).__module__}."


def opt_level(pass_: ModulePass) -> int:
    """The optimisation level from which a transform runs; a pass that does not say is at 1."""
    level = getattr(pass_, "opt_level", 1)
    assert isinstance(level, int)
    return level


def _stages(target: Target, strict: bool) -> tuple[Stage, ...]:
    require(target, Target, "a Target to make stages for")
    from ..conversions.calls_to_buffers import ConvertCallsToBuffersPass
    from ..conversions.check_bounds import CheckBoundsPass
    from ..conversions.flatten_storage import FlattenStoragePass
    from ..conversions.fuse_loop_functions import FuseLoopFunctionsPass
    from ..conversions.graph_to_loop import ConvertGraphToLoopPass
    from ..conversions.infer_shapes import InferShapesPass
    from ..conversions.loop_to_simd import ConvertLoopToSimdPass
    from ..conversions.plan_buffers import PlanBuffersPass
    from ..schedules.assign import AssignSchedulesPass
    from ..transforms.apply_schedule import ApplySchedulePass
    from ..transforms.canonicalize_graph import CanonicalizeGraphPass
    from ..transforms.eliminate_dead_symbols import EliminateDeadSymbolsPass
    from ..transforms.fold_constants import FoldConstantsPass
    from ..transforms.fuse_elementwise import FuseElementwisePass
    from ..transforms.fuse_matmul_add import FuseMatmulAddPass
    from ..transforms.hoist_invariants import HoistInvariantsPass
    from ..transforms.inline_elementwise import InlineElementwisePass
    from ..transforms.reorder_concat_relu import ReorderConcatReluPass
    from ..transforms.simplify_indices import SimplifyIndicesPass

    return (
        Stage("graph", "the model as written, every dim known or named", legal=lowerable, passes=(InferShapesPass(),)),
        Stage(
            "fused",
            "no tensor exists only to be read once elementwise",
            legal=lowerable,
            passes=(
                CanonicalizeGraphPass(),
                FoldConstantsPass(),
                ReorderConcatReluPass(),
                CommonSubexpressionElimination(),
                DeadCodeElimination(),
                FuseElementwisePass(),
                FuseMatmulAddPass(),
            ),
        ),
        Stage(
            "loop",
            "every graph op is a call of a plain loop function; a primitive function is one loop function",
            legal=of("graph.call_tir", "graph.constant", "loop", "arith", "math"),
            passes=(ConvertGraphToLoopPass(), FuseLoopFunctionsPass()),
            phase=0,
        ),
        Stage(
            "buffers",
            "callers and constants are buffers, no tensor is left; no access leaves its buffer",
            legal=of("loop", "arith", "math"),
            passes=(ConvertCallsToBuffersPass(), CheckBoundsPass()),
        ),
        Stage(
            "scheduled",
            "no schedule is left to apply",
            legal=of("loop", "arith", "math"),
            passes=(
                InlineElementwisePass(),
                AssignSchedulesPass(target=target.name),
                ApplySchedulePass(),
                SimplifyIndicesPass(),
            ),
        ),
        Stage(
            "flat",
            "accesses have rank 1, padding is an explicit guard",
            legal=of("loop", "arith", "math"),
            passes=(FlattenStoragePass(),),
            phase=1,
        ),
        Stage(
            "simd",
            "no loop.block is left; vectorized and unrolled loops have become what they say",
            legal=below_blocks,
            passes=(ConvertLoopToSimdPass(target=target.name, strict=strict),),
            phase=2,
        ),
        Stage(
            "clean",
            "every buffer has its place in the arena; nothing dead, nothing said twice",
            legal=below_blocks,
            passes=(
                SimplifyIndicesPass(),
                HoistInvariantsPass(),
                CanonicalizePass(),
                CommonSubexpressionElimination(),
                DeadCodeElimination(),
                EliminateDeadSymbolsPass(),
                PlanBuffersPass(),
            ),
            phase=3,
        ),
    )


def of(*names: str):
    """A rule that allows `func`, operations of these dialects or with these names, and those that stay until the C."""
    allowed = frozenset(names)

    def legal(op: Operation) -> bool:
        dialect = op.name.split(".", 1)[0]
        return dialect == "func" or dialect in allowed or op.name in allowed or stays_until_c(op)

    return legal


def stays_until_c(op: Operation) -> bool:
    """Whether an operation of another package has an emitter of its own, so that no pass need bring it down."""
    from ..dialects import DIALECTS
    from ..emitters.c.writer import EMITTERS

    return op.name.split(".", 1)[0] not in DIALECTS and type(op) in EMITTERS


def lowerable(op: Operation) -> bool:
    """`graph`, and operations of any other dialect that the table of lowerings has."""
    from ..conversions.graph_to_loop import LOWERINGS

    return op.name in LOWERINGS or op.name.startswith(("graph.", "func."))


def below_blocks(op: Operation) -> bool:
    """`loop` without blocks and without loops that are still to become something, and `simd`, `arith`, `math`."""
    from ..dialects.loop import BlockOp, ForOp

    if isinstance(op, BlockOp) or (isinstance(op, ForOp) and op.kind.data in ("vectorized", "unrolled", "tensorized")):
        return False
    return of("loop", "simd", "arith", "math")(op)


def order(stages: Sequence[Stage]) -> list[str]:
    """The names of the passes, in the order in which they run."""
    return [pass_.name for stage in stages for pass_ in stage.passes]
