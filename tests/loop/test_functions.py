"""Functions over buffers: dims, calls, constants, workspaces, control below the level of blocks, and their errors."""

import ml_dtypes
import numpy as np
import pytest
from stepwell.errors import RunError, VerifyError

SCALE = """
func.func @main(%n : index, %x : memref<?x4xf32>, %y : memref<?xf32>)
    attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n, 4]
  loop.shape %y[%n * 4]
  loop.for "i" %i = 0 to %n { loop.for "j" %j = 0 to 4 {
    loop.block "flatten" (%vi : spatial = %i, %vj : spatial = %j) reads(%e = %x[%vi, %vj]) writes(%y[%vi * 4 + %vj]) {
      loop.yield %e
    }
  } }
  func.return
}"""


@pytest.mark.parametrize("n", [0, 1, 5])
def test_dims_follow_from_shapes(run_text, n):
    x = np.arange(n * 4, dtype=np.float32).reshape(n, 4)
    np.testing.assert_array_equal(run_text(SCALE, [x])[0], x.reshape(-1))
    np.testing.assert_array_equal(run_text(SCALE, {"x": x})[0], x.reshape(-1))


def test_dims_that_contradict(run_text):
    text = """
func.func @main(%n : index, %x : memref<?xf32>, %y : memref<?xf32>, %z : memref<?xf32>)
    attributes {dims = ["batch"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n * 2 + 1]
  loop.shape %z[%n]
  func.return
}"""
    with pytest.raises(RunError, match=r"'y' has 8 elements on axis 0, which is not batch \* 2 \+ 1 for any batch"):
        run_text(text.replace("loop.shape %x[%n]", "loop.shape %x[%n * %n]"), [np.zeros(3, "f4"), np.zeros(8, "f4")])
    with pytest.raises(RunError, match=r"'y' has 9 elements on axis 0, but must have 7.* with batch = 3"):
        run_text(text, [np.zeros(3, np.float32), np.zeros(9, np.float32)])
    with pytest.raises(RunError, match="'x' has 3 elements on axis 0, but must have 2"):
        run_text(text, {"x": np.zeros(3, "f4"), "y": np.zeros(5, "f4"), "batch": 2})
    with pytest.raises(RunError, match="dim 'batch' is -1"):
        run_text(text, {"x": np.zeros(3, "f4"), "y": np.zeros(5, "f4"), "batch": -1})


def test_a_dim_of_outputs_only_is_given_by_name(run_text):
    text = """
func.func @range(%n : index, %y : memref<?xindex>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %y[%n]
  loop.for "i" %i = 0 to %n {
    loop.store %i, %y[%i]
  }
  func.return
}"""
    with pytest.raises(RunError, match="no input says the dim 'n': give it by name"):
        run_text(text)
    np.testing.assert_array_equal(run_text(text, {"n": 4})[0], np.arange(4))


WRONG = [
    ([], "0 inputs given, 1 needed: x"),
    ([np.zeros((2, 4))], "input 'x' must be float32, not float64"),
    ([np.zeros(8, np.float32)], r"input 'x' must have rank 2, not shape \(8,\)"),
    ([np.zeros((2, 5), np.float32)], "'x' has 5 elements on axis 1, but must have 4"),
    ([object()], "no array of float32"),
    ({"x": np.zeros((2, 4), np.float32), "w": 1}, "no input 'w'; there is"),
    ({}, "input 'x' is missing"),
]


@pytest.mark.parametrize(("inputs", "message"), WRONG)
def test_wrong_inputs(run_text, inputs, message):
    with pytest.raises(RunError, match=message):
        run_text(SCALE, inputs)


def test_lists_are_taken_as_arrays(run_text):
    assert list(run_text(SCALE, [[[1, 2, 3, 4]]])[0]) == [1, 2, 3, 4]


def test_which_function(run_text):
    with pytest.raises(RunError, match="no function 'other'; there is main"):
        run_text(SCALE, [[[1, 2, 3, 4]]], "other")
    two = "func.func @a() { func.return } func.func @b() { func.return }"
    with pytest.raises(RunError, match="which function.*: a, b"):
        run_text(two)
    private = "func.func private @a() { func.return } func.func @b() { func.return }"
    assert run_text(private) == ()
    with pytest.raises(VerifyError, match="'a' has no body"):
        run_text("func.func private @a()", function="a")


