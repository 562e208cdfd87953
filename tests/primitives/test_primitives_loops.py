"""split, fuse, reorder, peel, pad, merge: the same values, bit for bit, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

EXTENTS = [0, 1, 2, 5, 7, 8, 13]


def ewise(n: str) -> str:
    """y = x * x + x over a vector of `n` elements, `n` a number or `%n`."""
    dim = "?" if n == "%n" else n
    argument = "%n: index, " if n == "%n" else ""
    dims = 'dims = ["n"], ' if n == "%n" else ""
    shape = "loop.shape %x[%n]\n  loop.shape %y[%n]" if n == "%n" else ""
    return f"""
func.func @f({argument}%x: memref<{dim}xf32>, %y: memref<{dim}xf32>) attributes {{{dims}outputs_count = 1 : i64}} {{
  {shape}
  loop.for "i" %i = 0 to {n} {{
    loop.block "fma" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {{
      %p = arith.mulf %a, %a : f32
      %s = arith.addf %p, %a : f32
      loop.yield %s
    }}
  }}
  func.return
}}
"""


def matmul(m: int, n: int, k: int) -> str:
    return f"""
func.func @f(%A: memref<{m}x{k}xf32>, %B: memref<{k}x{n}xf32>, %C: memref<{m}x{n}xf32>)
    attributes {{outputs_count = 1 : i64}} {{
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.for "k" %k = 0 to {k} {{
        loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%a = %A[%vi, %vk], %b = %B[%vk, %vj]) writes(%c = %C[%vi, %vj]) init {{
          %z = arith.constant 0.0 : f32
          loop.yield %z
        }} {{
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          loop.yield %s
        }}
      }}
    }}
  }}
  func.return
}}
"""


SCAN = """
func.func @f(%x: memref<6x5xf32>, %y: memref<6x5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 6 {
    loop.for "j" %j = 0 to 5 {
      loop.block "scan" (%vi : spatial = %i, %vj : ordered = %j)
          reads(%a = %x[%vi, %vj], %p = %y[%vi, %vj - 1] else 0.0 : f32) writes(%y[%vi, %vj]) {
        %s = arith.addf %a, %p : f32
        loop.yield %s
      }
    }
  }
  func.return
}
"""


def vector(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    x = rng.normal(size=n).astype(np.float32)
    if n > 2:
        x[1] = np.nan
        x[2] = -np.inf
    return {"x": x}


def matrices(m: int, n: int, k: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(100 * m + 10 * n + k)
    return {
        "A": rng.normal(size=(m, k)).astype(np.float32),
        "B": rng.normal(size=(k, n)).astype(np.float32),
    }


# -- split ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [1, 2, 3, 8, 20])
@pytest.mark.parametrize("n", EXTENTS)
def test_split_keeps_every_extent(check, n, factor):
    check(ewise(str(n)), [f"split fma/i {factor}"], vector(n))


def test_split_of_a_run_time_extent(check):
    module = check(ewise("%n"), ["split fma/i 4"], *map(vector, EXTENTS))
    assert "min(4" in str(module)


def test_split_names_its_parts(check):
    """A10: 128 becomes 16 times 8, named after the loop."""
    module = str(check(ewise("128"), ["split fma/i 8", "kind vectorized fma/i.inner"], vector(128)))
    assert 'loop.for "i.outer" %i_outer = 0 to 16 {' in module
    assert 'loop.for "i.inner" %i_inner = 0 to 8 vectorized {' in module
    assert "%i_outer * 8 + %i_inner" in module


def test_split_takes_names(check):
    assert 'loop.for "io"' in str(check(ewise("8"), ["split fma/i 2 io ii", "kind parallel fma/io"], vector(8)))


def test_split_knows_symbolic_multiples(check):
    """A main part of `(n floordiv 4) * 4` iterations needs no `min`."""
    module = str(check(ewise("%n"), ["peel fma/i extent floordiv 4 * 4", "split fma/i 4"], *map(vector, EXTENTS)))
    assert "0 to 4" in module
    assert "min(4" not in module


@pytest.mark.parametrize("axis", ["i", "j", "k"])
@pytest.mark.parametrize("shape", [(3, 5, 4), (1, 1, 1), (2, 3, 0), (0, 2, 3), (4, 8, 7)])
def test_split_of_each_axis_of_a_reduction(check, axis, shape):
    check(matmul(*shape), [f"split mm/{axis} 3"], matrices(*shape))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["split fma/i 0"], "the factor of loop i must be at least 1"),
        (["kind vectorized fma/i", "split fma/i 2"], "loop i is vectorized"),
        (["split fma/i 2 same same"], "both parts of loop i would be called same"),
        (["split fma/i 2 a b", "split fma/a 2 x b"], "is called b already"),
        (["split fma/q 2"], "no loop 'q' around block 'fma'; its loops are i"),
        (["split nope/i 2"], "has no block 'nope'; its blocks are fma"),
        (["split fma/i"], "the factor is missing"),
        (["split fma/i two"], "the factor is an integer, not 'two'"),
        (["split fma/i 2 a b c"], "a split has two names, not 3"),
        (["split fma 2"], "'fma' names no loop"),
    ],
)
def test_split_refuses(refused, steps, reason):
    refused(ewise("8"), steps, reason)


def test_split_of_a_loop_that_starts_elsewhere(refused):
    refused(ewise("8").replace("= 0 to 8", "= 2 to 8"), ["split fma/i 2"], "loop i does not start at 0")


# -- fuse -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 5, 4), (1, 1, 1), (2, 3, 0), (0, 2, 3), (2, 0, 3)])
def test_fuse(check, shape):
    module = check(matmul(*shape), ["fuse mm/i mm/j"], matrices(*shape))
    assert 'loop.for "i.j"' in str(module)


def test_fuse_after_split_is_the_loop_again(check):
    module = check(ewise("12"), ["split fma/i 4", "fuse fma/i.outer fma/i.inner"], vector(12))
    assert "floordiv" not in str(module)


def test_fuse_with_a_negative_run_time_extent(check):
    """For n = 2 the inner loop runs `to -1`: not at all, and not twice in the other direction."""
    text = """
