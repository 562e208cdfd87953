"""`stepwell compile`: a model as C in a folder, or as the text of a stage on the way there."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .. import compiler
from ..emitters.c import Source
from ..emitters.c.example_main import main_text
from ..pipelines import Stage, run_stages
from .arguments import add_machine, add_model, shapes_of, stages_of, target_of

DESCRIPTION = "Compile a model to C: source, header, weights, and a small main."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_model(parser)
    add_machine(parser, "generic")
    parser.add_argument("-o", "--output", type=Path, default=Path(), metavar="DIR", help="the folder to write to (.)")
    parser.add_argument("--name", help="the prefix of all symbols, and the stem of the files (from the model's file)")
    parser.add_argument(
        "--inline-weights",
        type=int,
        metavar="BYTES",
        help="constants up to this size stand in the C, the others in NAME.weights",
    )
    parser.add_argument("--stop-after", metavar="STAGE", help="print the module after this stage, and write no C")
    parser.add_argument(
        "--print-stages", action="store_true", help="write the module after each stage to DIR/0-graph.mlir and so on"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Run the command."""
    target, stages, shapes = target_of(arguments), stages_of(arguments), shapes_of(arguments.shape)
    folder: Path = arguments.output
    if arguments.stop_after:
        module = compiler.lower(arguments.model, target, stages=stages, stop_after=arguments.stop_after, shapes=shapes)
        print(module)
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.print_stages:
        _write_stages(compiler.load(arguments.model, shapes), stages(target), folder)
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


def write_source(source: Source, folder: Path) -> list[Path]:
    """Write the files of a compiled model, and a `main` for each of its functions that can be run."""
    texts = {f"{source.name}.c": source.code, f"{source.name}.h": source.header}
    for entry in source.entries:
        stem = source.name if len(source.entries) == 1 else f"{source.name}_{entry.function}"
        texts[f"{stem}_main.c"] = main_text(source, entry)
    written: list[Path] = []
    for name, text in texts.items():
        written.append(folder / name)
        written[-1].write_text(text, encoding="utf-8")
    if source.weights is not None:
        written.append(folder / f"{source.name}.weights")
        written[-1].write_bytes(source.weights)
    return written


def _write_stages(module: ModuleOp, stages: Sequence[Stage], folder: Path) -> None:
    numbers = iter(range(len(stages)))

    def write(stage: Stage, module: ModuleOp) -> None:
        (folder / f"{next(numbers)}-{stage.name}.mlir").write_text(f"// {stage.promise}\n{module}\n", encoding="utf-8")

    run_stages(module, stages, after_stage=write)
