"""Loops, conditions, buffers and calls as C: what small programs compute, and how their text looks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stepwell.compiler import parse
from stepwell.emitters.c import Source, emit_module
from stepwell.errors import VerifyError
from stepwell.targets import target_named

from tests.emitters.conftest import SANITIZED, STRICT, Array, Build, aligned

GENERIC = target_named("generic")


def emitted(text: str, inline_limit: int | None = None) -> Source:
    return emit_module(parse(text), GENERIC, "net", inline_limit=inline_limit)


def floats(*numbers: float) -> Array:
    return np.array(numbers, np.float32)


MATMUL = """
loop.global @w : memref<2x3xf32> = #graph.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>
func.func private @mm(%n: index, %a: memref<?x2xf32>, %b: memref<2x3xf32>, %y: memref<?x3xf32>)
    attributes {dims = ["n"], outputs_count = 1 : i64, noalias} {
  loop.shape %a[%n, 2]
  loop.shape %y[%n, 3]
  loop.for "i" %i = 0 to %n parallel {
    loop.for "j" %j = 0 to 3 {
      %zero = arith.constant 0.0 : f32
      %sum = loop.for "k" %k = 0 to 2 iter(%acc = %zero) {
        %p = loop.load %a[%i, %k] : f32
        %q = loop.load %b[%k, %j] : f32
        %m = arith.mulf %p, %q : f32
        %s = arith.addf %acc, %m : f32
        loop.yield %s
      }
      loop.store %sum, %y[%i, %j]
    }
  }
  func.return
}
func.func @main(%n: index, %x: memref<?x2xf32>, %y: memref<?x3xf32>, %ws: memref<?xi8>)
    attributes {dims = ["batch"], inputs = ["x"], outputs = ["y"], outputs_count = 1 : i64,
                workspace = #loop.map<(d0 * 12 + 64)>} {
  loop.shape %x[%n, 2]
  loop.shape %y[%n, 3]
  %t = loop.view %ws[64] sizes [%n] : memref<?x3xf32>
  %w = loop.get_global @w : memref<2x3xf32>
  func.call @mm(%n, %x, %w, %t) : (index, memref<?x2xf32>, memref<2x3xf32>, memref<?x3xf32>) -> ()
  loop.for "i" %i = 0 to %n {
    loop.for "j" %j = 0 to 3 {
      %v = loop.load %t[%i, %j] : f32
      %r = arith.negf %v : f32
      loop.store %r, %y[%i, %j]
    }
  }
  func.return
}"""

X = floats(1, 2, 3, 4, 5, 6).reshape(3, 2)
W = floats(1, 2, 3, 4, 5, 6).reshape(2, 3)


@pytest.mark.parametrize("limit", [None, 0], ids=["weights in the C", "weights in a file"])
@pytest.mark.parametrize("flags", [("-O2",), ("-O2", "-fopenmp"), SANITIZED], ids=["O2", "openmp", "ubsan"])
def test_calls_views_and_globals(flags: tuple[str, ...], limit: int | None, build: Build) -> None:
    (y,) = build(emitted(MATMUL, limit), *flags).run("main", [X], [np.zeros((3, 3), np.float32)], [3])
    assert np.array_equal(y, -(X @ W))


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
    import ctypes

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


MAIN = """
#include "net.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  for (int64_t n = 0; n < 5; n++) {
    float *x = calloc((size_t)n * 2 + 1, sizeof *x), *y = calloc((size_t)n * 3 + 1, sizeof *y);
    void *ws = aligned_alloc(64, (net_workspace_size(n) + 63) / 64 * 64);
    for (int64_t i = 0; i < n * 2; i++) x[i] = (float)i;
    if (net_run(x, y, n, ws) != NET_OK) return 1;
    for (int64_t i = 0; i < n * 3; i++) printf("%g ", (double)y[i]);
    free(x); free(y); free(ws);
  }
  return 0;
}
"""


def test_under_address_sanitizer(tmp_path: Path) -> None:
    source = emitted(MATMUL)
    (tmp_path / "net.c").write_text(source.code)
    (tmp_path / "net.h").write_text(source.header)
    (tmp_path / "main.c").write_text(MAIN)
    checks = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *STRICT, *checks, "net.c", "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True)
    expected = [v for n in range(5) for v in (-np.arange(n * 2, dtype=np.float32).reshape(n, 2) @ W).ravel()]
    assert [float(word) for word in done.stdout.split()] == expected


def one_output(body: str, count: int, head: str = "", more: str = "") -> str:
    """A function from 8 numbers to `count`."""
    return f"""{head}
