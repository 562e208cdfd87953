"""Pages with code that runs: each `python` block is executed, and the `text` block after it is what it printed."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from ...errors import Error

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def rendered(page: Path) -> str:
    """
    The text of `page` with every output made anew.

    All `python` blocks of a page run in one namespace, in order. A block that ends in an error of ours shows the error.
    Raises whatever else the code raises, with the page and line named.
    """
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": "__page__"}
    parts: list[str] = []
    position, printed = 0, None
    for fence in FENCE.finditer(text):
        parts.append(text[position : fence.start()])
        language, content = fence[1], fence[2]
        if language == "python":
            line = text.count("\n", 0, fence.start()) + 1
            printed = run_block(content, f"{page.name}:{line}", namespace)
        elif language == "text" and printed is not None:
            content, printed = printed, None
        else:
            printed = None
        parts.append(f"```{language}\n{content}```")
        position = fence.end()
    return "".join([*parts, text[position:]])


def run_block(code: str, place: str, namespace: dict[str, object]) -> str:
    """What a block of code prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, place, "exec"), namespace)
        except Error as error:
            print(f"{type(error).__name__}: {error}")
        except Exception as error:
            error.add_note(f"in the code block at {place}")
            raise
    text = output.getvalue()
    return text if not text or text.endswith("\n") else text + "\n"
