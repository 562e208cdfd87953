"""Guards that depend on the lane, register tiles, unrolled loops, and nests with a size known at run time."""

import numpy as np
import pytest
from stepwell.interpreters.run import run

# -- padding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extent", [1, 4, 7, 8, 20, 37])
@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 0), (1, 1), (3, 6), (9, 9)])
def test_padding_along_the_lanes(programs, extent, low, high):
    a = programs.floats(extent, extent)
    expected = np.pad(a, (low, high), constant_values=2.5)
    programs.check(programs.padded(extent, low, high), [a], [expected + expected])


def test_padding_is_masks_or_a_condition(programs):
    module = programs.parse_verified(programs.padded(37, 1, 1))
    assert programs.names(programs.converted(module, "avx2"))["simd.masked_load"] == 1
    on_c_vector = programs.names(programs.converted(module, "c-vector"))
    assert "simd.masked_load" not in on_c_vector
    assert on_c_vector["loop.if"] == 1


def test_f64_has_no_masks_on_avx2(programs):
    text = programs.padded(20, 2, 3, element="f64")
    a = programs.floats(1, 20, dtype=np.float64)
    expected = np.pad(a, (2, 3), constant_values=2.5)
    programs.check(text, [a], [expected + expected])
    assert programs.names(programs.converted(programs.parse_verified(text), "avx2"))["loop.if"] >= 1


@pytest.mark.parametrize("pads", [("0.0", "-0.0"), ("-0.0", "0.0")])
def test_zeros_of_either_sign_are_two_pads(programs, pads):
    text = f"""
func.func @main(%a: memref<8xf32>, %c: memref<12xf32>, %d: memref<12xf32>) {{
  loop.for "i" %i = 0 to 12 vectorized {{
    loop.block "p" (%vi : spatial = %i) reads(%x = %a[%vi - 2] else {pads[0]} : f32) writes(%c[%vi]) {{
      loop.yield %x
    }}
    loop.block "q" (%vi : spatial = %i) reads(%x = %a[%vi - 2] else {pads[1]} : f32) writes(%d[%vi]) {{
      loop.yield %x
    }}
  }}
  func.return
}}"""
    a = programs.plain(1, 8)
    programs.check(text, [a], [np.pad(a, 2, constant_values=float(p)) for p in pads])


def test_convolution_with_padding(programs):
    # 3x3, stride 1 and 2, padding 1; the lanes run over the width
    for stride, size in ((1, 9), (1, 8), (2, 9), (2, 17)):
        out = (size - 1) // stride + 1
        text = f"""
func.func @main(%x: memref<2x{size}x{size}xf32>, %w: memref<3x2x3x3xf32>, %y: memref<3x{out}x{out}xf32>) {{
  loop.for "o" %o = 0 to 3 {{
    loop.for "h" %h = 0 to {out} {{
      loop.for "c" %c = 0 to 2 {{
        loop.for "r" %r = 0 to 3 {{
          loop.for "s" %s = 0 to 3 {{
            loop.for "v" %v = 0 to {out} vectorized {{
              loop.block "conv" (%vo : spatial = %o, %vh : spatial = %h, %vw : spatial = %v,
                                 %vc : reduce = %c, %vr : reduce = %r, %vs : reduce = %s)
                  reads(%a = %x[%vc, %vh * {stride} + %vr - 1, %vw * {stride} + %vs - 1] else 0.0 : f32,
                        %b = %w[%vo, %vc, %vr, %vs])
                  writes(%t = %y[%vo, %vh, %vw]) init {{
                %z = arith.constant 0.0 : f32
                loop.yield %z
              }} {{
                %p = arith.mulf %a, %b : f32
                %q = arith.addf %t, %p : f32
                loop.yield %q
              }}
            }}
          }}
        }}
      }}
    }}
  }}
  func.return
}}"""
        x, w = programs.plain(1, 2, size, size), programs.plain(2, 3, 2, 3, 3)
        around = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        expected = np.zeros((3, out, out), np.float32)
        for c in range(2):
            for r in range(3):
                for s in range(3):
                    window = around[c, r : r + size : stride, s : s + size : stride][:out, :out]
                    expected = expected + window * w[:, c, r, s][:, None, None]
        programs.check(text, [x, w], [expected])