CALLS = """
func.func private @double(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  loop.for "i" %i = 0 to %n {
    %e = loop.load %x[%i] : f32
    %s = arith.addf %e, %e : f32
    loop.store %s, %y[%i]
  }
  func.return
}
func.func @main(%x : memref<6xf32>, %z : memref<6xf32>) attributes {outputs_count = 1 : i64} {
  %n = arith.constant 6 : index
  %d = loop.alloc "global" [%n] : memref<?xf32>
  %e = loop.alloc "global" [%n] : memref<?xf32>
  func.call @fill(%n, %d) : (index, memref<?xf32>) -> ()
  func.call @double(%n, %d, %e) : (index, memref<?xf32>, memref<?xf32>) -> ()
  loop.for "i" %i = 0 to 6 {
    %a = loop.load %e[%i] : f32
    %b = loop.load %x[%i] : f32
    %s = arith.addf %a, %b : f32
    loop.store %s, %z[%i]
  }
  func.return
}
func.func private @fill(%n : index, %y : memref<?xf32>) attributes {outputs_count = 1 : i64} {
  loop.shape %y[%n]
  %one = arith.constant 1.0 : f32
  loop.for "i" %i = 0 to %n {
    loop.store %one, %y[%i]
  }
  func.return
}"""


def test_calls_share_buffers(run_text):
    assert list(run_text(CALLS, [np.arange(6, dtype=np.float32)])[0]) == [2, 3, 4, 5, 6, 7]


def test_a_callee_checks_the_sizes_it_declares(run_text):
    text = CALLS.replace("loop.shape %y[%n]\n  loop.for", "loop.shape %y[%n + 1]\n  loop.for")
    with pytest.raises(
        RunError, match=r"nest.mlir:4: error: 'loop.shape': a buffer of 6 elements, but its dims are \[7\]"
    ):
        run_text(text, [np.arange(6, dtype=np.float32)])


def test_endless_recursion(run_text):
    text = "func.func @main() { func.call @main() : () -> () func.return }"
    with pytest.raises(RunError, match="function 'main' calls itself without end"):
        run_text(text)


def test_constants(run_text):
    text = """
loop.global @w : memref<2x2xf32> = #graph.array<[[1.0, -0.0], [nan, inf]] : tensor<2x2xf32>>
loop.global @u : memref<2xi8> = #graph.array<[255, 1] : tensor<2xui8>>
func.func @main(%y : memref<2x2xf32>, %z : memref<2xi32>) attributes {outputs_count = 2 : i64} {
  %w = loop.get_global @w : memref<2x2xf32>
  %u = loop.get_global @u : memref<2xi8>
  loop.for "i" %i = 0 to 2 {
    loop.for "j" %j = 0 to 2 {
      %e = loop.load %w[%i, %j] : f32
      loop.store %e, %y[%i, %j]
    }
    %b = loop.load %u[%i] : i8
    %c = arith.extui %b : i8 to i32
    loop.store %c, %z[%i]
  }
  func.return
}"""
    y, z = run_text(text)
    np.testing.assert_array_equal(y, np.array([[1, -0.0], [np.nan, np.inf]], np.float32))
    assert np.signbit(y[0, 1])
    assert list(z) == [255, 1]
    written = text.replace("loop.store %c, %z[%i]", "loop.store %b, %u[%i]")
    with pytest.raises(VerifyError, match=r"nest.mlir:14: error: 'loop.store': @u is a constant, and written here"):
        run_text(written)


VIEWS = """
func.func @main(%n : index, %x : memref<?xf32>, %y : memref<?xf32>, %ws : memref<?xi8>)
    attributes {dims = ["n"], outputs_count = 1 : i64, workspace = #loop.map<(d0 * 4 + 64)>} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  %t = loop.view %ws[64] sizes [%n] : memref<?xf32>
  %u = loop.view %ws[OFFSET] : memref<2xf64>
  loop.for "i" %i = 0 to %n {
    %e = loop.load %x[%i] : f32
    loop.store %e, %t[%i]
  }
  %seven = arith.constant 7.0 : f64
  loop.store %seven, %u[1]
  loop.for "i" %i = 0 to %n {
    %e = loop.load %t[%i] : f32
    loop.store %e, %y[%i]
  }
  func.return
}"""


