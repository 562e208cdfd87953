"""Every program of `lit_tests/run`, as strict C under the sanitizers: no warning, no fault, and the values it says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import stepwell
from programs.compilers import COMPILERS, sanitizer_libraries
from programs.sanitized import Sanitized
from stepwell import compiler
from stepwell.emitters.c import Source
from stepwell.pipelines.check import longest_sum
from stepwell.pipelines.values import run_cases, value_cases
from xdsl.dialects.builtin import ModuleOp

PROGRAMS = sorted((Path(__file__).parents[1] / "lit_tests" / "run").glob("*.mlir"))


@pytest.fixture(scope="module", params=COMPILERS)
def sanitized(request: pytest.FixtureRequest) -> Iterator[Sanitized]:
    if not sanitizer_libraries(request.param):
        pytest.skip(f"{request.param} comes without its sanitizers")
    with Sanitized(request.param) as worker:
        yield worker


@cache
def emitted(path: Path) -> tuple[ModuleOp, Source]:
    """A program and its C, which is the same for both compilers."""
    module = compiler.load(str(path))
    return module, stepwell.emit(module, "generic")


def test_there_are_programs():
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_c_has_no_warning_and_no_fault(path: Path, sanitized: Sanitized):
    module, source = emitted(path)
    cases = value_cases(path.read_text(encoding="utf-8"), module, path.name)
    wrong: list[str] = []
    run_cases(
        cases,
        lambda function, inputs: sanitized.run(source, tuple(inputs), function),
        "C with sanitizers",
        longest_sum(module),
        wrong,
    )
    assert not wrong, "\n".join(wrong)


def test_what_the_sanitizers_catch(sanitized: Sanitized):
    """The harness itself sees an access out of bounds, in a function that claims to have none."""
    module = compiler.parse(
        """
func.func @main(%x : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64, bounds_checked} {
  loop.for "i" %i = 0 to 5 {
    %a = loop.load %x[%i] : f32
    loop.store %a, %y[%i]
  }
  func.return
}"""
    )
    with pytest.raises(AssertionError, match="heap-buffer-overflow"):
        sanitized.run(stepwell.emit(module, "generic"), (np.zeros(4, np.float32),))
