"""`plan-buffers`: what is alive together has bytes of its own, whatever the program."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.conversions.plan_buffers import PlanBuffersPass
from stepwell.conversions.plan_buffers.arena import Item, place
from stepwell.conversions.plan_buffers.lifetimes import Span
from stepwell.dialects.expr import Expr
from stepwell.interpreters.run import run
from stepwell.rewriting import verify
from xdsl.context import Context


def planned(module):
    module = module.clone()
    PlanBuffersPass().apply(Context(), module)
    verify(module)
    assert not any(op.name == "loop.alloc" and op.scope.data == "global" for op in module.walk())
    return module


def workspace(module, function="main"):
    (op,) = (f for f in module.walk() if f.name == "func.func" and f.sym_name.data == function)
    return op.attributes["workspace"].exprs[0]


def copy(source, target, size, factor=2):
    """`target = source * factor`, as text."""
    return f"""
  loop.for "i" %i = 0 to {size} {{
    %v = loop.load {source}[%i] : f32
    %k = arith.constant {factor}.0 : f32
    %w = arith.mulf %v, %k : f32
    loop.store %w, {target}[%i]
  }}"""


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 300), st.integers(0, 20), st.integers(0, 6), st.booleans()), min_size=1, max_size=12
    ),
    st.integers(1, 50),
)
def test_what_is_alive_together_does_not_overlap(shapes, n):
    items = []
    for size, first, length, symbolic in shapes:
        bytes_ = Expr.atom("n") * size + 4 if symbolic else Expr.constant(size)
        items.append(Item(bytes_, Span(first, first + length)))
    total = place(items).evaluate({"n": n})
    for k, item in enumerate(items):
        start = item.offset.evaluate({"n": n})
        end = start + item.size.evaluate({"n": n})
        assert start % 64 == 0
        assert 0 <= start <= end <= total
        for other in items[:k]:
            if item.span.meets(other.span) and start < end:
                low = other.offset.evaluate({"n": n})
                high = low + other.size.evaluate({"n": n})
                assert end <= low or high <= start or low == high


def test_a_chain_needs_two_buffers(programs):
    count = 6
    allocs = "\n".join(f'  %t{n} = loop.alloc "global" : memref<100xf32>' for n in range(count))
    names = ["%x", *(f"%t{n}" for n in range(count)), "%y"]
    steps = "".join(copy(a, b, 100) for a, b in pairwise(names))
    text = f"func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {{\n{allocs}{steps}\n  func.return\n}}"
    module = programs.parse_verified(text)
    result = planned(module)
    assert workspace(result).value == 2 * 448
    x = programs.plain(1, 100)
    for m in (module, result):
        np.testing.assert_array_equal(run(m, None, [x])[0], x * 2 ** (count + 1))


@pytest.mark.parametrize("kind", ["if", "loop"])
def test_an_alias_keeps_a_buffer_alive(programs, kind):
    # B008: l is s by another name while r is written, so r must not have its bytes
    alias = {
        "if": """
  %l = loop.if (%n - 1 >= 0) -> (memref<40xf32>) {
    loop.yield %s
  } else {
    loop.yield %s
  }""",
        "loop": """
  %l = loop.for "a" %a = 0 to 2 iter(%b = %s) {
    loop.yield %b
  }""",
    }[kind]
    text = f"""
func.func @main(%n: index, %x: memref<40xf32>, %m: memref<?xf32>, %y: memref<40xf32>) {{
  loop.shape %m[%n]
  %s = loop.alloc "global" : memref<40xf32>
  %r = loop.alloc "global" : memref<40xf32>
  {copy("%x", "%s", 40, 1)}{alias}{copy("%x", "%r", 40, 3)}
  loop.for "i" %i = 0 to 40 {{
    %p = loop.load %l[%i] : f32
    %q = loop.load %r[%i] : f32
    %z = arith.addf %p, %q : f32
    loop.store %z, %y[%i]
  }}
  func.return
}}"""
    module = programs.parse_verified(text)
    result = planned(module)
    assert workspace(result).value == 2 * 192
    x = programs.plain(1, 40)
    for m in (module, result):
        np.testing.assert_array_equal(run(m, None, {"x": x, "m": programs.plain(2, 3)})[0], x + x * 3)


def test_a_buffer_is_alive_until_the_last_call_that_takes_it(programs):
    # B010
    text = (
        """
func.func private @ext(%a: memref<16xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 16 {
    %v = loop.load %a[%i] : f32
    %w = arith.addf %v, %v : f32
    loop.store %w, %a[%i]
  }
  func.return
}
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = loop.alloc "global" : memref<16xf32>
  %b = loop.alloc "global" : memref<16xf32>"""
        + copy("%x", "%a", 16, 1)
        + """
  func.call @ext(%a) : (memref<16xf32>) -> ()"""
        + copy("%x", "%b", 16, 5)
        + """
  func.call @ext(%a) : (memref<16xf32>) -> ()"""
        + copy("%a", "%y", 16, 1)
        + """
  func.return
}"""
    )
    module = programs.parse_verified(text)
    result = planned(module)
    assert workspace(result).value == 128
    x = programs.plain(1, 16)
    for m in (module, result):
        np.testing.assert_array_equal(run(m, "main", [x])[0], x * 4)


def test_callees_work_in_the_bytes_of_their_caller(programs):
    # two levels, a size of the callee's own, and buffers of the caller that are alive during the call
    text = f"""