func.func @f(%n: index, %x: memref<?xf32>, %y: memref<?x?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n, %n]
  loop.for "z" %z = 0 to %n {
    loop.for "w" %w = 0 to %n {
      loop.block "zero" (%vz : spatial = %z, %vw : spatial = %w) reads() writes(%y[%vz, %vw]) {
        %c = arith.constant 0.5 : f32
        loop.yield %c
      }
    }
  }
  loop.for "i" %i = 0 to %n {
    loop.for "j" %j = 0 to %n - 3 {
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi], %b = %x[%vj]) writes(%y[%vi, %vj]) {
        %s = arith.addf %a, %b : f32
        loop.yield %s
      }
    }
  }
  func.return
}
"""
    check(text, ["fuse c/i c/j"], *map(vector, [0, 1, 2, 3, 4, 7]))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["fuse mm/i mm/k"], "the second is not all that the first contains"),
        (["fuse mm/j mm/k"], "are spatial and reduce for block mm"),
        (["kind parallel mm/i", "fuse mm/i mm/j"], "are parallel and serial"),
        (["split mm/j 4", "fuse mm/j.outer mm/j.inner"], "the extent of loop j.inner depends on loop j.outer"),
    ],
)
def test_fuse_refuses(refused, steps, reason):
    refused(matmul(3, 5, 4), steps, reason)


def test_fuse_refuses_ordered_with_spatial(refused):
    refused(SCAN, ["fuse scan/i scan/j"], "are spatial and ordered for block scan")


# -- reorder ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order", ["mm/j mm/i", "mm/k mm/i", "mm/k mm/j mm/i", "mm/j mm/k mm/i", "mm/i mm/j mm/k", "mm/i"]
)
@pytest.mark.parametrize("shape", [(3, 5, 4), (2, 3, 0), (0, 2, 3)])
def test_reorder(check, order, shape):
    check(matmul(*shape), [f"reorder {order}"], matrices(*shape))


def test_reorder_leaves_other_loops_in_their_places(check):
    text = str(check(matmul(2, 3, 4), ["reorder mm/k mm/i"], matrices(2, 3, 4)))
    assert text.index('"k"') < text.index('"j"') < text.index('"i"')


def test_reorder_of_a_scan_around_its_ordered_axis(check):
    x = np.random.default_rng(1).normal(size=(6, 5)).astype(np.float32)
    check(SCAN, ["reorder scan/j scan/i"], {"x": x})


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["split mm/k 3", "reorder mm/k.inner mm/k.outer"], "a bound of loop k.inner depends on loop k.outer"),
        (["split mm/k 2", "reorder mm/k.inner mm/k.outer"], "reduce block mm: its sum would change its order"),
        (["decompose mm", "reorder mm/k mm/i"], "contains more than loop"),
        (["reorder mm/i mm/i"], "a loop is named twice"),
        (["reorder"], "the loops is missing"),
    ],
)
def test_reorder_refuses(refused, steps, reason):
    refused(matmul(3, 5, 4), steps, reason)


def test_reorder_of_a_sum_where_allowed(check):
    """Sums of integers held in floats are exact in any order, so the licensed order is seen to be a permutation."""
    inputs = {name: np.round(a * 4) for name, a in matrices(3, 5, 4).items()}
    check(matmul(3, 5, 4), ["split mm/k 2", "reorder mm/k.inner mm/k.outer reassociates"], inputs)


def test_reorder_keeps_values_that_pass_between_iterations(refused):
    """y[i + 1, j] = y[i, j + 1]: the loops may not change places, whatever the kinds say."""
    text = """
