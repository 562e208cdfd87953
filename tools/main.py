"""`stepwell`: compile a model to C, run it at any level, check the passes it goes through."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from .reporting import UsageError, guarded

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from ..pipelines import Stage
    from ..runtime import Model
    from ..targets import Target

    Array: TypeAlias = np.ndarray[Any, Any]


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if args is None else list(args)
    options = parser().parse_args(words)
    return guarded(lambda: options.command(options), subject=str(options.model), debug=options.debug)


def parser() -> argparse.ArgumentParser:
    """The command line, one sub-command each for compile, run and check."""
    top = argparse.ArgumentParser(prog="stepwell", description="A tensor compiler: ONNX in, plain C out.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("model", type=Path, help="an .onnx or .mlir file")
    common.add_argument("--target", default="native", help="generic, c-vector, avx2, avx512 or native (the default)")
    common.add_argument("--pipeline", choices=("optimised", "reference"), default="optimised")
    common.add_argument("-O", type=int, choices=range(4), default=3, dest="level", help="leave out transforms above it")
    common.add_argument(
        "--shape", action="append", default=[], metavar="NAME=SIZES", help="x=1,784 for an input, batch=7 for a dim"
    )
    common.add_argument("--debug", action="store_true", help="show the traceback of an error")

    one = commands.add_parser("compile", parents=[common], help="write C, or the IR of a stage")
    one.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where the C goes; it is made if need be")
    one.add_argument("--name", help="the prefix of the C names; by default from the file")
    one.add_argument("--stop-after", metavar="STAGE", help="print the IR there, and write no C")
    one.add_argument("--print-stages", action="store_true", help="print the IR after every stage")
    one.set_defaults(command=compile_command)

    one = commands.add_parser("run", parents=[common], help="run a model, as C or at a stage")
    one.add_argument(
        "--input", action="append", default=[], metavar="[NAME=]FILE", help="a .npy file for each input, in order"
    )
    one.add_argument("--output", type=Path, metavar="FOLDER", help="write NAME.npy for each output, and print nothing")
    one.add_argument("--stage", metavar="STAGE", help="interpret the IR after this stage; the default is to run the C")
    one.add_argument("--function", help="which function, where the module has several")
    one.add_argument(
        "--values", action="store_true", help="check the VALUE lines of an .mlir file at every stage and as C"
    )
    one.set_defaults(command=run_command)

    one = commands.add_parser("check", parents=[common], help="run the model before and after every pass, and compare")
    one.add_argument("--seed", type=int, default=0)
    one.set_defaults(command=check_command)
    return top


def stages_of(options: argparse.Namespace) -> Callable[[Target], Sequence[Stage]]:
    """The function from a target to stages that the options ask for."""
    from ..pipelines import OPTIMISED, REFERENCE

    level: int = options.level
    return REFERENCE if options.pipeline == "reference" else partial(OPTIMISED, level=level)


def shapes_of(options: argparse.Namespace) -> Mapping[str, int | tuple[int, ...]]:
    """What `--shape` says: a number binds a dim by name, several (or a comma at the end) an input."""
    shapes: dict[str, int | tuple[int, ...]] = {}
    for text in options.shape:
        name, equals, sizes = text.rpartition("=")
        try:
            numbers = tuple(int(size) for size in sizes.split(",") if size)
        except ValueError:
            numbers = ()
        if not equals or (not numbers and sizes != ","):
            raise UsageError(f"--shape {text}: it is written NAME=SIZE or NAME=SIZE,SIZE,…")
        shapes[name] = numbers if "," in sizes else numbers[0]
    return shapes


def compile_command(options: argparse.Namespace) -> int:
    """Write the C of a model, or print the IR at a stage."""
    from ..compiler import as_target, load, stages_for
    from ..pipelines import run_stages
    from .writing import write_source

    if options.output is None and not (options.stop_after or options.print_stages):
        raise UsageError("compile needs -o FOLDER, or --stop-after STAGE, or --print-stages")
    target = as_target(options.target)
    stages = stages_for(stages_of(options), target)
    module = load(options.model, shapes_of(options))

    def show(stage: Stage, current: object) -> None:
        if options.print_stages:
            print(f"// ----- {stage.name}: {stage.promise}\n{current}\n")

    run_stages(module, stages, stop_after=options.stop_after, after_stage=show)
    if options.stop_after:
        if not options.print_stages:
            print(module)
    elif options.output is not None:
        from ..emitters.c import emit_module

        source = emit_module(module, target, options.name or options.model.stem, origin=options.model.name)
        for path in write_source(source, options.output):
            print(path)
    return 0


def run_command(options: argparse.Namespace) -> int:
    """Run a model on arrays from files, or check the values that a program gives."""
    from ..compiler import compile, load, lower

    if options.values:
        return check_values_command(options)
    import numpy as np

    from ..dialects.signature import output_names
    from ..interpreters.run import entry, run
    from .writing import read_inputs, write_arrays

    shapes = shapes_of(options)
    if options.stage is None:
        model = compile(
            options.model, options.target, stages=stages_of(options), shapes=shapes, function=options.function
        )
        given = read_inputs(options.input, [tensor.name for tensor in model.inputs])
        outputs = model.run(given)
    else:
        module = load(options.model, shapes)
        lowered = lower(module, options.target, stages=stages_of(options), stop_after=options.stage)
        function = entry(module, options.function)
        from ..dialects.signature import input_names

        given = read_inputs(options.input, input_names(function))
        name = function.sym_name.data
        results = run(lowered, name, [given[input] for input in input_names(function)])
        outputs = dict(zip(output_names(entry(lowered, name)), results, strict=True))
    if options.output is not None:
        write_arrays(outputs, options.output)
    else:
        for name, array in outputs.items():
            print(f"{name}: {array.dtype}{list(array.shape)}\n{np.array2string(array, threshold=100)}")
    return 0


def check_values_command(options: argparse.Namespace) -> int:
    """Check the VALUE lines of a program: as written, after every stage of both pipelines, and as compiled C."""
    from ..compiler import as_target, compile, load
    from ..errors import RunError
    from ..pipelines import OPTIMISED, REFERENCE
    from ..pipelines.check import longest_sum
    from ..pipelines.values import check_values, run_cases, value_cases

    module = load(options.model)
    cases = value_cases(options.model.read_text(encoding="utf-8"), module, str(options.model))
    target = as_target(options.target)
    wrong: list[str] = []
    for pipeline, stages in (("reference", REFERENCE), ("optimised", OPTIMISED)):
        wrong += check_values(module, cases, stages(target), pipeline)
        models = {case.function: compile(module, target, stages=stages, function=case.function) for case in cases}
        run_cases(
            cases,
            lambda function, inputs, models=models: _outputs(models[function], inputs),
            f"{pipeline} pipeline, C for {target.name}",
            longest_sum(module),
            wrong,
        )
    if wrong:
        raise RunError("values differ:\n  " + "\n  ".join(wrong))
    print(f"{len(cases)} values agree at every stage and as C for {target.name}")
    return 0


def _outputs(model: Model, inputs: Sequence[Array]) -> tuple[Array, ...]:
    results = model(*inputs)
    return results if len(model.outputs) != 1 else (results,)


def check_command(options: argparse.Namespace) -> int:
    """Run a model before and after every pass of its pipeline, and compare."""
    from ..compiler import as_target, load, stages_for
    from ..pipelines import new_context
    from ..pipelines.check import check

    module = load(options.model, shapes_of(options))
    stages = stages_for(stages_of(options), as_target(options.target))
    passes = [pass_ for stage in stages for pass_ in stage.passes]
    checking = check(module, passes, new_context(), seed=options.seed)
    for name, reason in checking.unchecked.items():
        print(f"@{name} was not checked: {reason}", file=sys.stderr)
    print(f"{len(checking.inputs) - len(checking.unchecked)} functions keep their values through {len(passes)} passes")
    return 1 if checking.unchecked else 0


if __name__ == "__main__":
    sys.exit(main())