@pytest.mark.parametrize("lanes", [4, 8, 16])
@pytest.mark.parametrize("n", [1, 3, 8, 13, 32])
def test_a_size_known_at_run_time_rounded_up(programs, lanes, n):
    x = -1 - np.abs(programs.plain(n, 3, n))
    programs.check(programs.rounded_up(lanes), [x], [x + x, x.max(1)])


# -- registers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, 5])
@pytest.mark.parametrize("kind", ["unrolled", "serial"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 8), (2, 16), (3, 5), (2, 20)])
def test_register_tile(programs, rows, columns, kind, k):
    a, b = programs.plain(1, 2 * rows, k), programs.plain(2, k, 2 * columns)
    expected = np.zeros((2 * rows, 2 * columns), np.float32)
    for n in range(k):
        expected = expected + a[:, n, None] * b[n]
    text = programs.tile(2 * rows, 2 * columns, k, rows, columns, kind)
    programs.check(text, [a, b], [np.maximum(expected, 0)])


def test_the_tile_is_values(programs):
    module = programs.converted(programs.parse_verified(programs.tile(4, 32, 5, 2, 16)), "avx2", strict=False)
    counts = programs.names(module)
    assert "loop.alloc" not in counts
    assert counts["simd.fma"] == 4
    # in the k loop: two rows of a, broadcast, and two vectors of b
    assert counts["loop.load"] == 2
    assert counts["simd.load"] == 2
    (loop,) = (op for op in module.walk() if op.name == "loop.for" and op.label.data == "k")
    assert len(loop.inits) == 4


def test_a_tile_that_a_serial_loop_indexes_is_local_memory(programs):
    module = programs.converted(programs.parse_verified(programs.tile(4, 32, 5, 2, 16, "serial")), "avx2")
    assert [op.scope.data for op in module.walk() if op.name == "loop.alloc"] == ["local"]


def test_registers_through_conditions(programs):
    text = """
func.func @main(%a: memref<6x8xf32>, %c: memref<8xf32>) {
  %t = loop.alloc "register" : memref<8xf32>
  loop.for "k" %k = 0 to 6 {
    loop.if (-%k >= 0) {
      loop.for "j" %j = 0 to 8 vectorized {
        loop.block "first" (%vk : param = %k, %vj : spatial = %j) reads(%x = %a[%vk, %vj]) writes(%t[%vj]) {
          loop.yield %x
        }
      }
    } else {
      loop.for "j" %j = 0 to 8 vectorized {
        loop.block "next" (%vk : ordered = %k, %vj : spatial = %j)
            reads(%x = %a[%vk, %vj], %o = %t[%vj]) writes(%t[%vj]) {
          %h = arith.constant 0.5 : f32
          %m = arith.mulf %o, %h : f32
          %s = arith.subf %x, %m : f32
          loop.yield %s
        }
      }
    }
  }
  loop.for "j" %j = 0 to 8 vectorized {
    loop.block "out" (%vj : spatial = %j) reads(%x = %t[%vj]) writes(%c[%vj]) {
      loop.yield %x
    }
  }
  func.return
}"""
    a = programs.plain(1, 6, 8)
    expected = a[0]
    for k in range(1, 6):
        expected = a[k] - expected * np.float32(0.5)
    programs.check(text, [a], [expected])
    assert "loop.alloc" not in programs.names(programs.converted(programs.parse_verified(text), "avx2"))


