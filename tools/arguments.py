"""What the commands of `stepwell` have in common on their command lines: the model, the machine, the way down."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from ..pipelines import OPTIMISED, REFERENCE, Stage
from ..targets import TARGETS, Target, target_named
from .reporting import UsageError


def add_model(parser: argparse.ArgumentParser) -> None:
    """The model, and sizes for its dynamic dims."""
    parser.add_argument("model", help="an .onnx or .mlir file")
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=SIZES",
        help="bind a dynamic dim, batch=7, or the shape of an input, x=1,784; may be repeated",
    )


def add_machine(parser: argparse.ArgumentParser) -> None:
    """The target, and which passes run."""
    parser.add_argument("--target", choices=[*TARGETS, "native"], help="the machine (native: this one)")
    parser.add_argument(
        "--pipeline",
        choices=("optimised", "reference"),
        default="optimised",
        help="all passes, or only those without which nothing comes down",
    )
    parser.add_argument(
        "-O", dest="level", type=int, default=3, choices=range(4), help="leave out transforms above this level (3)"
    )
    parser.add_argument("--strict", action="store_true", help="no rounding differs from the interpreters': no fma")


def shapes_of(texts: Sequence[str]) -> dict[str, int | tuple[int, ...]]:
    """`batch=7` and `x=1,784` as a dictionary; a comma makes a shape, also one of a single size, `x=7,`."""
    shapes: dict[str, int | tuple[int, ...]] = {}
    for text in texts:
        name, shape = _shape_of(text)
        if shapes.setdefault(name, shape) != shape:
            raise UsageError(f"--shape {text}: '{name}' is given twice")
    return shapes


def _shape_of(text: str) -> tuple[str, int | tuple[int, ...]]:
    name, equals, written = text.rpartition("=")
    try:
        sizes = [int(part) for part in written.split(",") if part.strip()]
    except ValueError:
        sizes = []
    if not equals or (not sizes and written != ",") or any(size < 0 for size in sizes):
        raise UsageError(f"--shape {text}: expected NAME=SIZES, as in batch=7 or x=1,784")
    return name, tuple(sizes) if "," in written else sizes[0]


def stages_of(arguments: argparse.Namespace) -> Callable[[Target], Sequence[Stage]]:
    """The stages that the arguments ask for, as a function of the target."""
    if arguments.pipeline == "reference":
        return REFERENCE
    level: int = arguments.level
    strict: bool = arguments.strict
    return lambda target: OPTIMISED(target, level, strict=strict)


def target_of(arguments: argparse.Namespace) -> Target:
    """The target that the arguments ask for."""
    return target_named(arguments.target or "native")


def natural(text: str) -> int:
    """A number that cannot be negative: of bytes, or one that random arrays follow from."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a whole number that is not negative, not '{text}'")
    return number


def counted(count: int, what: str) -> str:
    """`1 input`, `2 inputs`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}{'es' if what.endswith('s') else 's'}"
