"""What a caller gets: names, shapes, statuses, the header, the promises about the text, and what is refused."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stepwell.compiler import parse
from stepwell.emitters.c import emit_module
from stepwell.errors import VerifyError

from tests.emitters.conftest import Build, aligned
from tests.emitters.programs import GENERIC, MATMUL, W, X, emitted, one_output


def test_what_a_caller_sees() -> None:
    source = emitted(MATMUL, 0)
    (entry,) = source.entries
    assert (entry.run, entry.workspace_size, entry.dims) == ("net_run", "net_workspace_size", ("batch",))
    assert [(t.name, t.dtype, t.shape) for t in entry.inputs] == [("x", "float32", ("batch", 2))]
    assert [(t.name, t.dtype, t.shape) for t in entry.outputs] == [("y", "float32", ("batch", 3))]
    assert source.weights == W.tobytes()
    assert (
        "int net_run(const float *x, float *y, int64_t batch, const void *weights, void *workspace);" in source.header
    )
    assert "size_t net_workspace_size(int64_t batch);" in source.header
    for line in ("NET_INPUT_0_SHAPE {-1, 2}", 'NET_INPUT_0_DTYPE "float32"', "NET_OUTPUTS 1", "NET_WEIGHTS_SIZE 24"):
        assert f"#define {line}" in source.header


def test_statuses(build: Build) -> None:
    library = build(emitted(MATMUL, 0))
    run = library.library.net_run
    size = library.library.net_workspace_size
    size.argtypes, size.restype = [ctypes.c_int64], ctypes.c_size_t
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    assert size(5) == 124
    x, y, w, ws = aligned(X), aligned(np.zeros((3, 3), np.float32)), aligned(W), aligned(np.zeros(100, np.uint8))
    good = (x.ctypes.data, y.ctypes.data, 3, w.ctypes.data, ws.ctypes.data)
    assert run(*good) == 0
    y[:] = 7
    for position in (0, 1, 3):
        assert run(*(None if n == position else a for n, a in enumerate(good))) == 1
    assert run(good[0], good[1], -1, good[3], good[4]) == 2
    assert run(*good[:4], None) == 3
    assert (y == 7).all(), "a refused call wrote its output"


HUGE = """
func.func @main(%n: index, %m: index, %x: memref<?x0xf32>, %y: memref<?x?xf32>, %ws: memref<?xi8>)
    attributes {dims = ["n", "m"], outputs_count = 1 : i64, workspace = #loop.map<(((d0 * d1 * 4 + 63) floordiv 64) * 64 + min(d1, d0 mod 5))>} {
  loop.shape %x[%n, 0]
  loop.shape %y[%n, %m]
  %t = loop.view %ws[%m * 0] sizes [%n, %m] : memref<?x?xf32>
  func.return
}"""  # noqa: E501


@pytest.mark.parametrize(
    "flags", [(), ("-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all")]
)
def test_sizes_that_would_wrap_are_refused(build: Build, flags: tuple[str, ...]) -> None:
    library = build(emitted(HUGE), *flags).library
    run, workspace, output = library.net_run, library.net_workspace_size, library.net_output_size
    workspace.argtypes, workspace.restype = [ctypes.c_int64] * 2, ctypes.c_size_t
    output.argtypes, output.restype = [ctypes.c_int, *[ctypes.c_int64] * 2], ctypes.c_size_t
    run.argtypes = [*[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2, ctypes.c_void_p]
    assert workspace(7, 5) == 192 + 2
    assert output(0, 7, 5) == 140
    assert workspace(1 << 29, 1 << 29) == (1 << 60) + 2
    largest = 2**64 - 1
    memory = aligned(np.zeros(64, np.uint8)).ctypes.data
    # 4 * n * m is a little over the limit, 0 and small where it wraps, and more than double tells apart
    for n, m in [(1 << 31, 1 << 30), (1 << 31, 1 << 31), ((1 << 62) + 1, 4), ((1 << 63) - 1, (1 << 63) - 1)]:
        assert workspace(n, m) == output(0, n, m) == largest
        assert run(memory, memory, n, m, memory) == 2


def test_static_sizes_that_a_small_machine_cannot_hold_are_checked_there() -> None:
    text = """
