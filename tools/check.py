"""`stepwell check`: run a model before and after every pass, and stop at the first that changes a value."""

from __future__ import annotations

import argparse

from .. import compiler
from ..errors import PipelineError
from ..pipelines import new_context
from ..pipelines.check import check
from ..pipelines.text import available_passes, parse_passes
from .arguments import add_machine, add_model, counted, natural, shapes_of, stages_of, target_of
from .reporting import UsageError

DESCRIPTION = "Compare the values of a model before and after each pass, beyond what the pass declares."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_model(parser)
    add_machine(parser)
    parser.add_argument("-p", "--passes", help="the passes to check (those of the pipeline)")
    parser.add_argument("--seed", type=natural, default=0, help="for the inputs that are made up (0)")


def execute(arguments: argparse.Namespace) -> int:
    """Run the command."""
    module = compiler.load(arguments.model, shapes_of(arguments.shape))
    if arguments.passes is not None:
        try:
            passes = parse_passes(arguments.passes, available_passes())
        except PipelineError as error:
            raise UsageError(str(error)) from error
    else:
        passes = [pass_ for stage in stages_of(arguments)(target_of(arguments)) for pass_ in stage.passes]
    checked = check(module, passes, new_context(), seed=arguments.seed)
    for name, reason in checked.unchecked.items():
        print(f"not checked: @{name}: {reason}")
    count = sum(name not in checked.unchecked for name in checked.inputs)
    keep = "keeps" if len(passes) == 1 else "keep"
    print(f"{counted(len(passes), 'pass')} {keep} the values of {counted(count, 'function')}")
    return 0
