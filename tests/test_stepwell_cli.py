"""`stepwell compile`, `run` and `check` from the command line."""

import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from stepwell.runtime import find_compiler
from stepwell.tools.main import main

DIGITS = Path(__file__).resolve().parent.parent / "examples" / "models" / "digits.onnx"

TWO = """
func.func @add(%x : TYPE, %y : TYPE) -> TYPE {
  %z = graph.add %x, %y : TYPE, TYPE -> TYPE
  func.return %z : TYPE
}
func.func @negate(%x : tensor<2xf32>) -> tensor<2xf32> {
  %z = graph.negate %x : tensor<2xf32>
  func.return %z : tensor<2xf32>
}
""".replace("TYPE", "tensor<?xf32, #graph.dims<n>>")


@pytest.fixture
def stepwell(run_tool):
    return partial(run_tool, main)


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    return path


@pytest.fixture
def images(tmp_path):
    array = np.random.default_rng(0).integers(0, 17, (5, 64)).astype(np.float32)
    np.save(tmp_path / "images.npy", array)
    return tmp_path / "images.npy"


def onnxruntime(array):
    import onnxruntime

    return onnxruntime.InferenceSession(DIGITS, providers=["CPUExecutionProvider"]).run(None, {"image": array})[0]


@pytest.mark.parametrize(
    "how", [[], ["--interpret"], ["--stage", "loop"], ["--stage", "clean"], ["--pipeline", "reference"], ["-O", "0"]]
)
def test_run_agrees_with_onnxruntime(stepwell, images, tmp_path, how):
    code, out, err = stepwell("run", DIGITS, "--input", images, "--output", tmp_path / "out", *how)
    assert (code, err) == (0, "")
    assert out == f"{tmp_path}/out/probability.npy\n"
    found, expected = np.load(tmp_path / "out" / "probability.npy"), onnxruntime(np.load(images))
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


def test_run_prints_what_it_is_not_told_to_write(stepwell, tmp_path, two):
    np.savez(tmp_path / "both.npz", y=np.float32([1, 2, 3]), x=np.float32([10, 20, 30]))
    code, out, _ = stepwell("run", two, "--function", "add", "--input", tmp_path / "both.npz")
    assert (code, out) == (0, "output0: float32[3]\n[11. 22. 33.]\n")


def test_random_inputs_are_the_same_for_the_same_seed(stepwell, two):
    first = stepwell("run", two, "--function", "negate", "--random", "3")
    assert first[0] == 0
    assert stepwell("run", two, "--function", "negate", "--random", "3", "--interpret") == first
    assert stepwell("run", two, "--function", "negate", "--random", "4") != first


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["run", "{two}", "--function", "add"], 1, "input 'x' is missing: give --input x=FILE.npy, or --random SEED"),
        (["run", "{two}", "--random", "0"], 1, "add, negate"),
        (
            ["run", "{two}", "--function", "add", "--shape", "n=99999999999999999999", "--random", "0"],
            1,
            "no memory for inputs of shapes [99999999999999999999]",
        ),
        (["run", "{two}", "--random", "0", "--function", "nowhere"], 1, "nowhere"),
        (
            ["run", "{two}", "--random", "0", "--function", "add", "--stage", "cellar"],
            1,
            "no stage 'cellar': the stages are",
        ),
        (["run", "{two}", "--function", "add", "--input", "{two}"], 1, "cannot be read as .npy or .npz"),
        (["run", "{two}", "--function", "add", "--input", "no.npy"], 1, "no.npy: error: No such file or directory"),
        (
            ["run", "{two}", "--function", "negate", "--input", "q={images}"],
            1,
            "no input is called 'q': the inputs are x",
        ),
        (["run", "{two}", "--function", "negate", "--input", "{images}"], 1, "shape"),
        (
            ["run", "{two}", "--function", "negate", "--random", "-1"],
            2,
            "expected a whole number that is not negative, not '-1'",
        ),
        (["check", "{two}", "-p", "nonsense"], 2, "no pass is called 'nonsense'"),
        (["compile", "{two}", "-o", "{two}"], 2, "two.mlir: error: this is a file; the output is a folder"),
        (["compile", "{two}", "-o", "o", "--inline-weights", "-1"], 2, "expected a whole number that is not negative"),
        (["compile", "{two}", "-o", "o", "--shape", "n=1", "--shape", "n=2"], 2, "--shape n=2: 'n' is given twice"),
        (["check", "{two}", "--seed", "-1"], 2, "expected a whole number that is not negative, not '-1'"),
        (["run", "{digits}", "--values"], 2, "--values reads the VALUE lines of an .mlir file"),
        (["run", "{two}", "--shape", "m=3", "--random", "0"], 1, "no dim is called 'm'; a dim takes one size"),
        (["run", "{two}", "--values"], 1, "no line says '// VALUE"),
        (["run", "nowhere.onnx"], 1, "nowhere.onnx: error: "),
        (["compile", "{two}", "-o", "no", "--shape", "n"], 2, "--shape n: expected NAME=SIZES"),
        (["compile", "{two}", "--target", "z80"], 2, "invalid choice: 'z80'"),
        (["compile", "{two}"], 2, "compile needs -o FOLDER"),
        (["compile"], 2, "the following arguments are required: model"),
        (["decompile"], 2, "invalid choice: 'decompile'"),
        ([], 2, "required: COMMAND"),
    ],
)
def test_faults(stepwell, two, images, words, code, error):
    found, out, said = stepwell(*(word.format(two=two, images=images, digits=DIGITS) for word in words))
    assert (found, out) == (code, ""), said
    assert error in said