def test_views_of_the_workspace(run_text):
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(run_text(VIEWS.replace("OFFSET", "0"), [x])[0], x)
    # two views that share bytes see what the other one stores
    shared = x.copy()
    shared[2:4] = np.array([7.0]).view(np.float32)
    np.testing.assert_array_equal(run_text(VIEWS.replace("OFFSET", "64"), [x])[0], shared)
    with pytest.raises(RunError, match="bytes 80 to 96 of a workspace of 88 bytes"):
        run_text(VIEWS.replace("OFFSET", "80"), [x])
    with pytest.raises(RunError, match="byte 4 is not aligned for elements of 8 bytes"):
        run_text(VIEWS.replace("OFFSET", "4"), [x])
    unwritten = VIEWS.replace("loop.store %e, %t[%i]", "").replace("OFFSET", "0")
    with pytest.raises(RunError, match=r"t at \[0\] is read, but nothing was written"):
        run_text(unwritten, [x])


def test_control_below_blocks(run_text):
    # the position of the first element that is at least 10, and the sum of those before it
    text = """
func.func @main(%x : memref<6xi32>, %p : memref<1xindex>, %s : memref<1xi32>) attributes {outputs_count = 2 : i64} {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %r, %t = loop.while (%i = %zero, %a = %none) {
    %in, %more = loop.if (5 - %i >= 0) -> (i32, i1) {
      %e = loop.load %x[%i] : i32
      %less = arith.cmpi slt, %e, %ten : i32
      loop.yield %e, %less
    } else {
      %no = arith.constant false
      loop.yield %none, %no
    }
    %b = arith.addi %a, %in : i32
    %c = arith.select %more, %b, %a : i32
    loop.condition %more, %i, %c
  } do (%j, %d) {
    %k = loop.index %j + 1
    loop.yield %k, %d
  }
  loop.store %r, %p[0]
  loop.store %t, %s[0]
  func.return
}"""
    for x in ([1, 2, 3, 10, 4, 5], [11, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]):
        at, total = run_text(text, [np.array(x, np.int32)])
        first = next((n for n, e in enumerate(x) if e >= 10), 6)
        assert (at[0], total[0]) == (first, sum(x[:first]))


def test_carried_values_swap(run_text):
    text = """
func.func @main(%n : index, %y : memref<2xi64>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %b = loop.for "i" %i = 0 to %n iter(%f = %zero, %g = %one) {
    %h = arith.addi %f, %g : i64
    loop.yield %g, %h
  }
  loop.store %a, %y[0]
  loop.store %b, %y[1]
  func.return
}"""
    fibonacci = [0, 1]
    for n in range(12):
        assert list(run_text(text, {"n": n})[0]) == fibonacci[-2:]
        fibonacci.append(sum(fibonacci[-2:]))


def test_carried_values_in_deep_nests(run_text):
    depth = 18
    head = "".join(
        f'%r{n} = loop.for "l{n}" %l{n} = 0 to {1 + (n % 6 == 0)} iter(%a{n} = {f"%a{n - 1}" if n else "%zero"}) {{'
        for n in range(depth)
    )
    tail = "".join(f"loop.yield %r{n} }}" for n in range(depth - 1, 0, -1))
    text = f"""
func.func @main(%y : memref<1xi64>) attributes {{outputs_count = 1 : i64}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  {head}
    %s = arith.addi %a{depth - 1}, %one : i64
    loop.yield %s }}
  {tail}
  loop.store %r0, %y[0]
  func.return
}}"""
    assert run_text(text)[0] == [8]


def test_guarded_loads_and_stores(run_text):
    text = """
func.func @main(%x : memref<3xf32>, %y : memref<5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 7 {
    %e = loop.load %x[%i - 1] if (%i - 1 >= 0, 3 - %i >= 0) else 0.5 : f32
    loop.store %e, %y[%i] if (4 - %i >= 0)
  }
  func.return
}"""
    assert list(run_text(text, [[1, 2, 3]])[0]) == [0.5, 1, 2, 3, 0.5]
    with pytest.raises(RunError, match=r"nest.mlir:4: error: 'loop.load': x at \[-1\] is outside of its dims \[3\]"):
        run_text(text.replace("%i - 1 >= 0, 3", "3"), [[1, 2, 3]])


