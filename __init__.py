"""
Stepwell: a tensor compiler that walks a model down, level by level, to plain C.

The names of this package load on first use, so that importing it costs nothing:

- `compile(model)` gives a Python callable, `emit(model)` its C, `lower(model, stop_after=...)` the module at a stage;
- `run(model, x)` interprets a model or a module of any stage;
- `apply(passes, module)` runs a pass or a pipeline text; `check` compares values before and after each pass;
- `GraphBuilder` writes a graph in Python, `show` prints a module for reading;
- `Error` and its subclasses are what any of them raises when the input is at fault.
"""

from importlib import import_module
from typing import Any

_PLACES: dict[str, str] = {
    "cache_read": "transforms.primitives",
    "cache_write": "transforms.primitives",
    "compute_at": "transforms.primitives",
    "contract_buffer": "transforms.primitives",
    "decompose_reduction": "transforms.primitives",
    "epilogue": "transforms.primitives",
    "fuse": "transforms.primitives",
    "inline_block": "transforms.primitives",
    "merge": "transforms.primitives",
    "pad_loop": "transforms.primitives",
    "peel": "transforms.primitives",
    "reorder": "transforms.primitives",
    "rfactor": "transforms.primitives",
    "set_kind": "transforms.primitives",
    "split": "transforms.primitives",
    "Schedule": "transforms.primitives",
    "register_interpreter": "interpreters",
    "GraphBuilder": "frontends.python",
    "show": "frontends.show",
    "tensor": "frontends.python",
    "OPTIMISED": "pipelines",
    "REFERENCE": "pipelines",
    "Stage": "pipelines",
    "apply": "compiler",
    "check": "compiler",
    "compile": "compiler",
    "emit": "compiler",
    "insert_after": "pipelines",
    "load": "compiler",
    "lower": "compiler",
    "parse": "compiler",
    "run": "compiler",
    "pass_context": "pipelines",
    "substitute": "dialects.loop",
    "CompilerError": "errors",
    "Error": "errors",
    "ModelError": "errors",
    "PipelineError": "errors",
    "RunError": "errors",
    "ScheduleError": "errors",
    "UnsupportedError": "errors",
    "UnsupportedNode": "errors",
    "VerifyError": "errors",
    "Target": "targets",
    "native": "targets",
    "post_order_visit": "rewriting",
    "transform": "rewriting",
}
"""Public name -> the module that holds it. Absolute imports: pytest loads this file under another name."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'stepwell' has no attribute '{name}'")
    return getattr(import_module(f"stepwell.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
