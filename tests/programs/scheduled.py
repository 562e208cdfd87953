"""
Programs that the rules for schedules look at: products, convolutions, rows, and what is computed elementwise after
them, of every kind of size and type.

    python tests/programs/scheduled.py FIRST COUNT

runs the programs of these numbers. A schedule keeps every bit, is read back as it is printed, and is what its trace
says; what comes down computes what the graph does, in the interpreters and as C.
"""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import stepwell
from stepwell import runtime
from stepwell.dialects.graph.dims import dims_of, type_of_value
from stepwell.dialects.signature import SCHEDULE
from stepwell.emitters.c import emit_module
from stepwell.frontends.mlir import parse
from stepwell.frontends.python import GraphBuilder, tensor
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines import Stage, run_stages
from stepwell.pipelines.check import longest_sum
from stepwell.pipelines.run import run_pass
from stepwell.pipelines.stage import new_context
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.targets import Target, target_named
from stepwell.transforms.primitives import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

sys.path.insert(0, str(Path(__file__).parents[1]))

from programs.generator import (
    TARGETS,
    Drawing,
    Program,
    Value,
    binary,
    cast,
    compare_select,
    fits,
    make_array,
    multiply_add,
    reduction,
    unary,
)
from programs.levels import Mismatch
from programs.machines import can_run, program_for

Size = int | str

ELEMENTS = ("f32", "f32", "f32", "f32", "f32", "f64", "f64", "f16", "bf16", "i8", "i32", "i64")
SIZES: tuple[Size, ...] = (0, 1, 2, 3, 5, 7, 8, 13, 16, 17, 24, 31, 33, 64, "n", "m")
WIDE = (8, 13, 16, 17, 24, 31, 33, 40, 64)
"""Sizes of a vector and more."""

NAMED = (0, 1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 29, 33)
"""What a size known at run time may be."""

MOST_PRODUCTS = 12_000
MOST_ELEMENTS = 3_000


class Sizes:
    """Sizes drawn so that a program stays small; zeros are seldom."""

    def __init__(self, d: Drawing, left: int):
        self.d = d
        self.left = left

    def one(self, *others: Size) -> Size:
        options = [s for s in (*others, *SIZES) if _count(s) <= self.left and (s != 0 or self.d.integer(0, 3) == 0)]
        size = self.d.one_of(options or [1])
        self.left //= max(_count(size), 1)
        return size

    def number(self, *options: int) -> int:
        size = self.d.one_of([o for o in options if o <= self.left] or [1])
        self.left //= max(size, 1)
        return size


def _count(size: Size) -> int:
    return max(NAMED) if isinstance(size, str) else size


def main_op(random: Random, element: str) -> tuple[str, list[tuple[Size, ...]], dict[str, Any]]:
    """What the rules are about: its name, the shapes of what it reads, and its other arguments."""
    d = Drawing(random.randint, GraphBuilder())
    sizes = Sizes(d, MOST_PRODUCTS)
    names = ["matmul", "matmul", "matmul", "conv2d", "conv2d", "rows", "elementwise"]
    if element in ("f32", "f64", "f16", "bf16"):
        names += ["softmax", "layer_norm"]
    name = d.one_of(names)
    if name == "matmul":
        columns = sizes.one(*WIDE) if d.integer(0, 2) == 0 else sizes.number(*WIDE)
        rows, depth = sizes.one(), sizes.one()
        batch: list[Size] = [sizes.one(1, 2, 3) for _ in range(d.one_of([0, 0, 0, 1, 1, 2]))]
        left: tuple[Size, ...] = (*[1 if d.integer(0, 4) == 0 else size for size in batch], rows, depth)
        right: tuple[Size, ...] = (*batch[d.one_of([0, 0, len(batch)]) :], depth, columns)
        turned = [d.integer(0, 3) == 0, d.integer(0, 3) == 0]
        if turned[0]:
            left = (*left[:-2], left[-1], left[-2])
        if turned[1]:
            right = (*right[:-2], right[-1], right[-2])
        if not any(turned) and d.integer(0, 9) == 0:
            left = (depth,)
        return name, [left, right], {"turned": turned}
    if name == "conv2d":
        groups = sizes.number(1, 1, 1, 2, 3)
        outs, inner = sizes.number(1, 2, 3, 5, 8, 16, 33), sizes.number(1, 1, 2, 3, 8)
        kernel = (sizes.number(1, 1, 2, 3), sizes.number(1, 1, 2, 3))
        dilations, strides = ([d.one_of([1, 1, 1, 2, 3]) for _ in range(2)] for _ in range(2))
        pads = [d.one_of([0, 0, 1, 1, 2, 3]) for _ in range(4)]
        least = [
            max(1, dilation * (k - 1) + 1 - pads[n] - pads[n + 2])
            for n, (k, dilation) in enumerate(zip(kernel, dilations, strict=True))
        ]
        extents: list[Size] = []
        for axis in (1, 0):
            size = sizes.number(*WIDE) if axis and d.boolean() else sizes.one(16, 17, 33)
            if not isinstance(size, str):
                size = min(max(size, least[axis]) * (1 if size < 8 else strides[axis]), 70)
            extents.insert(0, size)
        batch_size = sizes.one(1, 1, 1, 2)
        input = (batch_size, inner * groups, *extents)
        filter = (outs * groups, inner, *kernel)
        rest = {"strides": strides, "pads": pads, "dilations": dilations, "groups": groups}
        return name, [input, filter], rest | ({"biased": True} if d.boolean() else {})
    sizes = Sizes(d, MOST_ELEMENTS)
    shape = tuple(sizes.one(16, 17, 33, 64) for _ in range(d.one_of([1, 2, 2, 3, 4])))
    if name == "layer_norm" and isinstance(shape[-1], str):
        shape = (*shape[:-1], 17)
    axis = d.integer(0, len(shape) - 1)
    return name, [shape[::-1]], {"axis": axis}