@pytest.mark.parametrize("negative", [False, True])
def test_division_in_index_expressions(run_text, negative):
    # floor division and its remainder, and 0 for both where the divisor is 0
    text = """
func.func @main(%n : index, %q : memref<7xindex>, %r : memref<7xindex>, %d : memref<7xindex>)
    attributes {dims = ["n"], outputs_count = 3 : i64} {
  loop.for "i" %i = 0 to 7 {
    %a = loop.index (SIGN%i floordiv 3)
    loop.store %a, %q[%i]
    %b = loop.index (SIGN%i mod 3)
    loop.store %b, %r[%i]
    %c = loop.index (SIGN%i floordiv %n) + (SIGN%i mod %n) * 100 + min(%i, %n, 4) * 10000 + max(0, 2 - %i)
    loop.store %c, %d[%i]
  }
  func.return
}""".replace("SIGN", "-" if negative else "")
    i = -np.arange(7) if negative else np.arange(7)
    for n in (0, 1, 4):
        q, r, d = run_text(text, {"n": n})
        np.testing.assert_array_equal(q, i // 3)
        np.testing.assert_array_equal(r, i % 3)
        quotient = i // n if n else 0 * i
        remainder = i % n if n else 0 * i
        small = np.minimum(abs(i), min(n, 4)) * 10000 + np.maximum(0, 2 - abs(i))
        np.testing.assert_array_equal(d, quotient + remainder * 100 + small)


def test_scalars(run_text):
    text = """
func.func @main(%a : f32, %x : memref<2xf32>, %y : memref<2xf32>) -> f32 attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    %e = loop.load %x[%i] : f32
    %p = arith.mulf %a, %e : f32
    loop.store %p, %y[%i]
  }
  func.return %a : f32
}"""
    y, a = run_text(text, [np.float32(3), np.array([1, 2], np.float32)])
    assert list(y) == [3, 6]
    assert a == 3


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float64, np.int8, np.uint8, np.bool_])
def test_every_dtype_comes_back(run_text, dtype):
    names = {"float16": "f16", "bfloat16": "bf16", "float64": "f64", "int8": "i8", "uint8": "i8", "bool": "i1"}
    type = names[np.dtype(dtype).name]
    elements = "elements = [ui8, ui8], " if dtype is np.uint8 else ""
    text = f"""
func.func @main(%x : memref<3x{type}>, %y : memref<3x{type}>) attributes {{{elements}outputs_count = 1 : i64}} {{
  loop.for "i" %i = 0 to 3 {{
    %e = loop.load %x[2 - %i] : {type}
    loop.store %e, %y[%i]
  }}
  func.return
}}"""
    x = np.array([0, 1, 200], np.int64).astype(dtype)
    (y,) = run_text(text, [x])
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, x[::-1])


def test_integer_division_truncates(run_text):
    # -7 / 3 is -2, its remainder -1; rounded down it is -3
    text = """
func.func @main(%a : memref<4xi32>, %b : memref<4xi32>, %q : memref<4x3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    %x = loop.load %a[%i] : i32
    %y = loop.load %b[%i] : i32
    %d = arith.divsi %x, %y : i32
    %r = arith.remsi %x, %y : i32
    %f = arith.floordivsi %x, %y : i32
    loop.store %d, %q[%i, 0]
    loop.store %r, %q[%i, 1]
    loop.store %f, %q[%i, 2]
  }
  func.return
}"""
    a, b = np.array([-7, 7, -8, 5], np.int32), np.array([3, -3, -3, 0], np.int32)
    assert run_text(text, [a, b])[0].tolist() == [[-2, -1, -3], [-2, 1, -3], [2, -2, 2], [0, 0, 0]]


def test_ceiling_division_of_negatives(run_text):
    text = """
func.func @main(%a : i32, %b : i32) -> i32 {
  %q = arith.ceildivsi %a, %b : i32
  func.return %q : i32
}"""
    assert run_text(text, [np.int32(7), np.int32(-3)]) == (-2,)


