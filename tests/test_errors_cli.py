"""`stepwell-opt` given what is wrong: one error that says where, the right exit code, never a traceback."""

import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from stepwell.tools.opt import main

GOOD = "func.func @f(%x : i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  func.return %y : i32\n}\n"

LATE = b"func.func @f(%x : i32) {\n  %y = arith.addi %x, %z : i32\n  %z = arith.constant 1 : i32\n  func.return\n}"


@pytest.fixture
def opt(run_tool):
    return partial(run_tool, main)


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.mlir"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("empty.mlir", b"", "empty.mlir:1: error: the file is empty"),
        ("latin.mlir", b"// caf\xe9", "latin.mlir:1: error: not UTF-8 text"),
        ("binary.mlir", bytes(range(256)), "binary.mlir:2: error: not UTF-8 text: byte 0x80"),
        ("syntax.mlir", b"func.func @f(", "syntax.mlir:1: error: "),
        ("op.mlir", b"\nnowhere.op", "op.mlir:2: error: Operation nowhere.op is not registered"),
        ("types.mlir", GOOD.replace("%x, %x : i32", "%x, %x : i64").encode(), "types.mlir:2: error: "),
        ("verify.mlir", b"func.func @f() -> i32 {\n  func.return\n}", "verify.mlir:2: error: 'func.return': "),
        ("order.mlir", LATE,
         "order.mlir:2: error: 'arith.addi': uses %z of 'arith.constant', which is not defined before it"),
        ("call.mlir", b"func.func @f() {\n  func.call @g() : () -> ()\n  func.return\n}",
         "call.mlir:2: error: 'func.call': no symbol @g in this module"),
        ("deep.mlir", b'"test.op"() ({\n' * 5000, "deep.mlir:201: error: nested too deeply"),
        ("key.mlir", b'%c = graph.constant #graph.array<"sha256:0" : tensor<64xf32>>', "key.mlir:1: error: "),
        ("garbage.onnx", b"\x08\x09garbage", "garbage.onnx: error: "),
        ("empty.onnx", b"", "empty.onnx: error: "),
    ],
)  # fmt: skip
def test_faults_of_a_file(opt, tmp_path, name, content, error):
    path = tmp_path / name
    path.write_bytes(content)
    code, out, said = opt(path)
    assert code == 1
    assert out == ""
    assert said.startswith(f"{tmp_path}/{error}"), said


def test_a_file_that_is_not_there(opt, tmp_path):
    for name in ("no.mlir", "no.onnx"):
        code, _, said = opt(tmp_path / name)
        assert (code, said) == (1, f"{tmp_path / name}: error: No such file or directory\n")
    code, _, said = opt(tmp_path)
    assert code == 1
    assert said == f"{tmp_path}: error: Is a directory\n"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["-p", "nonsense"], "no pass is called 'nonsense'"),
        (["-p", "dce{depth=3}"], "pass 'dce' has no option 'depth'; it takes none"),
        (["-p", "split-loop{factor=many}"], "pass 'split-loop'"),
        (["-p", "dce,"], "pipeline 'dce,'|^$"),
        (["-p", "dce cse"], "pipeline 'dce cse'"),
        (["-p", "dce{a={b=1},{c=2}}"], "pipeline"),
        (["-t", "nonsense"], "invalid choice: 'nonsense'"),
        (["-t", "mlir{"], "error: "),
        (["-t", "c{machine=avx2}"], "target 'c' has no option 'machine'; its options are header, model, target"),
        (["-f", "nonsense"], "invalid choice: 'nonsense'"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["-p"], "expected one argument"),
    ],
)
def test_faults_of_the_command_line(opt, good, words, error):
    code, out, said = opt(good, *words)
    if not said and "^$" in error:
        return
    assert code == 2
    assert out == ""
    assert re.search(error, said), said


def test_an_ending_that_nobody_reads(opt, tmp_path):
    path = tmp_path / "model.pb"
    path.write_text(GOOD)
    code, _, said = opt(path)
    assert code == 2
    assert "Unrecognized file extension 'pb'; -f says how to read it" in said
    assert opt("-f", "mlir", path)[0] == 0


