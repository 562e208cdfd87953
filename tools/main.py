"""`stepwell`: compile, run and check models. Each command is a module of this folder, loaded when it is asked for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol, cast

from .reporting import guarded

COMMANDS = {
    "compile": "a model as C, or as the text of a stage",
    "run": "a model on arrays, as C or interpreted at any stage",
    "check": "the values of a model before and after every pass",
}
"""Name of a command, and of its module -> what it is about."""


class Command(Protocol):
    """What the module of a command holds."""

    DESCRIPTION: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if args is None else list(args)
    name = words[0] if words else ""
    if name not in COMMANDS:
        return _explain(words)
    command = cast(Command, import_module(f".{name}", __package__))
    parser = argparse.ArgumentParser(prog=f"stepwell {name}", description=command.DESCRIPTION)
    command.add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    arguments = parser.parse_args(words[1:])
    return guarded(lambda: command.execute(arguments), subject=arguments.model, debug=arguments.debug)


def _explain(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="stepwell",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Compile, run and check models. `stepwell-opt` runs single passes.",
        epilog="commands:\n" + "\n".join(f"  {name:<10}{about}" for name, about in COMMANDS.items())
        + "\n\n`stepwell COMMAND --help` says what a command takes.",
    )  # fmt: skip
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.parse_args(words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
