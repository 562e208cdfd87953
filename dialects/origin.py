"""Where an operation came from: a place in a text or a node of a model. Kept in `op.location` through all passes."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation


def text_location(file: str, line: int, column: int) -> FileLineColLoc:
    """The location of something written at a line and column of a text, both counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))


def node_location(file: str, node: str, operator: str) -> NameLoc:
    """The location of a node of a model file: `model.onnx: node 'conv1' (Conv)`."""
    return NameLoc(StringAttr(f"node '{node}' ({operator})"), text_location(file, 0, 0))


def origin_of(location: Attribute) -> str:
    """A location as a person reads it; empty if nothing is known."""
    match location:
        case FileLineColLoc():
            line = location.line.data
            return f"{location.filename.data}:{line}" if line else location.filename.data
        case NameLoc():
            inner = origin_of(location.location)
            return f"{inner}: {location.desc.data}" if inner else location.desc.data
        case CallSiteLoc():
            return origin_of(location.callee) or origin_of(location.caller)
        case FusedLoc():
            parts = cast(ArrayAttr[Attribute], location.locations)
            return next((text for part in parts if (text := origin_of(part))), "")
        case _:
            return ""


def origin(op: Operation) -> str:
    """Where `op` came from, or the nearest operation around it that knows; empty if none does."""
    around: Operation | None = op
    while around is not None:
        if text := origin_of(around.location):
            return text
        around = around.parent_op()
    return ""


def located(op: Operation, message: str) -> str:
    """`message` as an error about `op`: `file:line: error: 'graph.relu': message`."""
    place = origin(op)
    return f"{place + ': ' if place else ''}error: '{name_of(op)}': {message}"


def name_of(op: Operation) -> str:
    """The name of an op as it is written; an unregistered one carries its own."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def has_origin(op: Operation) -> bool:
    """Whether `op` itself carries a location."""
    return not isinstance(op.location, UnknownLoc)


def give_origin(op: Operation, location: LocationAttr) -> None:
    """Set the location of `op`, and of everything in it, where there is none yet."""
    for inner in op.walk():
        if isinstance(inner.location, UnknownLoc):
            inner.location = location
