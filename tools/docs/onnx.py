"""`docs/reference/onnx.md`: what of ONNX can be imported, from the importer's own tables."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import getclosurevars
from types import FunctionType
from typing import cast

from onnx import TensorProto

from ...frontends.onnx.file import OLDEST_OPSET
from ...frontends.onnx.node import Operator
from ...frontends.onnx.operators import OPERATORS
from ...frontends.onnx.weights import element_type_of
from .markdown import assembled, first_line, place, table

INTRODUCTION = f"""
Models of opset {OLDEST_OPSET} and newer, with dynamic dims. A model that says anything else is refused, with a list of
the nodes and the reasons; so is an attribute or input that an operator below does not know.
"""


def page() -> str:
    """The page of operators and element types."""
    types = [
        [f"`{name}`", f"`{element}`"]
        for name, number in sorted(TensorProto.DataType.items())
        if (element := element_type_of(number)) is not None
    ]
    rows = [[f"`{name}`", _meaning(operator), f"`{place(operator)}`"] for name, operator in sorted(OPERATORS.items())]
    return assembled(
        "ONNX",
        INTRODUCTION,
        f"## Operators ({len(OPERATORS)})",
        table(["operator", "is", "file"], rows),
        "## Element types",
        table(["ONNX", "here"], types),
    )


def _meaning(operator: Operator) -> str:
    """The sentence of its function; for one that another function made, what it was made of and how."""
    if sentence := first_line(operator):
        return sentence
    factory = vars(import_module(operator.__module__))[operator.__qualname__.partition(".")[0]]
    return f"{'; '.join(_parts(operator))}. {first_line(factory)}"


def _parts(function: object) -> Iterator[str]:
    """What a function was made of: functions by their sentences, ops of `graph` by their names."""
    for value in getclosurevars(cast(FunctionType, function)).nonlocals.values():
        if isinstance(value, str):
            yield f"`graph.{value}`"
        elif isinstance(value, FunctionType):
            sentence = first_line(value).rstrip(".")
            yield from [sentence] if sentence else _parts(value)
