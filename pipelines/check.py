"""Checking passes by running what they change: the module before and after every pass, on generated inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Protocol, runtime_checkable

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..dialects import graph
from ..dialects.graph.dims import as_tensor
from ..dialects.loop import BlockOp
from ..dialects.signature import output_names
from ..errors import Error, PipelineError
from ..interpreters.compare import first_difference
from ..interpreters.run import run
from ..rewriting import walk
from .inputs import SIZES, InputSet, input_sets
from .run import run_pass

Values = dict[tuple[str, str], tuple[np.ndarray[Any, Any], ...]]
"""(function, what the inputs were) -> its outputs."""


@dataclass
class Check:
    """The values of a module's functions, compared again after each pass."""

    module: ModuleOp
    seed: int = 0
    unchecked: dict[str, str] = field(default_factory=dict[str, str], init=False)
    """Functions that could not be run before any pass, with the reason."""

    def __post_init__(self) -> None:
        self.terms = longest_sum(self.module)
        self.inputs: dict[str, list[InputSet]] = {}
        for function in runnable_functions(self.module):
            name = function.sym_name.data
            try:
                self.inputs[name] = list(input_sets(function, self.seed))
            except Error as error:
                self.unchecked[name] = str(error)
        self.values = self._run(self.module, first=True)
        self.licensed = False

    def before(self, pass_: ModulePass) -> None:
        """Note what `pass_` may do to the module as it is; to be called before it runs."""
        self.licensed = is_licensed(pass_, self.module)

    def after(self, pass_: ModulePass, module: ModuleOp) -> None:
        """
        Compare the values of `module` with those before `pass_`.

        Raises `PipelineError` for the first that changed beyond the licence of the pass.
        """
        self.terms = max(self.terms, longest_sum(module))
        values = self._run(module, after=pass_.name)
        for (name, what), before in self.values.items():
            after = values[name, what]
            if len(before) != len(after):
                raise PipelineError(f"pass '{pass_.name}' gives @{name} {len(after)} outputs; it had {len(before)}")
            names = output_names(function_named(module, name))
            for number, (expected, found) in enumerate(zip(before, after, strict=True)):
                output = names[number] if number < len(names) else f"output{number}"
                difference = first_difference(expected, found, licensed=self.licensed, terms=self.terms)
                if difference is not None:
                    raise PipelineError(
                        f"pass '{pass_.name}' changes what @{name} computes: output '{output}', {difference} ({what})"
                    )
        self.values = values

    def _run(self, module: ModuleOp, *, after: str = "", first: bool = False) -> Values:
        values: Values = {}
        for name, sets in self.inputs.items():
            if name in self.unchecked:
                continue
            for one in sets:
                try:
                    values[name, one.what] = run(module, name, one.arrays)
                except Error as error:
                    if first:
                        self.unchecked[name] = str(error)
                        break
                    raise PipelineError(f"after pass '{after}', @{name} cannot be run ({one.what}): {error}") from error
        return {key: value for key, value in values.items() if key[0] not in self.unchecked}


def check(module: ModuleOp, passes: Sequence[ModulePass], context: Context, *, seed: int = 0) -> Check:
    """
    Run `passes` on `module` in place, comparing its values before and after each.

    Raises `PipelineError` at the first pass that changes a value beyond its declared licence: it names the pass, the
    function, the output, the element and both values.
    """
    checking = Check(module, seed)
    for pass_ in passes:
        checking.before(pass_)
        run_pass(pass_, context, module)
        checking.after(pass_, module)
    return checking


@runtime_checkable
class NarrowsLicence(Protocol):
    """A pass of which the licence depends on its options or on the module: `licence` is then the most that it needs."""

    def licence_for(self, module: ModuleOp) -> frozenset[str]:
        """What it may do to a float result of this module."""
        ...


def is_licensed(pass_: ModulePass, module: ModuleOp) -> bool:
    """Whether a pass declares that it may change how a float result of `module` is rounded."""
    if isinstance(pass_, NarrowsLicence):
        return bool(pass_.licence_for(module))
    return bool(getattr(pass_, "licence", ()))


def runnable_functions(module: ModuleOp) -> Iterator[FuncOp]:
    """The functions with a body that can be called from outside."""
    for op in module.body.block.ops:
        private = isinstance(op, FuncOp) and op.sym_visibility is not None and op.sym_visibility.data == "private"
        if isinstance(op, FuncOp) and op.body.blocks and not private:
            yield op


def function_named(module: ModuleOp, name: str) -> FuncOp:
    """The function called `name`; `PipelineError` if a pass has removed it."""
    for function in runnable_functions(module):
        if function.sym_name.data == name:
            return function
    raise PipelineError(f"function @{name}, which can be called from outside, is gone")


def longest_sum(module: ModuleOp) -> int:
    """How many terms the longest sum of the module has; a dynamic size counts as the largest that inputs are given."""
    longest = 1
    for op in walk(module):
        match op:
            case graph.MatmulOp():
                longest = max(longest, _elements(op.lhs.type)[-1:][0] if _elements(op.lhs.type) else 1)
            case graph.Conv2dOp():
                longest = max(longest, prod(_elements(op.filter.type)[1:]))
            case graph.GraphOp() if op.operands and op.results and op.name in _REDUCING:
                longest = max(longest, prod(_elements(op.operands[0].type)))
            case BlockOp():
                extents = [loop.extent.value for loop in op.loops() if op.is_reduced_over(loop)]
                longest = max(longest, prod(max(SIZES) if e is None else max(e, 1) for e in extents))
            case _:
                pass
    return longest


_REDUCING = frozenset(f"graph.{name}" for name in ("sum", "mean", "prod", "softmax", "layer_norm", "avg_pool2d"))


def _elements(type: Any) -> list[int]:
    return [max(SIZES) if d < 0 else max(d, 1) for d in as_tensor(type).get_shape()]
