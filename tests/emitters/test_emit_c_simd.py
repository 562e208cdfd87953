"""Each `simd` op as C, on every target that runs here, against what NumPy says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from stepwell.compiler import parse
from stepwell.emitters.c import emit_module
from stepwell.targets import TARGETS, runs_here, target_named

from tests.emitters.conftest import SANITIZED, Array, Build

NAN, INF = float("nan"), float("inf")
A = np.array([1, -0.0, 0.0, NAN, 2, -INF, 5, -3, 1, 1, 1, 1, 1, 1, 1, 1], np.float32)
B = np.array([2, 0.0, -0.0, 1, NAN, 3, 5, -4, 0, 0, 0, 0, 0, 0, 0, 0], np.float32)

VECTOR_TARGETS = [name for name in TARGETS if name != "generic" and runs_here(target_named(name))]


def function(body: str, lanes: int, count: int) -> str:
    """Two inputs of 16 floats and 16 integers of 64 bits; the output keeps what is not written."""
    return f"""
func.func @main(%n : index, %a : memref<16xf32>, %b : memref<16xf32>, %o : memref<16xi64>, %y : memref<{count}xf32>)
    attributes {{dims = ["n"], outputs_count = 1 : i64}} {{
  %va = simd.load %a[0] : vector<{lanes}xf32>
  %vb = simd.load %b[0] : vector<{lanes}xf32>
  %c = arith.constant 0.5 : f32
  {body}
  func.return
}}"""


def select(chosen: Array, a: Array, b: Array) -> Array:
    return np.where(chosen, a, b)


OFFSETS = np.array([3, 0, 7, 7, 1, 2, 15, 8] * 2, np.int64)

ONE_VECTOR: dict[str, tuple[str, Callable[[int], Array]]] = {
    "load and store": ("%v = simd.load %b[%n - 3] : vector<{n}xf32>", lambda n: B[:n]),
    "load that is guarded": (
        "%v = simd.load %b[%n - 4] if (%n - 4 >= 0) else 7.0 : f32 : vector<{n}xf32>", lambda n: np.full(n, 7.0)),
    "strided_load": ("%v = simd.strided_load %b[0] stride 2 : vector<{n}xf32>", lambda n: B[: 2 * n : 2]),
    "gather": (
        "%i = simd.load %o[0] : vector<{n}xi64>\n%v = simd.gather %i, %a[0] : vector<{n}xf32>",
        lambda n: A[OFFSETS[:n]]),
    "masked_load": (
        "%m = simd.mask %n : vector<{n}xi1>\n%v = simd.masked_load %m, %a[13] else 9.5 : f32 : vector<{n}xf32>",
        lambda n: np.array([*A[13:16], *[9.5] * (n - 3)])),
    "masked_load of zeros": (
        "%m = simd.mask %n : vector<{n}xi1>\n%v = simd.masked_load %m, %a[13] else 0.0 : f32 : vector<{n}xf32>",
        lambda n: np.array([*A[13:16], *[0.0] * (n - 3)])),
    "masked_load of -0": (
        "%m = simd.mask %n : vector<{n}xi1>\n%v = simd.masked_load %m, %a[13] else -0.0 : f32 : vector<{n}xf32>",
        lambda n: np.array([*A[13:16], *[-0.0] * (n - 3)])),
    "broadcast": ("%v = simd.broadcast %c : vector<{n}xf32>", lambda n: np.full(n, 0.5)),
    "iota": (
        "%i = simd.iota : vector<{n}xi32>\n%v = simd.convert \"sitofp\" %i : vector<{n}xi32> to vector<{n}xf32>",
        lambda n: np.arange(n, dtype=np.float32)),
    "max": ("%v = simd.max %va, %vb : vector<{n}xf32>", lambda n: select(A > B, A, B)[:n]),
    "min": ("%v = simd.min %va, %vb : vector<{n}xf32>", lambda n: select(A < B, A, B)[:n]),
    "compare and select": (
        '%m = simd.compare "ult" %va, %vb : vector<{n}xf32>\n%v = simd.select %m, %va, %vb : vector<{n}xf32>',
        lambda n: select(~(A >= B), A, B)[:n]),
    "compare of integers": (
        '%i = simd.load %o[0] : vector<{n}xi64>\n%j = simd.load %o[1] : vector<{n}xi64>\n'
        '%m = simd.compare "ule" %i, %j : vector<{n}xi64>\n%v = simd.select %m, %va, %vb : vector<{n}xf32>',
        lambda n: select(OFFSETS[:n] <= np.roll(OFFSETS, -1)[:n], A[:n], B[:n])),
    "shuffle": (
        "%v = simd.shuffle %va, %vb [{mixed}] : vector<{n}xf32>",
        lambda n: np.concatenate([A[:n], B[:n]])[mixed(n)]),
    "fma": ("%v = simd.fma %vb, %vb, %va : vector<{n}xf32>", lambda n: (B * B + A)[:n]),
    "masks combined": (
        '%m = simd.mask %n : vector<{n}xi1>\n%l = simd.compare "olt" %va, %vb : vector<{n}xf32>\n'
        "%b0 = arith.xori %m, %l : vector<{n}xi1>\n%v = simd.select %b0, %va, %vb : vector<{n}xf32>",
        lambda n: select((np.arange(16) < 3) ^ (A < B), A, B)[:n]),
}  # fmt: skip


def mixed(lanes: int) -> list[int]:
    """Lanes of two vectors, alternating and from the end."""
    return [(lanes - 1 - k // 2) + (lanes if k % 2 else 0) for k in range(lanes)]


def same(got: Array, expected: Array) -> bool:
    expected = expected.astype(np.float32)
    return bool(((got.view(np.int32) == expected.view(np.int32)) | (np.isnan(got) & np.isnan(expected))).all())


def lanes_of(target: str) -> int:
    return target_named(target).lanes(32)


def run(text: str, target: str, build: Build, count: int, flags: tuple[str, ...] = ("-O2",)) -> Array:
    source = emit_module(parse(text), target_named(target), "net")
    (y,) = build(source, "-Wno-psabi", *flags).run("main", [A, B, OFFSETS], [np.full(count, 8, np.float32)], [3])
    return y


@pytest.mark.parametrize("target", VECTOR_TARGETS)
def test_ops_that_make_a_vector(target: str, build: Build) -> None:
    lanes = lanes_of(target)
    bodies: list[str] = []
    for k, (body, _) in enumerate(ONE_VECTOR.values()):
        text = body.format(n=lanes, mixed=", ".join(map(str, mixed(lanes)))) + f"\nsimd.store %v, %y[{k * lanes}]"
        # each in a loop of its own, so that the names of the next one are free
        bodies.append(f'loop.for "once" %once = 0 to 1 {{\n{text}\n}}')
    if lanes > 8:
        bodies = [body for body, name in zip(bodies, ONE_VECTOR, strict=True) if name != "strided_load"]
    count = len(ONE_VECTOR) * lanes
    text = function("\n".join(bodies), lanes, count)
    for flags in (("-O2",), ("-O0",)):
        y = run(text, target, build, count, flags)
        for k, (name, (_, expected)) in enumerate(ONE_VECTOR.items()):
            if lanes <= 8 or name != "strided_load":
                assert same(y[k * lanes : (k + 1) * lanes], expected(lanes)), name


@pytest.mark.parametrize("target", VECTOR_TARGETS)
def test_stores_under_masks_and_guards(target: str, build: Build) -> None:
    lanes = lanes_of(target)
    body = f"""
  %m = simd.mask %n - 1 : vector<{lanes}xi1>
  %none = simd.mask %n - 5 : vector<{lanes}xi1>
  simd.masked_store %m, %va, %y[0]
  simd.masked_store %none, %va, %y[2]
  simd.masked_store %m, %va, %y[4] if (%n - 4 >= 0)
  simd.store %vb, %y[8] if (3 - %n >= 0)
  simd.store %va, %y[8] if (2 - %n >= 0)"""
    y = run(function(body, lanes, 24), target, build, 24)
    assert same(y[:8], np.array([*A[:2], *[8.0] * 6]))
    assert same(y[8 : 8 + lanes], B[:lanes])
    assert (y[8 + lanes :] == 8).all()


@pytest.mark.parametrize("target", VECTOR_TARGETS)
def test_masked_lanes_do_not_touch_memory(target: str, build: Build) -> None:
    """The mask ends where the buffer does: 16 elements, the vector begins at the last three."""
    lanes = lanes_of(target)
    body = f"""
  %m = simd.mask %n : vector<{lanes}xi1>
  %v = simd.masked_load %m, %a[13] else 1.0 : f32 : vector<{lanes}xf32>
  simd.masked_store %m, %v, %y[13]"""
    y = run(function(body, lanes, 16), target, build, 16, SANITIZED if target == "c-vector" else ("-O2",))
    assert same(y, np.array([*[8.0] * 13, *A[13:16]]))


@pytest.mark.parametrize("target", VECTOR_TARGETS)
def test_reductions_go_from_left_to_right(target: str, build: Build) -> None:
    lanes = lanes_of(target)
    body = "\n".join(
        f'%r{k} = simd.reduce "{name}" %c, %{v} : vector<{lanes}xf32>\nloop.store %r{k}, %y[{k}]'
        for k, (name, v) in enumerate([("add", "vb"), ("mul", "vb"), ("max", "va"), ("min", "vb"), ("max", "vb")])
    )
    y = run(function(body, lanes, 5), target, build, 5)
    add = mul = np.float32(0.5)
    for value in B[:lanes]:
        add, mul = add + value, mul * value
    nan_in_b = bool(np.isnan(B[:lanes]).any())
    expected = [add, mul, NAN, NAN if nan_in_b else 0.0, NAN if nan_in_b else 2.0]
    if not nan_in_b:
        expected[3] = -0.0
    assert same(y, np.array(expected))


def test_reductions_of_integers_and_masks(build: Build) -> None:
    text = """
