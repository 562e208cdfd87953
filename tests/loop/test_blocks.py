"""What blocks compute, against NumPy."""

import numpy as np
import pytest
from stepwell.errors import RunError, VerifyError

SUM = """
func.func @main(%X : memref<{m}x{k}x{type}>, %S : memref<{m}x{type}>) attributes {{outputs_count = 1 : i64}} {{
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {k} {{
      loop.block "sum" (%vi : spatial = %i, %vj : reduce = %j)
          reads(%x = %X[%vi, %vj]) writes(%s = %S[%vi]) init {{
        %z = arith.constant {zero} : {type}
        loop.yield %z
      }} {{
        %t = {op} %s, %x : {type}
        loop.yield %t
      }}
    }}
  }}
  func.return
}}
"""


def contraction(m, k, n, reduce_outermost=False):
    order = [("k", k), ("i", m), ("j", n)] if reduce_outermost else [("i", m), ("j", n), ("k", k)]
    head = " ".join(f'loop.for "{v}" %{v} = 0 to {size} {{' for v, size in order)
    return f"""
func.func @main(%A : memref<{m}x{k}xf32>, %B : memref<{k}x{n}xf32>, %T : memref<{m}x{n}xf32>)
    attributes {{outputs_count = 1 : i64}} {{
  {head}
    loop.block "matmul" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
        reads(%a = %A[%vi, %vk], %b = %B[%vk, %vj]) writes(%t = %T[%vi, %vj]) init {{
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }} {{
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %t, %p : f32
      loop.yield %s
    }}
  }} }} }}
  func.return
}}"""


def left_to_right(a, b):
    """A matmul in f32, adding from left to right."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        total = total + a[:, k : k + 1] * b[k : k + 1, :]
    return total


@pytest.mark.parametrize("reduce_outermost", [False, True])
@pytest.mark.parametrize(("m", "k", "n"), [(3, 5, 4), (1, 1, 1), (4, 0, 4), (0, 3, 2), (2, 3, 0), (0, 0, 0)])
def test_matmul_bit_for_bit(run_text, rng, m, k, n, reduce_outermost):
    # with k = 0 the init still happens: a 0-sized contraction is all zeros
    a, b = rng.standard_normal((m, k)).astype(np.float32), rng.standard_normal((k, n)).astype(np.float32)
    (t,) = run_text(contraction(m, k, n, reduce_outermost), [a, b])
    assert t.dtype == np.float32
    np.testing.assert_array_equal(t, left_to_right(a, b))


def test_matmul_in_time(run_text, rng):
    import time

    a, b = (rng.standard_normal((64, 64)).astype(np.float32) for _ in range(2))
    start = time.process_time()
    (t,) = run_text(contraction(64, 64, 64), [a, b])
    assert time.process_time() - start < 2
    np.testing.assert_array_equal(t, left_to_right(a, b))


@pytest.mark.parametrize(
    ("type", "op", "zero", "expected"),
    [
        ("f32", "arith.maximumf", "0xFF800000", -np.inf),
        ("f32", "arith.addf", "0.0", 0.0),
        ("f32", "arith.mulf", "1.0", 1.0),
        ("i32", "arith.maxsi", "-2147483648", -(2**31)),
        ("i64", "arith.addi", "0", 0),
    ],
)
def test_over_an_empty_range_the_init_is_the_result(run_text, type, op, zero, expected):
    (s,) = run_text(SUM.format(m=3, k=0, type=type, op=op, zero=zero), [np.zeros((3, 0), s_dtype(type))])
    np.testing.assert_array_equal(s, np.full(3, expected, s_dtype(type)))


def s_dtype(type):
    return {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64}[type]


def test_element_types_stay(run_text, rng):
    x = rng.standard_normal((4, 100)).astype(np.float32)
    (s,) = run_text(SUM.format(m=4, k=100, type="f32", op="arith.addf", zero="0.0"), [x])
    np.testing.assert_array_equal(s, np.add.accumulate(x, axis=1, dtype=np.float32)[:, -1])
    big = np.full((1, 3), 100, np.int8)
    (s,) = run_text(SUM.format(m=1, k=3, type="i8", op="arith.addi", zero="0"), [big])
    assert s[0] == 300 - 256


def test_nan_and_signed_zeros(run_text):
    text = SUM.format(m=3, k=2, type="f32", op="arith.maximumf", zero="0xFF800000")
    x = np.array([[np.nan, 1], [-0.0, 0.0], [-0.0, -0.0]], np.float32)
    (s,) = run_text(text, [x])
    assert np.isnan(s[0])
    assert [np.signbit(v) for v in s[1:]] == [False, True]


def test_gather(run_text, rng):
    text = """
