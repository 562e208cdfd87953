"""
The front door: a model in, a module, C or a callable out.

Four verbs: load, lower, emit, compile. What varies is a value that is passed: a target, a tuple of stages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .errors import ModelError, PipelineError, RunError, require
from .pipelines import OPTIMISED, Stage, new_context, run_stages
from .pipelines.run import run_pass
from .pipelines.text import available_passes, parse_passes
from .targets import Target, runs_here, target_named

if TYPE_CHECKING:
    from onnx import ModelProto

    from .emitters.c import Entry, Source, Tensor
    from .interpreters.arguments import Array
    from .pipelines.check import Check
    from .runtime import Model, Program, TensorSpec

ModelSource: TypeAlias = "str | os.PathLike[str] | bytes | ModelProto | ModuleOp"
"""A model: the path of an `.onnx` or `.mlir` file, the bytes of an ONNX file, a `ModelProto`, or a module."""

Stages: TypeAlias = Callable[[Target], Sequence[Stage]] | Sequence[Stage]
"""A function from a target to its stages, such as `OPTIMISED` and `REFERENCE`, or the stages themselves."""

Passes: TypeAlias = str | ModulePass | Sequence[str | ModulePass]
"""A name, a pipeline text such as `"fuse-matmul-add,dce"`, a pass object, or several."""

Shapes: TypeAlias = Mapping[str, Any]
"""What is known of dynamic dims: an input's shape, `{"x": (1, 784)}`, or a dim by name, `{"batch": 7}`."""


def parse(text: str | bytes, name: str = "<text>") -> ModuleOp:
    """The module that MLIR text, or its UTF-8, says. Raises `ModelError` with `name:line` where it does not."""
    from .frontends.mlir import parse as parse_text
    from .rewriting import verify

    require(text, (str, bytes), "MLIR text", ModelError)
    module = parse_text(text, name, new_context())
    verify(module)
    return module


def load(model: ModelSource, shapes: Shapes | None = None) -> ModuleOp:
    """
    A model as a module of its own, the argument unchanged.

    `shapes` binds dynamic dims. Raises `ModelError` where the file is missing or malformed, `UnsupportedError` with the
    nodes that cannot be said.
    """
    require(shapes, (Mapping, type(None)), "shapes as a dictionary of inputs and dims", ModelError)
    if isinstance(model, str | os.PathLike) and "\0" in os.fspath(model):
        raise ModelError(f"{os.fspath(model)!r}: error: no file can have this name")
    if isinstance(model, ModuleOp):
        module = model.clone()
    elif isinstance(model, str | os.PathLike) and Path(model).suffix == ".mlir":
        path = Path(model)
        try:
            text = path.read_bytes()
        except OSError as error:
            raise ModelError(f"{path}: error: {error.strerror or error}") from error
        module = parse(text, str(path))
    else:
        from .frontends import onnx

        return onnx.load(model, shapes)
    if shapes:
        from .frontends.shapes import bind_shapes

        bind_shapes(module, shapes)
    return module


@overload
def lower(
    model: ModelSource,
    target: Target | str = ...,
    *,
    stages: Stages = ...,
    stop_after: str | None = ...,
    simple_mode: Literal[False] = ...,
    shapes: Shapes | None = ...,
) -> ModuleOp: ...


@overload
def lower(
    model: ModelSource,
    target: Target | str = ...,
    *,
    stages: Stages = ...,
    stop_after: str | None = ...,
    simple_mode: Literal[True],
    shapes: Shapes | None = ...,
) -> str: ...


def lower(
    model: ModelSource,
    target: Target | str = "generic",
    *,
    stages: Stages = OPTIMISED,
    stop_after: str | None = None,
    simple_mode: bool = False,
    shapes: Shapes | None = None,
) -> ModuleOp | str:
    """
    Take a model down to the end of a stage, by default the last one, and return a new module.

    With `simple_mode`, its loop functions as short statements for reading. Passes of the current `pass_context` run
    after the built-in work of their phase.
    """
    module = load(model, shapes)
    run_stages(module, stages_for(stages, target), stop_after=stop_after)
    if not simple_mode:
        return module
    from .emitters.statements import statements

    return statements(module)


def stages_for(stages: Stages, target: Target | str) -> Sequence[Stage]:
    """The stages as a sequence, for this target. Raises `PipelineError` for a name, which `stop_after` takes."""
    machine = as_target(target)
    if isinstance(stages, str):
        raise PipelineError(f"stages are OPTIMISED, REFERENCE or a sequence of stages, not the name '{stages}'")
    sequence = stages(machine) if callable(stages) else stages
    what = "stages: OPTIMISED, REFERENCE or a sequence of stages"
    require(sequence, Sequence, what)
    for stage in sequence:
        require(stage, Stage, what)
    return sequence


def as_target(target: Target | str) -> Target:
    """A target by name, or itself."""
    require(target, (str, Target), "a Target or the name of one")
    return target_named(target) if isinstance(target, str) else target


def apply(passes: Passes, module: ModuleOp) -> ModuleOp:
    """
    Run passes on a copy of `module` and return it, verified after each.

    Raises `PipelineError` for a name or an option that does not exist.
    """
    require(module, ModuleOp, "a module to apply passes to", ModelError)
    result = module.clone()
    context = new_context()
    for pass_ in as_passes(passes):
        run_pass(pass_, context, result)
    return result