func.func @f(%y: memref<5x5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 4 {
      loop.block "shift" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %y[%vi, %vj + 1])
          writes(%y[%vi + 1, %vj]) {
        loop.yield %a
      }
    }
  }
  func.return
}
"""
    refused(text, ["reorder shift/j shift/i"], "iterations of loops i and j may meet in %y, touched by block shift")


# -- peel -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["0", "extent", "extent floordiv 4 * 4", "n - 3", "n floordiv 2 + 2", "5"])
def test_peel_is_exact_for_every_run_time_extent(check, at):
    check(ewise("%n"), [f"peel fma/i {at}"], *map(vector, EXTENTS))


@pytest.mark.parametrize("at", [0, 1, 4, 5])
def test_peel_of_constants(check, at):
    check(ewise("5"), [f"peel fma/i {at}"], vector(5))


def test_peel_twice_has_other_labels(check):
    text = str(check(ewise("11"), ["peel fma/i 8", "peel fma.tail/i.tail 2"], vector(11)))
    assert 'loop.block "fma.tail.tail"' in text
    assert 'loop.for "i.tail.tail"' in text


def test_peel_inside_a_peeled_nest(check):
    steps = ["peel mm/i 2", "peel mm/j 3", "peel mm.tail/j 1"]
    text = str(check(matmul(3, 5, 4), steps, matrices(3, 5, 4)))
    labels = [line.split('"')[1] for line in text.splitlines() if "loop.block" in line]
    assert len(set(labels)) == len(labels) == 4


def test_peel_of_a_reduce_loop_once_decomposed(check):
    check(matmul(3, 5, 4), ["decompose mm", "peel mm/k 3"], matrices(3, 5, 4))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["peel mm/k 2"], "loop k reduces block mm, whose init would run again"),
        (["peel mm/i 4"], "4 is not within the range of loop i"),
        (["peel mm/i -1"], "is not within the range of loop i"),
        (["peel mm/i extent + 1"], "4 is not within the range of loop i"),
        (["peel mm/i q"], "names 'q'"),
        (["peel mm/i"], "the at is missing"),
        (["kind unrolled mm/i", "peel mm/i 1"], "loop i is unrolled"),
    ],
)
def test_peel_refuses(refused, steps, reason):
    refused(matmul(3, 5, 4), steps, reason)


# -- pad --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", EXTENTS)
def test_pad_of_a_constant_extent(check, n):
    check(ewise(str(n)), ["pad fma/i 4", "split fma/i 4", "kind vectorized fma/i.inner"], vector(n))


def test_pad_of_a_run_time_extent(check):
    text = str(check(ewise("%n"), ["pad fma/i 4", "split fma/i 4"], *map(vector, EXTENTS)))
    assert "else 0.0" in text
    assert "clip" in text
    assert "min(" not in text


def reduction(op: str, start: str, n: int = 7) -> str:
    return f"""
