"""What the reader, the verifier and the interpreter of `loop` refuse, each with the line it is about."""

import re

import numpy as np
import pytest
import stepwell
import stepwell.compiler
import stepwell.tools.reporting
from stepwell.errors import Error, ModelError, RunError, VerifyError

COPY = """
  loop.for "i" %i = 0 to 4 {
    %e = loop.load %x[%i] : f32
    loop.store %e, %y[%i]
  }"""
X = np.arange(4, dtype=np.float32)


def function(body, arguments="%x : memref<4xf32>, %y : memref<4xf32>"):
    return f"func.func @main({arguments}) attributes {{outputs_count = 1 : i64}} {{\n  {body}{COPY}\n  func.return\n}}"


BLOCK = """%p, %q = loop.if (1 >= 0) -> (memref<4xf32>, memref<4xf32>) {{
    loop.yield %x, %y
  }} else {{
    loop.yield %y, %x
  }}
  loop.for "k" %k = 0 to 4 {{
    loop.block "b" (%vk : spatial = %k) {} {{
      %z = arith.constant 1.0 : f32
      loop.yield %z
    }}
  }}"""

REFUSED = [
    ("%r = loop.load %n[0] : f32", "a buffer is a memref, not f32"),
    ("loop.store %n, %n[0]", "a buffer is a memref, not f32"),
    ("loop.shape %n[4]", "a buffer is a memref, not f32"),
    ("%r = loop.view %n[0] : memref<4xf32>", "a buffer is a memref, not f32"),
    ("%r = simd.load %n[0] : vector<4xf32>", "a buffer is a memref, not f32"),
    ("loop.condition", "condition expected"),
    ("%k = loop.index 99999999999999999999999", "a number of 77 bits: an index has 64"),
    ("%k = loop.index 9223372036854775808", "'loop.index': a number of 64 bits: an index has 64"),
    ("%k = loop.index 9223372036854775807 * 9", "'loop.index': a number of 67 bits: an index has 64"),
    ("%k = loop.index 4\n  loop.if (min(%k, %k * 9223372036854775807 * 2) >= 0) {\n  }", "a number of 64 bits"),
    ("%k = loop.index " + "9" * 5000, "a number of 5000 digits: at most 1000 are read"),
    ("%k = arith.constant 0 : i9223372036854775808", "an integer type has at most 16777215 bits"),
    ("%k = arith.constant 0 : i16777216", "an integer type has at most 16777215 bits"),
    ("%k = arith.constant " + "9" * 5000 + " : i64", "a number of 5000 digits: at most 1000 are read"),
    ('%k = loop.alloc "local" : memref<4xi3>', "'loop.alloc': no buffer can hold i3, found memref<4xi3>"),
    ('%k = loop.alloc "local" : memref<4xcomplex<f32>>', "'loop.alloc': no buffer can hold complex<f32>"),
    ('%k = loop.alloc "local" : memref<4xvector<4xf32>>', "'loop.alloc': no buffer can hold vector<4xf32>"),
    ("%k = simd.iota : vector<4xi3>", "no lane can hold i3, found vector<4xi3>"),
    ("%k = simd.mask 1 : vector<0xi1>", "a vector has 1 to 65536 lanes, found vector<0xi1>"),
    ("%k = simd.mask 1 : vector<99999999999xi1>", "a vector has 1 to 65536 lanes"),
    (BLOCK.format("reads() writes(%y[%vk#1])"), "%vk is not an iterator of this block, nor a read to the left"),
    (BLOCK.format("reads() writes(%p#1[%vk])"), "buffer %p is not defined before this use"),
    (BLOCK.format("reads() writes(%n[%vk])"), "a buffer is a memref, not f32"),
    (BLOCK.format("reads(%e = %n[%vk]) writes(%y[%vk])"), "a buffer is a memref, not f32"),
    (BLOCK.format("reads() writes(%o = %y[%vk] else 0.0 : f32)"), "')' expected"),
    (BLOCK.format("reads() writes(%y[%vk] else 0.0 : f32)"), "')' expected"),
]


@pytest.mark.parametrize(("body", "error"), REFUSED, ids=range(len(REFUSED)))
def test_refused_at_its_line(body, error):
    text = function("%n = arith.constant 0.5 : f32\n  " + body)
    with pytest.raises((ModelError, VerifyError)) as caught:
        stepwell.run(stepwell.compiler.parse(text, "nest.mlir"), X)
    first = str(caught.value).splitlines()[0]
    assert re.match(r"nest\.mlir:\d+: error: ", first)
    assert error in first
    line = int(first.split(":")[1])
    assert 3 <= line <= 2 + len(body.splitlines()) + 1


