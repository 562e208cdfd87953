"""How the command lines end: errors as `file:line: error: …`, exit 1 for the input's fault, 2 for the command's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from ..errors import Error

USER_FAULT = 1
"""Exit code where the input is at fault."""

USAGE = 2
"""Exit code where the command line is."""


class UsageError(Exception):
    """A command line that cannot be meant."""


def guarded(run: Callable[[], int], *, subject: str, debug: bool) -> int:
    """What `run` returns; an error is printed, about `subject`, and gives the exit code. With `debug` it is raised."""
    try:
        with deep_recursion():
            code = run()
            sys.stdout.flush()
            return code
    except BrokenPipeError:
        # Whoever read our output has enough; Python must not flush into the closed pipe when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return USER_FAULT
    except Exception as error:
        if debug:
            raise
        print(describe(error, subject), file=sys.stderr)
        return USAGE if isinstance(error, UsageError) else USER_FAULT


def describe(error: Exception, subject: str) -> str:
    """An error as it is printed: with the place it names, else with `subject`."""
    match error:
        case Error() | UsageError():
            text = str(error)
            return text if "error: " in text.partition("\n")[0] else f"{subject}: error: {text}"
        case OSError():
            return f"{error.filename or subject}: error: {error.strerror or error}"
        case RecursionError():
            return f"{subject}: error: nested too deeply"
        case MemoryError():
            return f"{subject}: error: not enough memory"
        case _:
            what = f"{type(error).__name__}: {error}"
            return f"{subject}: error: this should not happen, please report it ({what}); --debug shows where"


@contextmanager
def deep_recursion() -> Generator[None]:
    """Room for what xDSL does by recursion: parsing, printing and cloning nested regions."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
