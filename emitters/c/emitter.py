"""The C emitter as an xDSL target: `-t c{target=avx2 model=net}`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.utils.target import Target

from ...targets import target_named
from .module import emit_module


@dataclass(frozen=True)
class CEmitter(Target):
    """Write a module at the end of stage `clean` as one C file that holds all constants, or as its header."""

    name: ClassVar[str] = "c"

    target: str = ""
    """The machine, as `--target` takes it; without one, `c-vector` for a module with vectors, else `generic`."""
    model: str = "model"
    """What every external symbol starts with."""
    header: bool = False
    """Write the header instead of the file."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the text."""
        target = self.target or ("c-vector" if _has_vectors(module) else "generic")
        source = emit_module(module, target_named(target), self.model, inline_limit=sys.maxsize)
        output.write(source.header if self.header else source.code)


def _has_vectors(module: ModuleOp) -> bool:
    return any(isinstance(result.type, VectorType) for op in module.walk() for result in op.results)