def test_softmax_with_row_statistics_in_registers(programs):
    text = """
func.func @main(%x: memref<3x24xf32>, %y: memref<3x24xf32>) {
  loop.for "i" %i = 0 to 3 {
    %m = loop.alloc "register" : memref<f32>
    %p = loop.alloc "register" : memref<8xf32>
    loop.for "l" %l = 0 to 8 vectorized {
      loop.block "start" (%vl : spatial = %l) reads() writes(%p[%vl]) {
        %z = arith.constant 0xff800000 : f32
        loop.yield %z
      }
    }
    loop.for "j" %j = 0 to 3 {
      loop.for "l" %l = 0 to 8 vectorized {
        loop.block "max" (%vi : spatial = %i, %vj : reduce = %j * 8 + %l, %vl : spatial = %l)
            reads(%a = %x[%vi, %vj]) writes(%o = %p[%vl]) {
          %r = arith.maximumf %o, %a : f32
          loop.yield %r
        }
      }
    }
    loop.block "zero" () reads() writes(%m[]) {
      %z = arith.constant 0xff800000 : f32
      loop.yield %z
    }
    loop.for "l" %l = 0 to 8 vectorized {
      loop.block "final" (%vl : reduce = %l) reads(%a = %p[%vl]) writes(%o = %m[]) {
        %r = arith.maximumf %o, %a : f32
        loop.yield %r
      }
    }
    loop.for "j" %j = 0 to 24 vectorized {
      loop.block "sub" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%a = %x[%vi, %vj], %b = %m[]) writes(%y[%vi, %vj]) {
        %r = arith.subf %a, %b : f32
        loop.yield %r
      }
    }
  }
  func.return
}"""
    x = programs.plain(1, 3, 24)
    programs.check(text, [x], [x - x.max(1, keepdims=True)])
    counts = programs.names(programs.converted(programs.parse_verified(text), "avx2"))
    assert "loop.alloc" not in counts
    assert counts["simd.reduce"] == 1


# -- loads that may be shared, and those that may not --------------------------------------------------------------


def test_a_store_ends_what_was_loaded(programs):
    text = """
func.func @main(%a: memref<8xf32>, %c: memref<8xf32>, %d: memref<8xf32>) {
  loop.for "i" %i = 0 to 8 vectorized {
    loop.block "one" (%vi : spatial = %i) reads(%x = %a[%vi], %y = %c[%vi]) writes(%d[%vi]) {
      %z = arith.addf %x, %y : f32
      loop.yield %z
    }
    loop.block "two" (%vi : spatial = %i) reads(%x = %a[%vi], %y = %d[%vi]) writes(%c[%vi]) {
      %z = arith.mulf %x, %y : f32
      loop.yield %z
    }
    loop.block "three" (%vi : spatial = %i) reads(%x = %c[%vi]) writes(%d[%vi]) {
      loop.yield %x
    }
  }
  func.return
}"""
    a, c = programs.floats(1, 8), programs.floats(2, 8)
    with np.errstate(all="ignore"):
        product = a * (a + c)
    programs.check(text, {"a": a, "c": c}, [product, product])
    counts = programs.names(programs.converted(programs.parse_verified(text), "avx2"))
    assert counts["simd.load"] == 2


def test_a_loop_between_ends_what_was_loaded(programs):
    text = """
func.func @main(%c: memref<4xf32>, %d: memref<2xf32>) {
  loop.block "before" () reads(%x = %c[0]) writes(%d[0]) {
    loop.yield %x
  }
  loop.for "i" %i = 0 to 4 {
    loop.block "inside" (%vi : spatial = %i) reads(%x = %c[%vi]) writes(%c[%vi]) {
      %z = arith.addf %x, %x : f32
      loop.yield %z
    }
  }
  loop.block "after" () reads(%x = %c[0]) writes(%d[1]) {
    loop.yield %x
  }
  func.return
}"""
    c = programs.plain(1, 4)
    programs.check(text, {"c": c}, [c + c, np.array([c[0], c[0] + c[0]])])


def test_a_call_ends_what_was_loaded(programs):
    text = """
func.func private @twice(%c: memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "inside" (%vi : spatial = %i) reads(%x = %c[%vi]) writes(%c[%vi]) {
      %z = arith.addf %x, %x : f32
      loop.yield %z
    }
  }
  func.return
}
func.func @main(%c: memref<4xf32>, %d: memref<2xf32>) {
  loop.block "before" () reads(%x = %c[0]) writes(%d[0]) {
    loop.yield %x
  }
  func.call @twice(%c) : (memref<4xf32>) -> ()
  loop.block "after" () reads(%x = %c[0]) writes(%d[1]) {
    loop.yield %x
  }
  func.return
}"""
    c = programs.plain(1, 4)
    module = programs.parse_verified(text)
    expected = run(module, "main", {"c": c})
    np.testing.assert_array_equal(expected[1], [c[0], c[0] + c[0]])
    for target in programs.TARGETS:
        programs.assert_same_bits(run(programs.converted(module, target), "main", {"c": c}), expected)