func.func @main(%ids : memref<5xi64>, %X : memref<7x3xf32>, %Y : memref<5x3xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 5 { loop.for "j" %j = 0 to 3 {
    loop.block "gather" (%vi : spatial = %i, %vj : spatial = %j)
        reads(%g = %ids[%vi], %x = %X[%g, %vj]) writes(%Y[%vi, %vj]) {
      loop.yield %x
    }
  } }
  func.return
}"""
    ids, x = np.array([6, 0, 3, 3, 1]), rng.standard_normal((7, 3)).astype(np.float32)
    (y,) = run_text(text, [ids, x])
    np.testing.assert_array_equal(y, x[ids])
    with pytest.raises(RunError, match=r"nest.mlir:4.*block 'gather', X at \[7, 0\] is outside of its dims \[7, 3\]"):
        run_text(text, [np.array([6, 0, 7, 3, 1]), x])
    with pytest.raises(RunError, match=r"X at \[-1, 0\] is outside"):
        run_text(text, [np.array([6, -1, 0, 3, 1]), x])


def test_padded_read(run_text, rng):
    text = """
func.func @main(%X : memref<6xf32>, %W : memref<3xf32>, %Y : memref<6xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 6 { loop.for "r" %r = 0 to 3 {
    loop.block "conv" (%vi : spatial = %i, %vr : reduce = %r)
        reads(%x = %X[%vi + %vr - 1] else 0.0 : f32, %w = %W[%vr]) writes(%y = %Y[%vi]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %p = arith.mulf %x, %w : f32
      %s = arith.addf %y, %p : f32
      loop.yield %s
    }
  } }
  func.return
}"""
    x, w = rng.standard_normal(6).astype(np.float32), rng.standard_normal(3).astype(np.float32)
    (y,) = run_text(text, [x, w])
    np.testing.assert_allclose(y, np.correlate(x, w, "same"), rtol=1e-5)


def test_padding_counts_where_all_elements_are_negative(run_text):
    text = """
func.func @main(%X : memref<5xf32>, %Y : memref<2xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 { loop.for "r" %r = 0 to 4 {
    loop.block "largest" (%vi : spatial = %i, %vr : reduce = %r)
        reads(%x = %X[%vi * 4 + %vr] else PAD : f32) writes(%y = %Y[%vi]) init {
      %z = arith.constant 0xFF800000 : f32
      loop.yield %z
    } {
      %s = arith.maximumf %y, %x : f32
      loop.yield %s
    }
  } }
  func.return
}"""
    x = -np.arange(1, 6, dtype=np.float32)
    assert list(run_text(text.replace("PAD", "0xFF800000"), [x])[0]) == [-1, -5]
    assert list(run_text(text.replace("PAD", "0.0"), [x])[0]) == [-1, 0]


GUARDED = """
func.func @main(%X : memref<6xf32>, %Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 {
    loop.block "copy" (%vi : spatial = %i)
        reads(%x = %X[%vi] if (4 - %vi >= 0) else -1.0 : f32) writes(%Y[%vi] if (3 - %vi >= 0)) {
      loop.yield %x
    }
  }
  func.return
}"""


def test_guards_decide_in_place_of_the_bounds(run_text):
    x = np.arange(6, dtype=np.float32)
    assert list(run_text(GUARDED, [x])[0]) == [0, 1, 2, 3]
    wider = GUARDED.replace("if (3 - %vi >= 0)", "if (4 - %vi >= 0)")
    with pytest.raises(RunError, match=r"block 'copy', Y at \[4\] is outside of its dims \[4\]"):
        run_text(wider, [x])
    read = GUARDED.replace("if (4 - %vi >= 0)", "if (7 - %vi >= 0)")
    with pytest.raises(RunError, match=r"X at \[6\] is outside of its dims \[6\]"):
        run_text(read, [x])
    inner = GUARDED.replace("if (4 - %vi >= 0)", "if (2 - %vi >= 0)")
    assert list(run_text(inner, [x])[0]) == [0, 1, 2, -1]


def test_clip_drops_writes_and_keeps_old_elements(run_text):
    text = """
func.func @main(%X : memref<6xf32>, %Y : memref<6xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "b" %b = 0 to 2 { loop.for "i" %i = 0 to 4 {
    loop.block "add" (%vi : ordered = %b * 4 + %i)
        reads(%x = %X[%vi] else 0.0 : f32) writes(%y = %Y[%vi]) clip {
      %s = arith.addf %x, %y : f32
      loop.yield %s
    }
  } }
  func.return
}"""
    x, y = np.arange(6, dtype=np.float32), np.full(6, 10, np.float32)
    (result,) = run_text(text, [x, y])
    np.testing.assert_array_equal(result, x + y)
    np.testing.assert_array_equal(y, 10)  # the caller's array is left alone


def test_argmax_writes_two(run_text):
    text = """