func.func private @inner(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) attributes {{
    dims = ["n"], outputs_count = 1 : i64}} {{
  loop.shape %a[%n]
  loop.shape %b[%n]
  %t = loop.alloc "global" [%n] : memref<?xf32>{copy("%a", "%t", "%n", 3)}{copy("%t", "%b", "%n", 5)}
  func.return
}}
func.func private @outer(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) attributes {{
    dims = ["n"], outputs_count = 1 : i64}} {{
  loop.shape %a[%n]
  loop.shape %b[%n]
  %t = loop.alloc "global" [%n] : memref<?xf32>
  func.call @inner(%n, %a, %t) : (index, memref<?xf32>, memref<?xf32>) -> ()
  func.call @inner(%n, %t, %b) : (index, memref<?xf32>, memref<?xf32>) -> ()
  func.return
}}
func.func @main(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) attributes {{
    dims = ["n"], inputs = ["a"], outputs = ["b"], outputs_count = 1 : i64}} {{
  loop.shape %a[%n]
  loop.shape %b[%n]
  %t = loop.alloc "global" [%n] : memref<?xf32>
  %u = loop.alloc "global" : memref<4xf32>
  %v = loop.load %a[0] : f32
  loop.store %v, %u[0]
  func.call @outer(%n, %a, %t) : (index, memref<?xf32>, memref<?xf32>) -> ()
  loop.for "i" %i = 0 to %n {{
    %p = loop.load %t[%i] : f32
    %q = loop.load %u[0] : f32
    %z = arith.addf %p, %q : f32
    loop.store %z, %b[%i]
  }}
  func.return
}}"""
    module = programs.parse_verified(text)
    result = planned(module)
    for n in (1, 5, 17, 100):
        a = programs.plain(n, n)
        expected = a * np.float32(3) * np.float32(5) * np.float32(3) * np.float32(5) + a[0]
        for m in (module, result):
            np.testing.assert_array_equal(run(m, "main", [a])[0], expected)
        # inner, the temporary of outer, and that of main, each rounded up, and the small one
        assert workspace(result).evaluate({0: n}) == 3 * (-(-4 * n // 64) * 64) + 64


def test_iterations_of_a_parallel_loop_do_not_share(programs):
    text = """
func.func @main(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  loop.for "i" %i = 0 to 8 parallel {
    %t = loop.alloc "global" : memref<16xf32>
    loop.for "j" %j = 0 to 16 {
      %v = loop.load %x[%i, %j] : f32
      loop.store %v, %t[%j]
    }
    loop.for "j" %j = 0 to 16 {
      %v = loop.load %t[%j] : f32
      loop.store %v, %y[%i, %j]
    }
  }
  func.return
}"""
    module = programs.parse_verified(text)
    result = planned(module)
    assert workspace(result).value == 8 * 64
    x = programs.plain(1, 8, 16)
    np.testing.assert_array_equal(run(result, None, [x])[0], x)


def test_vector_accesses_begin_where_the_buffer_begins(programs):
    # B009: two buffers in one arena; the second one's vectors start at its own bytes
    text = """
func.func @main(%x: memref<1024xf32>, %c: memref<1024xf32>) {
  %a = loop.alloc "global" : memref<1024xf32>
  %b = loop.alloc "global" : memref<1024xf32>
  loop.for "i" %i = 0 to 1024 vectorized {
    loop.block "a" (%vi : spatial = %i) reads(%v = %x[%vi]) writes(%a[%vi]) {
      %w = arith.addf %v, %v : f32
      loop.yield %w
    }
    loop.block "b" (%vi : spatial = %i) reads(%v = %x[%vi]) writes(%b[%vi]) {
      %w = arith.mulf %v, %v : f32
      loop.yield %w
    }
  }
  loop.for "i" %i = 0 to 1024 vectorized {
    loop.block "c" (%vi : spatial = %i) reads(%v = %a[%vi], %w = %b[%vi]) writes(%c[%vi]) {
      %z = arith.addf %v, %w : f32
      loop.yield %z
    }
  }
  func.return
}"""
    x = programs.plain(1, 1024)
    for target in programs.TARGETS:
        result = planned(programs.converted(programs.parse_verified(text), target))
        assert workspace(result).value == 2 * 4096
        np.testing.assert_array_equal(run(result, None, [x])[0], (x + x) + x * x)


def test_without_elements(programs):
    text = (
        """
func.func @main(%x: memref<0xf32>, %y: memref<0xf32>) {
  %t = loop.alloc "global" : memref<0xf32>"""
        + copy("%x", "%t", 0)
        + copy("%t", "%y", 0)
        + """
  func.return
}"""
    )
    result = planned(programs.parse_verified(text))
    assert workspace(result).value == 0
    assert run(result, None, [np.zeros(0, np.float32)])[0].shape == (0,)


def test_a_second_run_changes_nothing(programs):
    text = f"""
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {{
  %t = loop.alloc "global" : memref<16xf32>{copy("%x", "%t", 16)}{copy("%t", "%y", 16)}
  func.return
}}"""
    once = planned(programs.parse_verified(text))
    assert str(planned(once)) == str(once)


def test_the_report(programs, capsys):
    text = f"""
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {{
  %t = loop.alloc "global" : memref<16xf32>{copy("%x", "%t", 16)}{copy("%t", "%y", 16)}
  func.return
}}"""
    PlanBuffersPass(report=True).apply(Context(), programs.parse_verified(text))
    assert capsys.readouterr().err == "@main: 64 bytes for 1 buffers\n  64 at 0\n"
