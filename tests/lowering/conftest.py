"""One op in a function, run as a graph and as loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from stepwell.conversions.calls_to_buffers import ConvertCallsToBuffersPass
from stepwell.conversions.fuse_loop_functions import FuseLoopFunctionsPass
from stepwell.conversions.graph_to_loop import ConvertGraphToLoopPass
from stepwell.dialects.element_types import type_of
from stepwell.dialects.expr import Expr
from stepwell.dialects.graph import tensor_of
from stepwell.interpreters.compare import first_difference
from stepwell.interpreters.run import run
from stepwell.rewriting import verify
from stepwell.transforms.verify_loops import VerifyLoopsPass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

Array = np.ndarray[Any, Any]
Build = Callable[..., Operation | Sequence[SSAValue]]

PASSES = (ConvertGraphToLoopPass(), FuseLoopFunctionsPass(), ConvertCallsToBuffersPass(), VerifyLoopsPass())


def module_of(build: Build, arrays: Sequence[Array], shapes: Sequence[Sequence[int | str]] | None) -> ModuleOp:
    """`@main` with one argument per array, whose result is what `build` makes of them."""
    sizes = [a.shape for a in arrays] if shapes is None else shapes
    dims = [[Expr.atom(s) if isinstance(s, str) else s for s in shape] for shape in sizes]
    types = [tensor_of(type_of(a.dtype), shape) for a, shape in zip(arrays, dims, strict=True)]
    block = Block(arg_types=types)
    made = build(*block.args)
    results = list(made.results) if isinstance(made, Operation) else list(made)
    pending = [v.owner for v in results if isinstance(v.owner, Operation)]
    ordered: list[Operation] = []
    while pending:
        op = pending.pop()
        if op in ordered:
            ordered.remove(op)
        ordered.append(op)
        pending.extend(v.owner for v in op.operands if isinstance(v.owner, Operation))
    block.add_ops([*reversed(ordered), ReturnOp(*results)])
    return ModuleOp([FuncOp("main", (types, [v.type for v in results]), Region(block))])


@pytest.fixture
def evaluate() -> Callable[..., tuple[tuple[Array, ...], tuple[Array, ...]]]:
    """`(build, arrays, shapes=None)`: the results as a graph, and the results as loops."""

    def both(
        build: Build, arrays: Sequence[Array], shapes: Sequence[Sequence[int | str]] | None = None
    ) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
        module = module_of(build, arrays, shapes)
        as_graph = run(module, "main", arrays)
        for one in PASSES:
            one.apply(Context(), module)
        verify(module)
        return as_graph, run(module, "main", arrays)

    return both


@pytest.fixture
def agree(evaluate: Callable[..., Any]) -> Callable[..., None]:
    """`(build, arrays, expected)`: graph and loops both give it, by bits unless `terms` says how many are summed."""

    def check(
        build: Build,
        arrays: Sequence[Array],
        expected: Array | Sequence[Array],
        *,
        shapes: Sequence[Sequence[int | str]] | None = None,
        terms: int = 0,
        exact: bool = True,
    ) -> None:
        wanted = [expected] if isinstance(expected, np.ndarray) else list(expected)
        licensed = terms > 0 or not exact
        for level, found in zip(("graph", "loop"), evaluate(build, arrays, shapes), strict=True):
            assert len(found) == len(wanted)
            for a, b in zip(wanted, found, strict=True):
                difference = first_difference(np.asarray(a), b, licensed=licensed, terms=terms)
                assert difference is None, f"{level}: {difference}"

    return check
