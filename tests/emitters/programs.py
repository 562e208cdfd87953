"""Programs at the end of stage `clean` that several tests of the emitter use."""

from __future__ import annotations

import numpy as np
from stepwell.compiler import parse
from stepwell.emitters.c import Source, emit_module
from stepwell.targets import target_named

from tests.emitters.conftest import Array

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


def one_output(body: str, count: int, head: str = "", more: str = "") -> str:
    """A function from 8 numbers to `count`."""
    return f"""{head}
func.func @main(%x: memref<8xf32>, %y: memref<{count}xf32>) attributes {{outputs_count = 1 : i64 {more}}} {{
  {body}
  func.return
}}"""
