"""What each `simd` op computes in the interpreter, against NumPy; and what it refuses to touch."""

import numpy as np
import pytest
from stepwell.errors import RunError
from stepwell.interpreters.run import run

NAN, INF = np.float32(np.nan), np.float32(np.inf)


def run_body(programs, body, inputs, out="8xf32", arguments="%a: memref<32xf32>"):
    """Run ops that store what they compute into `%c`."""
    text = f"""
func.func @main({arguments}, %c: memref<{out}>) attributes {{outputs_count = 1 : i64}} {{
  {body}
  func.return
}}"""
    return run(programs.parse_verified(text), None, inputs)[0]


def lanewise(programs, op, *values):
    """An op on vectors of 8 f32."""
    names = [f"%x{n}" for n in range(len(values))]
    loads = "\n".join(f"{name} = simd.load %a{n}[0] : vector<8xf32>" for n, name in enumerate(names))
    arguments = ", ".join(f"%a{n}: memref<8xf32>" for n in range(len(values)))
    body = f"{loads}\n%r = {op} {', '.join(names)} : vector<8xf32>\nsimd.store %r, %c[0]"
    return run_body(programs, body, list(values), arguments=arguments)


PAIRS = (
    np.array([1, -1, 0.0, -0.0, NAN, 2, -INF, NAN], np.float32),
    np.array([2, -3, -0.0, 0.0, 1, NAN, 5, NAN], np.float32),
)


@pytest.mark.parametrize(("op", "beyond"), [("simd.max", np.greater), ("simd.min", np.less)])
def test_the_cheap_extremes_give_the_second_operand_unless_the_first_is_beyond(programs, op, beyond):
    a, b = PAIRS
    programs.assert_same_bits([lanewise(programs, op, a, b)], [np.where(beyond(a, b), a, b)])


def test_the_extremes_of_arith_pass_nan_and_order_zeros(programs):
    a, b = PAIRS
    largest = np.array([2, -1, 0, 0, NAN, NAN, 5, NAN], np.float32)
    least = np.array([1, -3, -0.0, -0.0, NAN, NAN, -INF, NAN], np.float32)
    programs.assert_same_bits([lanewise(programs, "arith.maximumf", a, b)], [largest])
    programs.assert_same_bits([lanewise(programs, "arith.minimumf", a, b)], [least])


def test_fma_rounds_once(programs):
    # 1 - (1 - e)(1 + e) is e * e, which the rounded product loses
    e = np.float32(2.0**-13)
    one = np.ones(8, np.float32)
    a, b = one + e, -(one - e)
    assert (lanewise(programs, "simd.fma", a, b, one) == e * e).all()
    assert ((a * b + one) == 0).all()


@pytest.mark.parametrize(
    ("combination", "init", "combine"),
    [("add", "0.5", np.add), ("mul", "0.5", np.multiply), ("max", "-1.0", np.maximum), ("min", "-1.0", np.minimum)],
)
def test_a_reduction_goes_from_left_to_right(programs, combination, init, combine):
    a = np.array([1e8, 1, -1e8, 1, 3, -7, 1e-3, 2], np.float32)
    body = f"""%x = arith.constant {init} : f32
  %v = simd.load %a[0] : vector<8xf32>
  %r = simd.reduce "{combination}" %x, %v : vector<8xf32>
  loop.store %r, %c[]"""
    found = run_body(programs, body, [a], out="f32", arguments="%a: memref<8xf32>")
    expected = np.float32(init)
    for value in a:
        expected = combine(expected, value)
    assert found == expected


def test_a_reduction_passes_nan_from_any_lane(programs):
    for lane in range(8):
        a = np.zeros(8, np.float32)
        a[lane] = NAN
        body = """%x = arith.constant 1.0 : f32
  %v = simd.load %a[0] : vector<8xf32>
  %r = simd.reduce "max" %x, %v : vector<8xf32>
  loop.store %r, %c[]"""
        assert np.isnan(run_body(programs, body, [a], out="f32", arguments="%a: memref<8xf32>"))


@pytest.mark.parametrize(
    ("combination", "expected"),
    [("add", 88), ("max", 127), ("min", -128), ("umax", -1), ("umin", 0), ("and", 0), ("or", -1), ("xor", 90)],
)
def test_reductions_of_integers_wrap(programs, combination, expected):
    a = np.array([90, 0, -1, 127], np.int8)
    body = f"""%x = arith.constant -128 : i8
  %v = simd.load %a[0] : vector<4xi8>
  %r = simd.reduce "{combination}" %x, %v : vector<4xi8>
  loop.store %r, %c[]"""
    found = run_body(programs, body, [a], out="i8", arguments="%a: memref<4xi8>")
    assert found == expected


