"""Pieces of Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence

NOTE = "<!-- Made from the code by `make docs`. -->"
"""What a page that nobody edits begins with."""


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar in a cell is escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str, language: str = "mlir") -> str:
    """A fenced block."""
    return f"```{language}\n{text.strip(chr(10))}\n```"


def documentation(thing: object) -> str:
    """The docstring of something, without its indent; empty where it has none of its own."""
    own = getattr(thing, "__doc__", None)
    return inspect.cleandoc(own) if isinstance(own, str) else ""


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return documentation(thing).partition("\n")[0]


def place(function: Callable[..., object]) -> str:
    """The file in which a function is written, from the root: `emitters/c/loop.py`."""
    module = re.sub(r"^stepwell\.", "", function.__module__)
    return f"{module.replace('.', '/')}.py"


def assembled(title: str, *parts: str) -> str:
    """A page made from the code."""
    return "\n\n".join([NOTE, f"# {title}", *(part.strip("\n") for part in parts if part)]) + "\n"
