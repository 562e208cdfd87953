"""The generic form that we print is MLIR: `mlir-opt` reads it at every stage, and we read what it prints again."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from stepwell.compiler import load, parse
from stepwell.pipelines import OPTIMISED, run_stages
from stepwell.targets import target_named
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

ROOT = Path(__file__).parents[1]
MLIR_OPT = next(filter(None, map(shutil.which, ("mlir-opt", "mlir-opt-22", "mlir-opt-21", "mlir-opt-19"))), None)

pytestmark = pytest.mark.skipif(
    MLIR_OPT is None, reason="mlir-opt is not installed: Debian has it in mlir-22-tools or mlir-19-tools"
)

DIALECTS = [f"lit_tests/dialects/{name}/ops.mlir" for name in ("graph", "loop", "simd")]
PROGRAMS = [
    "examples/models/digits.onnx",
    *(
        f"lit_tests/run/{name}.mlir"
        for name in (
            "matmul-add",
            "conv2d-groups",
            "softmax",
            "pad",
            "constants",
            "dynamic",
            "dynamic-windows",
            "cast-to-integers",
            "functions",
            "loop-gather",
            "loop-edges",
            "loop-control",
            "loop-globals",
            "simd-memory",
            "simd-lanes",
        )
    ),
]


def generic(module: ModuleOp) -> str:
    out = io.StringIO()
    Printer(stream=out, print_generic_format=True).print_op(module)
    return out.getvalue()


def mlir_opt(text: str, *options: str) -> str:
    """What mlir-opt prints for `text`, which may be several modules."""
    assert MLIR_OPT is not None
    command = [MLIR_OPT, "--allow-unregistered-dialect", "--split-input-file", *options]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


@pytest.mark.parametrize("file", DIALECTS)
def test_every_op(file: str):
    mlir_opt(generic(load(ROOT / file)))


@pytest.mark.parametrize("file", PROGRAMS)
@pytest.mark.parametrize("target", ["generic", "avx512"])
def test_every_stage(file: str, target: str):
    module = load(ROOT / file)
    texts = [generic(module)]
    run_stages(module, OPTIMISED(target_named(target)), after_stage=lambda stage, m: texts.append(generic(m)))
    assert len(texts) >= 3
    mlir_opt("\n// -----\n".join(texts))


@pytest.mark.parametrize("file", [name for name in PROGRAMS if "loop" not in name and "simd" not in name])
def test_graphs_come_back_as_they_were(file: str):
    module = load(ROOT / file)
    run_stages(module, OPTIMISED(target_named("generic")), stop_after="fused")
    printed = mlir_opt(generic(module), "--mlir-print-op-generic")
    assert parse(printed).is_structurally_equivalent(module)


def test_what_mlir_opt_refuses():
    with pytest.raises(AssertionError, match="error"):
        mlir_opt('"builtin.module"() ({ "func.func"() : () -> () }) : () -> ()')
