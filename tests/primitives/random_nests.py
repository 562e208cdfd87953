"""
Random loop nests, as no conversion would leave them: carried dependences, buffers read and written at once, guards,
padding, clips, gathers, triangular and run-time bounds, several blocks and loads and stores in one loop, views that
overlap, buffers that a loop carries.

What is drawn need not make sense: a program that does not verify or run is drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np
from stepwell.errors import Error
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines.stage import new_context
from stepwell.rewriting import verify
from stepwell.transforms.verify_loops import verify_loops
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import ParseError, VerifyException

Inputs = dict[str, np.ndarray]

SIZE = 4
"""The dims of buffers that are known; loops go about as far."""

COMBINERS = {
    "f32": ("addf", "mulf", "maximumf", "minimumf"),
    "i32": ("addi", "muli", "maxsi", "minsi", "xori"),
}
INITS = {"f32": ("0.0", "-0.0", "1.0", "0xFF800000", "0x7F800000"), "i32": ("0", "1", "-2147483648", "2147483647", "5")}
PADS = {"f32": ("0.0", "-0.0", "1.0", "0xFF800000"), "i32": ("0", "1", "-7")}


@dataclass
class Buffer:
    name: str
    dims: tuple[str, ...]
    given: bool

    @property
    def type(self) -> str:
        return "memref<" + "".join("?x" if d == "%n" else f"{d}x" for d in self.dims) + "%s>"


@dataclass
class Drawing:
    random: Random
    element: str
    buffers: list[Buffer] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)
    count: int = 0

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def say(self, text: str) -> None:
        self.lines.append("  " * (len(self.loops) + 1) + text)


def extent(d: Drawing) -> str:
    options = ["4", "4", "4", "%n", "%n", "3", "2", "1", "0"]
    options += [f"{loop} + 1" for loop in d.loops] + [f"4 - {loop}" for loop in d.loops]
    options += [f"min(3, 4 - {loop} * 3)" for loop in d.loops] + ["min(3, %n)"]
    return d.random.choice(options)


def index(d: Drawing, iterators: list[str], extra: list[str]) -> str:
    v = d.random.choice(iterators) if iterators else "2"
    options = [v] * 8 + [f"{v} + 1", f"{v} - 1", f"3 - {v}", f"{v} * 2", f"{v} floordiv 2", f"{v} mod 2", "0", "2"]
    if len(iterators) > 1:
        w = d.random.choice(iterators)
        options += [f"{v} + {w}", f"{v} - {w}", f"max({v} - 1, 0)", f"min({v} + 1, 3)"]
    return d.random.choice(options + extra)


def place(d: Drawing, buffer: Buffer, iterators: list[str], extra: list[str]) -> str:
    if d.chance(0.55) and len(iterators) >= len(buffer.dims):
        return ", ".join(d.random.sample(iterators, len(buffer.dims)))
    return ", ".join(index(d, iterators, extra) for _ in buffer.dims)


def likely(at: str) -> float:
    """How often an access at these indices is padded or clipped: nearly always where it may be out of bounds."""
    return 0.93 if any(word in at for word in "+-*") else 0.12


def block(d: Drawing) -> None:
    random, e = d.random, d.element
    label = d.fresh("b")
    iterators: list[str] = []
    kinds: list[str] = []
    specs: list[str] = []
    for n, loop in enumerate(d.loops):
        if d.chance(0.12):
            continue
        kind = random.choices(["spatial", "reduce", "ordered", "param"], [12, 4, 1, 1])[0]
        binding = (
            loop if d.chance(0.9) else random.choice([f"{loop} + 1", f"3 - {loop}", f"{loop} * 2", f"{loop} mod 2"])
        )
        iterators.append(f"%v{n}")
        kinds.append(kind)
        specs.append(f"%v{n} : {kind} = {binding}")
    reads: list[str] = []
    elements: list[str] = []
    for n in range(random.choice([0, 1, 1, 2, 2, 3])):
        buffer = random.choice(d.buffers)
        extra: list[str] = []
        if d.chance(0.1):
            reads.append(f"%g{n} = %G[{index(d, iterators, [])}] else 0 : i32")
            extra = [f"%g{n}"] * 20
        at = place(d, buffer, iterators, extra)
        pad = f" else {random.choice(PADS[e])} : {e}" if d.chance(likely(at)) else ""
        reads.append(f"%e{n} = {buffer.name}[{at}]{pad}")
        elements.append(f"%e{n}")
    free = [v for v, kind in zip(iterators, kinds, strict=True) if kind != "reduce"]
    target = random.choice(d.buffers)
    reduces = "reduce" in kinds
    old = "%old = " if reduces or d.chance(0.15) else ""
    where = place(d, target, free, [])
    clip = " clip" if d.chance(likely(where)) else ""
    init = ""
    if reduces and d.chance(0.8):
        init = f" init {{ %z = arith.constant {random.choice(INITS[e])} : {e} loop.yield %z }}"
    op = random.choice(COMBINERS[e])
    body: list[str] = []
    value = elements[0] if elements else "%c"
    if not elements:
        body.append(f"%c = arith.constant {random.choice(PADS[e])} : {e}")
    for n, other in enumerate(elements[1:]):
        body.append(f"%p{n} = arith.{random.choice(COMBINERS[e][:3])} {value}, {other} : {e}")
        value = f"%p{n}"
    if iterators and d.chance(0.15):
        v = random.choice(iterators)
        body.append(f"%ix = arith.index_cast {v} : index to i32")
        body.append("%ie = arith.sitofp %ix : i32 to f32" if e == "f32" else "%ie = arith.addi %ix, %ix : i32")
        body.append(f"%px = arith.{COMBINERS[e][0]} {value}, %ie : {e}")
        value = "%px"
    if old:
        body.append(f"%t = arith.{op} %old, {value} : {e}")
        value = "%t"
    body.append(f"loop.yield {value}")
    d.say(
        f'loop.block "{label}" ({", ".join(specs)}) reads({", ".join(reads)}) writes({old}{target.name}[{where}]){clip}'
        f"{init} {{ {' '.join(body)} }}"
    )


def access(d: Drawing) -> None:
    """A load and a store, below the level of blocks."""
    loops = d.loops or ["0"]
    source, target = d.random.choice(d.buffers), d.random.choice(d.buffers)
    v = d.fresh("%l")
    a, b = ([d.random.choice([*loops, "0", "1"]) for _ in buffer.dims] for buffer in (source, target))
    d.say(f"{v} = loop.load {source.name}[{', '.join(a)}] : {d.element}")
    d.say(f"loop.store {v}, {target.name}[{', '.join(b)}]")


def statements(d: Drawing, depth: int) -> None:
    for _ in range(d.random.choices([1, 2, 3], [9, 3, 1])[0]):
        choice = d.random.random()
        if depth == 0 or (d.loops and choice < 0.2):
            access(d) if d.chance(0.06) else block(d)
        elif d.loops and choice < 0.28:
            loop = d.random.choice(d.loops)
            d.say(f"loop.if ({d.random.choice([f'{loop} - 1', f'2 - {loop}', '%n - 3'])} >= 0) {{")
            inner = len(d.lines)
            statements(d, depth - 1)
            if d.chance(0.3):
                d.say("} else {")
                statements(d, depth - 1)
            assert len(d.lines) > inner
            d.say("}")
        else:
            loop_of(d, depth)


def loop_of(d: Drawing, depth: int) -> None:
    name = d.random.choice("ijk") if d.chance(0.5) else d.fresh("l")
    taken = [loop.split("_")[0] for loop in d.loops]
    if f"%{name}" in taken:
        name = d.fresh("l")
    variable = f"%{name}_{d.fresh('x')}"
    lower = d.random.choice(["0"] * 9 + ["1"])
    carried = d.random.choice(d.buffers) if d.chance(0.03) else None
    if carried is not None:
        other = d.random.choice([b for b in d.buffers if b.dims == carried.dims])
        held, result = d.fresh("%h"), d.fresh("%r")
        d.say(f'{result} = loop.for "{name}" {variable} = {lower} to {extent(d)} iter({held} = {carried.name}) {{')
        added = Buffer(held, carried.dims, True)
        d.loops.append(variable)
        d.buffers.append(added)
        statements(d, depth - 1)
        d.say(f"loop.yield {d.random.choice([held, other.name])}")
        d.loops.pop()
        d.say("}")
        d.buffers.remove(added)
        if not d.loops:
            d.buffers.append(Buffer(result, carried.dims, True))
        return
    d.say(f'loop.for "{name}" {variable} = {lower} to {extent(d)} {{')
    d.loops.append(variable)
    statements(d, depth - 1)
    d.loops.pop()
    d.say("}")


def fill(d: Drawing, buffer: Buffer) -> None:
    """A nest that writes every element of a buffer."""
    names = [d.fresh("f") for _ in buffer.dims]
    for name, dim in zip(names, buffer.dims, strict=True):
        d.say(f'loop.for "{name}" %{name} = 0 to {dim} {{')
        d.loops.append(f"%{name}")
    variables = list(d.loops)
    specs = ", ".join(f"%v{n} : spatial = {loop}" for n, loop in enumerate(variables))
    at = ", ".join(f"%v{n}" for n in range(len(variables)))
    source = next((b for b in d.buffers if b.given and b.dims == buffer.dims), None)
    e = d.element
    if source is None:
        body = f"reads() writes({buffer.name}[{at}]) {{ %c = arith.constant {PADS[e][2]} : {e} loop.yield %c }}"
    else:
        body = f"reads(%a = {source.name}[{at}]) writes({buffer.name}[{at}])"
        body += f" {{ %c = arith.{COMBINERS[e][0]} %a, %a : {e} loop.yield %c }}"
    d.say(f'loop.block "{d.fresh("fill")}" ({specs}) {body}')
    for _ in variables:
        d.loops.pop()
        d.say("}")


def draw(random: Random) -> str:
    d = Drawing(random, random.choice(["f32", "f32", "i32"]))
    arguments: list[str] = ["%n: index", "%G: memref<4xi32>"]
    shapes = [("4",), ("4", "4"), ("%n",), ("%n", "4"), ("4", "4", "4")]
    for name in ("A", "B", "Y", "Z"):
        buffer = Buffer(f"%{name}", random.choices(shapes, [4, 8, 2, 2, 0.5])[0], True)
        d.buffers.append(buffer)
        arguments.append(f"{buffer.name}: {buffer.type % d.element}")
        if "%n" in buffer.dims:
            d.say(f"loop.shape {buffer.name}[{', '.join(buffer.dims)}]")
    for name in "TU"[: random.randint(0, 2)]:
        dims = random.choices(shapes, [4, 8, 2, 2, 0.5])[0]
        buffer = Buffer(f"%{name}", dims, False)
        sizes = f" [{', '.join(x for x in dims if x == '%n')}]" if "%n" in dims else ""
        d.say(f'{buffer.name} = loop.alloc "global"{sizes} : {buffer.type % d.element}')
        fill(d, buffer)
        d.buffers.append(buffer)
    for _ in range(random.choice([1, 2, 2, 3])):
        loop_of(d, random.choices([1, 2, 3], [3, 5, 1])[0])
    body = "\n".join(d.lines)
    return (
        f"func.func @main({', '.join(arguments)})\n"
        f'    attributes {{dims = ["n"], outputs_count = 4 : i64}} {{\n{body}\n  func.return\n}}\n'
    )


def arrays(random: Random, function: FuncOp, n: int) -> Inputs:
    """Contents for all buffers, outputs too, zeros of both signs and the like among them."""
    rng = np.random.default_rng(random.randrange(1 << 30))
    found: Inputs = {}
    found["n"] = np.array(n)
    for argument in function.args[1:]:
        name, type = argument.name_hint or "", argument.type
        shape = [n if d < 0 else d for d in type.get_shape()]
        if name == "G":
            found[name] = rng.integers(0, SIZE, shape).astype(np.int32)
        elif "i32" in str(type):
            found[name] = rng.integers(-9, 9, shape).astype(np.int32)
        else:
            special = rng.choice(np.array([0.0, -0.0, np.inf, np.nan, 1.5], np.float32), shape)
            plain = rng.normal(size=shape).astype(np.float32)
            found[name] = np.where(rng.random(shape) < 0.15, special, plain)
    return found


def random_nest(number: int) -> tuple[ModuleOp, list[Inputs]]:
    """The program that follows from a number, and inputs for it."""
    random = Random(number)
    while True:
        text = draw(random)
        try:
            module = parse(text, "random.mlir", new_context())
            verify(module)
            function = next(op for op in module.body.ops if isinstance(op, FuncOp))
            verify_loops(function)
            inputs = [arrays(random, function, n) for n in (4, random.choice([0, 1, 2, 3, 5]))]
            good = []
            for each in inputs:
                try:
                    run(module, "main", each)
                    good.append(each)
                except Error:
                    pass
            if good:
                return module, good
        except (Error, ParseError, VerifyException) as error:
            if DEBUG:
                print(error)
            continue


DEBUG = False