func.func @main(%x : memref<4xi32>, %y : memref<8xi32>) attributes {outputs_count = 1 : i64} {
  %v = simd.load %x[0] : vector<4xi32>
  %zero = arith.constant 0 : i32
  %most = arith.constant 2147483647 : i32
  %true = arith.constant true
  %r0 = simd.reduce "add" %most, %v : vector<4xi32>
  %r1 = simd.reduce "max" %zero, %v : vector<4xi32>
  %r2 = simd.reduce "umax" %zero, %v : vector<4xi32>
  %r3 = simd.reduce "and" %most, %v : vector<4xi32>
  %r4 = simd.reduce "umin" %most, %v : vector<4xi32>
  %z = simd.broadcast %zero : vector<4xi32>
  %m = simd.compare "sge" %v, %z : vector<4xi32>
  %all = simd.reduce "and" %true, %m : vector<4xi1>
  %r5 = arith.extui %all : i1 to i32
  loop.store %r0, %y[0]
  loop.store %r1, %y[1]
  loop.store %r2, %y[2]
  loop.store %r3, %y[3]
  loop.store %r4, %y[4]
  loop.store %r5, %y[5]
  func.return
}"""
    x = np.array([7, -2, 3, 15], np.int32)
    source = emit_module(parse(text), target_named("c-vector"), "net")
    (y,) = build(source, *SANITIZED).run("main", [x], [np.zeros(8, np.int32)])
    assert y[:6].tolist() == [-(1 << 31) + 22, 15, -2, 2, 3, 0]


def test_fma_rounds_once(build: Build) -> None:
    fused = [name for name in VECTOR_TARGETS if target_named(name).has("simd.fma", "f32") or name != "c-vector"]
    if not fused:
        pytest.skip("no target with a fused multiply-add runs here")
    text = """
func.func @main(%x : memref<8xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  %v = simd.load %x[0] : vector<8xf32>
  %c = arith.constant -1.0 : f32
  %m = simd.broadcast %c : vector<8xf32>
  %f = simd.fma %v, %v, %m : vector<8xf32>
  simd.store %f, %y[0]
  func.return
}"""
    x = np.full(8, 1 + 2.0**-23, np.float32)
    (y,) = build(emit_module(parse(text), target_named(fused[0]), "net")).run("main", [x], [np.zeros(8, np.float32)])
    # (1 + e)(1 + e) - 1 = 2e + ee; a product rounded first would lose ee
    assert y.tolist() == [float(np.float32(2.0**-22 + 2.0**-46))] * 8
