"""The package of `examples/out_of_tree`, installed by pip into a folder of its own: its dialect and pass are found."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "out_of_tree"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package and its entry point; built from a copy, since building leaves files."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    where = folder / "site"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(where),
    ]
    subprocess.run([*pip, str(source)], check=True)
    return where


def run(installed, *command):
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def opt(installed, *arguments):
    return run(installed, "-m", "stepwell.tools.opt", str(EXAMPLE / "example.mlir"), *arguments)


def test_it_is_under_100_lines():
    files = [*EXAMPLE.glob("relu6/*.py"), EXAMPLE / "pyproject.toml"]
    assert sum(len(file.read_text().splitlines()) for file in files) < 100


def test_without_it_the_pass_is_not_known():
    command = ["-m", "stepwell.tools.opt", str(EXAMPLE / "example.mlir"), "-p", "fuse-relu6"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode
    assert "fuse-relu6" in done.stderr


def test_stepwell_opt_runs_its_pass_and_prints_its_op(installed):
    text = opt(installed, "-p", "fuse-relu6,dce")
    assert "%y = clip.relu6 %x : tensor<4xf32>" in text
    assert "graph.minimum" not in text


def test_the_pass_keeps_the_values(installed):
    assert "clip.relu6" in opt(installed, "-p", "fuse-relu6,dce", "--check")


def test_its_op_comes_down_to_loops(installed):
    text = opt(installed, "-p", "fuse-relu6,dce,convert-graph-to-loop")
    assert 'loop.block "relu6"' in text
    assert "arith.minimumf" in text


def test_its_op_is_compiled(installed, tmp_path):
    fused = tmp_path / "fused.mlir"
    fused.write_text(opt(installed, "-p", "fuse-relu6,dce"))
    x = np.array([-1, 3, 7, np.nan], np.float32)
    np.save(tmp_path / "x.npy", x)
    run(
        installed,
        *("-m", "stepwell.tools.main", "run", str(fused), "--input", str(tmp_path / "x.npy")),
        *("--target", "generic", "--output", str(tmp_path)),
    )
    [output] = set(tmp_path.glob("*.npy")) - {tmp_path / "x.npy"}
    np.testing.assert_array_equal(np.load(output), np.minimum(np.maximum(x, 0), 6))
