"""`convert-loop-to-simd` on nests of all extents: what the blocks compute, on every target."""

import numpy as np
import pytest
from stepwell.interpreters.run import run

EXTENTS = range(41)


BODIES = {
    "add": ("%z = arith.addf %x, %y : f32", lambda x, y: x + y),
    "relu": (
        "%k = arith.constant 0.0 : f32\n%z = arith.maximumf %x, %k : f32",
        lambda x, y: np.where(x != x, x, np.where(x > 0, x, np.float32(0))),
    ),
    "relu_reversed": (
        "%k = arith.constant 0.0 : f32\n%z = arith.maximumf %k, %x : f32",
        lambda x, y: np.where(x != x, x, np.where(x > 0, x, np.float32(0))),
    ),
    "max_minus_zero": (
        "%k = arith.constant -0.0 : f32\n%z = arith.maximumf %x, %k : f32",
        lambda x, y: np.where((x != x) | (x > 0) | ((x == 0) & ~np.signbit(x)), x, np.float32(-0.0)),
    ),
    "min_zero": (
        "%k = arith.constant 0.0 : f32\n%z = arith.minimumf %x, %k : f32",
        lambda x, y: np.where((x != x) | (x < 0) | ((x == 0) & np.signbit(x)), x, np.float32(0.0)),
    ),
    "min_minus_zero": (
        "%k = arith.constant -0.0 : f32\n%z = arith.minimumf %x, %k : f32",
        lambda x, y: np.where((x != x) | (x < 0), x, np.float32(-0.0)),
    ),
    "max_nan": ("%k = arith.constant 0x7FC00000 : f32\n%z = arith.maximumf %x, %k : f32", lambda x, y: x * np.nan),
    "max": ("%z = arith.maximumf %x, %y : f32", None),
    "clip": (
        "%l = arith.constant -0.5 : f32\n%h = arith.constant 0.5 : f32\n"
        "%m = arith.maximumf %x, %l : f32\n%z = arith.minimumf %m, %h : f32",
        lambda x, y: np.clip(x, np.float32(-0.5), np.float32(0.5)),
    ),
    "select": (
        "%c1 = arith.cmpf olt, %x, %y : f32\n%z = arith.select %c1, %x, %y : f32",
        lambda x, y: np.where(x < y, x, y),
    ),
    "uniform_condition": (
        "%t = arith.constant true\n%z = arith.select %t, %x, %y : f32",
        lambda x, y: x,
    ),
    "index_value": (
        "%n = arith.index_cast %vi : index to i64\n%f = arith.sitofp %n : i64 to f32\n%z = arith.addf %x, %f : f32",
        lambda x, y: x + np.arange(len(x)).astype(np.float32),
    ),
    "constant": ("%z = arith.constant 3.0 : f32", lambda x, y: np.full_like(x, 3)),
    "function_without_vectors": ("%e = math.exp %x : f32\n%z = arith.mulf %e, %y : f32", None),
    "widened": (
        "%w = arith.extf %x : f32 to f64\n%v = arith.extf %y : f32 to f64\n"
        "%s = arith.mulf %w, %v : f64\n%z = arith.truncf %s : f64 to f32",
        lambda x, y: (x.astype(np.float64) * y.astype(np.float64)).astype(np.float32),
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_elementwise(programs, name):
    body, expected = BODIES[name]
    for extent in (0, 1, 3, 8, 17, 40):
        a, b = programs.floats(extent, extent), programs.floats(extent + 100, extent)
        with np.errstate(all="ignore"):
            wanted = None if expected is None else [expected(a, b)]
        programs.check(programs.elementwise(extent, body), [a, b], wanted)


@pytest.mark.parametrize("extent", EXTENTS)
def test_every_extent(programs, extent):
    a, b = programs.floats(extent, extent), programs.floats(extent + 100, extent)
    programs.check(programs.elementwise(extent, BODIES["add"][0]), [a, b], [a + b])


def test_lanes_are_used_and_the_rest_is_scalar(programs):
    counts = programs.names(
        programs.converted(programs.parse_verified(programs.elementwise(20, BODIES["add"][0])), "avx2")
    )
    assert counts["simd.load"] == 4
    assert counts["simd.store"] == 2
    assert counts["loop.load"] == 2
    assert counts["loop.for"] == 1


@pytest.mark.parametrize("lower", [1, 4, 5])
def test_a_lower_bound_that_is_not_zero(programs, lower):
    # B063
    text = programs.elementwise(8, BODIES["add"][0], lower=lower)
    a, b, c = programs.floats(1, 8 + lower), programs.floats(2, 8 + lower), programs.plain(3, 8 + lower)
    programs.check(text, {"a": a, "b": b, "c": c}, [np.concatenate([c[:lower], (a + b)[lower:]])])


@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64", "f64"])
def test_other_elements(programs, element):
    dtype = np.dtype(element.replace("i", "int").replace("f", "float"))
    op = "addf" if element == "f64" else "addi"
    for extent in (3, 8, 16, 37, 64):
        rng = np.random.default_rng(extent)
        a, b = (rng.integers(-100, 100, extent).astype(dtype) for _ in range(2))
        with np.errstate(all="ignore"):
            programs.check(
                programs.elementwise(extent, f"%z = arith.{op} %x, %y : {element}", element=element), [a, b], [a + b]
            )


def test_the_program_of_the_vectorization_row(programs):
    # A16: 128 elements, split by 8 by the user's pass: one serial loop of 16 with accesses of 8 lanes
    text = """
func.func @main(%a: memref<128xf32>, %b: memref<128xf32>, %c: memref<128xf32>) {
  loop.for "i.outer" %io = 0 to 16 {
    loop.for "i.inner" %ii = 0 to 8 vectorized {
      loop.block "add" (%vi : spatial = %io * 8 + %ii) reads(%x = %a[%vi], %y = %b[%vi]) writes(%c[%vi]) {
        %z = arith.addf %x, %y : f32
        loop.yield %z
      }
    }
  }
  func.return
}"""
    a, b = programs.floats(1, 128), programs.floats(2, 128)
    programs.check(text, [a, b], [a + b])
    module = programs.converted(programs.parse_verified(text), "avx2")
    counts = programs.names(module)
    assert (counts["loop.for"], counts["simd.load"], counts["simd.store"]) == (1, 2, 1)
    (loop,) = (op for op in module.walk() if op.name == "loop.for")
    assert (loop.kind.data, loop.extent.value) == ("serial", 16)
    assert all(str(op.vector) == "vector<8xf32>" for op in module.walk() if op.name in ("simd.load", "simd.store"))


# -- reductions ---------------------------------------------------------------------------------------------------

COMBINATIONS = {
    "add": ("arith.addf", "0.0", np.add),
    "mul": ("arith.mulf", "1.0", np.multiply),
    "max": ("arith.maximumf", "0xff800000", np.maximum),
    "min": ("arith.minimumf", "0x7f800000", np.minimum),
}


@pytest.mark.parametrize("name", COMBINATIONS)
@pytest.mark.parametrize("order", ["%s, %t", "%t, %s"])
def test_a_vectorized_reduction_adds_up_from_left_to_right(programs, name, order):
    # B061, B054, B055
    op, init, combine = COMBINATIONS[name]
    for extent in (0, 1, 5, 8, 16, 23, 40):
        text = f"""
func.func @main(%a: memref<3x{extent}xf32>, %sums: memref<3xf32>) {{
  loop.for "i" %i = 0 to 3 {{
    loop.for "j" %j = 0 to {extent} vectorized {{
      loop.block "r" (%vi : spatial = %i, %vj : reduce = %j) reads(%x = %a[%vi, %vj]) writes(%s = %sums[%vi]) init {{
        %z = arith.constant {init} : f32
        loop.yield %z
      }} {{
        %t = arith.mulf %x, %x : f32
        %r = {op} {order} : f32
        loop.yield %r
      }}
    }}
  }}
  func.return
}}"""
        a = programs.floats(extent, 3, extent) if name in ("max", "min") else programs.plain(extent, 3, extent)
        start = {"add": 0, "mul": 1, "max": -np.inf, "min": np.inf}[name]
        expected = np.full(3, start, np.float32)
        for j in range(extent):
            expected = combine(expected, a[:, j] * a[:, j])
        programs.check(text, [a], [expected])


def test_ones_add_up(programs):
    # B061
    text = """
func.func @main(%a: memref<128xf32>, %s: memref<f32>) {
  loop.for "j" %j = 0 to 128 vectorized {
    loop.block "sum" (%vj : reduce = %j) reads(%x = %a[%vj]) writes(%o = %s[]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %r = arith.addf %o, %x : f32
      loop.yield %r
    }
  }
  func.return
}"""
    programs.check(text, [np.ones(128, np.float32)], [np.array(128, np.float32)])
    assert programs.names(programs.converted(programs.parse_verified(text), "avx2"))["simd.reduce"] == 1


def test_argmax_stays_scalar(programs):
    text = """
func.func @main(%a: memref<20xf32>, %m: memref<f32>, %k: memref<i64>) {
  loop.for "j" %j = 0 to 20 vectorized {
    loop.block "argmax" (%vj : reduce = %j) reads(%x = %a[%vj]) writes(%o = %m[], %n = %k[]) init {
      %z = arith.constant 0xff800000 : f32
      %y = arith.constant -1 : i64
      loop.yield %z, %y
    } {
      %c = arith.cmpf ogt, %x, %o : f32
      %i = arith.index_cast %vj : index to i64
      %r = arith.select %c, %x, %o : f32
      %s = arith.select %c, %i, %n : i64
      loop.yield %r, %s
    }
  }
  func.return
}"""
    a = programs.plain(5, 20)
    programs.check(text, [a], [np.array(a.max()), np.array(a.argmax())])
    assert reason(programs, text) == "all lanes write one element of %m"


def reason(programs, text, target="avx2"):
    """Why the one loop that stayed scalar did."""
    reasons = [
        op.attributes["not_vectorized"].data
        for op in programs.converted(programs.parse_verified(text), target).walk()
        if "not_vectorized" in op.attributes
    ]
    assert len(reasons) == 1
    return reasons[0]


# -- accesses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stride", [1, 2, 3, 4, -1])
def test_strides(programs, stride):
    for extent in (1, 4, 8, 13, 24):
        offset = extent if stride < 0 else 0
        size = abs(stride) * extent + 1
        reads = f"%x = %a[%vi * {stride} + {offset}], %y = %b[%vi]"
        text = programs.elementwise(extent, BODIES["add"][0], reads=reads).replace(
            f"%a: memref<{extent}xf32>", f"%a: memref<{size}xf32>"
        )
        a, b = programs.floats(1, size), programs.floats(2, extent)
        programs.check(text, [a, b], [a[offset + stride * np.arange(extent)] + b])


def test_strided_loads_are_used(programs):
    text = programs.elementwise(8, BODIES["add"][0], reads="%x = %a[%vi * 2], %y = %b[%vi]").replace(
        "%a: memref<8xf32>", "%a: memref<15xf32>"
    )
    assert programs.names(programs.converted(programs.parse_verified(text), "avx2"))["simd.strided_load"] == 1
    assert reason(programs, text.replace("%vi * 2", "%vi * 0 + 1").replace("%c[%vi]", "%c[%vi * 0]")).startswith(
        "all lanes"
    )


def test_columns_are_refused(programs):
    text = """
func.func @main(%a: memref<9x16xf32>, %c: memref<16x9xf32>) {
  loop.for "i" %i = 0 to 9 {
    loop.for "j" %j = 0 to 16 vectorized {
      loop.block "t" (%vi : spatial = %i, %vj : spatial = %j) reads(%x = %a[%vi, %vj]) writes(%c[%vj, %vi]) {
        loop.yield %x
      }
    }
  }
  func.return
}"""
    a = programs.floats(1, 9, 16)
    programs.check(text, [a], [a.T])
    assert reason(programs, text) == "the lanes are 9 elements apart in %c, which is written"


@pytest.mark.parametrize("element", ["i32", "i64"])
def test_gather(programs, element):
    text = f"""
func.func @main(%n: memref<21x{element}>, %a: memref<7x5xf64>, %c: memref<21xf64>) {{
  loop.for "i" %i = 0 to 21 vectorized {{
    loop.block "g" (%vi : spatial = %i) reads(%k = %n[%vi], %x = %a[%k, 3]) writes(%c[%vi]) {{
      loop.yield %x
    }}
  }}
  func.return
}}"""
    n = np.random.default_rng(1).integers(0, 7, 21).astype(f"int{element[1:]}")
    a = programs.floats(1, 7, 5, dtype=np.float64)
    programs.check(text, [n, a], [a[n, 3]])
    assert programs.names(programs.converted(programs.parse_verified(text), "avx2"))["simd.gather"] == 1


def test_gather_by_a_number_that_is_padding(programs):
    text = """
func.func @main(%n: memref<16xi32>, %a: memref<7xf32>, %c: memref<3x16xf32>) {
  loop.for "k" %k = 0 to 3 unrolled {
    loop.for "i" %i = 0 to 16 vectorized {
      loop.block "g" (%vk : spatial = %k, %vi : spatial = %i)
          reads(%m = %n[%vi] if (1 - %vk >= 0) else 5 : i32, %x = %a[%m]) writes(%c[%vk, %vi]) {
        loop.yield %x
      }
    }
  }
  func.return
}"""
    n = np.random.default_rng(1).integers(0, 7, 16).astype(np.int32)
    a = programs.floats(1, 7)
    programs.check(text, [n, a], [np.stack([a[n], a[n], np.full(16, a[5])])])


def test_rows_by_number(programs):
    text = """
func.func @main(%n: memref<3xi32>, %a: memref<7x20xf32>, %c: memref<3x20xf32>) {
  loop.for "i" %i = 0 to 3 {
    loop.for "j" %j = 0 to 20 vectorized {
      loop.block "g" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%k = %n[%vi], %x = %a[%k, %vj]) writes(%c[%vi, %vj]) {
        loop.yield %x
      }
    }
  }
  func.return
}"""
    n, a = np.array([6, 0, 6], np.int32), programs.floats(1, 7, 20)
    programs.check(text, [n, a], [a[n]])
    assert "simd.gather" not in programs.names(programs.converted(programs.parse_verified(text), "avx2"))


# -- what lanes may not do to each other --------------------------------------------------------------------------


def test_a_lane_that_reads_what_another_wrote_is_refused(programs):
    text = """
func.func @main(%a: memref<20xf32>, %y: memref<20xf32>) {
  loop.for "j" %j = 0 to 20 vectorized {
    loop.block "cumsum" (%vj : ordered = %j) reads(%x = %a[%vj], %p = %y[%vj - 1] else 0.0 : f32) writes(%y[%vj]) {
      %r = arith.addf %p, %x : f32
      loop.yield %r
    }
  }
  func.return
}"""
    a = programs.plain(1, 20)
    programs.check(text, [a], [np.cumsum(a, dtype=np.float32)])
    assert reason(programs, text) == "a lane may meet an element of %y that another one writes"


@pytest.mark.parametrize("offset", [1, 4, 8, 16])
def test_two_blocks_on_one_buffer(programs, offset):
    text = f"""
func.func @main(%a: memref<40xf32>, %y: memref<60xf32>, %z: memref<40xf32>) {{
  loop.for "j" %j = 0 to 40 vectorized {{
    loop.block "w" (%vj : spatial = %j) reads(%x = %a[%vj]) writes(%y[%vj + {offset}]) {{
      loop.yield %x
    }}
    loop.block "r" (%vj : spatial = %j) reads(%x = %y[%vj]) writes(%z[%vj]) {{
      loop.yield %x
    }}
  }}
  func.return
}}"""
    a, y = programs.floats(1, 40), programs.floats(2, 60)
    z = np.concatenate([y[:offset], a])[:40]
    written = y.copy()
    written[offset : offset + 40] = a
    programs.check(text, {"a": a, "y": y}, [written, z])


def test_in_place(programs):
    text = programs.elementwise(20, BODIES["add"][0], reads="%x = %a[%vi], %y = %c[%vi]").replace(
        ", %b: memref<20xf32>", ""
    )
    a, c = programs.floats(1, 20), programs.floats(2, 20)
    programs.check(text, {"a": a, "c": c}, [a + c])


@pytest.mark.parametrize("step", [1, 4, 8, 16])
def test_loops_inside(programs, step):
    # the inner loop brings a lane to the elements of another, unless its step is a multiple of the lanes
    text = f"""
func.func @main(%a: memref<3x16xf32>, %y: memref<{2 * step + 16}xf32>) {{
  loop.for "j" %j = 0 to 16 vectorized {{
    loop.for "k" %k = 0 to 3 {{
      loop.block "w" (%vj : spatial = %j, %vk : ordered = %k)
          reads(%x = %a[%vk, %vj], %o = %y[%vj + %vk * {step}]) writes(%y[%vj + %vk * {step}]) {{
        %two = arith.constant 2.0 : f32
        %p = arith.mulf %o, %two : f32
        %r = arith.addf %p, %x : f32
        loop.yield %r
      }}
    }}
  }}
  func.return
}}"""
    a, y = programs.plain(1, 3, 16), programs.plain(2, 2 * step + 16)
    expected = y.copy()
    for j in range(16):
        for k in range(3):
            expected[j + k * step] = expected[j + k * step] * np.float32(2) + a[k, j]
    programs.check(text, {"a": a, "y": y}, [expected])


def test_the_reason_is_given(programs):
    body = "%e = math.exp %x : f32\n%z = arith.mulf %e, %y : f32"
    assert reason(programs, programs.elementwise(8, body)) == "avx2 has no math.exp on 2 lanes of f32"


def test_fma_only_with_a_licence(programs):
    body = "%p = arith.mulf %x, %y : f32\n%z = arith.addf %p, %x : f32"
    module = programs.parse_verified(programs.elementwise(8, body))
    assert "simd.fma" not in programs.names(programs.converted(module, "avx2", strict=True))
    assert "simd.fma" not in programs.names(programs.converted(module, "c-vector", strict=False))
    fused = programs.converted(module, "avx2", strict=False)
    assert programs.names(fused)["simd.fma"] == 1
    assert "arith.mulf" not in programs.names(fused)
    a, b = programs.plain(1, 8), programs.plain(2, 8)
    exact = (a.astype(np.float64) * b + a).astype(np.float32)
    (found,) = run(fused, None, [a, b])
    # a product of two f32 is exact in f64, and here the sum is all but exact
    np.testing.assert_allclose(found, exact, rtol=1e-7)


def test_a_product_that_is_used_twice_is_kept(programs):
    body = "%p = arith.mulf %x, %y : f32\n%q = arith.addf %p, %x : f32\n%z = arith.subf %q, %p : f32"
    assert "simd.fma" not in programs.names(
        programs.converted(programs.parse_verified(programs.elementwise(8, body)), "avx2", strict=False)
    )


def test_twice_gives_the_same_text(programs):
    module = programs.parse_verified(programs.elementwise(20, BODIES["clip"][0]))
    assert str(programs.converted(module, "avx2")) == str(programs.converted(module, "avx2"))


def test_results_compare(programs):
    with pytest.raises(AssertionError):
        programs.assert_same_bits([np.array([0.0])], [np.array([-0.0])])


# -- one memory under two names -----------------------------------------------------------------------------------

VIEWS = """
func.func @main(%a: memref<48xf32>, %y: memref<48xf32>, %ws: memref<?xi8>)
    attributes {outputs_count = 1 : i64, workspace = #loop.map<(192)>} {
  %all = loop.view %ws[0] : memref<48xf32>
  %p = loop.view %ws[64] : memref<{SIZE}xf32>
  %q = loop.view %ws[{OFFSET}] : memref<{SIZE}xf32>
  loop.for "i" %i = 0 to 48 vectorized {
    loop.block "fill" (%v : spatial = %i) reads(%x = %a[%v]) writes(%all[%v]) { loop.yield %x }
  }
  {BODY}
  loop.for "i" %i = 0 to 48 vectorized {
    loop.block "out" (%v : spatial = %i) reads(%x = %all[%v]) writes(%y[%v]) { loop.yield %x }
  }
  func.return
}"""


def views(size, offset, body):
    return VIEWS.replace("{SIZE}", str(size)).replace("{OFFSET}", str(offset)).replace("{BODY}", body)


@pytest.mark.parametrize("distance", [-17, -8, -4, -3, -1, 0, 1, 2, 8, 16])
def test_views_of_the_same_bytes(programs, distance):
    size = 16
    text = views(
        size,
        4 * max(16 + distance, 0),
        """loop.for "i" %i = 0 to 16 vectorized {
    loop.block "twice" (%v : spatial = %i) reads(%x = %q[%v]) writes(%p[%v]) {
      %z = arith.addf %x, %x : f32
      loop.yield %z
    }
  }""",
    )
    a = programs.plain(1, 48)
    expected = a.copy()
    for i in range(size):
        expected[16 + i] = 2 * expected[max(16 + distance, 0) + i]
    programs.check(text, [a], [expected])
    apart = not -16 < distance < 16
    lowered = programs.converted(programs.parse_verified(text), "avx2")
    assert ("may be the same memory" in str(lowered)) != apart


def test_what_was_loaded_by_another_name_is_loaded_again(programs):
    """q[i] is p[i + 1]: what the second round reads is what the first has written."""
    rounds = """
    loop.block "one" (%v : spatial = 3) reads(%x = %q[%v], %s = %p[%v + 1]) writes(%p[%v + 1]) {
      %z = arith.addf %x, %s : f32
      loop.yield %z
    }"""
    inside = f'loop.for "k" %k = 0 to 3 {{{rounds}}}'
    a = programs.plain(2, 48)
    for body, count in ((rounds * 3, 3), (rounds + inside + rounds, 5)):
        expected = a.copy()
        for _ in range(count):
            expected[20] += expected[20]
        programs.check(views(16, 68, body), [a], [expected])
