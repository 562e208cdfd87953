"""Loops, conditions, buffers and calls as C: what small programs compute."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.emitters.conftest import SANITIZED, STRICT, Array, Build
from tests.emitters.programs import MATMUL, W, X, emitted, one_output


@pytest.mark.parametrize("limit", [None, 0], ids=["weights in the C", "weights in a file"])
@pytest.mark.parametrize("flags", [("-O2",), ("-O2", "-fopenmp"), SANITIZED], ids=["O2", "openmp", "ubsan"])
def test_calls_views_and_globals(flags: tuple[str, ...], limit: int | None, build: Build) -> None:
    (y,) = build(emitted(MATMUL, limit), *flags).run("main", [X], [np.zeros((3, 3), np.float32)], [3])
    assert np.array_equal(y, -(X @ W))


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


@pytest.mark.parametrize(("word", "expected"), [("floordiv", -(2**63)), ("mod", 0)])
def test_the_least_index_by_minus_one_wraps(build: Build, word: str, expected: int) -> None:
    text = f"""
func.func @divide(%a: i64, %b: i64) -> i64 {{
  %x = arith.index_cast %a : i64 to index
  %y = arith.index_cast %b : i64 to index
  %q = loop.index %x {word} %y
  %r = arith.index_cast %q : index to i64
  func.return %r : i64
}}"""
    divide = build(emitted(text), "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all").library.net_divide
    divide.restype, divide.argtypes = ctypes.c_int64, [ctypes.c_int64] * 2
    assert divide(-(2**63), -1) == expected
    for a in (-7, -1, 0, 7):
        for b in (-3, -2, -1, 2, 3):
            assert divide(a, b) == (a // b if word == "floordiv" else a % b)
        assert divide(a, 0) == 0
