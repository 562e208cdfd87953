"""Reading a model file, and what can be said about it before looking at its nodes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import ModelError, UnsupportedError, UnsupportedNode

if TYPE_CHECKING:
    from onnx import ModelProto

Source: TypeAlias = "str | os.PathLike[str] | bytes | ModelProto"
"""A path, the bytes of a file, or a model that is loaded already."""

OLDEST_OPSET = 7
"""Before opset 7, broadcasting was an attribute."""


@dataclass(frozen=True)
class Model:
    """A model, what errors call it, and the folder in which its external data lies."""

    proto: Any
    name: str
    folder: Path | None
    opset: int


def onnx_package() -> Any:
    """The `onnx` package, which is an extra."""
    try:
        import onnx
    except ImportError as error:
        raise ModelError("reading ONNX needs the package 'onnx': pip install 'stepwell[onnx]'") from error
    return onnx


def read_model(source: Source, name: str | None = None) -> Model:
    """Read and decode a model; refuses what is no ONNX model or one of an opset that is too old or unknown."""
    onnx = onnx_package()
    folder = None
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        folder, name = path.parent, name or str(path)
        try:
            source = path.read_bytes()
        except OSError as error:
            raise ModelError(f"{name}: error: cannot be read: {error.strerror}") from error
    name = name or "model"
    proto = _decode(onnx, source, name) if isinstance(source, bytes) else source
    if not isinstance(proto, onnx.ModelProto):
        raise ModelError(f"a path, bytes or a ModelProto expected, found {type(proto).__name__}")
    if not proto.HasField("graph") or not proto.opset_import:
        raise ModelError(f"{name}: error: this is no ONNX model: it has no graph or says no opset")
    if proto.ir_version > onnx.IR_VERSION:
        reason = f"the installed package 'onnx' knows versions to {onnx.IR_VERSION}; a newer one may read it"
        unsupported = [UnsupportedNode("ir_version", "", reason)]
        raise UnsupportedError(f"{name}: error: the file is of version {proto.ir_version}", unsupported)
    if proto.functions:
        proto = _inline_functions(proto, name)
    return Model(proto, name, folder, _opset(onnx, proto, name))


def _decode(onnx: Any, content: bytes, name: str) -> Any:
    try:
        return onnx.load_model_from_string(content)
    except Exception as error:  # protobuf implementations differ in what they raise
        raise ModelError(f"{name}: error: this is no ONNX model, or it is cut off: {error}") from error


def _inline_functions(proto: Any, name: str) -> Any:
    from onnx.inliner import inline_local_functions

    try:
        return inline_local_functions(proto, convert_version=True)
    except Exception as error:
        raise ModelError(f"{name}: error: the functions of the model cannot be inlined: {error}") from error


def _opset(onnx: Any, proto: Any, name: str) -> int:
    versions = [entry.version for entry in proto.opset_import if entry.domain in ("", "ai.onnx")]
    if not versions:
        raise ModelError(f"{name}: error: the model says no version of the standard opset")
    opset, newest = max(versions), onnx.defs.onnx_opset_version()
    if opset < OLDEST_OPSET or opset > newest:
        reason = f"opsets {OLDEST_OPSET} to {newest} can be read; onnx.version_converter converts a model"
        raise UnsupportedError(f"{name}: error: the model is of opset {opset}", [UnsupportedNode("opset", "", reason)])
    return int(opset)