func.func @f(%x: memref<{n}xf32>, %y: memref<1xf32>) attributes {{outputs_count = 1 : i64}} {{
  loop.for "k" %k = 0 to {n} {{
    loop.block "red" (%vk : reduce = %k) reads(%a = %x[%vk]) writes(%s = %y[0]) init {{
      %z = arith.constant {start} : f32
      loop.yield %z
    }} {{
      %t = arith.{op} %s, %a : f32
      loop.yield %t
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize(
    ("op", "start"),
    [("maximumf", "0xff800000"), ("minimumf", "0x7f800000"), ("addf", "0.0"), ("mulf", "1.0")],
)
def test_pad_of_a_reduce_loop_is_neutral(check, op, start):
    """All-negative data shows a max padded with 0, all-positive data a min."""
    values = np.float32([-3, -1.5, -7, -2, -9, -4, -1.25])
    with_nan = values.copy()
    with_nan[3] = np.nan
    zeros = np.float32([-0.0] * 7)
    inputs = [{"x": v} for v in (values, -values, with_nan, zeros)]
    check(reduction(op, start), ["pad red/k 4"], *inputs)


@pytest.mark.parametrize(
    ("text", "step", "reason"),
    [
        (
            reduction("maximumf", "0xff800000"),
            "pad red/k 4 0",
            "padded with 0, what is beyond the extent is not neutral",
        ),
        (reduction("mulf", "1.0"), "pad red/k 4 0", "is not neutral"),
        (reduction("addf", "-0.0"), "pad red/k 4", "is not neutral"),
        (reduction("subf", "0.0"), "pad red/k 4", "in a way that is not known to have a neutral"),
        (SCAN, "pad scan/j 4", "loop j is ordered for block scan"),
    ],
)
def test_pad_refuses(refused, text, step, reason):
    refused(text, [step], reason)


def test_pad_computes_in_the_type_of_the_elements(refused):
    """(1e8 + 4) - 1e8 - 4 is -4 in f32, 0 in f64 and on paper; each step past the end would add that."""
    text = reduction("addf", "0.0").replace(
        "%t = arith.addf %s, %a : f32",
        """%c = arith.constant 4.0 : f32
      %d = arith.constant -1.0e8 : f32
      %e = arith.constant -4.0 : f32
      %p = arith.addf %a, %c : f32
      %q = arith.addf %p, %d : f32
      %r = arith.addf %q, %e : f32
      %t = arith.addf %s, %r : f32""",
    )
    assert "%r" in text
    refused(text, ["pad red/k 4 1e8"], "padded with 100000000.0, what is beyond the extent is not neutral")


def test_pad_refuses_where_more_of_the_buffer_is_beyond(refused):
    """B059: m[0..6] += itself in a buffer of 8; a fourth lane of the last step would change m[6] and m[7]."""
    text = """
func.func @f(%m: memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "j" %j = 0 to 6 {
    loop.block "double" (%vj : spatial = %j) reads(%a = %m[%vj]) writes(%m[%vj]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
"""
    refused(text, ["pad double/j 4"], "writes beyond loop j within its buffer")


def test_tail_of_a_loop_that_stops_within_its_buffer(check):
    """B059, the other way: peeled, the rest is left as it was."""
    text = """
func.func @f(%m: memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "j" %j = 0 to 6 {
    loop.block "double" (%vj : spatial = %j) reads(%a = %m[%vj]) writes(%m[%vj]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
"""
    from stepwell.interpreters.run import run

    module = check(
        text,
        ["peel double/j 4", "split double/j 4", "kind vectorized double/j.inner"],
        {"m": np.arange(1, 9, dtype=np.float32)},
    )
    (found,) = run(module, None, {"m": np.arange(1, 9, dtype=np.float32)})
    assert found.tolist() == [2, 4, 6, 8, 10, 12, 7, 8]


# -- merge ------------------------------------------------------------------------------------------------------------


def pair(first: str, second: str, bounds: str = "0 to 6") -> str:
    """T = x * x in one loop, then y from T: `first` and `second` are the indices of T."""
    return f"""
func.func @f(%x: memref<6xf32>, %y: memref<6xf32>) attributes {{outputs_count = 1 : i64}} {{
  %T = loop.alloc "global" : memref<20xf32>
  loop.for "z" %z = 0 to 20 {{
    loop.block "zero" (%vz : spatial = %z) reads() writes(%T[%vz]) {{
      %c = arith.constant 0.5 : f32
      loop.yield %c
    }}
  }}
  loop.for "i" %i = 0 to 6 {{
    loop.block "p" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%T[{first}]) {{
      %s = arith.mulf %a, %a : f32
      loop.yield %s
    }}
  }}
  loop.for "j" %j = {bounds} {{
    loop.block "c" (%vi : spatial = %j) reads(%a = %T[{second}], %b = %x[%vi]) writes(%y[%vi]) {{
      %s = arith.addf %a, %b : f32
      loop.yield %s
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("%vi", "%vi"),
        ("%vi + 2", "%vi + 2"),
        ("%vi + 2", "%vi + 1"),  # what an earlier iteration has written
        ("%vi + 2", "%vi"),
        ("%vi * 3", "%vi * 3 + 2"),  # never the same element
        ("%vi * 3", "%vi * 3"),
        ("%vi", "%vi + 14"),
    ],
)
def test_merge(check, first, second):
    x = np.random.default_rng(3).normal(size=6).astype(np.float32)
    text = str(check(pair(first, second), ["merge p/i c/j"], {"x": x}))
    assert '"j"' not in text


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (pair("%vi", "%vi + 1"), ["merge p/i c/j"], "an iteration of loop j needs a later one of loop i to have run"),
        (pair("%vi", "-%vi + 5"), ["merge p/i c/j"], "%T, touched by block p and block c"),
        (pair("%vi", "%vi", "0 to 5"), ["merge p/i c/j"], "the bounds of loops i and j differ"),
        (pair("%vi", "%vi"), ["merge c/j p/i"], "the second does not come after the first"),
        (pair("%vi", "%vi"), ["merge zero/z c/j"], "stands between"),
        (pair("%vi", "%vi"), ["kind parallel p/i", "merge p/i c/j"], "are parallel and serial"),
        (
            pair("%vi + 1", "%vi"),
            ["kind parallel p/i", "kind parallel c/j", "merge p/i c/j"],
            "are parallel, but different iterations meet",
        ),
        (pair("%vi", "%vi"), ["merge p/i p/i"], "are one loop"),
    ],
)
def test_merge_refuses(refused, text, steps, reason):
    refused(text, steps, reason)


def test_merge_of_tiles(check):
    """Rows split alike merge: what meets, meets within a tile."""
    x = np.random.default_rng(4).normal(size=6).astype(np.float32)
    steps = ["split p/i 4", "split c/j 4 i.outer j.inner", "merge p/i.outer c/i.outer"]
    check(pair("%vi", "%vi"), steps, {"x": x})


# -- kind -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["parallel", "vectorized", "unrolled", "serial"])
def test_kinds(check, kind):
    text = str(check(matmul(3, 8, 4), [f"kind {kind} mm/j"], matrices(3, 8, 4)))
    assert (f'"j" %j = 0 to 8 {kind}' in text) == (kind != "serial")


def test_kind_may_be_written_after_the_loop(check):
    assert "8 vectorized" in str(check(matmul(3, 8, 4), ["kind mm/j vectorized"], matrices(3, 8, 4)))


def test_kind_of_a_fused_loop(check):
    """`floordiv` and `mod` of one variable are an element of their own, by its address."""
    check(matmul(4, 6, 3), ["fuse mm/i mm/j", "kind parallel mm/i.j"], matrices(4, 6, 3))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["kind parallel mm/k"], "step 'kind parallel mm/k': k feeds a reduce axis of mm"),
        (["kind vectorized mm/k"], "k feeds a reduce axis of mm"),  # B061
        (["decompose mm", "kind vectorized mm/k"], "k feeds a reduce axis of mm"),
        (["split mm/j 3", "kind vectorized mm/j.inner"], "the extent of loop j.inner is not constant"),
        (["split mm/j 3", "kind unrolled mm/j.inner"], "the extent of loop j.inner is not constant"),
        (["kind fast mm/j"], "'fast' is no kind: it is one of serial, parallel, vectorized, unrolled"),
        (["kind mm/j"], "the kind is missing: one of serial, parallel, vectorized, unrolled"),
    ],
)
def test_kind_refuses(refused, steps, reason):
    refused(matmul(3, 8, 4), steps, reason)


def test_kind_refuses_an_ordered_axis(refused):
    refused(SCAN, ["kind vectorized scan/j"], "j feeds an ordered axis of scan")


def test_kind_refuses_a_shifted_loop(refused):
    """B063: a vectorized loop is lanes 0 to n."""
    refused(ewise("12").replace("= 0 to 12", "= 4 to 12"), ["kind vectorized fma/i"], "loop i does not start at 0")


def test_kind_refuses_an_early_exit(refused):
    """B064: what may leave early is not a lane."""
    text = ewise("8").replace(
        'loop.block "fma"',
        """%w = loop.while (%q = %i) {
      %t = arith.constant true
      loop.condition %t, %q
    } do (%r) {
      loop.yield %r
    }
    loop.block "fma\"""",
    )
    refused(text, ["kind vectorized fma/i"], "contains 'loop.while', which may leave early")


def test_kind_of_one_lane(check):
    """B066: one lane is as good as any number."""
    check(ewise("5"), ["split fma/i 1", "kind vectorized fma/i.inner"], vector(5))


def test_kind_refuses_what_meets(refused):
    text = ewise("8").replace("writes(%y[%vi])", "writes(%y[%vi floordiv 2])")
    refused(text, ["kind parallel fma/i"], "two iterations of i may meet in %y, touched by block fma")


def test_reading_a_neighbour_is_no_lane(refused):
    text = ewise("7").replace("reads(%a = %x[%vi])", "reads(%a = %y[%vi - 1] else 0.0 : f32)")
    refused(text, ["kind vectorized fma/i"], "two iterations of i may meet in %y")
