"""The reader of `.onnx` files, as the command line finds it: by the ending of the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.frontend import Frontend


@dataclass(frozen=True)
class OnnxFrontend(Frontend):
    """Reads an ONNX model as a `graph` module."""

    name = "onnx"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """The module of an open file. A file with a name is read by it: weights may lie beside it."""
        from .onnx import load

        path = Path(input_name)
        return load(path if path.is_file() else input.read())
