"""`stepwell compile`: a model as C in a folder, or as the text of the stages on the way there."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .. import compiler
from ..pipelines import Stage, run_stages
from .arguments import add_machine, add_model, natural, shapes_of, stages_of, target_of
from .reporting import UsageError
from .writing import write_files, write_source

DESCRIPTION = "Compile a model to C: source, header, weights, and a small main."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_model(parser)
    add_machine(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where the C goes; it is made if need be")
    parser.add_argument("--name", help="the prefix of the C names, and the stem of the files (from the model's file)")
    parser.add_argument(
        "--inline-weights",
        type=natural,
        metavar="BYTES",
        help="constants up to this size stand in the C, the others in NAME.weights",
    )
    parser.add_argument("--stop-after", metavar="STAGE", help="print the module after this stage, and write no C")
    parser.add_argument(
        "--print-stages",
        action="store_true",
        help="print the module after every stage; with -o, write it to FOLDER/0-graph.mlir and so on",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Run the command."""
    folder: Path | None = arguments.output
    if folder is None and not (arguments.stop_after or arguments.print_stages):
        raise UsageError("compile needs -o FOLDER, or --stop-after STAGE, or --print-stages")
    target, stages, shapes = target_of(arguments), stages_of(arguments), shapes_of(arguments.shape)
    if arguments.print_stages:
        module = compiler.load(arguments.model, shapes)
        texts = _texts(module, stages(target), arguments.stop_after)
        if folder is None:
            print("\n".join(texts.values()), end="")
        else:
            write_files({name: text.encode() for name, text in texts.items()}, folder)
    elif arguments.stop_after:
        print(compiler.lower(arguments.model, target, stages=stages, stop_after=arguments.stop_after, shapes=shapes))
    if folder is None or arguments.stop_after:
        return 0
    source = compiler.emit(
        arguments.model,
        target,
        stages=stages,
        shapes=shapes,
        name=arguments.name,
        inline_weights=arguments.inline_weights,
    )
    for path in write_source(source, folder):
        print(path)
    return 0


def _texts(module: ModuleOp, stages: Sequence[Stage], stop_after: str | None) -> dict[str, str]:
    """A file name for each stage -> its promise and the module there."""
    texts: dict[str, str] = {}

    def keep(stage: Stage, module: ModuleOp) -> None:
        texts[f"{len(texts)}-{stage.name}.mlir"] = f"// {stage.name}: {stage.promise}\n{module!s}\n"

    run_stages(module, stages, stop_after=stop_after, after_stage=keep)
    return texts
