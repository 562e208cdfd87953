"""The first case of a pass's lit file, which is its example in the reference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

RUN = re.compile(r"^// RUN:.*\s-p\s+('[^']*'|\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A program, the passes that a RUN line of its file gives, and the file."""

    text: str
    pipeline: str
    file: Path


def first_case(folder: Path, name: str) -> Case | None:
    """The first case of `name.mlir`, or of the first file in the folder of that name; None where there is neither."""
    for file in (folder / f"{name}.mlir", *sorted((folder / name).glob("*.mlir"))):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            run = next((found for found in RUN.finditer(text) if name in found[1]), None)
            if run is not None:
                return Case(_first(text), run[1].strip("'"), file)
    return None


def _first(text: str) -> str:
    """The top-level ops up to the first public function, and whatever these name that stands behind it."""
    chosen: list[str] = []
    wanted: set[str] = set()
    complete = False
    for op in top_level(re.split(r"^// -----", text, maxsplit=1, flags=re.MULTILINE)[0]):
        own, *named = re.findall(r"@([\w$.-]+)", op) or [""]
        if not complete or own in wanted:
            chosen.append(op)
            wanted.update(named)
        complete = complete or op.startswith("func.func @")
    return "\n".join(chosen)


def top_level(text: str) -> list[str]:
    """The ops of a module that begin in the first column, each with its lines; without the comments between them."""
    ops: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("//") or not line.strip():
            continue
        if line[0] not in " \t})" or not ops:
            ops.append([])
        ops[-1].append(line)
    return ["\n".join(lines) for lines in ops]


def body_text(module: ModuleOp) -> str:
    """A module as it is printed, without the line that opens it and the one that closes it."""
    return "\n".join(map(str, module.body.block.ops))