def as_passes(passes: Passes) -> Sequence[ModulePass]:
    """Passes as objects."""
    if isinstance(passes, str):
        return parse_passes(passes, available_passes())
    if isinstance(passes, ModulePass):
        return (passes,)
    require(passes, Sequence, "the name of a pass, a pipeline text, a pass object, or a sequence of them")
    return [pass_ for several in passes for pass_ in as_passes(several)]


def check(model: ModelSource, passes: Passes, *, seed: int = 0, shapes: Shapes | None = None) -> Check:
    """
    Run a model before and after each of `passes`, on made-up inputs with NaN and infinities too, and compare.

    Raises `PipelineError` at the first pass that changes a value beyond its licence: it names the pass, the function,
    the output, the element and both values. What could not be run is in `unchecked` of the result.
    """
    from .pipelines.check import check as check_passes

    require(seed, Integral, "a whole number as seed")
    if seed < 0:
        raise PipelineError(f"a seed is not negative, as {seed} is")
    return check_passes(load(model, shapes), as_passes(passes), new_context(), seed=seed)


def run(
    model: ModelSource, *inputs: Any, function: str | None = None, shapes: Shapes | None = None
) -> Array | tuple[Array, ...]:
    """
    Interpret a model, or a module at any stage, on arrays: an array, or a tuple of several. Needs no C compiler.

    `function` names the function to run where a module has several that can be called from outside.
    """
    from .interpreters.run import run as interpret

    outputs = interpret(load(model, shapes), function, inputs)
    return outputs[0] if len(outputs) == 1 else outputs


def emit(
    model: ModelSource,
    target: Target | str = "generic",
    *,
    stages: Stages = OPTIMISED,
    shapes: Shapes | None = None,
    name: str | None = None,
    inline_weights: int | None = None,
) -> Source:
    """
    The C of a model for a machine: source, header, weights.

    `name` is the prefix of its symbols, by default from the model's file. Constants of up to `inline_weights` bytes
    stand in the C, the others in one weights file; by default the emitter's own limit.
    """
    from .emitters.c import emit_module

    require(name, (str, type(None)), "a name for the C")
    require(inline_weights, (Integral, type(None)), "a number of bytes for inline_weights")
    if inline_weights is not None and inline_weights < 0:
        raise PipelineError(f"inline_weights is a number of bytes, and not negative, as {inline_weights} is")
    machine = as_target(target)
    module = lower(model, machine, stages=stages, shapes=shapes)
    origin = str(model) if isinstance(model, str | os.PathLike) else ""
    stem = Path(origin).stem if origin else "model"
    return emit_module(module, machine, name or stem, origin=origin, inline_limit=inline_weights)


def compile(
    model: ModelSource,
    target: Target | str = "native",
    *,
    stages: Stages = OPTIMISED,
    shapes: Shapes | None = None,
    function: str | None = None,
) -> Model:
    """
    A model, ready to call with NumPy arrays: `m(x, …)` in input order, `m.run({"x": x})` by name.

    `function` names the function to call where a module has several that can be called from outside. Raises `RunError`
    where this machine does not run the target's code, `CompilerError` where it has no C compiler.
    """
    from . import runtime

    machine = as_target(target)
    if not runs_here(machine):
        needs = ", ".join(sorted(machine.needs))
        raise RunError(f"target '{machine.name}' needs {needs}, which this machine lacks; `emit` writes its C anywhere")
    return runtime.load(program_of(emit(model, machine, stages=stages, shapes=shapes), function))


def program_of(source: Source, function: str | None = None) -> Program:
    """What the runtime needs to know of one entry of emitted C."""
    from .emitters.c import STATUSES
    from .runtime import ModelSpec, Program

    entry = entry_named(source, function)
    spec = ModelSpec(
        name=source.name,
        run=entry.run,
        workspace_size=entry.workspace_size,
        inputs=tuple(map(tensor_spec, entry.inputs)),
        outputs=tuple(map(tensor_spec, entry.outputs)),
        dims=entry.dims,
        takes_weights=entry.takes_weights,
        requires=entry.requires,
        statuses=tuple(meaning for _, meaning in STATUSES),
    )
    return Program(spec, source.code, source.header, source.flags, source.weights if entry.takes_weights else None)


def entry_named(source: Source, function: str | None) -> Entry:
    """The entry called `function`; without a name `main`, or the only one."""
    names = [entry.function for entry in source.entries]
    if not names:
        raise PipelineError("the module has no function that can be called from outside")
    wanted = function or ("main" if "main" in names else names[0] if len(names) == 1 else None)
    if wanted not in names:
        problem = f"no function '{wanted}'" if wanted else "which function is meant?"
        raise PipelineError(f"{problem}: the functions are {', '.join(names)}")
    return source.entries[names.index(wanted)]


def tensor_spec(tensor: Tensor) -> TensorSpec:
    """An input or output of an entry in the runtime's words."""
    from .runtime import TensorSpec

    return TensorSpec(tensor.name, tensor.dtype, tensor.shape)