def random_scheduled(number: int) -> Program:
    """The program that follows from a number."""
    random = Random(number)
    element = random.choice(ELEMENTS)
    name, shapes, rest = main_op(random, element)
    constant_weights = random.random() < 0.3 and len(shapes) > 1 and all(isinstance(s, int) for s in shapes[1])
    given = shapes[:1] if constant_weights else shapes
    b = GraphBuilder()
    d = Drawing(random.randint, b)
    inputs = {f"x{n}": tensor(shape, element) for n, shape in enumerate(given)}
    with b.function("main", inputs) as arguments:
        read = [Value(ssa, element, True, 4.0, 0.5) for ssa in arguments]
        if constant_weights:
            read.append(d.constant(tuple(s for s in shapes[1] if isinstance(s, int)), element))
        d.values = [*read]
        draw_main(d, name, read, rest)
        first = d.values[-1]
        for _ in range(random.choice([0, 1, 1, 2, 3, 4])):
            follow(d)
        if random.random() < 0.15:
            reduction(d)
        made = d.values[len(read) :] or [d.values[0]]
        outputs = [made[-1], *([first] if random.random() < 0.2 and first is not made[-1] else [])]
        b.emit_func_output([v.ssa for v in outputs])
    values = np.random.default_rng(number)
    special = random.random() < 0.2
    named = {size: random.choice(NAMED) for size in ("n", "m")}
    if name == "conv2d":
        # a window must fit into the image
        named = {size: max(value, 7) if value else value for size, value in named.items()}
        named = {size: value or 9 for size, value in named.items()}
    arrays = tuple(
        make_array(tuple(named[s] if isinstance(s, str) else s for s in shape), element, values, special)
        for shape in given
    )
    return Program(b.get(), arrays, tuple(v.exact for v in outputs), random.choice((*TARGETS, *TARGETS[1:])), False)


def draw_main(d: Drawing, name: str, read: list[Value], rest: dict[str, Any]) -> None:
    """The op itself, with what is known about its values."""
    x = read[0]
    if name == "matmul":
        operands: list[SSAValue] = []
        for value, turned in zip(read, rest["turned"], strict=True):
            rank = len(value.dims)
            axes = [*range(rank - 2), rank - 1, rank - 2]
            operands.append(d.b.permute_dims(value.ssa, axes) if turned else value.ssa)
        y = d.b.matmul(*operands)
        add_sum(d, y, x, _count_of(dims_of(type_of_value(operands[0]))[-1:]))
    elif name == "conv2d":
        options = dict(rest)
        outs = read[1].dims[0]
        assert isinstance(outs, int)
        bias = d.constant((outs,), x.element).ssa if options.pop("biased", False) else None
        y = d.b.conv2d(x.ssa, read[1].ssa, bias, **options)
        add_sum(d, y, x, _count_of(read[1].dims[1:]))
    elif name == "softmax":
        d.add(d.b.softmax(x.ssa, rest["axis"]), x, exact=False, bound=1.0)
    elif name == "layer_norm":
        last = x.dims[-1]
        if isinstance(last, int):
            scale, bias = (d.constant((last,), x.element) for _ in range(2))
            # a constant row has no variance: what is left of it is rounding, divided by the root of epsilon
            d.add(d.b.layer_norm(x.ssa, scale.ssa, bias.ssa, axis=-1, epsilon=1.0), x, exact=False, bound=3000.0)
    elif name == "rows":
        reduction(d)


def _count_of(dims: Any) -> int:
    return prod(d if isinstance(d, int) else max(NAMED) for d in dims)


def add_sum(d: Drawing, y: SSAValue, x: Value, terms: int) -> None:
    """A sum of so many products of halves up to 4; whether every way of adding them up is exact."""
    bound = 16.0 * max(terms, 1) + 3
    exact = not x.is_float or fits(x.element, bound, 0.25)
    d.add(y, x, exact=exact, bound=bound, grain=0.25)


def follow(d: Drawing) -> None:
    """An op on the last value, seldom on another."""
    every = d.values
    d.values = every[-1:] if d.integer(0, 4) else list(every)
    known = len(d.values)
    step = d.one_of([unary, unary, residual, binary, row, row, multiply_add, compare_select, cast])
    step(d)
    made = d.values[known:]
    d.values = [*every, *(v for v in made if v not in every)]


