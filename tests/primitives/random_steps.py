"""Random steps on random programs: what is legal keeps every bit, what is refused changes nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from stepwell.errors import ScheduleError
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

from programs.generator import Program, random_program
from stepwell.dialects.loop import BlockOp

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
            at = random.choice(["1", "2", "extent", "extent floordiv 2", "(extent floordiv 4) * 4", "extent - 1", "0"])
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


def shake(program: Program, random: Random, steps: int) -> list[str]:
    """Draw steps until so many were legal, and return these; `AssertionError` where one changes a value."""
    module = passed(program.module, DOWN)
    expected = run(module, "main", program.inputs)
    done: list[str] = []
    functions = [op for op in module.walk() if isinstance(op, FuncOp) and not op.is_declaration]
    for _ in range(5 * steps):
        if len(done) == steps:
            break
        function = random.choice(functions)
        step = random_step(random, function)
        if step is None:
            continue
        before = str(module)
        try:
            Schedule(function).apply(step)
        except ScheduleError:
            assert str(module) == before, f"{done}, refused: {step}"
            assert not strays(function), f"{done}, refused: {step}: an op that stands nowhere uses a value"
            continue
        done.append(f"@{function.sym_name.data}: {step}")
        try:
            verify(module)
            verify_loops(function)
            assert not strays(function), "an op that stands nowhere uses a value"
            found = run(module, "main", program.inputs)
        except Exception as error:
            raise AssertionError(f"{done}\n{error}\n{before}") from error
        for one, two in zip(expected, found, strict=True):
            assert one.tobytes() == two.tobytes(), f"{done}\n{before}\n{module}"
    simple = passed(module, "simplify-indices,verify-loops")
    for one, two in zip(expected, run(simple, "main", program.inputs), strict=True):
        assert one.tobytes() == two.tobytes(), f"{done}, then simplify-indices\n{module}\n{simple}"
    return done


def shake_number(number: int, steps: int = 12, largest: int = 4) -> list[str]:
    """The program and the steps that follow from a number."""
    return shake(random_program(number, largest), Random(number), steps)


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    legal: dict[str, int] = {}
    for number in range(first, first + count):
        try:
            for step in shake_number(number):
                word = step.split()[1]
                legal[word] = legal.get(word, 0) + 1
        except Exception as error:
            print(f"--- {number}: {type(error).__name__}: {str(error)[:6000]}", flush=True)
    print(legal)
