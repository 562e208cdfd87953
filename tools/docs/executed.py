"""
Pages with code that runs.

Each `python` block is executed, and the `text` block after it is what it printed. A `sh` block is run only if a `text`
block follows. A page runs in an empty folder, in which `examples` and `lit_tests` are those of the repository.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from ...errors import Error
from .. import main as stepwell
from .. import opt

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SHARED = ("examples", "lit_tests")
"""Folders of the repository that the code of a page sees."""

PROGRAMS: dict[str, Callable[[list[str]], int]] = {"stepwell": stepwell.main, "stepwell-opt": opt.main}
"""Programs that run in this process, since starting one takes longer than most of what they do here."""


class PageError(Exception):
    """Code of a page that fails; says in which line."""


def rendered(page: Path, root: Path) -> str:
    """
    The text of `page` with every output made anew.

    All `python` blocks of a page run in one namespace, in order. A block that ends in an error of ours shows the error;
    whatever else goes wrong is a `PageError`.
    """
    text = page.read_text(encoding="utf-8")
    module = ModuleType("__page__")
    parts: list[str] = []
    position, printed = 0, None
    fences = list(FENCE.finditer(text))
    with folder_for(root), importable(module):
        for fence, following in pairwise([*fences, None]):
            assert fence is not None
            parts.append(text[position : fence.start()])
            language, content = fence[1], fence[2]
            if language == "text" and printed is not None:
                content = printed
            printed = None
            line = text.count("\n", 0, fence.start()) + 1
            if language == "python":
                printed = run_python(content, f"{page.name}:{line}", vars(module))
            elif language == "sh" and following is not None and following[1] == "text":
                printed = run_commands(content, f"{page.name}:{line}")
            parts.append(f"```{language}\n{content}```")
            position = fence.end()
    return "".join([*parts, text[position:]])


@contextlib.contextmanager
def folder_for(root: Path):
    """A new folder to be in while a page runs; what the page writes goes with it."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for shared in SHARED:
            os.symlink(root / shared, shared)
        yield


@contextlib.contextmanager
def importable(module: ModuleType):
    """The code of a page as a module, which dataclasses look up by its name; what it puts on the path goes with it."""
    path = list(sys.path)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        sys.path[:] = path
        del sys.modules[module.__name__]


def run_python(code: str, place: str, namespace: dict[str, object]) -> str:
    """What a block of Python prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, place, "exec"), namespace)
        except Error as error:
            print(f"{type(error).__name__}: {error}")
        except Exception as error:
            raise PageError(f"the block at {place} failed: {type(error).__name__}: {error}") from error
    return ended(output.getvalue())


def run_commands(lines: str, place: str) -> str:
    """What the commands of a block print, errors too. The error of one of our tools is output; others must succeed."""
    output = io.StringIO()
    for line in lines.replace("\\\n", " ").splitlines():
        first, _, rest = line.partition(" | ")
        words = shlex.split(first, comments=True)
        if not words:
            continue
        if words[0] not in PROGRAMS:
            output.write(run_shell(line, "", place))
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
            PROGRAMS[words[0]](words[1:])
        output.write(run_shell(rest, printed.getvalue(), place) if rest else printed.getvalue())
    return ended(output.getvalue())


def run_shell(line: str, given: str, place: str) -> str:
    """What a line prints in a shell."""
    done = subprocess.run(line, shell=True, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise PageError(f"the block at {place} failed: {line}: {done.stdout}")
    return done.stdout


def ended(text: str) -> str:
    """The text with one newline at its end, if it has anything."""
    text = text.rstrip("\n")
    return f"{text}\n" if text else ""
