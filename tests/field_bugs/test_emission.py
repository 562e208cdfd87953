"""The C: names, precedence, aliasing, alignment, index types, large buffers, large weights."""

from __future__ import annotations

import re
import struct
import subprocess
import threading
from dataclasses import replace

import numpy as np
import pytest
import stepwell
from programs.sanitized import Sanitized
from stepwell import runtime
from stepwell.compiler import parse, program_of
from stepwell.dialects.loop import GlobalOp
from stepwell.frontends.python import GraphBuilder, tensor
from stepwell.interpreters.run import run

STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror")


def built(module, *flags: str, name: str | None = None, inline_weights: int | None = None) -> runtime.Model:
    """The C for `generic`, compiled with all warnings as errors and these flags."""
    program = program_of(stepwell.emit(module, "generic", name=name, inline_weights=inline_weights))
    return runtime.load(replace(program, flags=(*program.flags, *STRICT, *flags)))


@pytest.mark.parametrize("name", ["free", "malloc", "memcpy", "main", "exp", "errno", "int", "while", "INFINITY"])
def test_b111_names_of_the_c_library_and_of_c(name, tmp_path):
    b = GraphBuilder()
    with b.function("main", {name: tensor((3,)), f"{name}_1": tensor((3,))}) as (x, y):
        weight = b.constant(np.float32([1, 2, 3]))
        b.emit_func_output(b.emit(b.add(b.emit(b.multiply(x, y)), weight)))
    module = b.get()
    (out,) = built(module, name=name).call([np.float32([1, 2, 3]), np.float32([4, 5, 6])])
    np.testing.assert_array_equal(out, [5, 12, 21])
    source = stepwell.emit(module, "generic", name=name)
    (tmp_path / f"{source.name}.h").write_text(source.header)
    (tmp_path / "model.c").write_text(source.code)
    subprocess.run(["cc", "-std=c11", "-c", "model.c"], cwd=tmp_path, check=True)
    text = subprocess.run(
        ["nm", "-g", "--defined-only", "model.o"], cwd=tmp_path, capture_output=True, text=True
    ).stdout
    symbols = [line.split()[-1].lstrip("_") for line in text.splitlines()]
    assert symbols
    assert all(symbol.startswith(f"{source.name.lstrip('_')}_") for symbol in symbols), symbols