def test_a_target_that_lacks_its_package(opt, good, monkeypatch):
    from stepwell.tools import opt as tool

    def load():
        raise ModuleNotFoundError("No module named 'strange'")

    everything = tool.multiverse()
    monkeypatch.setattr(tool, "multiverse", lambda: Lacking(everything, load))
    code, out, said = opt(good, "-t", "strange")
    assert (code, out) == (2, "")
    assert said == f"{good}: error: target 'strange' needs a package that is not installed: No module named 'strange'\n"


class Lacking:
    """All that is installed, and a target that cannot be loaded."""

    def __init__(self, universe, load):
        self.universe, self.all_targets = universe, {**universe.all_targets, "strange": load}

    def __getattr__(self, name):
        return getattr(self.universe, name)


def test_a_target_of_another_package_that_fails_is_named(opt, good):
    code, out, said = opt(good, "-t", "riscv-asm")
    assert (code, out) == (1, "")
    assert said.startswith(f"{good}: error: target 'riscv-asm' cannot write this (AssertionError: ")


ADD = """func.func @f(%x : tensor<64xf32>) -> tensor<64xf32> {
  %y = graph.add %x, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}
"""


@pytest.mark.parametrize(
    ("words", "machine"),
    [
        (["-p", "lower"], "generic"),
        (["-p", "lower{target=avx2}"], "avx2"),
        (["-p", "lower{target=avx2},dce"], "avx2"),
        (["-p", "lower{target=avx2 stop-after=buffers},lower{target=c-vector}"], "c-vector"),
    ],
)
def test_c_is_for_the_machine_of_the_passes(opt, tmp_path, words, machine):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    code, out, _ = opt(path, *words, "-t", "c{model=add}")
    assert code == 0
    assert out.startswith(f"/* add: written by Stepwell for target {machine} */")
    # What is said on the command line comes first.
    assert "for target generic" in opt(path, "-p", "lower", "-t", "c{target=generic}")[1]


def test_between_passes_there_is_no_c_yet(opt, tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    code, out, _ = opt(path, "-p", "infer-shapes,lower", "-t", "c", "--print-between-passes")
    assert code == 0
    assert out.startswith("// IR after infer-shapes:\nbuiltin.module {")
    assert "int model_run(" in out


def test_a_dash_is_standard_input_and_output(opt, good, monkeypatch, tmp_path):
    import io

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert opt("-", "-o", "-") == opt(good)
    assert {path.name for path in tmp_path.iterdir()} == {"good.mlir"}


def test_what_is_not_the_input_is_not_blamed(opt, good, tmp_path):
    code, _, said = opt("-o", tmp_path / "out.mlir", "-p", "nonsense", good)
    assert (code, said) == (2, f"{good}: error: no pass is called 'nonsense'\n")


def test_constants_are_not_written_beside_a_device(opt, tmp_path):
    import os

    path = tmp_path / "full.mlir"
    path.write_text(
        f"func.func @f() -> tensor<100xf32> {{\n  %c = graph.constant #graph.array<[{', '.join(['1.5'] * 100)}] : "
        "tensor<100xf32>>\n  func.return %c : tensor<100xf32>\n}\n"
    )
    os.symlink(os.devnull, tmp_path / "null.mlir")
    assert opt(path, "-o", tmp_path / "null.mlir")[0] == 0
    assert not (tmp_path / "null.safetensors").exists()


def test_output_that_cannot_be_written(opt, good, tmp_path):
    code, _, said = opt(good, "-o", tmp_path / "no" / "where.mlir")
    assert (code, said) == (1, f"{tmp_path}/no/where.mlir: error: No such file or directory\n")


def test_a_failed_run_leaves_the_output_file_alone(opt, tmp_path):
    output = tmp_path / "out.mlir"
    output.write_text("before")
    bad = tmp_path / "bad.mlir"
    bad.write_text("nowhere.op")
    assert opt(bad, "-o", output)[0] == 1
    assert output.read_text() == "before"


def test_large_constants_go_beside_the_output_and_come_back(opt, tmp_path):
    values = np.random.default_rng(0).standard_normal(100).astype(np.float32)
    text = ", ".join(f"{value:.9e}" for value in values)
    full = tmp_path / "full.mlir"
    full.write_text(
        f"func.func @f() -> tensor<100xf32> {{\n  %c = graph.constant #graph.array<[{text}] : tensor<100xf32>>\n"
        "  func.return %c : tensor<100xf32>\n}\n"
    )
    code, out, _ = opt(full)
    assert code == 0
    assert "sha256:" in out
    code, in_full, _ = opt(full, "--print-constants")
    assert code == 0
    assert "sha256:" not in in_full
    short = tmp_path / "short.mlir"
    assert opt(full, "-o", short) == (0, "", "")
    assert "sha256:" in short.read_text()
    assert (tmp_path / "short.safetensors").is_file()
    # In a process that never saw the array:
    command = [sys.executable, "-m", "stepwell.tools.opt", str(short), "--print-constants"]
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.stdout, again.stderr) == (in_full, "")


