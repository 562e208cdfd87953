"""
The front door: a model in, a module, C or a callable out.

Four verbs: load, lower, emit, load. What varies is a value that is passed: a target, a tuple of stages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .errors import ModelError
from .pipelines import OPTIMISED, Stage, new_context, run_stages
from .pipelines.run import run_pass
from .pipelines.text import available_passes, parse_passes
from .targets import Target, target_named

if TYPE_CHECKING:
    from onnx import ModelProto


Source: TypeAlias = "str | os.PathLike[str] | bytes | ModelProto | ModuleOp"
"""A model: the path of an `.onnx` or `.mlir` file, the bytes of an ONNX file, a `ModelProto`, or a module."""

Stages: TypeAlias = Callable[[Target], Sequence[Stage]] | Sequence[Stage]
"""A function from a target to its stages, such as `OPTIMISED` and `REFERENCE`, or the stages themselves."""

Shapes: TypeAlias = Mapping[str, Any]
"""What is known of dynamic dims: an input's shape, `{"x": (1, 784)}`, or a dim by name, `{"batch": 7}`."""


def parse(text: str, name: str = "<text>") -> ModuleOp:
    """The module that MLIR text says. Raises `ModelError` with `name:line` where it does not."""
    from .frontends.mlir import parse as parse_text
    from .rewriting import verify

    module = parse_text(text, name, new_context())
    verify(module)
    return module


def load(model: Source, shapes: Shapes | None = None) -> ModuleOp:
    """
    A model as a module of its own, the argument unchanged.

    `shapes` binds dynamic dims. Raises `ModelError` where the file is missing or malformed, `UnsupportedError` with the
    nodes that cannot be said.
    """
    if isinstance(model, ModuleOp):
        module = model.clone()
    elif isinstance(model, str | os.PathLike) and Path(model).suffix == ".mlir":
        path = Path(model)
        try:
            text = path.read_text(encoding="utf-8")
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
    model: Source,
    target: Target | str = ...,
    *,
    stages: Stages = ...,
    stop_after: str | None = ...,
    simple_mode: Literal[False] = ...,
    shapes: Shapes | None = ...,
) -> ModuleOp: ...


@overload
def lower(
    model: Source,
    target: Target | str = ...,
    *,
    stages: Stages = ...,
    stop_after: str | None = ...,
    simple_mode: Literal[True],
    shapes: Shapes | None = ...,
) -> str: ...


def lower(
    model: Source,
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
    after the built-in work of their phase (A14–A17).
    """
    module = load(model, shapes)
    run_stages(module, stages_for(stages, target), stop_after=stop_after)
    if not simple_mode:
        return module
    from .emitters.statements import statements

    return statements(module)


def stages_for(stages: Stages, target: Target | str) -> Sequence[Stage]:
    """The stages as a sequence, for this target."""
    return stages(as_target(target)) if callable(stages) else stages


def as_target(target: Target | str) -> Target:
    """A target by name, or itself."""
    return target_named(target) if isinstance(target, str) else target


def apply(passes: str | ModulePass | Sequence[ModulePass], module: ModuleOp) -> ModuleOp:
    """
    Run passes on a copy of `module` and return it, verified after each (A32).

    `passes` is a name, a pipeline text such as `"fuse-matmul-add,dce"`, or pass objects. Raises `PipelineError` for a name or an
    option that does not exist.
    """
    if isinstance(passes, str):
        passes = parse_passes(passes, available_passes())
    elif isinstance(passes, ModulePass):
        passes = (passes,)
    result = module.clone()
    context = new_context()
    for pass_ in passes:
        run_pass(pass_, context, result)
    return result