func.func @main(%x: memref<8xf32>, %y: memref<{count}xf32>) attributes {{outputs_count = 1 : i64 {more}}} {{
  {body}
  func.return
}}"""


def result(text: str, build: Build, count: int, x: Array | None = None) -> list[float]:
    given = np.arange(8, dtype=np.float32) if x is None else x
    (y,) = build(emitted(text), *SANITIZED).run("main", [given], [np.zeros(count, np.float32)])
    return y.tolist()


def test_a_yield_that_swaps(build: Build) -> None:
    body = """
    %a = loop.load %x[1] : f32
    %b = loop.load %x[2] : f32
    %c = loop.load %x[3] : f32
    %p, %q, %r = loop.for "i" %i = 0 to 4 iter(%s = %a, %t = %b, %u = %c) {
      loop.yield %t, %u, %s
    }
    loop.store %p, %y[0]
    loop.store %q, %y[1]
    loop.store %r, %y[2]"""
    assert result(one_output(body, 3), build, 3) == [2, 3, 1]


def test_an_init_with_another_use_is_kept(build: Build) -> None:
    body = """
    %a = loop.load %x[1] : f32
    %p = loop.for "i" %i = 0 to 3 iter(%s = %a) {
      %t = arith.addf %s, %s : f32
      loop.yield %t
    }
    loop.store %p, %y[0]
    loop.store %a, %y[1]"""
    assert result(one_output(body, 2), build, 2) == [8, 1]


def test_an_init_from_further_out_is_kept(build: Build) -> None:
    body = """
    %a = loop.load %x[1] : f32
    loop.for "o" %o = 0 to 3 {
      %p = loop.for "i" %i = 0 to 3 iter(%s = %a) {
        %t = arith.addf %s, %s : f32
        loop.yield %t
      }
      loop.store %p, %y[%o]
    }"""
    assert result(one_output(body, 3), build, 3) == [8, 8, 8]


def test_carried_values_of_nested_loops_share_one_variable(build: Build) -> None:
    body = """
    %a = loop.load %x[0] : f32
    %r = loop.for "o" %o = 0 to 2 iter(%s = %a) {
      %p = loop.for "i" %i = 0 to 4 iter(%t = %s) {
        %v = loop.load %x[%o * 4 + %i] : f32
        %u = arith.addf %t, %v : f32
        loop.yield %u
      }
      loop.yield %p
    }
    loop.store %r, %y[0]"""
    text = one_output(body, 1)
    assert result(text, build, 1) == [28]
    lines = [line.strip() for line in emitted(text).code.splitlines()]
    assert [line for line in lines if line.startswith("a = ")] == ["a = u;"]
    assert "y[0] = a;" in lines


def test_a_loop_without_trips_gives_its_init(build: Build) -> None:
    body = """
    %a = loop.load %x[5] : f32
    %p = loop.for "i" %i = 3 to 2 iter(%s = %a) {
      %t = arith.addf %s, %s : f32
      loop.yield %t
    }
    loop.store %p, %y[0]"""
    assert result(one_output(body, 1), build, 1) == [5]


def test_while_and_if_with_results(build: Build) -> None:
    # Collatz: how many steps from 6 to 1, and the largest number on the way
    body = """
    %n = arith.constant 6 : i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %last, %steps, %top = loop.while (%a = %n, %s = %zero, %m = %n) {
      %more = arith.cmpi ne, %a, %one : i64
      %largest = arith.maxsi %a, %m : i64
      loop.condition %more, %a, %s, %largest
    } do (%b, %t, %l) {
      %odd = arith.remsi %b, %two : i64
      %place = arith.index_cast %odd : i64 to index
      %next = loop.if (%place - 1 >= 0) -> (i64) {
        %p = arith.muli %b, %three : i64
        %q = arith.addi %p, %one : i64
        loop.yield %q
      } else {
        %h = arith.divsi %b, %two : i64
        loop.yield %h
      }
      %u = arith.addi %t, %one : i64
      loop.yield %next, %u, %l
    }
    %f = arith.sitofp %steps : i64 to f32
    %g = arith.sitofp %top : i64 to f32
    loop.store %f, %y[0]
    loop.store %g, %y[1]"""
    assert result(one_output(body, 2), build, 2) == [8, 16]


def test_guards_keep_accesses_inside(build: Build) -> None:
    body = """
    loop.for "i" %i = 0 to 12 {
      %v = loop.load %x[%i - 2] if (%i - 2 >= 0, 9 - %i >= 0) else -1.0 : f32
      loop.store %v, %y[%i - 1] if (%i - 1 >= 0)
    }"""
    assert result(one_output(body, 11), build, 11) == [-1, 0, 1, 2, 3, 4, 5, 6, 7, -1, -1]


def test_index_arithmetic_is_floor_division(build: Build) -> None:
    body = """
    loop.for "i" %i = 0 to 9 {
      %a = loop.index (4 - %i) floordiv 3
      %b = loop.index (4 - %i) mod 3
      %c = loop.index (%i + 5) floordiv 2
      %d = loop.index min(%i, 3) + max(%i - 6, 0, -2)
      %e = loop.index %i floordiv (%i - 4) + %i mod (%i - 4)
      loop.for "k" %k = 0 to 1 {
        %f0 = arith.index_cast %a : index to i64
        %f1 = arith.index_cast %b : index to i64
        %f2 = arith.index_cast %c : index to i64
        %f3 = arith.index_cast %d : index to i64
        %f4 = arith.index_cast %e : index to i64
        %g0 = arith.sitofp %f0 : i64 to f32
        %g1 = arith.sitofp %f1 : i64 to f32
        %g2 = arith.sitofp %f2 : i64 to f32
        %g3 = arith.sitofp %f3 : i64 to f32
        %g4 = arith.sitofp %f4 : i64 to f32
        loop.store %g0, %y[%i * 5]
        loop.store %g1, %y[%i * 5 + 1]
        loop.store %g2, %y[%i * 5 + 2]
        loop.store %g3, %y[%i * 5 + 3]
        loop.store %g4, %y[%i * 5 + 4]
      }
    }"""
    text = one_output(body, 45)
    expected = [
        [
            (4 - i) // 3,
            (4 - i) % 3,
            (i + 5) // 2,
            min(i, 3) + max(i - 6, 0),
            i // (i - 4) + i % (i - 4) if i != 4 else 0,
        ]
        for i in range(9)
    ]
    assert result(text, build, 45) == [v for row in expected for v in row]
    code = emitted(text).code
    # what may be negative is divided by the helper, what cannot be is not
    assert "sw_floordiv(-i + 1, 3) + 1" in code
    assert "((i + 1) / 2) + 2" in code


def test_local_buffers_and_ranks(build: Build) -> None:
    body = """
    %t = loop.alloc "local" : memref<2x4xf32>
    %s = loop.alloc "register" : memref<f32>
    loop.for "i" %i = 0 to 2 {
      loop.for "j" %j = 0 to 4 {
        %v = loop.load %x[%j * 2 + %i] : f32
        loop.store %v, %t[%i, %j]
        loop.store %v, %s[]
      }
    }
    loop.for "i" %k = 0 to 8 {
      %v = loop.load %t[%k floordiv 4, %k mod 4] : f32
      loop.store %v, %y[%k]
    }
    %last = loop.load %s[] : f32
    loop.store %last, %y[8]"""
    assert result(one_output(body, 9), build, 9) == [0, 2, 4, 6, 1, 3, 5, 7, 7]


def test_truth_values_in_buffers(build: Build) -> None:
    text = """
func.func @main(%x: memref<4xi1>, %y: memref<4xi1>) attributes {outputs_count = 1 : i64} {
  %true = arith.constant true
  loop.for "i" %i = 0 to 4 {
    %v = loop.load %x[%i] : i1
    %w = arith.xori %v, %true : i1
    loop.store %w, %y[%i]
  }
  func.return
}"""
    source = emitted(text)
    assert source.entries[0].inputs[0].dtype == "bool"
    (y,) = build(source).run("main", [np.array([1, 0, 7, 0], np.uint8)], [np.zeros(4, np.uint8)])
    assert y.tolist() == [0, 1, 0, 1]


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
    import ctypes

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