def test_remainder_of_floats(run_text):
    text = """
func.func @main(%a : f32, %b : f32) -> f32 {
  %q = loop.remf %a, %b : f32
  func.return %q : f32
}"""
    for a, b in ((7.5, 2), (-7.5, 2), (7.5, -2), (-0.0, 3), (1, np.inf)):
        (r,) = run_text(text, [np.float32(a), np.float32(b)])
        expected = np.fmod(np.float32(a), np.float32(b))
        assert r == expected
        assert np.signbit(r) == np.signbit(expected)


def test_a_graph_that_calls_loop_functions(run_text):
    text = """
func.func private @relu(%n : index, %x : memref<?x2xf32>, %y : memref<?x2xf32>)
    attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n, 2]
  loop.shape %y[%n, 2]
  loop.for "i" %i = 0 to %n { loop.for "j" %j = 0 to 2 {
    loop.block "relu" (%vi : spatial = %i, %vj : spatial = %j) reads(%e = %x[%vi, %vj]) writes(%y[%vi, %vj]) {
      %z = arith.constant 0.0 : f32
      %m = arith.maximumf %e, %z : f32
      loop.yield %m
    }
  } }
  func.return
}
func.func @main(%x : tensor<?x2xf32, #graph.dims<n, 2>>) -> tensor<?x2xf32, #graph.dims<n, 2>> {
  %n = graph.negate %x : tensor<?x2xf32, #graph.dims<n, 2>>
  %r = graph.call_tir @relu(%n) dims [n]
      : (tensor<?x2xf32, #graph.dims<n, 2>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  %s = func.call @twice(%r) : (tensor<?x2xf32, #graph.dims<n, 2>>) -> tensor<?x2xf32, #graph.dims<n, 2>>
  func.return %s : tensor<?x2xf32, #graph.dims<n, 2>>
}
func.func private @twice(%x : tensor<?x2xf32, #graph.dims<n, 2>>) -> tensor<?x2xf32, #graph.dims<n, 2>> {
  %s = graph.add %x, %x : tensor<?x2xf32, #graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<n, 2>>
      -> tensor<?x2xf32, #graph.dims<n, 2>>
  func.return %s : tensor<?x2xf32, #graph.dims<n, 2>>
}"""
    x = np.array([[1, -2], [-3, 4], [-5, -6]], np.float32)
    for inputs in ([x], {"x": x}):
        np.testing.assert_array_equal(run_text(text, inputs)[0], np.maximum(-x, 0) * 2)
    with pytest.raises(RunError, match="2 inputs given, 1 needed: x"):
        run_text(text, [x, x])


def test_an_unknown_op_has_no_meaning(parse_text, run_text):
    from xdsl.dialects.builtin import UnregisteredOp

    module = parse_text("func.func @main() { %c = arith.constant 0 : i32 func.return }")
    body = next(iter(module.body.ops)).body.block
    body.insert_op_before(UnregisteredOp.with_name("toy.op").create(), body.last_op)
    from stepwell.interpreters.run import run

    with pytest.raises(VerifyError, match="'toy.op': has no meaning below tensors: register_interpreter"):
        run(module)


def test_an_op_of_another_package(parse_text):
    from stepwell.interpreters import INTERPRETERS, register_interpreter
    from stepwell.interpreters.run import run
    from xdsl.dialects.builtin import f32
    from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

    @irdl_op_definition
    class HalfOp(IRDLOperation):
        name = "toy.half"
        value = operand_def(f32)
        out = result_def(f32)

    def half(op, out):
        out.assign(op.out, f"{out.name(op.value)} / {out.object(np.float32(2), 'two')}")

    register_interpreter(HalfOp, half)
    try:
        module = parse_text("func.func @main(%a : f32) -> f32 { func.return %a : f32 }")
        body = next(iter(module.body.ops)).body.block
        op = HalfOp(operands=[body.args[0]], result_types=[f32])
        body.insert_op_before(op, body.last_op)
        body.last_op.operands = [op.out]
        assert run(module, None, [np.float32(3)]) == (1.5,)
    finally:
        del INTERPRETERS["toy.half"]