@pytest.mark.parametrize("type", ["i3", "i128", "f80", "f128", "tf32", "f8E8M0FNU"])
def test_scalars_that_no_array_holds(type):
    """They are good MLIR, and so only refused where they would have to be computed."""
    value = "1" if type[0] == "i" else "1.0"
    module = stepwell.compiler.parse(function(f"%k = arith.constant {value} : {type}"), "nest.mlir")
    with pytest.raises(VerifyError, match=rf"nest.mlir:2: error: 'arith.constant': no array can hold {type}"):
        stepwell.run(module, X)
    with pytest.raises(Error, match=rf"nest.mlir:2: error: 'arith.constant': C has no type for {type}"):
        stepwell.emit(module, "generic", stages=stepwell.REFERENCE)


def test_arguments_that_no_array_holds():
    module = stepwell.compiler.parse(function("", "%x : memref<4xf32>, %z : memref<2xi3>, %y : memref<4xf32>"))
    with pytest.raises(VerifyError, match=r"<text>:1: error: 'func.func': no array can hold argument 1, memref<2xi3>"):
        stepwell.run(module, X, np.zeros(2))


def test_the_second_of_two_buffers_is_the_one_written():
    """`%p#1` names a result by number, in an access as everywhere."""
    body = BLOCK.replace("%p, %q", "%p:2").format("reads() writes(%p#1[%vk])")
    text = function("")
    text = text.replace("  func.return", f"  {body}\n  func.return")
    np.testing.assert_array_equal(stepwell.run(stepwell.compiler.parse(text), X), np.ones(4))


CALLED = """
func.func private @pick(%n : index, %x : memref<4xf32>, %y : memref<4xf32>)
    attributes {outputs_count = 1 : i64, dims = ["n"]} {
  %e = loop.load %x[%n] : f32
  loop.store %e, %y[0]
  func.return
}
""" + function("""%k = loop.index NUMBER
  loop.for "j" %j = 0 to 4 {
    %e = loop.load %x[%j] : f32
    loop.store %e, %y[%j]
  }
  func.call @pick(%k, %x, %y) : (index, memref<4xf32>, memref<4xf32>) -> ()""").replace(COPY, "", 1)


def test_a_dim_that_a_call_makes_negative():
    """Accesses of a function rely on dims being sizes; Python would count a negative index from the end."""
    run = lambda number: stepwell.run(stepwell.compiler.parse(CALLED.replace("NUMBER", number)), X)  # noqa: E731
    np.testing.assert_array_equal(run("3"), [3, 1, 2, 3])
    for number in ("-1", "-4", "min(3, -2)"):
        with pytest.raises(
            RunError, match=r"<text>:\d+: error: 'func.call': the dim 'n' of the function .* would be -"
        ):
            run(number)
    with pytest.raises(RunError, match=r"<text>:4: error: 'loop.load': x at \[4\] is outside of its dims \[4\]"):
        run("4")


@pytest.mark.parametrize("depth", [40, 110])
@pytest.mark.parametrize("kind", ["if", "for", "index"])
def test_deep_nesting_runs_or_is_refused(kind, depth):
    if kind == "index":
        inner = "%j"
        for n in range(depth * 2):
            inner = f"(({inner} mod {n + 3}) * 2 + 1) floordiv 2"
        body = f'loop.for "j" %j = 0 to 4 {{\n    %k = loop.index {inner}\n  }}'
    else:
        head = "loop.if (1 >= 0) {" if kind == "if" else 'loop.for "j{0}" %j{0} = 0 to 1 {{'
        body = "\n".join(head.format(n) if kind == "for" else head for n in range(depth)) + "\n}" * depth
    with stepwell.tools.reporting.deep_recursion():
        module = stepwell.compiler.parse(function(body))
        if depth == 40:
            np.testing.assert_array_equal(stepwell.run(module, X), X)
        else:
            with pytest.raises(VerifyError, match=r"<text>:1: error: 'func.func': nested too deeply to be interpreted"):
                stepwell.run(module, X)


def test_views_and_workspaces_of_negative_size():
    text = """
func.func @main(%n : index, %x : memref<?xf32>, %y : memref<4xf32>, %ws : memref<?xi8>)
    attributes {outputs_count = 1 : i64, dims = ["n"], workspace = #loop.map<(d0 * 8 - 8)>} {
  loop.shape %x[%n]
  %v = loop.view %ws[0] sizes [%n - 6, %n - 6] : memref<?x?xf32>
  func.return
}"""
    module = stepwell.compiler.parse(text)
    with pytest.raises(RunError, match=r"<text>:5: error: 'loop.view': a size is negative: \[-2, -2\]"):
        stepwell.run(module, X)
    with pytest.raises(RunError, match=r"<text>:2: error: 'func.func': a workspace of -8 bytes"):
        stepwell.run(module, np.zeros(0, np.float32))


def test_an_unwritten_output_has_the_place_of_its_function():
    module = stepwell.compiler.parse(
        "\nfunc.func @main(%y : memref<2xf32>) attributes {outputs_count = 1 : i64} {\n  func.return\n}"
    )
    with pytest.raises(RunError, match=r"<text>:2: error: 'func.func': output 'y' of 'main' is not written at \[0\]"):
        stepwell.run(module)