def test_a_fault_inside_a_pass_names_the_pass(opt, good, monkeypatch):
    from xdsl.transforms.dead_code_elimination import DeadCodeElimination

    def fail(self, ctx, op):
        raise KeyError("lost")

    monkeypatch.setattr(DeadCodeElimination, "apply", fail)
    code, _, said = opt(good, "-p", "cse,dce")
    assert code == 1
    assert said == f"{good}: error: pass 'dce' failed (KeyError: 'lost')\n"


def test_a_pass_that_breaks_the_module_is_named(opt, good, monkeypatch):
    from xdsl.transforms.dead_code_elimination import DeadCodeElimination

    def swap(self, ctx, op):
        add = op.body.block.first_op.body.block.first_op
        add.operands = [add.results[0], add.operands[1]]

    monkeypatch.setattr(DeadCodeElimination, "apply", swap)
    code, _, said = opt(good, "-p", "cse,dce")
    assert code == 1
    assert said.startswith(f"{good}:2: error: 'arith.addi': uses %y of 'arith.addi', which is not defined before it")
    assert said.endswith("after pass 'dce'\n")
    assert opt(good, "-p", "cse,dce", "--disable-verify")[0] == 0


def test_what_a_run_switches_is_switched_back(opt, good):
    from xdsl.ir import Attribute
    from xdsl.utils.diagnostic import Diagnostic

    before = Attribute.__post_init__, Diagnostic.colored, sys.getrecursionlimit()
    opt(good, "--disable-verify", "--syntax-highlight")
    assert (Attribute.__post_init__, Diagnostic.colored, sys.getrecursionlimit()) == before


def test_debug_shows_the_traceback(good):
    bad = good.with_name("bad.mlir")
    bad.write_text("nowhere.op")
    command = [sys.executable, "-m", "stepwell.tools.opt", str(bad)]
    quiet = subprocess.run(command, capture_output=True, text=True, check=False)
    assert quiet.returncode == 1
    assert "Traceback" not in quiet.stderr
    loud = subprocess.run([*command, "--debug"], capture_output=True, text=True, check=False)
    assert loud.returncode == 1
    assert "Traceback" in loud.stderr


def test_a_reader_that_has_enough(tmp_path):
    big = tmp_path / "big.mlir"
    big.write_text("func.func @f() {\n" + '  "test.op"() : () -> ()\n' * 5_000 + "  func.return\n}\n")
    command = f"{sys.executable} -m stepwell.tools.opt {big} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "builtin.module {\n"
    assert done.stderr == ""


def test_text_from_standard_input():
    command = [sys.executable, "-m", "stepwell.tools.opt", "-p", "cse"]
    done = subprocess.run(command, input="nowhere.op", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("<stdin>:1: error: Operation nowhere.op is not registered")
    assert subprocess.run(command, input=GOOD, capture_output=True, text=True, check=False).returncode == 0