def test_accesses(programs):
    a = np.arange(32, dtype=np.float32)
    for access, places in (
        ("simd.load %a[3] : vector<8xf32>", 3 + np.arange(8)),
        ("simd.strided_load %a[1] stride 4 : vector<8xf32>", 1 + 4 * np.arange(8)),
        ("simd.gather %o, %a[24] : vector<8xf32>", 24 + np.arange(8)),
    ):
        body = f"%o = simd.iota : vector<8xi32>\n%v = {access}\nsimd.store %v, %c[0]"
        np.testing.assert_array_equal(run_body(programs, body, [a]), a[places])


def test_masks(programs):
    a = np.arange(32, dtype=np.float32)
    for on in (-3, 0, 3, 8, 100):
        body = f"""%v = simd.load %a[8] : vector<8xf32>
  simd.store %v, %c[0]
  %m = simd.mask {on} : vector<8xi1>
  %w = simd.masked_load %m, %a[0] else 7.0 : f32 : vector<8xf32>
  simd.store %w, %c[8]
  simd.masked_store %m, %w, %c[0]"""
        count = min(max(on, 0), 8)
        loaded = np.where(np.arange(8) < count, a[:8], 7)
        expected = np.concatenate([np.where(np.arange(8) < count, loaded, a[8:16]), loaded])
        np.testing.assert_array_equal(run_body(programs, body, [a], out="16xf32"), expected)


def test_a_guard_that_fails_touches_no_memory(programs):
    body = """%i = arith.constant 100 : index
  %v = simd.load %a[%i] if (7 - %i >= 0) else 2.0 : f32 : vector<8xf32>
  simd.store %v, %c[0]
  simd.store %v, %c[%i] if (7 - %i >= 0)"""
    found = run_body(programs, body, [np.zeros(32, np.float32)])
    np.testing.assert_array_equal(found, np.full(8, 2, np.float32))


def test_shuffle_and_select_and_convert(programs):
    a = np.arange(32, dtype=np.float32)
    body = """%x = simd.load %a[0] : vector<4xf32>
  %y = simd.load %a[4] : vector<4xf32>
  %s = simd.shuffle %x, %y [7, 0, 3, 4, 4, 1, 2, 6] : vector<8xf32>
  %z = simd.load %a[8] : vector<8xf32>
  %k = arith.constant 3.5 : f32
  %l = simd.broadcast %k : vector<8xf32>
  %m = simd.compare "olt" %s, %l : vector<8xf32>
  %t = simd.select %m, %z, %s : vector<8xf32>
  %i = simd.convert "fptosi" %t : vector<8xf32> to vector<8xi8>
  %f = simd.convert "sitofp" %i : vector<8xi8> to vector<8xf32>
  simd.store %f, %c[0]"""
    shuffled = np.array([7, 0, 3, 4, 4, 1, 2, 6], np.float32)
    np.testing.assert_array_equal(run_body(programs, body, [a]), np.where(shuffled < 3.5, a[8:16], shuffled))


@pytest.mark.parametrize(
    "body",
    [
        "%v = simd.load %a[25] : vector<8xf32>",
        "%v = simd.load %a[-1] : vector<8xf32>",
        "%v = simd.strided_load %a[4] stride 4 : vector<8xf32>",
        "%o = simd.iota : vector<8xi64>\n%v = simd.gather %o, %a[25] : vector<8xf32>",
        "%m = simd.mask 8 : vector<8xi1>\n%v = simd.masked_load %m, %a[25] else 0.0 : f32 : vector<8xf32>",
        "%v = simd.load %a[0] : vector<8xf32>\nsimd.store %v, %a[25]",
        "%m = simd.mask 8 : vector<8xi1>\n%v = simd.load %a[0] : vector<8xf32>\nsimd.masked_store %m, %v, %a[25]",
    ],
)
def test_what_is_outside_is_an_error_with_its_place(programs, body):
    body += "\n%w = simd.load %a[0] : vector<8xf32>\nsimd.store %w, %c[0]"
    with pytest.raises(RunError, match=r"program\.mlir:\d+: error: 'simd\.\w+'.*outside"):
        run_body(programs, body, {"a": np.zeros(32, np.float32)})


def test_what_was_never_written_is_an_error(programs):
    body = """%t = loop.alloc "local" : memref<8xf32>
  %z = arith.constant 0.0 : f32
  loop.store %z, %t[0]
  %v = simd.load %t[0] : vector<8xf32>
  simd.store %v, %c[0]"""
    with pytest.raises(RunError, match="read, but nothing was written there"):
        run_body(programs, body, [np.zeros(32, np.float32)])
    read_first = body.replace(
        "simd.load %t[0] : vector<8xf32>", "simd.masked_load %m, %t[0] else 1.0 : f32 : vector<8xf32>"
    ).replace("%z =", "%m = simd.mask 1 : vector<8xi1>\n%z =")
    found = run_body(programs, read_first, [np.zeros(32, np.float32)])
    np.testing.assert_array_equal(found, [0, 1, 1, 1, 1, 1, 1, 1])
