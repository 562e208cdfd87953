"""A user's own lowering passes, run after the built-in work of a phase."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..errors import Error, PipelineError, require
from .run import run_pass

FunctionPass: TypeAlias = Callable[[FuncOp], Operation | None]
"""A plain function from a loop function to a loop function; None, or the same object, for no other one."""

LowerPass: TypeAlias = FunctionPass | ModulePass

PHASES = (0, 1, 2, 3)
"""0 loop nests as written, 1 storage flattened, 2 loops vectorized and unrolled, 3 cleaned up."""

_INJECTED: ContextVar[tuple[tuple[int, LowerPass], ...]] = ContextVar("injected", default=())


@contextmanager
def pass_context(*, add_lower_pass: Sequence[tuple[int, LowerPass]] = ()) -> Generator[None]:
    """
    Within this context, `lower`, `emit` and `compile` run each `(phase, pass)` after the built-in work of that phase.

    Outside it the pipeline is untouched. Contexts nest: the inner passes run after the outer ones. Raises
    `PipelineError` for a phase that does not exist, and for what is no pass.
    """
    for phase, lower_pass in _pairs(add_lower_pass):
        if phase not in PHASES:
            raise PipelineError(f"no lowering phase {phase!r}: the phases are {', '.join(map(str, PHASES))}")
        if not callable(lower_pass):
            require(lower_pass, ModulePass, "a function or a pass object in add_lower_pass")
    token = _INJECTED.set((*_INJECTED.get(), *add_lower_pass))
    try:
        yield
    finally:
        _INJECTED.reset(token)


def _pairs(given: Sequence[tuple[int, LowerPass]]) -> Sequence[tuple[int, LowerPass]]:
    """What is given as `add_lower_pass`, refused where it is not pairs."""
    what = "add_lower_pass as a list of (phase, pass)"
    require(given, Sequence, what)
    for pair in given:
        require(pair, Sequence, what)
        if len(pair) != 2:
            raise PipelineError(f"expected {what}, not {pair!r}")
    return given


def run_injected(phase: int, context: Context, module: ModuleOp) -> None:
    """Run the passes that the current context adds to `phase`, in order."""
    for wanted, lower_pass in _INJECTED.get():
        if wanted != phase:
            continue
        if isinstance(lower_pass, ModulePass):
            run_pass(lower_pass, context, module)
            continue
        for function in loop_functions(module):
            result = _run_on(function, lower_pass, phase)
            if result is not function:
                Rewriter.replace_op(function, result)


def _run_on(function: FuncOp, lower_pass: FunctionPass, phase: int) -> FuncOp:
    """The function that a user's pass makes of one, with the pass and the function in every error but our own."""
    name = getattr(lower_pass, "__name__", str(lower_pass))
    what = f"lowering pass '{name}' (phase {phase})"
    at = f"function @{function.sym_name.data}"
    try:
        result = cast(object, lower_pass(function))  # which may be anything
    except Error:
        raise
    except Exception as error:
        raise PipelineError(f"{what} failed on {at} ({type(error).__name__}: {error})") from error
    if result is None:
        return function
    if not isinstance(result, FuncOp):
        found = f"'{result.name}'" if isinstance(result, Operation) else repr(result)
        raise PipelineError(f"{what} returned {found} for {at}: it must return a func.func, or None")
    return result


def loop_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions over buffers, in order: those that lowering works on."""
    return [
        op
        for op in module.body.block.ops
        if isinstance(op, FuncOp)
        and op.body.blocks
        and not op.function_type.outputs.data
        and any(isinstance(t, MemRefType) for t in op.function_type.inputs)
    ]
