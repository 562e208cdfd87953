"""The reader of ONNX files as xDSL wants it: `stepwell-opt model.onnx`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.frontend import Frontend


@dataclass(frozen=True)
class OnnxFrontend(Frontend):
    """Reads a `.onnx` file."""

    name = "onnx"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        """The module of the model; where the file is known by its path, so is the folder of its external data."""
        from . import load

        del ctx
        path = getattr(input, "name", None)
        return load(path if isinstance(path, str) and path != "<stdin>" else input.read(), name=input_name)
