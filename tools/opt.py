"""`stepwell-opt`: read IR, run passes, write IR or C. xDSL's driver with our reader, our verifier and our errors."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import IO, ClassVar, Protocol, cast, runtime_checkable

from typing_extensions import override
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, parse_spec
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from ..errors import Error, PipelineError
from ..targets import TARGETS
from .reporting import UsageError, guarded


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if args is None else list(args)
    return guarded(lambda: _run(words), subject=_input_of(words), debug="--debug" in words)


VALUED = ("-f", "--frontend", "-o", "--output-file", "-p", "--passes", "-t", "--target")
"""Options that are followed by a value, which is not the input."""


def _input_of(words: Sequence[str]) -> str:
    """The input file, as an error names it before the command line is read."""
    pairs = zip(("", *words), words, strict=False)
    files = [word for before, word in pairs if before not in VALUED and not word.startswith("-")]
    return files[0] if files else "stepwell-opt"


def _run(words: Sequence[str]) -> int:
    # The driver sets these two for good; a process may run it many times.
    post_init, colored = Attribute.__post_init__, Diagnostic.colored
    try:
        try:
            tool = OptMain(words)
        except (ArgSpecParseError, PipelineError) as error:
            raise UsageError(str(error).strip()) from error
        tool.run()
    finally:
        Attribute.__post_init__, Diagnostic.colored = post_init, colored
    return 0


@cache
def multiverse() -> Universe:
    """All that is installed; looked for once."""
    return Universe.get_multiverse()


@runtime_checkable
class ForMachine(Protocol):
    """A pass that is told the name of a target."""

    target: str


class OptMain(xDSLOptMain):
    """xDSL's driver, less its prints of whole modules on an error, plus locations, dominance and constants."""

    version_format: ClassVar[str] = "stepwell-opt, on xdsl {xdsl_version}"

    passes: tuple[ModulePass, ...]
    """The passes to run, in order."""

    def __init__(self, args: Sequence[str]):
        super().__init__(description="Read IR, run passes, write IR or C.", args=args)
        if self.args.input_file == "-":
            self.args.input_file = None
        if self.args.output_file == "-":
            self.args.output_file = None
        self._prepare_target()

    def _prepare_target(self) -> None:
        """Find faults of `-t` before anything is read; C is for the machine that the passes were told of."""
        spec = parse_spec(self.args.target)
        try:
            load = cast("Callable[[], type[Target]]", self.available_targets[spec.name])
            target = load()
            options = {field.name for field in fields(target) if field.init}
        except ImportError as error:
            raise UsageError(f"target '{spec.name}' needs a package that is not installed: {error}") from error
        except TypeError:
            return  # a function that writes, in the old way of xDSL: it has no options
        for option in spec.normalize_parameter_names().parameters:
            if option not in options:
                known = ", ".join(sorted(options)) or "none"
                raise UsageError(f"target '{spec.name}' has no option '{option}'; its options are {known}")
        machines = [
            pass_.target
            for pass_ in self.passes
            if isinstance(pass_, ForMachine) and pass_.target in (*TARGETS, "native")
        ]
        if spec.name == "c" and "target" not in spec.parameters and machines:
            self.args.target = str(ArgSpec(spec.name, {**spec.parameters, "target": (machines[-1],)}))

    @override
    def register_all_dialects(self) -> None:
        for name, factory in multiverse().all_dialects.items():
            self.ctx.register_dialect(name, factory)

    @override
    def register_all_passes(self) -> None:
        self.available_passes.update(multiverse().all_passes)

    @override
    def register_all_targets(self) -> None:
        self.available_targets.update(multiverse().all_targets)

    @override
    def register_all_frontends(self) -> None:
        from ..frontends.mlir import MlirFrontend

        self.available_frontends.update(multiverse().all_frontends)
        self.available_frontends["mlir"] = lambda: MlirFrontend

    @override
    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = "stepwell-opt"
        arg_parser.add_argument("--debug", action="store_true", help="Show the traceback of an error")
        arg_parser.add_argument(
            "--check", action="store_true", help="Run the module before and after each pass, and compare the values"
        )
        arg_parser.add_argument(
            "--print-constants",
            action="store_true",
            help="Print constants in full; large ones are else printed as keys, and written beside the -o file",
        )

    @override
    def setup_pipeline(self) -> None:
        from ..pipelines.text import parse_passes

        self.passes = parse_passes(self.args.passes, self.available_passes)

    @override
    def run(self) -> None:
        """Read, lower and print each chunk. With `--verify-diagnostics`, errors are output like any other."""
        from ..dialects.array import arrays_in_full

        chunks, ending = self.prepare_input()
        outputs: list[str] = []
        in_full = self.args.print_constants or len(chunks) > 1
        for chunk, offset in chunks:
            try:
                with chunk, arrays_in_full() if in_full else nullcontext():
                    module = self.parse_chunk(chunk, ending, offset)
                    self.apply_passes(module)
                    outputs.append(self.output_resulting_program(module))
                    if self.args.output_file and not in_full:
                        self._write_constants(module)
            except Error as error:
                if not (self.args.verify_diagnostics or self.args.parsing_diagnostics):
                    raise
                outputs.append(f"{error}\n")
        text = "// -----\n".join(outputs)
        if self.args.output_file is None:
            sys.stdout.write(text)
        else:
            Path(self.args.output_file).write_text(text, encoding="utf-8")

    @override
    def output_resulting_program(self, prog: ModuleOp) -> str:
        """The program as text; a target of another package that fails on it is named."""
        from ..universe import EMITTERS

        name = parse_spec(self.args.target).name
        try:
            return super().output_resulting_program(prog)
        except Exception as error:
            if isinstance(error, Error | RecursionError | MemoryError) or name in ("mlir", *EMITTERS):
                raise
            reason = str(error).strip().partition("\n")[0]
            raise PipelineError(f"target '{name}' cannot write this ({type(error).__name__}: {reason})") from error

    def _as_mlir(self, prog: ModuleOp) -> str:
        """The program as text between passes, whatever is written at the end."""
        target, self.args.target = self.args.target, "mlir"
        try:
            return self.output_resulting_program(prog)
        finally:
            self.args.target = target

    @override
    def get_input_name(self) -> str:
        return self.args.input_file or "<stdin>"

    @override
    def get_input_stream(self) -> tuple[IO[bytes], str]:
        stream, ending = super().get_input_stream()
        # The driver wants an ending that it knows even where -f says how to read the file.
        return stream, parse_spec(self.args.frontend).name if self.args.frontend else ending

    @override
    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        try:
            return super().prepare_input()
        except ValueError as error:
            raise UsageError(f"{error}; -f says how to read it") from error

    @override
    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp:
        from io import BytesIO

        if start_offset:
            # So that a line of the chunk has the number that it has in the file.
            chunk = BytesIO(b"\n" * start_offset + chunk.read())
        with self._constants_beside(self.args.input_file):
            module = super().parse_chunk(chunk, file_extension)
        assert module is not None
        return module

    @override
    def apply_passes(self, prog: ModuleOp) -> None:
        """Run the passes, each followed by the verifier, and with `--check` by a comparison of values."""
        from ..pipelines.run import run_pass
        from ..rewriting import verify

        verified = not self.args.disable_verify
        if verified:
            verify(prog)
        checking = self._checking(prog) if self.args.check else None
        for position, pass_ in enumerate(self.passes):
            if checking is not None:
                checking.before(pass_)
            start = time.perf_counter()
            run_pass(pass_, self.ctx, prog, verified=verified)
            if self.args.time_passes:
                print(f"Pass {pass_.name} took {time.perf_counter() - start:.6f} seconds")
            if checking is not None:
                checking.after(pass_, prog)
            if self.args.print_between_passes and position + 1 < len(self.passes):
                print(f"// IR after {pass_.name}:\n{self._as_mlir(prog)}")

    def _checking(self, module: ModuleOp):
        """The values of the functions of `module`, to be compared after each pass."""
        from ..pipelines.check import Check

        checking = Check(module)
        for name, reason in checking.unchecked.items():
            print(f"{self.get_input_name()}: note: @{name} is not checked: {reason}", file=sys.stderr)
        return checking

    def _constants_beside(self, file: str | None):
        """A context in which the arrays that lie beside `file` are found by their keys."""
        from ..dialects.array_file import loaded_arrays

        path = Path(file).with_suffix(".safetensors") if file else None
        return loaded_arrays(path) if path and path.is_file() else nullcontext()

    def _write_constants(self, module: ModuleOp) -> None:
        from ..dialects.array_file import large_arrays, save_arrays

        output = Path(self.args.output_file)
        if large_arrays(module) and (output.is_file() or not output.exists()):
            save_arrays(output.with_suffix(".safetensors"), module)


if __name__ == "__main__":
    sys.exit(main())
