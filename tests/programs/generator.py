"""Random graph programs, and inputs for them; drawn by hypothesis, which shrinks them, or by a random number generator.

A value is *exact* while every way of computing it gives the same bits: inputs are small integers and halves, so sums
and products of them are exact in any order. A division, a transcendental function or a mean makes a value inexact; from
then on only operations that neither jump (comparisons, rounding, casts to integers) nor cancel are drawn, so that the
comparison rule stays meaningful.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from stepwell.dialects.element_types import dtype_of
from stepwell.dialects.graph.dims import Dim, dims_of, type_of_value
from stepwell.frontends.python import GraphBuilder, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

FLOATS = ("f32", "f32", "f32", "f64", "f16", "bf16")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui32")

LARGEST_TENSOR = 600
LARGEST_MAGNITUDE = 200.0
"""Beyond this, products stop being exact in f16 and bf16; see `Value.bound`."""


@dataclass
class Value:
    """A value of the program being drawn."""

    ssa: SSAValue
    element: str
    exact: bool
    bound: float
    """No finite element of an exact value is larger, and all are multiples of `grain`."""
    grain: float = 0.5

    @property
    def dims(self) -> tuple[Dim, ...]:
        return tuple(dims_of(type_of_value(self.ssa)))

    @property
    def static(self) -> bool:
        return all(isinstance(d, int) for d in self.dims)

    @property
    def is_float(self) -> bool:
        return self.element in FLOATS


@dataclass
class Program:
    """A module with one function `main`, and arrays for it."""

    module: ModuleOp
    inputs: tuple[np.ndarray[Any, Any], ...]
    exact: tuple[bool, ...]
    """For each output, whether every bit of it must agree."""
    target: str
    reference: bool
    """Whether it comes down by the reference pipeline."""

    def __repr__(self) -> str:
        pipeline = "reference" if self.reference else "optimised"
        shapes = ", ".join(f"{a.dtype}{list(a.shape)}" for a in self.inputs)
        values = [a.tolist() for a in self.inputs]
        return f"# target {self.target}, {pipeline} pipeline, inputs {shapes}\n{self.module}\n# {values}"


@dataclass
class Drawing:
    """The program as far as it is drawn."""

    integer: Callable[[int, int], int]
    """Draws an integer between two, both included; all choices come from it."""
    b: GraphBuilder
    values: list[Value] = field(default_factory=list)

    def one_of(self, options: Any) -> Any:
        options = list(options)
        return options[self.integer(0, len(options) - 1)]

    def boolean(self) -> bool:
        return self.integer(0, 1) == 1

    def permutation(self, count: int) -> list[int]:
        rest = list(range(count))
        return [rest.pop(self.integer(0, len(rest) - 1)) for _ in range(count)]

    def pick(self, allowed: Callable[[Value], bool]) -> Value | None:
        candidates = [v for v in self.values if allowed(v)]
        # later values first: chains grow, and the first input is what an example shrinks to
        return self.one_of(candidates[::-1]) if candidates else None

    def constant(self, shape: tuple[int, ...], element: str, low: int = -3) -> Value:
        kind = tensor((), element).element_type
        numbers = np.random.default_rng(self.integer(0, 2**32 - 1)).integers(low, 3, shape, endpoint=True)
        array = np.asarray(abs(numbers) if element.startswith("ui") else numbers).astype(dtype_of(kind))
        return Value(self.b.constant(array), element, True, 3.0, 1.0)

    def add(
        self, ssa: SSAValue, like: Value, *, exact: bool, bound: float, grain: float | None = None, element: str = ""
    ) -> None:
        self.b.emit(ssa)
        self.values.append(Value(ssa, element or like.element, exact, bound, like.grain if grain is None else grain))


def fits(element: str, bound: float, grain: float) -> bool:
    """Whether every multiple of `grain` up to `bound` is exact in a float type."""
    bits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}.get(element, 24)
    return bound / grain < 2**bits and (element not in ("f16",) or bound < 60000)


def sized(dims: tuple[Dim, ...]) -> int:
    return prod(d if isinstance(d, int) else 7 for d in dims)


def unary(d: Drawing) -> None:
    x = d.pick(lambda v: v.element != "i1")
    if x is None:
        return
    if not x.is_float:
        names = ["relu", "abs", "sign", "bitwise_not"] + (["negate"] if not x.element.startswith("ui") else [])
        d.add(getattr(d.b, d.one_of(names))(x.ssa), x, exact=True, bound=x.bound)
        return
    steady = ["relu", "negate", "abs"]
    jumping = ["floor", "ceil", "round", "sign"] if x.exact else []
    smooth = ["tanh", "sigmoid", "erf", "sin", "cos", "atan"]
    if x.exact and x.bound <= 8:
        smooth += ["exp", "sinh", "reciprocal", "sqrt", "log"]
    name = d.one_of(steady + jumping + smooth)
    exact = x.exact and name not in smooth
    d.add(getattr(d.b, name)(x.ssa), x, exact=exact, bound=x.bound if exact else max(x.bound, 3000.0))


def binary(d: Drawing) -> None:
    x = d.pick(lambda v: v.element != "i1")
    if x is None:
        return
    partner = d.pick(lambda v: v.element == x.element and (v.exact or not x.is_float) and compatible(v, x))
    if partner is None or d.boolean():
        shape = broadcastable(d, x)
        partner = d.constant(shape, x.element)
    if sized(x.dims) > LARGEST_TENSOR:
        return
    if not x.is_float:
        names = [
            "add",
            "subtract",
            "multiply",
            "divide",
            "maximum",
            "minimum",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
        ]
        d.add(getattr(d.b, d.one_of(names))(x.ssa, partner.ssa), x, exact=True, bound=x.bound)
        return
    options = ["maximum", "minimum", "multiply"]
    if x.exact:
        options += ["add", "subtract", "divide"]
    name = d.one_of(options)
    operands = (x.ssa, partner.ssa) if d.boolean() or name == "divide" else (partner.ssa, x.ssa)
    exact = x.exact and partner.exact and name != "divide"
    grain = min(x.grain, partner.grain)
    bound = x.bound + partner.bound
    if name == "multiply":
        bound, grain = x.bound * partner.bound, x.grain * partner.grain
    if exact and not fits(x.element, bound, grain):
        return
    d.add(getattr(d.b, name)(*operands), x, exact=exact, bound=max(bound, 3000.0 if not exact else 0), grain=grain)


def compatible(a: Value, b: Value) -> bool:
    """Whether two shapes broadcast for sure, to something that is not too large."""
    for x, y in zip(reversed(a.dims), reversed(b.dims), strict=False):
        if x != y and x != 1 and y != 1:
            return False
    longer = a.dims if len(a.dims) >= len(b.dims) else b.dims
    return sized(longer) * max(sized(a.dims), sized(b.dims), 1) < LARGEST_TENSOR * 50


def broadcastable(d: Drawing, x: Value) -> tuple[int, ...]:
    """A static shape that broadcasts to that of `x`."""
    dims = x.dims[d.integer(0, len(x.dims)) :]
    return tuple(1 if not isinstance(size, int) or d.boolean() else size for size in dims)


def multiply_add(d: Drawing) -> None:
    x = d.pick(lambda v: v.is_float and v.exact)
    if x is None:
        return
    y, z = (d.constant(broadcastable(d, x), x.element) for _ in range(2))
    bound, grain = x.bound * 3 + 3, min(x.grain, 1.0)
    if fits(x.element, bound, grain):
        d.add(d.b.ewise_fma(x.ssa, y.ssa, z.ssa), x, exact=True, bound=bound, grain=grain)


def compare_select(d: Drawing) -> None:
    x = d.pick(lambda v: v.exact and v.element != "i1")
    if x is None:
        return
    y = d.constant(broadcastable(d, x), x.element)
    name = d.one_of(["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
    condition = getattr(d.b, name)(x.ssa, y.ssa)
    d.b.emit(condition)
    d.values.append(Value(condition, "i1", True, 1.0))
    if d.boolean():
        return
    d.add(d.b.select(condition, x.ssa, y.ssa), x, exact=True, bound=max(x.bound, 3.0))


def cast(d: Drawing) -> None:
    x = d.pick(lambda v: v.exact)
    if x is None:
        return
    element = d.one_of([*FLOATS, *INTEGERS, "i1"])
    if element in FLOATS and not fits(element, x.bound, x.grain):
        return
    if element in FLOATS and not x.is_float and x.element != "i1":
        return  # an integer may have wrapped to anything
    d.add(d.b.cast(x.ssa, element), x, exact=True, bound=x.bound, element=element)


def matmul(d: Drawing) -> None:
    x = d.pick(
        lambda v: (
            v.element != "i1" and len(v.dims) >= 2 and isinstance(v.dims[-1], int) and (v.exact or v.bound <= 3000)
        )
    )
    if x is None:
        return
    depth = x.dims[-1]
    assert isinstance(depth, int)
    width = d.one_of([1, 2, 3, 5, 8, 17])
    if depth * width > 400:
        return
    w = d.constant((depth, width), x.element, low=-3 if x.exact else 0)
    bound, grain = x.bound * 3 * max(depth, 1), x.grain
    if x.is_float and x.exact and not fits("f32" if x.element in ("f16", "bf16") else x.element, bound, grain):
        return
    rounds = x.element in ("f16", "bf16") and not fits(x.element, bound, grain)
    y = d.b.matmul(x.ssa, w.ssa)
    if sized(tuple(dims_of(type_of_value(y)))) > LARGEST_TENSOR:
        return
    d.add(y, x, exact=x.exact and not rounds, bound=bound)


def movement(d: Drawing) -> None:
    x = d.pick(lambda v: len(v.dims) >= 1)
    if x is None:
        return
    rank = len(x.dims)
    static_axes = [n for n, size in enumerate(x.dims) if isinstance(size, int)]
    kind = d.one_of(["permute", "reshape", "slice", "pad", "concat", "broadcast"])
    if kind == "permute":
        y = d.b.permute_dims(x.ssa, d.permutation(rank))
    elif kind == "reshape":
        y = d.b.reshape(x.ssa, reshaped(d, x))
    elif kind == "slice" and static_axes:
        axis = d.one_of(static_axes)
        size = x.dims[axis]
        assert isinstance(size, int)
        start, step = d.integer(-size - 1, size + 1), d.one_of([1, 2, 3, -1, -2])
        end = d.integer(-size - 2, size + 2)
        ranges = [(start, end, step) if n == axis else (0, 2**62, 1) for n in range(rank)]
        y = d.b.slice(x.ssa, *map(list, zip(*ranges, strict=True)))
    elif kind == "pad" and x.element != "i1":
        low, high = ([d.integer(0, 2) for _ in range(rank)] for _ in range(2))
        y = d.b.pad(x.ssa, low, high)
    elif kind == "concat":
        axis = d.integer(0, rank - 1)
        others = [v for v in d.values if v.element == x.element and same_but(v, x, axis)]
        picked = [d.one_of(others) for _ in range(d.integer(1, 2))]
        y = d.b.concat([x.ssa, *(v.ssa for v in picked)], axis)
        d.b.emit(y)
        if sized(tuple(dims_of(type_of_value(y)))) <= LARGEST_TENSOR * 2:
            every = [x, *picked]
            d.values.append(
                Value(
                    y, x.element, all(v.exact for v in every), max(v.bound for v in every), min(v.grain for v in every)
                )
            )
        return
    elif kind == "broadcast":
        y = d.b.broadcast_to(x.ssa, [d.one_of([1, 2, 3]), *x.dims])
    else:
        return
    if sized(tuple(dims_of(type_of_value(y)))) <= LARGEST_TENSOR * 2:
        d.add(y, x, exact=x.exact, bound=x.bound)


def reshaped(d: Drawing, x: Value) -> list[Dim]:
    """Two neighbouring dims joined, one split, or a one put in."""
    dims = list(x.dims)
    choice = d.integer(0, 2)
    if choice == 0 and len(dims) >= 2:
        n = d.integer(0, len(dims) - 2)
        product: Any = dims[n] * dims[n + 1]  # type: ignore[operator]
        return [*dims[:n], product, *dims[n + 2 :]]
    if choice == 1:
        n = d.integer(0, len(dims) - 1)
        size = dims[n]
        if isinstance(size, int) and size > 1:
            divisor = d.one_of([k for k in range(1, size + 1) if size % k == 0])
            return [*dims[:n], divisor, size // divisor, *dims[n + 1 :]]
    n = d.integer(0, len(dims))
    return [*dims[:n], 1, *dims[n:]]


def same_but(a: Value, b: Value, axis: int) -> bool:
    return len(a.dims) == len(b.dims) and all(
        x == y for n, (x, y) in enumerate(zip(a.dims, b.dims, strict=True)) if n != axis
    )


def reduction(d: Drawing) -> None:
    x = d.pick(lambda v: len(v.dims) >= 1 and v.element != "i1")
    if x is None:
        return
    rank = len(x.dims)
    axes = sorted(d.permutation(rank)[: d.integer(1, rank)])
    count = sized(tuple(x.dims[n] for n in axes))
    names = ["max", "min"]
    if x.exact and (not x.is_float or fits(x.element, x.bound * max(count, 1), x.grain)):
        names += ["sum", "sum"] + (["mean"] if x.is_float else [])
    if not x.is_float:
        names.append("prod")
    name = d.one_of(names)
    y = getattr(d.b, name)(x.ssa, axes, keepdims=d.boolean())
    exact = x.exact and name != "mean"
    d.add(y, x, exact=exact, bound=max(x.bound * max(count, 1) if name == "sum" else x.bound, 0 if exact else 3000.0))


def normalization(d: Drawing) -> None:
    x = d.pick(lambda v: v.is_float and v.exact and len(v.dims) >= 1 and v.bound <= LARGEST_MAGNITUDE)
    if x is None:
        return
    last = x.dims[-1]
    if d.boolean() or not isinstance(last, int):
        y = d.b.softmax(x.ssa, d.integer(0, len(x.dims) - 1))
    else:
        scale, bias = d.constant((last,), x.element), d.constant((last,), x.element)
        # a constant row has no variance: what is left of it is rounding, divided by the root of epsilon
        y = d.b.layer_norm(x.ssa, scale.ssa, bias.ssa, axis=-1, epsilon=1.0)
    d.add(y, x, exact=False, bound=3000.0)


def window(d: Drawing) -> None:
    x = d.pick(lambda v: v.is_float and len(v.dims) == 4 and all(isinstance(s, int) and s > 0 for s in v.dims[1:]))
    if x is None:
        return
    _, channels, height, width = x.dims
    assert isinstance(channels, int)
    assert isinstance(height, int)
    assert isinstance(width, int)
    kernel = (d.integer(1, min(3, height)), d.integer(1, min(3, width)))
    strides = (d.integer(1, 2), d.integer(1, 2))
    pads = [d.integer(0, k - 1) for k in (*kernel, *kernel)]
    kind = d.one_of(["conv2d", "max_pool2d", "avg_pool2d"])
    if kind == "conv2d":
        if not x.exact:
            return
        groups = d.one_of([g for g in (1, 2, 3) if channels % g == 0])
        outs = groups * d.integer(1, 2)
        terms = channels // groups * kernel[0] * kernel[1]
        bound = x.bound * 3 * terms + 3
        if not fits(x.element, bound, x.grain) or outs * terms > 200:
            return
        filter = d.constant((outs, channels // groups, *kernel), x.element)
        bias = d.constant((outs,), x.element).ssa if d.boolean() else None
        y = d.b.conv2d(x.ssa, filter.ssa, bias, strides=strides, pads=pads, groups=groups)
        d.add(y, x, exact=True, bound=bound)
    elif kind == "max_pool2d":
        d.add(d.b.max_pool2d(x.ssa, kernel, strides=strides, pads=pads), x, exact=x.exact, bound=x.bound)
    elif x.exact:
        y = d.b.avg_pool2d(x.ssa, kernel, strides=strides, pads=pads, count_include_pad=d.boolean())
        d.add(y, x, exact=False, bound=max(x.bound, 3000.0))


STEPS = (
    unary,
    unary,
    binary,
    binary,
    multiply_add,
    compare_select,
    cast,
    matmul,
    matmul,
    movement,
    movement,
    reduction,
    normalization,
    window,
)


TARGETS = ("generic", "c-vector", "avx2", "avx512")


@st.composite
def programs(draw: Any, largest: int = 8) -> Program:
    """A program as hypothesis draws it."""
    return draw_program(lambda low, high: draw(st.integers(low, high)), largest)


def random_program(seed: int, largest: int = 12) -> Program:
    """A program that follows from a number, with choices of equal chance."""
    return draw_program(Random(seed).randint, largest)


def draw_program(integer: Callable[[int, int], int], largest: int) -> Program:
    """A program of one function with up to `largest` ops, arrays for it, a target and a pipeline."""
    b = GraphBuilder()
    d = Drawing(integer, b)
    dynamic = d.boolean()
    shapes: list[tuple[int | str, ...]] = []
    elements: list[str] = []
    for _ in range(d.integer(1, 3)):
        rank = d.one_of([1, 2, 2, 3, 4])
        shape: list[int | str] = [
            d.one_of([1, 2, 3, 4, 7, 9, 16, 19] if rank < 4 else [1, 2, 3, 5]) for _ in range(rank)
        ]
        if dynamic:
            shape[d.integer(0, rank - 1)] = d.one_of(["n", "m"])
        elif d.integer(0, 19) == 0:
            shape[d.integer(0, rank - 1)] = 0
        shapes.append(tuple(shape))
        elements.append(d.one_of([*FLOATS, *INTEGERS]))
    names = {f"x{n}": tensor(shape, element) for n, (shape, element) in enumerate(zip(shapes, elements, strict=True))}
    with b.function("main", names) as arguments:
        d.values = [Value(v, element, True, 4.0, 0.5) for v, element in zip(arguments, elements, strict=True)]
        for _ in range(d.integer(1, largest)):
            d.one_of(STEPS)(d)
        made = d.values[len(shapes) :] or [d.values[0]]
        outputs = [made[-1], *(v for v in made[:-1] if d.integer(0, 4) == 0)]
        b.emit_func_output([v.ssa for v in outputs])
    sizes = {name: d.one_of([1, 2, 3, 5, 8, 17, 0]) for name in ("n", "m")}
    special = d.integer(0, 3) == 0
    random = np.random.default_rng(d.integer(0, 2**32 - 1))
    arrays = tuple(
        make_array(tuple(sizes[s] if isinstance(s, str) else s for s in shape), element, random, special)
        for shape, element in zip(shapes, elements, strict=True)
    )
    return Program(b.get(), arrays, tuple(v.exact for v in outputs), d.one_of(TARGETS), d.boolean())


def make_array(
    shape: tuple[int, ...], element: str, random: np.random.Generator, special: bool
) -> np.ndarray[Any, Any]:
    """Small integers and halves, with a few NaN, infinities and negative zeros among them if `special`."""
    dtype = dtype_of(tensor((), element).element_type)
    if element.startswith("u"):
        return random.integers(0, 9, shape).astype(dtype)
    if element.startswith("i"):
        return random.integers(-4, 5, shape).astype(dtype)
    values = random.integers(-8, 9, shape) / 2
    if special:
        odd = np.array([np.nan, np.inf, -np.inf, -0.0])[random.integers(0, 4, shape)]
        values = np.where(random.random(shape) < 0.15, odd, values)
    return values.astype(dtype)