func.func @main(%X : memref<3x5xf32>, %M : memref<3xf32>, %I : memref<3xindex>) attributes {outputs_count = 2 : i64} {
  loop.for "i" %i = 0 to 3 { loop.for "j" %j = 0 to 5 {
    loop.block "argmax" (%vi : spatial = %i, %vj : reduce = %j)
        reads(%x = %X[%vi, %vj]) writes(%m = %M[%vi], %n = %I[%vi]) init {
      %low = arith.constant 0xFF800000 : f32
      %none = arith.constant 0 : index
      loop.yield %low, %none
    } {
      %c = arith.cmpf ogt, %x, %m : f32
      %v = arith.select %c, %x, %m : f32
      %p = arith.select %c, %vj, %n : index
      loop.yield %v, %p
    }
  } }
  func.return
}"""
    x = np.array([[1, 5, 2, 5, 0], [-3, -1, -2, -9, -1], [7, 7, 7, 7, 7]], np.float32)
    largest, where = run_text(text, [x])
    np.testing.assert_array_equal(largest, x.max(1))
    np.testing.assert_array_equal(where, x.argmax(1))
    assert where.dtype == np.int64


def test_cumsum_is_ordered(run_text, rng):
    text = """
func.func @main(%X : memref<2x6xf32>, %Y : memref<2x6xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 { loop.for "t" %t = 0 to 6 {
    loop.block "cumsum" (%vi : spatial = %i, %vt : ordered = %t)
        reads(%x = %X[%vi, %vt], %p = %Y[%vi, %vt - 1] else 0.0 : f32) writes(%Y[%vi, %vt]) {
      %s = arith.addf %p, %x : f32
      loop.yield %s
    }
  } }
  func.return
}"""
    x = rng.standard_normal((2, 6)).astype(np.float32)
    np.testing.assert_array_equal(run_text(text, [x])[0], np.cumsum(x, axis=1))


def test_scatter_add_with_duplicates(run_text):
    text = """
func.func @main(%ids : memref<4xi32>, %X : memref<4xf32>, %Y : memref<3xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "scatter" (%vi : ordered = %i) reads(%g = %ids[%vi], %x = %X[%vi]) writes(%y = %Y[%g]) {
      %s = arith.addf %y, %x : f32
      loop.yield %s
    }
  }
  func.return
}"""
    ids, x = np.array([2, 0, 2, 2], np.int32), np.array([1, 2, 4, 8], np.float32)
    (y,) = run_text(text, [ids, x, np.array([10, 20, 30], np.float32)])
    assert list(y) == [12, 20, 43]


def test_in_place(run_text):
    text = """
func.func @main(%X : memref<3xf32>, %Y : memref<3xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 {
    loop.block "add" (%vi : spatial = %i) reads(%x = %X[%vi], %y = %Y[%vi]) writes(%Y[%vi]) {
      %s = arith.addf %x, %y : f32
      loop.yield %s
    }
  }
  func.return
}"""
    x, y = np.array([1, 2, 3], np.float32), np.array([10, 20, 30], np.float32)
    assert list(run_text(text, [x, y])[0]) == [11, 22, 33]
    assert list(run_text(text, {"X": x, "Y": y})[0]) == [11, 22, 33]
    with pytest.raises(RunError, match=r"block 'add', Y at \[0\] is read, but nothing was written there"):
        run_text(text, [x])


def test_split_and_clipped_reduction(run_text, rng):
    # both loops rounded up: padded reads, clipped writes
    text = """
func.func @main(%X : memref<5x7xf32>, %S : memref<5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "k.outer" %ko = 0 to 2 { loop.for "i.outer" %io = 0 to 2 {
    loop.for "k.inner" %ki = 0 to 4 { loop.for "i.inner" %ii = 0 to 3 vectorized {
      loop.block "sum" (%vi : spatial = %io * 3 + %ii, %vk : reduce = %ko * 4 + %ki)
          reads(%x = %X[%vi, %vk] else 0.0 : f32) writes(%s = %S[%vi]) clip init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %t = arith.addf %s, %x : f32
        loop.yield %t
      }
    } }
  } }
  func.return
}"""
    x = rng.standard_normal((5, 7)).astype(np.float32)
    (s,) = run_text(text, [x])
    np.testing.assert_array_equal(s, np.add.accumulate(x, axis=1, dtype=np.float32)[:, -1])


def test_every_kind_of_loop_runs(run_text):
    for kind in ("serial", "parallel", "vectorized", "unrolled", "tensorized"):
        text = f"""
