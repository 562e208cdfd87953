"""Arrays to run a function on: random ones, and ones full of the values that passes get wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..dialects.element_types import dtype_of
from ..dialects.expr import Expr, Variable
from ..dialects.graph.dims import as_tensor, dims_of
from ..dialects.signature import is_loop_function
from ..errors import RunError
from ..interpreters.arguments import Interface, Parameter

SIZES = (3, 5, 2)
"""What the dynamic sizes of a function are given, in turn."""

SPECIAL_FLOATS = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1e-40, -1e-40, 0.5, -1.0, 3.0)


@dataclass(frozen=True)
class InputSet:
    """One set of arguments for a function, and what is special about it."""

    what: str
    arrays: tuple[np.ndarray[Any, Any], ...]


def input_sets(function: FuncOp, seed: int) -> Iterator[InputSet]:
    """Two sets of arrays for the inputs of `function`: random values, then special ones."""
    shapes = _shapes(function)
    for what in ("random", "special"):
        random = np.random.default_rng([seed, what == "special"])
        try:
            arrays = tuple(_array(shape, dtype, random, what == "special") for shape, dtype in shapes)
        except (MemoryError, ValueError) as error:
            raise RunError(
                f"no memory for inputs of shapes {', '.join(str(list(shape)) for shape, _ in shapes)}"
            ) from error
        yield InputSet(f"{what} inputs, seed {seed}", arrays)


def _shapes(function: FuncOp) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
    sizes: dict[Variable, int] = {}
    anonymous = iter(range(1 << 30))

    def size(dim: Expr | int | None) -> int:
        if dim is None:
            return SIZES[next(anonymous) % len(SIZES)]
        if isinstance(dim, int):
            return dim
        for variable in dim.variables():
            sizes.setdefault(variable, SIZES[len(sizes) % len(SIZES)])
        return dim.evaluate(sizes)

    if any(isinstance(argument.type, MemRefType) for argument in function.args):
        return [(tuple(map(size, parameter.shape)), parameter.dtype) for parameter in _parameters(function)]
    return [(tuple(map(size, _dims(argument.type))), dtype_of(argument.type)) for argument in function.args]


def _parameters(function: FuncOp) -> Sequence[Parameter]:
    """What a function over buffers is given: its inputs, and where it does not say what it writes, all its buffers."""
    interface = Interface(function)
    if is_loop_function(function):
        return interface.inputs
    return sorted((*interface.inputs, *interface.outputs), key=lambda parameter: parameter.argument.index)


def _dims(type: Attribute) -> Sequence[Expr | int | None]:
    return dims_of(as_tensor(type)) if type.name == TensorType.name else ()


def _array(
    shape: tuple[int, ...], dtype: np.dtype[Any], random: np.random.Generator, special: bool
) -> np.ndarray[Any, Any]:
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(np.bool_)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if special:
            edges = [info.min, info.max, 0, 1, info.max // 2]
            return np.array([edges[i] for i in random.integers(0, len(edges), int(np.prod(shape)))], dtype).reshape(
                shape
            )
        low, high = max(int(info.min), -9), min(int(info.max), 9)
        return random.integers(low, high, shape, endpoint=True).astype(dtype)
    values = random.standard_normal(shape) * 2
    if special:
        chosen = random.integers(0, len(SPECIAL_FLOATS), shape)
        values = np.where(random.random(shape) < 0.5, np.array(SPECIAL_FLOATS)[chosen], values)
    return values.astype(dtype)