@pytest.mark.parametrize("target", ["generic", "c-vector"])
def test_compile_writes_c_that_stands_alone(stepwell, images, tmp_path, target):
    folder = tmp_path / "out"
    code, out, _ = stepwell("compile", DIGITS, "-o", folder, "--target", target, "--inline-weights", "1024")
    assert code == 0
    names = ["digits.c", "digits.h", "digits.weights", "digits_main.c"]
    assert out.splitlines() == [str(folder / name) for name in names]
    command = [
        *find_compiler(),
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "digits.c",
        "digits_main.c",
        "-lm",
        "-o",
        "digits",
    ]
    subprocess.run([*command, *(["-pedantic"] if target == "generic" else [])], cwd=folder, check=True)
    np.load(images).tofile(folder / "in.bin")
    subprocess.run(["./digits", "5", "in.bin", "out.bin", "digits.weights"], cwd=folder, check=True)
    expected = onnxruntime(np.load(images))
    found = np.fromfile(folder / "out.bin", np.float32).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


def test_compile_is_the_same_bytes_each_time(stepwell, tmp_path):
    for folder in ("one", "two"):
        assert stepwell("compile", DIGITS, "-o", tmp_path / folder)[0] == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_stages_can_be_read(stepwell, tmp_path):
    code, out, _ = stepwell("compile", DIGITS, "--stop-after", "loop", "--shape", "batch=7")
    assert code == 0
    assert out.startswith("builtin.module {")
    assert "loop.block" in out
    assert "tensor<7x64xf32>" in out
    assert stepwell("compile", DIGITS, "-o", tmp_path, "--print-stages")[0] == 0
    names = [path.name for path in sorted(tmp_path.glob("*.mlir"))]
    assert names[0] == "0-graph.mlir"
    assert names[-1] == f"{len(names) - 1}-clean.mlir"


def test_check_says_what_it_did(stepwell, two):
    code, out, _ = stepwell("check", two, "-p", "canonicalize-graph,fold-constants")
    assert (code, out) == (0, "2 passes keep the values of 2 functions\n")


def test_an_input_is_given_once(stepwell, two, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(2, np.float32))
    np.savez(tmp_path / "x.npz", x=np.ones(2, np.float32))
    given = ["--input", f"x={tmp_path}/x.npy"]
    for again in (f"x={tmp_path}/x.npy", f"{tmp_path}/x.npz"):
        code, out, err = stepwell("run", two, "--function", "negate", *given, "--input", again)
        assert (code, out) == (2, "")
        assert "input 'x' is given twice" in err
    code, _, err = stepwell("run", two, "--function", "negate", *given, "--input", tmp_path / "x.npy")
    assert (code, err) == (1, f"{tmp_path}/x.npy: error: one too many: there is 1 input\n")


def test_arrays_of_objects_are_refused(stepwell, two, tmp_path):
    np.savez(tmp_path / "x.npz", x=np.array([object()]))
    code, _, err = stepwell("run", two, "--function", "negate", "--input", tmp_path / "x.npz")
    assert (code, err) == (
        1,
        f"{tmp_path}/x.npz: error: cannot be read as .npy or .npz: an array of Python objects, or none at all\n",
    )


def test_check_counts_in_words(stepwell, two):
    assert stepwell("check", two, "-p", "dce") == (0, "1 pass keeps the values of 2 functions\n", "")
    assert stepwell("check", two, "-p", "dce,cse")[1] == "2 passes keep the values of 2 functions\n"
