"""`stepwell run`: a model on arrays, as C or by the interpreter at any stage."""

from __future__ import annotations

import argparse
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .. import compiler
from ..dialects.signature import input_names, output_names
from ..errors import RunError
from ..interpreters.run import entry, run
from ..pipelines.inputs import input_sets
from .arguments import add_machine, add_model, counted, natural, shapes_of, stages_of, target_of
from .reporting import UsageError
from .values import check_file
from .writing import write_arrays

DESCRIPTION = "Run a model on arrays: compiled to C, or interpreted as it is or after a stage."

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_model(parser)
    add_machine(parser)
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="an .npy file for the next input or the one of that name, or an .npz file with several; may be repeated",
    )
    parser.add_argument("--random", type=natural, metavar="SEED", help="make up the inputs that are not given")
    parser.add_argument("--function", help="which function of an .mlir file (main, or the only public one)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="write each output to DIR/NAME.npy (else: print them)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--interpret", action="store_true", help="interpret the model as it is written")
    how.add_argument(
        "--values", action="store_true", help="check the VALUE lines of an .mlir file at every stage and as C"
    )
    how.add_argument("--stage", metavar="STAGE", help="lower to the end of this stage and interpret what is there")


def execute(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if arguments.values:
        return _report(*check_file(arguments.model, arguments.target))
    module = compiler.load(arguments.model, shapes_of(arguments.shape))
    function = entry(module, arguments.function)
    inputs = _inputs(function, arguments.input, arguments.random)
    outputs = _run(module, function.sym_name.data, inputs, arguments)
    names = output_names(function)
    if arguments.output is not None:
        for path in write_arrays(names, outputs, arguments.output):
            print(path)
        return 0
    for name, array in zip(names, outputs, strict=True):
        print(f"{name}: {array.dtype}{list(array.shape)}\n{np.array2string(array, threshold=100)}")
    return 0


def _report(count: int, wrong: Sequence[str]) -> int:
    if wrong:
        raise RunError("values differ:\n  " + "\n  ".join(wrong))
    print(f"{count} values agree at every stage and as C")
    return 0


def _run(module: ModuleOp, function: str, inputs: Sequence[Array], arguments: argparse.Namespace) -> Sequence[Array]:
    if arguments.interpret:
        return run(module, function, inputs)
    target, stages = target_of(arguments), stages_of(arguments)
    if arguments.stage:
        return run(compiler.lower(module, target, stages=stages, stop_after=arguments.stage), function, inputs)
    return compiler.compile(module, target, stages=stages, function=function).call(inputs)


def _inputs(function: FuncOp, files: Sequence[str], seed: int | None) -> list[Array]:
    """The arrays for a function, in order: from files, or made up."""
    names = input_names(function)
    given: dict[str, Array] = {}
    for text in files:
        name, equals, file = text.rpartition("=")
        loaded = _load(file)
        if not isinstance(loaded, dict):
            loaded = {name if equals else _next(names, given, file): loaded}
        elif equals:
            raise UsageError(f"--input {text}: an .npz file has names of its own")
        if twice := [name for name in loaded if name in given]:
            raise UsageError(f"--input {text}: input '{twice[0]}' is given twice")
        given |= loaded
    if unknown := [name for name in given if name not in names]:
        raise RunError(f"no input is called '{unknown[0]}': the inputs are {', '.join(names) or 'none'}")
    if seed is not None and len(given) < len(names):
        made = next(iter(input_sets(function, seed))).arrays
        given = {name: given.get(name, array) for name, array in zip(names, made, strict=True)}
    if missing := [name for name in names if name not in given]:
        raise RunError(f"input '{missing[0]}' is missing: give --input {missing[0]}=FILE.npy, or --random SEED")
    return [given[name] for name in names]


def _next(names: Sequence[str], given: dict[str, Array], file: str) -> str:
    for name in names:
        if name not in given:
            return name
    raise RunError(
        f"{file}: error: one too many: there {'is' if len(names) == 1 else 'are'} {counted(len(names), 'input')}"
    )


def _load(file: str) -> Array | dict[str, Array]:
    try:
        loaded: Any = np.load(file, allow_pickle=False)
        names: list[str] | None = getattr(loaded, "files", None)
        return loaded if names is None else {name: loaded[name] for name in names}
    except (ValueError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        reason = "an array of Python objects, or none at all" if "pickle" in str(error) else str(error)
        raise RunError(f"{file}: error: cannot be read as .npy or .npz: {reason}") from error