# -- loops --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [("unrolled", "unrolled"), ("unrolled", "serial"), ("parallel", "unrolled")])
def test_nests_with_unrolled_loops(programs, kinds):
    text = f"""
func.func @main(%a: memref<3x4x5xf32>, %c: memref<3x5x4xf32>) {{
  loop.for "i" %i = 0 to 3 {kinds[0]} {{
    loop.for "j" %j = 1 to 4 {kinds[1]} {{
      loop.for "k" %k = 0 to min(5, %j + %i + 1) {{
        loop.block "t" (%vi : spatial = %i, %vj : spatial = %j, %vk : spatial = %k)
            reads(%x = %a[%vi, %vj, %vk]) writes(%c[%vi, %vk, %vj]) {{
          loop.yield %x
        }}
      }}
    }}
  }}
  func.return
}}"""
    a, c = programs.plain(1, 3, 4, 5), programs.plain(2, 3, 5, 4)
    expected = c.copy()
    for i in range(3):
        for j in range(1, 4):
            for k in range(min(5, i + j + 1)):
                expected[i, k, j] = a[i, j, k]
    programs.check(text, {"a": a, "c": c}, [expected])


def test_irregular_code_is_kept(programs):
    text = """
func.func @main(%a: memref<9xf32>, %c: memref<9xi64>, %n: memref<1xi64>) {
  %zero = arith.constant 0 : index
  %end = loop.for "i" %i = 0 to 9 iter(%k = %zero) {
    %x = loop.load %a[%i] : f32
    %f = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %x, %f : f32
    %one = arith.constant 1 : index
    %next = arith.addi %k, %one : index
    %w = loop.index %i * 1
    %v = arith.index_cast %w : index to i64
    loop.store %v, %c[%k]
    %r = arith.select %p, %next, %k : index
    loop.yield %r
  }
  %s = arith.index_cast %end : index to i64
  loop.store %s, %n[0]
  loop.for "j" %j = %end to 9 {
    %m = arith.constant -1 : i64
    loop.store %m, %c[%j]
  }
  func.return
}"""
    a = programs.plain(3, 9)
    places = np.flatnonzero(a > 0)
    expected = np.concatenate([places, np.full(9 - len(places), -1)])
    programs.check(text, [a], [expected, np.array([len(places)])])


def test_while(programs):
    text = """
func.func @main(%a: memref<9xf32>, %c: memref<1xf32>) {
  %zero = arith.constant 0 : index
  %r = loop.while (%k = %zero) {
    %x = loop.load %a[%k] : f32
    %f = arith.constant 1.0 : f32
    %p = arith.cmpf olt, %x, %f : f32
    loop.condition %p, %k
  } do (%m) {
    %one = arith.constant 1 : index
    %next = arith.addi %m, %one : index
    loop.yield %next
  }
  %v = loop.load %a[%r] : f32
  loop.store %v, %c[0]
  func.return
}"""
    a = np.linspace(0, 3, 9, dtype=np.float32)
    programs.check(text, [a], [a[a >= 1][:1]])


def test_code_that_is_not_in_a_block_keeps_a_loop_serial(programs):
    # B064: nothing of the body may get lost
    text = """
func.func @main(%c: memref<16xf32>) {
  loop.for "i" %i = 0 to 16 vectorized {
    loop.if (%i - 5 >= 0) {
    } else {
      %e = loop.index %i + 1
      %n = arith.index_cast %e : index to i64
      %f = arith.sitofp %n : i64 to f32
      loop.store %f, %c[%i]
    }
  }
  func.return
}"""
    c = programs.plain(1, 16)
    expected = np.concatenate([np.arange(1, 6, dtype=np.float32), c[5:]])
    programs.check(text, {"c": c}, [expected])


def test_unrolling_too_much_leaves_a_loop(programs):
    text = """
func.func @main(%a: memref<10000xf32>, %c: memref<10000xf32>) {
  loop.for "i" %i = 0 to 100 unrolled {
    loop.for "j" %j = 0 to 100 unrolled {
      loop.block "b" (%vi : spatial = %i * 100 + %j) reads(%x = %a[%vi]) writes(%c[%vi]) {
        loop.yield %x
      }
    }
  }
  func.return
}"""
    module = programs.converted(programs.parse_verified(text), "generic")
    assert 100 <= sum(programs.names(module).values()) < 1000
    a = programs.plain(1, 10000)
    np.testing.assert_array_equal(run(module, None, [a])[0], a)