func.func @main(%x: memref<1xf32>, %y: memref<1xf32>, %ws: memref<?xi8>)
    attributes {outputs_count = 1 : i64, workspace = #loop.map<() -> (5000000000)>} {
  func.return
}""".replace("() -> ", "")
    code = emitted(text).code
    assert "5000000000.0 > (double)(SIZE_MAX / 4) ? SIZE_MAX :" in code
    assert "SIZE_MAX" not in emitted(text.replace("5000000000", "5000000")).code


def test_the_text_is_what_it_promises() -> None:
    code = emitted(MATMUL).code
    assert "malloc" not in code
    assert "static float" not in code
    assert "#pragma omp parallel for" in code
    assert (
        "static void net_mm(int64_t n, const float *restrict a, const float *restrict b, float *restrict y) {" in code
    )
    assert "_Alignas(64) static const float net_w[6] = {" in code
    assert {line for line in code.splitlines() if line.startswith("#include")} == {
        '#include "net.h"',
        *(f"#include <{name}.h>" for name in ("math", "stddef", "stdint", "string")),
    }


def test_the_same_bytes_in_every_process() -> None:
    script = (
        "import sys; from stepwell.compiler import parse; from stepwell.emitters.c import emit_module;"
        "from stepwell.targets import target_named;"
        "s = emit_module(parse(sys.stdin.read()), target_named('generic'), 'net', inline_limit=0);"
        "sys.stdout.write(s.code + s.header)"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script], input=MATMUL, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert emitted(MATMUL, 0).code in texts.pop()


def test_the_header_is_for_cpp_too(tmp_path: Path) -> None:
    header = tmp_path / "net.h"
    header.write_text(emitted(MATMUL).header)
    checked = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", str(header)]
    subprocess.run(["g++", "-x", "c++", *checked], check=True)
    subprocess.run(["gcc", "-x", "c", "-std=c11", *checked], check=True)


def test_a_weights_file_is_refused_where_it_would_be_read_backwards(tmp_path: Path) -> None:
    for limit in (0, None):
        source = emitted(MATMUL, limit)
        (tmp_path / "net.h").write_text(source.header)
        (tmp_path / "net.c").write_text(source.code)
        other = ["-U__BYTE_ORDER__", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"]
        for flags in ([], other):
            done = subprocess.run(
                ["gcc", "-std=c11", "-fsyntax-only", *flags, "net.c"], cwd=tmp_path, capture_output=True, text=True
            )
            refused = bool(flags) and limit == 0
            assert done.returncode == int(refused), done.stderr
            assert ("net.weights is little-endian" in done.stderr) == refused


def test_unsigned_elements_as_the_model_has_them() -> None:
    text = """
func.func @main(%x: memref<4xi8>, %y: memref<4xi8>) attributes {outputs_count = 1 : i64, elements = [ui8, i8]} {
  loop.for "i" %i = 0 to 4 {
    %v = loop.load %x[%i] : i8
    loop.store %v, %y[%i]
  }
  func.return
}"""
    source = emitted(text)
    assert [t.dtype for t in (*source.entries[0].inputs, *source.entries[0].outputs)] == ["uint8", "int8"]
    assert "int net_run(const uint8_t *x, int8_t *output0, void *workspace);" in source.header


def test_shapes_of_flattened_buffers() -> None:
    text = """
func.func @main(%n: index, %x: memref<?xf32>, %y: memref<?xf32>)
    attributes {dims = ["n"], outputs_count = 1 : i64, shapes = [#loop.map<(d0, 4)>, #loop.map<(d0 * 2 + 1)>]} {
  loop.shape %x[%n * 4]
  loop.shape %y[%n * 2 + 1]
  func.return
}"""
    entry = emitted(text).entries[0]
    assert [t.shape for t in (*entry.inputs, *entry.outputs)] == [("n", 4), ("n * 2 + 1",)]


def test_origins_stand_before_the_nests() -> None:
    text = one_output('loop.for "i.outer" %i = 0 to 4 {\n}', 1)
    code = emit_module(parse(text, "some/model.mlir"), GENERIC, "net", origin="model.mlir").code
    assert "/* net: written by Stepwell from model.mlir for target generic */" in code
    assert "/* some/model.mlir:3 */" in code
    assert "{ /* i.outer */" in code


def test_functions_on_scalars_are_exported(build: Build) -> None:
    text = """
func.func @half(%x: f64, %unused: i32) -> f64 {
  %c = arith.constant 0.5 : f64
  %r = arith.mulf %x, %c : f64
  func.return %r : f64
}"""
    source = emitted(text)
    assert "double net_half(double x, int32_t unused);" in source.header
    half = build(source).library.net_half
    half.restype, half.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_int32]
    assert half(5.0, 0) == 2.5


REFUSED = {
    "a block": (
        one_output(
            'loop.for "i" %i = 0 to 1 { loop.block "b" (%v : spatial = %i) reads(%a = %x[%v]) writes(%y[%v])'
            " { loop.yield %a } }",
            1,
        ),
        "'loop.block'.*has no C",
    ),
    "a buffer without a place": (one_output('%t = loop.alloc "global" : memref<4xf32>', 1), "plan-buffers"),
    "too much stack": (one_output('%t = loop.alloc "local" : memref<99999xf32>', 1), "399996 bytes of the stack"),
    "a function without a body": ("func.func private @f(%x: memref<4xf32>)", "'f' has no body"),
    "a function that calls itself": (
        "func.func @f(%x: f32) -> f32 {\n%r = func.call @f(%x) : (f32) -> f32\nfunc.return %r : f32\n}",
        "'f' calls itself",
    ),
    "two results": ("func.func @f(%x: f32) -> (f32, f32) { func.return %x, %x : f32, f32 }", "returns 2 values"),
    "a dynamic buffer without its shape": (
        "func.func @main(%n: index, %y: memref<?xf32>) attributes {dims = [\"n\"], outputs_count = 1 : i64} {"
        "%c = arith.constant 0.0 : f32\nloop.store %c, %y[0]\nfunc.return }",
        "no loop.shape",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(VerifyError, match=message):
        emitted(text)
