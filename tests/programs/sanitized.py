"""Emitted C under AddressSanitizer and UndefinedBehaviorSanitizer: in a process of its own, which a fault ends."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from stepwell.emitters.c import Source
from stepwell.targets import target_named

if __name__ != "__main__":
    from .compilers import sanitizer_libraries
    from .machines import program_for

FLAGS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
CLANG_FLAGS = ("-shared-libasan", "-fsanitize=float-cast-overflow")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror")


class Sanitized:
    """A worker under the sanitizers, which is given programs one after another; started again after a fault."""

    def __init__(self, compiler: str = "gcc") -> None:
        self.compiler = compiler
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Sanitized:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the worker."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def run(
        self,
        source: Source,
        inputs: tuple[np.ndarray[Any, Any], ...],
        function: str | None = None,
        target: str = "generic",
    ) -> tuple[np.ndarray[Any, Any], ...]:
        """
        The outputs of a model, or of one of its functions; `AssertionError` with the report if it faults.

        The C for `generic` must also be free of warnings.
        """
        if self.process is None:
            self.process = start(self.compiler)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        program = program_for(source, target_named(target), function)
        extra = (
            *FLAGS,
            *(() if self.compiler == "gcc" else CLANG_FLAGS),
            *(WARNINGS if target == "generic" else ()),
        )
        program = replace(program, flags=(*program.flags, *extra))
        message = pickle.dumps((program, inputs))
        self.process.stdin.write(struct.pack("<q", len(message)) + message)
        self.process.stdin.flush()
        header = self.process.stdout.read(8)
        if len(header) < 8:
            assert self.process.stderr is not None
            report = self.process.stderr.read().decode(errors="replace")
            self.stop()
            raise AssertionError(f"the sanitizers stopped this program:\n{report[:4000]}\n{source.code}")
        (length,) = struct.unpack("<q", header)
        result = pickle.loads(self.process.stdout.read(length))
        if isinstance(result, str):
            raise AssertionError(f"{result}\n{source.code}")
        return result


def start(compiler: str) -> subprocess.Popen[bytes]:
    """A Python with the sanitizers' runtime loaded first."""
    libraries = sanitizer_libraries(compiler)
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "CC": compiler,
        "OPENBLAS_NUM_THREADS": "1",
    }
    # python's own allocator would hide the bounds of small arrays from the sanitizer
    environment["PYTHONMALLOC"] = "malloc"
    return subprocess.Popen(
        [sys.executable, str(Path(__file__))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def serve() -> None:
    """In the worker: compile, run, answer."""
    import stepwell
    from stepwell import runtime

    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while header := requests.read(8):
        (length,) = struct.unpack("<q", header)
        program, inputs = pickle.loads(requests.read(length))
        try:
            model = runtime.load(program)
            result: object = model(*inputs)
            result = result if isinstance(result, tuple) else (result,)
        except stepwell.Error as error:
            result = f"{type(error).__name__}: {error}"
        message = pickle.dumps(result)
        answers.write(struct.pack("<q", len(message)) + message)
        answers.flush()


if __name__ == "__main__":
    serve()