def row(d: Drawing) -> None:
    """A bias: one number for each column, or for each channel."""
    x = d.values[-1]
    axis = d.one_of([n for n in range(len(x.dims)) if isinstance(x.dims[n], int)] or [None])
    if axis is None or x.element == "i1":
        return
    size = x.dims[axis]
    assert isinstance(size, int)
    other = d.constant((size, *[1] * (len(x.dims) - 1 - axis)), x.element)
    name = d.one_of(["add", "maximum"]) if x.exact else "maximum"
    bound = x.bound + 3
    if x.is_float and x.exact and not fits(x.element, bound, x.grain):
        name = "maximum"
    d.add(getattr(d.b, name)(x.ssa, other.ssa), x, exact=x.exact, bound=bound)


def residual(d: Drawing) -> None:
    """With itself, which reads it twice."""
    x = d.values[-1]
    if x.element == "i1":
        return
    name = d.one_of(["maximum", "minimum", "add", "multiply"])
    bound, grain = (x.bound**2, x.grain**2) if name == "multiply" else (x.bound * 2, x.grain)
    exact = x.exact and (not x.is_float or fits(x.element, bound, grain))
    if bound > 30_000 and x.is_float:
        return
    d.add(getattr(d.b, name)(x.ssa, x.ssa), x, exact=exact, bound=bound, grain=grain)


def passed(module: ModuleOp, pipeline: str) -> ModuleOp:
    result = module.clone()
    for each in parse_passes(pipeline, available_passes()):
        run_pass(each, new_context(), result)
    return result


def check_schedules(program: Program, module: ModuleOp, target: Target) -> bool:
    """Whether the rules decide anything; `AssertionError` where what they decide is not what is done."""
    plain = passed(module, "inline-elementwise")
    assigned = passed(plain, f"assign-schedules{{target={target.name}}}")
    again = parse(str(assigned), "printed.mlir", new_context())
    assert str(again) == str(assigned), "the schedules are read back as something else"
    done = passed(assigned, "apply-schedule")
    assert str(passed(again, "apply-schedule")) == str(done), "what is read back is another schedule"
    found = False
    traced, replayed = assigned.clone(), plain.clone()
    for one, other in zip(functions(traced), functions(replayed), strict=True):
        attribute = one.attributes.pop(SCHEDULE, None)
        if attribute is None:
            continue
        found = True
        schedule = Schedule(one)
        schedule.apply(*attribute.texts)  # type: ignore[attr-defined]
        other.attributes[SCHEDULE] = schedule.attribute()
    assert str(traced) == str(done)
    replayed = passed(parse(str(replayed), "traced.mlir", new_context()), "apply-schedule")
    assert str(replayed) == str(done), "the trace gives something else"
    expected = run(module, "main", program.inputs)
    for text, found_module in (("inlined", plain), ("scheduled", done)):
        simple = passed(found_module, "simplify-indices,verify-loops")
        for want, have in zip(expected, run(simple, "main", program.inputs), strict=True):
            difference = first_difference(want, have)
            assert difference is None, f"{text}: {difference}"
    return found


def compare_scheduled(program: Program, compiled: bool = True) -> bool:
    """Raise `Mismatch` where a program computes something else than its graph; whether there is a schedule in it."""
    target = target_named(program.target)
    expected = run(program.module, "main", program.inputs)
    terms = longest_sum(program.module)
    found = False

    def agree(level: str, outputs: tuple[object, ...]) -> None:
        for number, (want, have, exact) in enumerate(zip(expected, outputs, program.exact, strict=True)):
            difference = first_difference(want, have, licensed=not exact, terms=terms)
            if difference is not None:
                raise Mismatch(f"{level}: output {number}, {difference}\n{program!r}")

    def after_stage(stage: Stage, module: ModuleOp) -> None:
        nonlocal found
        if stage.name == "buffers":
            try:
                found = check_schedules(program, module, target)
            except AssertionError as error:
                raise Mismatch(f"{error}\n{program!r}") from error
        if stage.name == "clean":
            agree(f"stage {stage.name}", run(module, "main", program.inputs))

    lowered = program.module.clone()
    try:
        run_stages(lowered, stepwell.OPTIMISED(target), after_stage=after_stage)
        if compiled and can_run(target):
            outputs = runtime.load(program_for(emit_module(lowered, target), target))(*program.inputs)
            agree(f"C for {target.name}", outputs if isinstance(outputs, tuple) else (outputs,))
    except stepwell.Error as error:
        raise Mismatch(f"{type(error).__name__}: {error}\n{program!r}") from error
    return found


def functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.walk() if isinstance(op, FuncOp)]


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    scheduled = failed = 0
    for number in range(first, first + count):
        try:
            scheduled += compare_scheduled(random_scheduled(number))
        except Exception as error:
            failed += 1
            print(f"--- {number}: {type(error).__name__}: {str(error)[:6000]}", flush=True)
    print(f"{count} programs, {scheduled} with a schedule, {failed} with a difference or an error")
    sys.exit(1 if failed else 0)
