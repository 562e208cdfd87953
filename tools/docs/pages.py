"""Which pages there are, and what makes the text of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ...dialects import DIALECTS
from . import acceptance, dialects, onnx, passes, pipelines, schedules, targets, tour
from .executed import PageError as PageError
from .executed import rendered

EXECUTED = ("README.md", "docs/tutorials/*.md", "docs/how-to/*.md")
"""Pages by hand whose code is run, and what it prints put below it."""


@dataclass(frozen=True)
class Page:
    """A page: where it is, from the root, and what it should say. `text` raises `PageError` if code of it fails."""

    path: str
    text: Callable[[], str]


def pages(root: Path) -> list[Page]:
    """Every page that is made from the code, in whole or in part."""
    made: dict[str, Callable[[], str]] = {
        **{f"dialects/{name}.md": partial(dialects.page, name) for name in DIALECTS},
        "passes.md": partial(passes.page, root),
        "pipelines.md": pipelines.page,
        "schedules.md": schedules.page,
        "targets.md": targets.page,
        "onnx.md": onnx.page,
        "tour.md": tour.page,
    }
    written = [path for pattern in EXECUTED for path in sorted(root.glob(pattern))]
    return [
        *(Page(f"docs/reference/{name}", text) for name, text in made.items()),
        *(Page(path.relative_to(root).as_posix(), partial(rendered, path, root)) for path in written),
        Page("docs/acceptance.md", partial(acceptance.page, root)),
    ]
