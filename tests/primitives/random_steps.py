"""Random steps on random programs: what is legal keeps every bit, what is refused changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from stepwell.errors import ScheduleError
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines.run import run_pass
from stepwell.pipelines.stage import new_context
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.rewriting import verify
from stepwell.transforms.primitives import PRIMITIVES, Schedule
from stepwell.transforms.verify_loops import verify_loops
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

sys.path.insert(0, str(Path(__file__).parents[1]))

sys.path.insert(0, str(Path(__file__).parent))

from programs.generator import random_program
from random_nests import random_nest
from stepwell.dialects.expr import Expr
from stepwell.dialects.loop import BlockOp, ForOp, substitute

Inputs = Mapping[str, Any] | Sequence[Any]

DOWN = (
    "infer-shapes,fuse-elementwise,fuse-matmul-add,convert-graph-to-loop,fuse-loop-functions,convert-calls-to-buffers"
)

SELDOM_LEGAL = ("inline", "epilogue", "compute-at", "merge", "contract")
WORDS = (*PRIMITIVES, *SELDOM_LEGAL, *SELDOM_LEGAL)
"""Which primitive comes next, the ones that are seldom legal more often."""


def passed(module: ModuleOp, pipeline: str) -> ModuleOp:
    result = module.clone()
    for each in parse_passes(pipeline, available_passes()):
        run_pass(each, new_context(), result)
    return result


def random_step(random: Random, function: FuncOp) -> str | None:
    """A step that names blocks and loops that there are; it may or may not be legal."""
    blocks = [op for op in function.walk() if isinstance(op, BlockOp)]
    if not blocks:
        return None
    links = [(p, c) for p in blocks for c in blocks if p is not c and any(w in c.reads for w in p.writes)]
    block, other = random.choice(links) if links and random.random() < 0.7 else random.choices(blocks, k=2)
    b, c = block.label.data, other.label.data
    loops = [f"{b}/{loop.label.data}" for loop in block.loops()]
    others = [f"{c}/{loop.label.data}" for loop in other.loops()]
    if not loops:
        return f"decompose {b}"
    loop = random.choice(loops)
    match random.choice(WORDS):
        case "split":
            return f"split {loop} {random.choice([1, 2, 3, 4, 7, 16])}"
        case "fuse":
            at = random.randrange(len(loops))
            return f"fuse {loops[at]} {loops[min(at + 1, len(loops) - 1)]}"
        case "reorder":
            return f"reorder {' '.join(random.sample(loops, random.randint(1, len(loops))))}"
        case "peel":
            at = random.choice(
                ["1", "2", "extent", "extent floordiv 2", "(extent floordiv 4) * 4", "extent - 1", "0", "n - 2", "n"]
            )
            return f"peel {loop} {at}"
        case "pad":
            return f"pad {loop} {random.choice([2, 3, 4, 8])}"
        case "merge":
            alike = min(loops.index(loop), max(len(others) - 1, 0))
            return f"merge {loop} {others[alike] if others else loop}"
        case "inline":
            return f"inline {b} {c}"
        case "decompose":
            return f"decompose {b}"
        case "cache-read":
            words = random.choice(["", "", " points", " 2", " 3"])
            return f"cache-read {b} {random.randrange(max(len(block.reads), 1))}{words}"
        case "cache-write":
            return f"cache-write {loop} {random.choice(['register', 'local'])}"
        case "epilogue":
            return f"epilogue {b} {c}"
        case "compute-at":
            return f"compute-at {b} {random.choice(others or loops)}"
        case "rfactor":
            return f"rfactor {loop}"
        case "contract":
            return f"contract {b} {loop}"
        case _:
            return f"kind {random.choice(['parallel', 'vectorized', 'unrolled'])} {loop}"


def strays(function: FuncOp) -> list[Operation]:
    """Ops that use a value of the function and are not in it."""
    values = [
        v for op in function.walk() for v in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
    ]
    return [use.operation for value in values for use in value.uses if not function.is_ancestor(use.operation)]


def backwards(module: ModuleOp) -> ModuleOp:
    """The module with the iterations of every parallel and vectorized loop run from the last to the first."""
    result = module.clone()
    for loop in [op for op in result.walk() if isinstance(op, ForOp) and op.kind.data in ("parallel", "vectorized")]:
        forwards = Expr.atom(loop.variable)
        substitute(loop.variable, loop.lower + loop.upper - 1 - forwards)
    return result


def shake(module: ModuleOp, inputs: Sequence[Inputs], random: Random, steps: int) -> list[str]:
    """Draw steps until so many were legal, and return these; `AssertionError` where one changes a value."""
    original = module.clone()
    expected = [run(module, "main", each) for each in inputs]
    done: list[tuple[str, str]] = []
    functions = [op for op in module.walk() if isinstance(op, FuncOp) and not op.is_declaration]

    def assert_kept(found: ModuleOp, what: str) -> None:
        for each, values in zip(inputs, expected, strict=True):
            results = run(found, "main", each)
            for one, two in zip(values, results, strict=True):
                difference = first_difference(one, two)
                assert difference is None, f"{what}: {difference}, inputs {each}"

    schedules = {function: Schedule(function) for function in functions}
    for _ in range(5 * steps):
        if len(done) == steps:
            break
        function = random.choice(functions)
        step = random_step(random, function)
        if step is None:
            continue
        before = str(module)
        try:
            schedules[function].apply(step)
        except ScheduleError:
            assert str(module) == before, f"{done}, refused: {step}"
            assert not strays(function), f"{done}, refused: {step}: an op that stands nowhere uses a value"
            continue
        except Exception as error:
            raise AssertionError(f"{done}, {step}: {error!r}\n{before}") from error
        done.append((function.sym_name.data, step))
        try:
            verify(module)
            verify_loops(function)
            assert not strays(function), "an op that stands nowhere uses a value"
            assert_kept(module, "the values")
            assert_kept(backwards(module), "the values, parallel loops backwards")
        except Exception as error:
            raise AssertionError(f"{done}\n{error}\n{before}") from error
    try:
        assert_kept(passed(module, "simplify-indices,verify-loops"), "the values, simplified")
        # the trace is the same steps, as text
        again = {op.sym_name.data: op for op in original.walk() if isinstance(op, FuncOp)}
        for function, schedule in schedules.items():
            Schedule(again[function.sym_name.data]).apply(*schedule.trace)
        assert str(original) == str(module), f"replayed, the trace gives {original}"
    except Exception as error:
        raise AssertionError(f"{done}, then {error!r}\n{module}") from error
    return [step for _, step in done]


def shake_program(number: int, steps: int = 12, largest: int = 4) -> list[str]:
    """The graph program that follows from a number, brought down, and the steps that do."""
    program = random_program(number, largest)
    return shake(passed(program.module, DOWN), [program.inputs], Random(number), steps)


def shake_nest(number: int, steps: int = 8) -> list[str]:
    """The loop nests that follow from a number, and the steps that do."""
    return shake(*random_nest(number), Random(number), steps)


if __name__ == "__main__":
    what, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    legal: dict[str, int] = {}
    for number in range(first, first + count):
        try:
            for step in {"programs": shake_program, "nests": shake_nest}[what](number):
                word = step.split()[0]
                legal[word] = legal.get(word, 0) + 1
        except Exception as error:
            print(f"--- {number}: {type(error).__name__}: {str(error)[:6000]}", flush=True)
    print(legal)