def test_b114_large_intermediates_are_not_on_the_stack():
    # two values of 4 MB; the thread that runs it has a stack of 256 KB
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1024, 1024))}) as (x,):
        first = b.emit(b.softmax(x, 0))
        second = b.emit(b.softmax(first, 1))
        b.emit_func_output(b.emit(b.sum(second, [0, 1])))
    source = stepwell.emit(b.get(), "generic")
    model = runtime.load(program_of(source))
    arrays = [int(size) for size in re.findall(r"^\s+\w+ \w+\[(\d+)\]", source.code, re.M)]
    assert all(size * 8 <= 4096 for size in arrays)
    found: list[np.ndarray] = []
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(model(np.zeros((1024, 1024), np.float32))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    np.testing.assert_allclose(found[0], 1024, rtol=1e-4)
    workspace = re.search(r"workspace_size\(void\) \{\s*return \(size_t\)\((?:INT64_C\()?(\d+)", source.code)
    assert workspace is not None
    assert int(workspace[1]) >= 4 * 1024 * 1024


def on_elements(body: str, *elements: str, count: int = 4) -> str:
    """`body` on the elements of buffers: %a, %b, … in, %r out, the last type."""
    names = "abcdefgh"[: len(elements) - 1]
    inputs = ", ".join(f"%in_{n} : memref<{count}x{e}>" for n, e in zip(names, elements, strict=False))
    loads = "\n".join(f"%{n} = loop.load %in_{n}[%i] : {e}" for n, e in zip(names, elements, strict=False))
    return f"""
func.func @main({inputs}, %out : memref<{count}x{elements[-1]}>) attributes {{outputs_count = 1 : i64}} {{
  loop.for "i" %i = 0 to {count} {{
    {loads}
    {body}
    loop.store %r, %out[%i]
  }}
  func.return
}}"""


def test_b117_a_cast_is_of_the_whole_expression(everywhere):
    text = on_elements(
        "%s = arith.addf %a, %b : f32\n%t = arith.mulf %s, %c : f32\n%r = arith.fptosi %t : f32 to i32",
        "f32", "f32", "f32", "i32",
    )  # fmt: skip
    a, b, c = np.float32([1.5, 0.6, -1.5, 2]), np.float32([1.25, 0.6, 0.25, 0]), np.float32([2, 10, 2, 3])
    # by hand: 5.5, 12, -2.5, 6
    everywhere(text, [a, b, c], [5, 12, -2, 6])
    negated = on_elements("%s = arith.subf %a, %b : f32\n%r = arith.negf %s : f32", "f32", "f32", "f32")
    everywhere(negated, [a, b], [-0.25, 0 * -1.0, 1.75, -2])


def test_b118_a_cast_is_of_the_choice_and_not_of_the_condition(everywhere):
    text = on_elements(
        "%h = arith.shrsi %a, %b : i64\n%s = arith.select %c, %h, %a : i64\n%r = arith.trunci %s : i64 to i32",
        "i64", "i64", "i1", "i32",
    )  # fmt: skip
    a, b = np.array([256, 256, -256, 1 << 33]), np.array([4, 4, 4, 32])
    everywhere(text, [a, b, np.array([True, False, True, True])], [16, 256, -16, 2])
    compare = on_elements("%c = arith.cmpi slt, %a, %b : i32\n%r = arith.extui %c : i1 to i32", "i32", "i32", "i32")
    everywhere(compare, [np.int32([1, 2, 3, -1]), np.int32([2, 1, 3, 0])], [1, 0, 0, 1])


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_b119_bits_are_copied_and_not_read_through_another_pointer(level):
    text = on_elements("%r = arith.bitcast %a : i32 to f32", "i32", "f32")
    bits = np.array([0x3F800000, 0x7FC00001, -0x80000000, 1], np.int64).astype(np.int32)
    (found,) = built(parse(text), level, "-fstrict-aliasing", "-Wstrict-aliasing=1").call([bits])
    np.testing.assert_array_equal(found.view(np.int32), bits)
    back = on_elements("%r = arith.bitcast %a : f64 to i64", "f64", "i64")
    (found,) = built(parse(back), level).call([np.float64([1, -0.0, np.inf, 5e-324])])
    assert [struct.unpack("<d", struct.pack("<q", x))[0] for x in found] == [1, -0.0, np.inf, 5e-324]


def test_b120_weights_are_aligned_whatever_stands_before_them():
    b = GraphBuilder()
    with b.function("main", {"x": tensor((3,), "f64")}) as (x,):
        small = b.emit(b.cast(b.constant(np.arange(3, dtype=np.int8)), "f64"))
        odd = b.emit(b.cast(b.constant(np.array([1, 2, 3], np.uint8)), "f64"))
        large = b.constant(np.array([0.5, 1.5, 2.5]))
        numbers = b.emit(b.cast(b.constant(np.array([1 << 40, 2, 3], np.uint64)), "f64"))
        total = b.emit(b.add(b.emit(b.add(small, odd)), b.emit(b.add(large, numbers))))
        b.emit_func_output(b.emit(b.add(x, total)))
    source = stepwell.emit(b.get(), "generic", stages=stepwell.REFERENCE, inline_weights=0)
    assert source.weights is not None
    with Sanitized() as sanitized:
        (found,) = sanitized.run(source, (np.zeros(3),))
    np.testing.assert_array_equal(
        found, np.arange(3) + np.array([1, 2, 3]) + [0.5, 1.5, 2.5] + np.array([2.0**40, 2, 3])
    )


# vectorised, with a body that no vector does; where it runs is beyond what 32 bits hold
FAR = """
func.func @main(%x : memref<70xf32>, %y : memref<70xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 2147483640 to 2147483710 KIND {
    loop.block "far" (%vi : spatial = %i)
        reads(%a = %x[%vi - 2147483640]) writes(%y[%vi * 3 - 6442450920 - (%vi - 2147483640) * 2]) {
      %r = loop.remf %a, %a : f32
      %s = arith.addf %a, %r : f32
      loop.yield %s
    }
  }
  func.return
}"""


@pytest.mark.parametrize("kind", ["", "vectorized", "parallel"])
def test_b062_b122_indices_have_64_bits(kind):
    text = FAR.replace("KIND", kind)
    x = np.arange(1, 71, dtype=np.float32)
    np.testing.assert_array_equal(built(parse(text), "-Wconversion").call([x])[0], x)
    np.testing.assert_array_equal(run(parse(text), "main", [x])[0], x)
    np.testing.assert_array_equal(stepwell.compile(parse(text), "native").call([x])[0], x)


def test_b122_more_elements_than_31_bits_count():
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2147483712,), "i8")}) as (x,):
        b.emit_func_output(b.emit(b.negate(x)))
    code = stepwell.emit(b.get(), "generic").code
    assert "2147483712" in code
    assert re.search(r"for \(int64_t \w+ = 0; ", code)
    assert not re.search(r"for \((int|int32_t|long) ", code)


def test_b123_weights_do_not_become_text():
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 1000))}) as (x,):
        b.emit_func_output(b.emit(b.matmul(x, b.constant(np.ones((1000, 1000), np.float32)))))
    source = stepwell.emit(b.get(), "generic")
    assert source.weights is not None
    assert len(source.weights) >= 4_000_000
    assert len(source.code) < 20_000
    np.testing.assert_array_equal(built(b.get())(np.ones((1, 1000), np.float32)), np.full((1, 1000), 1000, np.float32))


def test_b145_b147_weights_are_neither_copied_nor_printed_on_the_way():
    weights = np.random.default_rng(1).normal(size=(500, 500)).astype(np.float32)
    weights.flags.writeable = False
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 500))}) as (x,):
        b.emit_func_output(b.emit(b.relu(b.emit(b.matmul(x, b.constant(weights))))))
    module = b.get()
    assert len(str(module)) < 5000
    lowered = stepwell.lower(module, "generic")
    (table,) = [op for op in lowered.ops if isinstance(op, GlobalOp)]
    assert np.shares_memory(table.value.array, weights)
    assert len(str(lowered)) < 20_000