func.func @main(%Y : memref<8xindex>) {{
  loop.for "i" %i = 0 to 8 {kind} {{
    loop.block "iota" (%vi : spatial = %i) reads() writes(%Y[%vi]) {{
      loop.yield %vi
    }}
  }}
  func.return
}}"""
        np.testing.assert_array_equal(run_text(text)[0], np.arange(8))


def test_a_vectorized_sum_is_the_sum(run_text):
    text = SUM.format(m=1, k=128, type="f32", op="arith.addf", zero="0.0").replace("to 128", "to 128 vectorized")
    assert run_text(text, [np.ones((1, 128), np.float32)])[0] == [128]


RFACTOR = """
func.func @main(%X : memref<12xf32>, %S : memref<1xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "o" %o = 0 to 3 {
    %P = loop.alloc "local" : memref<1xf32>
    loop.for "k" %k = 0 to 4 {
      loop.block "part" (%z : spatial = 0, %vk : reduce = %o * 4 + %k) reads(%x = %X[%vk]) writes(%p = %P[%z]) init {
        %zero = arith.constant 0.0 : f32
        loop.yield %zero
      } {
        %t = arith.addf %p, %x : f32
        loop.yield %t
      }
    }
    loop.block "total" (%z : spatial = 0, %vo : reduce = %o) reads(%p = %P[%z]) writes(%s = %S[%z]) init {
      %zero = arith.constant 0.0 : f32
      loop.yield %zero
    } {
      %t = arith.addf %s, %p : f32
      loop.yield %t
    }
  }
  func.return
}"""


def test_a_buffer_of_one_iteration_is_reduced_in_that_iteration(run_text):
    # loop "o" is in the reduce binding of "part", but each of its iterations has a buffer of its own
    assert run_text(RFACTOR, [np.arange(12, dtype=np.float32)])[0] == [66]


def test_init_under_conditions(run_text):
    # the condition on i limits the init, the one on k does not: an init belongs to every spatial point
    text = """
func.func @main(%X : memref<4x3xf32>, %S : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "k" %k = 0 to 3 { loop.for "i" %i = 0 to 4 {
    loop.if (%i - 1 >= 0, %k - 2 >= 0) {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k)
          reads(%x = %X[%vi, %vk]) writes(%s = %S[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %t = arith.addf %s, %x : f32
        loop.yield %t
      }
    }
  } }
  func.return
}"""
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    (s,) = run_text(text, [x, np.full(4, -7, np.float32)])
    assert list(s) == [-7, 5, 8, 11]


def test_an_init_without_a_place_is_refused(parse_text, run_text):
    text = """
func.func @main(%X : memref<4x4xf32>, %S : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "k" %k = 0 to 4 { loop.for "i" %i = 0 to %k {
    loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%x = %X[%vi, %vk]) writes(%s = %S[%vi]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %t = arith.addf %s, %x : f32
      loop.yield %t
    }
  } }
  func.return
}"""
    with pytest.raises(VerifyError, match="init of block 'sum' has no place: the range of loop 'i' changes"):
        run_text(text, [np.zeros((4, 4), np.float32)])


def test_unwritten_outputs_are_an_error(run_text):
    text = """
func.func @main(%Y : memref<2x3xf32>) {
  loop.for "i" %i = 0 to 2 {
    loop.block "some" (%vi : spatial = %i) reads() writes(%Y[%vi, 1]) {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  func.return
}"""
    with pytest.raises(RunError, match=r"output 'Y' of 'main' is not written at \[0, 0\]"):
        run_text(text)


def test_deep_nests(run_text):
    # Python allows 20 loops in one another, init nests included
    depth = 30
    loops = " ".join(f'loop.for "l{n}" %l{n} = 0 to {2 if n in (0, 29) else 1} {{' for n in range(depth))
    total = " + ".join(f"%l{n}" for n in range(1, depth))
    text = f"""
func.func @main(%X : memref<2x2xf32>, %S : memref<2xf32>) attributes {{outputs_count = 1 : i64}} {{
  loop.for "k" %k = 0 to 1 {{ {loops}
    loop.block "sum" (%vi : spatial = {total}, %vk : reduce = %k + %l0)
        reads(%x = %X[%vi, %vk]) writes(%s = %S[%vi]) init {{
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }} {{
      %t = arith.addf %s, %x : f32
      loop.yield %t
    }}
  }} {"}" * depth}
  func.return
}}"""
    x = np.array([[1, 2], [3, 4]], np.float32)
    assert list(run_text(text, [x])[0]) == [3, 7]
