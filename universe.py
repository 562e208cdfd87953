"""
The tables of the rooms as one xDSL universe: every dialect, pass, frontend and emitter, loaded when first used.

Declared under `[project.entry-points."xdsl.universe"]`, so that our tools, and stock `xdsl-opt`, find it all by name.
Another package adds to it by an entry point of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from xdsl.universe import Universe

from .conversions import CONVERSIONS
from .dialects import DIALECTS
from .transforms import TRANSFORMS

FRONTENDS = {"onnx": "frontends.onnx_file:OnnxFrontend"}
"""File ending -> the frontend that reads it. `.mlir` is xDSL's own; our tools read it with locations."""

WAYS_DOWN = {"lower": "pipelines.lower:LowerPass"}
"""The stages of the way down as one pass."""

EMITTERS = {"c": "emitters.c.emitter:CEmitter"}
"""Name after `-t` -> what writes it."""


def load(place: str) -> Any:
    """The object that a table entry `"module:OBJECT"` names, relative to this package."""
    module, _, name = place.partition(":")
    return getattr(import_module(f".{module}", __package__), name)


def factories(table: Mapping[str, str]) -> dict[str, Callable[[], Any]]:
    """Each entry as a function without parameters, the form in which xDSL keeps what is not loaded yet."""
    return {name: partial(load, place) for name, place in table.items()}


UNIVERSE = Universe(
    all_dialects=factories(DIALECTS),
    all_passes=factories({**TRANSFORMS, **CONVERSIONS, **WAYS_DOWN}),
    all_targets=factories(EMITTERS),
    all_frontends=factories(FRONTENDS),
)
