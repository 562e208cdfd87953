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
        metavar="NAME=SIZE",
        help="bind a dynamic dim, batch=7, or the shape of an input, x=1x784; may be repeated",
    )


def add_machine(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """The target, and which passes run. A command without a default takes the host's machine."""
    parser.add_argument(
        "--target", default=default, choices=[*TARGETS, "native"], help=f"the machine ({default or 'native'})"
    )
    parser.add_argument("-O", dest="level", type=int, default=3, choices=range(4), help="how much to optimise (3)")
    parser.add_argument(
        "--reference", action="store_true", help="the pipeline without transforms: only what is needed to come down"
    )


def shapes_of(texts: Sequence[str]) -> dict[str, int | tuple[int, ...]]:
    """`batch=7` and `x=1x784` as a dictionary."""
    return dict(map(_shape_of, texts))


def _shape_of(text: str) -> tuple[str, int | tuple[int, ...]]:
    name, equals, size = text.rpartition("=")
    try:
        sizes = tuple(int(part) for part in size.split("x"))
    except ValueError:
        sizes = ()
    if not equals or not sizes or any(part < 0 for part in sizes):
        raise UsageError(f"--shape {text}: expected NAME=SIZE, as in batch=7 or x=1x784")
    return name, sizes[0] if len(sizes) == 1 else sizes


def stages_of(arguments: argparse.Namespace) -> Callable[[Target], Sequence[Stage]]:
    """The stages that the arguments ask for, as a function of the target."""
    if arguments.reference:
        return REFERENCE
    level: int = arguments.level
    return lambda target: OPTIMISED(target, level)


def target_of(arguments: argparse.Namespace) -> Target:
    """The target that the arguments ask for."""
    return target_named(arguments.target or "native")
