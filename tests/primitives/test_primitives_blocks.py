"""inline, epilogue, compute-at, contract, decompose, cache-write, rfactor: the same values, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

HEAD = "attributes {outputs_count = 1 : i64}"


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def stages(m: int, n: int, read: str = "%T[%vi, %vj]", pad: str = "") -> str:
    """T = x * 2 + i, y = T - b: `read` is how the second block reads T."""
    return f"""
func.func @f(%x: memref<{m}x{n}xf32>, %b: memref<{n}xf32>, %y: memref<{m}x{n}xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<{m}x{n}xf32>
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.block "p" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%T[%vi, %vj]) {{
        %two = arith.constant 2.0 : f32
        %k = arith.index_cast %vi : index to i32
        %f = arith.sitofp %k : i32 to f32
        %d = arith.mulf %a, %two : f32
        %s = arith.addf %d, %f : f32
        loop.yield %s
      }}
    }}
  }}
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = {read}{pad}, %c = %b[%vj])
          writes(%y[%vi, %vj]) {{
        %s = arith.subf %a, %c : f32
        loop.yield %s
      }}
    }}
  }}
  func.return
}}
"""


# -- inline -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (0, 3), (5, 0)])
@pytest.mark.parametrize("read", ["%T[%vi, %vj]", "%T[%vi, -%vj + {last}]", "%T[0, %vj]", "%T[%vi, (%vj floordiv 2)]"])
def test_inline(check, shape, read):
    m, n = shape
    text = stages(m, n, read.format(last=n - 1))
    inputs = {"x": random(m, n), "b": random(n, seed=1)}
    module = str(check(text, ["inline p c"], inputs))
    assert "alloc" not in module
    assert module.count("loop.block") == 1


def test_inline_of_a_split_producer(check):
    inputs = {"x": random(6, 4), "b": random(4, seed=1)}
    check(stages(6, 4), ["split p/i 4", "reorder p/j p/i.inner", "split c/j 3", "inline p c"], inputs)


def test_inline_into_several_reads(check):
    text = (
        stages(4, 5)
        .replace("%c = %b[%vj])", "%c = %b[%vj], %e = %T[0, %vj], %g = %T[%vi, %vj])")
        .replace(
            "%s = arith.subf %a, %c : f32",
            "%t = arith.subf %a, %c : f32\n%u = arith.mulf %t, %e : f32\n%s = arith.addf %u, %g : f32",
        )
    )
    module = str(check(text, ["inline p c"], {"x": random(4, 5), "b": random(5, seed=1)}))
    # the two reads of T at one place are one read of x
    assert module.count("= %x[") == 2


def test_inline_into_a_reduction(check):
    text = (
        stages(4, 5)
        .replace("memref<4x5xf32>) attributes", "memref<4x1xf32>) attributes")
        .replace(
            'loop.block "c" (%vi : spatial = %i, %vj : spatial = %j)',
            'loop.block "c" (%vi : spatial = %i, %vj : reduce = %j)',
        )
    )
    text = text.replace(
        "writes(%y[%vi, %vj]) {", "writes(%o = %y[%vi, 0]) init {\n%z = arith.constant 0.0 : f32\nloop.yield %z\n} {"
    )
    text = text.replace("%s = arith.subf %a, %c : f32", "%t = arith.subf %a, %c : f32\n%s = arith.addf %o, %t : f32")
    check(text, ["inline p c", "split c/j 2"], {"x": random(4, 5), "b": random(5, seed=1)})


def test_inline_takes_the_map_of_what_is_read(refused):
    """B006: of a producer with two results, the map of the one that is read decides; such a producer stays."""
    text = f"""
func.func @f(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<4x4xf32>
  %D = loop.alloc "global" : memref<4x4xf32>
  loop.for "i" %i = 0 to 4 {{
    loop.for "j" %j = 0 to 4 {{
      loop.block "p" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj])
          writes(%T[%vi, %vj], %D[%vi, %vi]) {{
        loop.yield %a, %a
      }}
    }}
  }}
  loop.for "i" %i = 0 to 4 {{
    loop.for "j" %j = 0 to 4 {{
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %D[%vi, %vi]) writes(%y[%vi, %vj]) {{
        loop.yield %a
      }}
    }}
  }}
  func.return
}}
"""
    refused(text, ["inline p c"], "block p writes 2 buffers")


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (stages(3, 4, pad=" else 0.0 : f32"), ["inline p c"], "block c pads its read of block p"),
        (stages(3, 4), ["inline c p"], "block p reads nothing that block c writes"),
        (stages(3, 4), ["inline p p"], "block p is named twice"),
        (stages(3, 4), ["inline p q"], "has no block 'q'"),
        (stages(3, 4), ["inline p c/i"], "the consumer is a block, not a loop"),
        (
            stages(3, 4, "%T[%vi, %vj], %q = %T[0, 0]").replace("writes(%T[%vi, %vj])", "writes(%T[%vi, 0])"),
            ["inline p c"],
            "block p writes other than plain, different axes",
        ),
        (
            stages(3, 4).replace("%T[%vi, %vj]) {", "%T[%vi, %vi]) {"),
            ["inline p c"],
            "other than plain, different axes",
        ),
    ],
)
def test_inline_refuses(refused, text, steps, reason):
    refused(text, steps, reason)


def test_inline_refuses_a_second_reader(refused):
    text = stages(3, 4).replace(
        "  func.return",
        """  loop.for "i" %i = 0 to 3 {
    loop.block "d" (%vi : spatial = %i) reads(%a = %T[%vi, 0]) writes(%y[%vi, 0]) {
      loop.yield %a
    }
  }
  func.return""",
    )
    refused(text, ["inline p c"], "the buffer of block p is used by block d as well")


def test_inline_refuses_what_is_written_between(refused):
    text = (
        stages(3, 4)
        .replace("%y: memref", "%w: memref<1xf32>, %y: memref")
        .replace(
            '  loop.for "i" %i = 0 to 3 {\n    loop.for "j" %j = 0 to 4 {\n      loop.block "c"',
            '''  loop.block "w" () reads(%a = %w[0]) writes(%x[0, 0]) {
    loop.yield %a
  }
  loop.for "i" %i = 0 to 3 {
    loop.for "j" %j = 0 to 4 {
      loop.block "c"''',
        )
    )
    refused(text, ["inline p c"], "what block p reads may be written before block c runs")


def test_inline_refuses_an_output(refused):
    text = (
        stages(3, 4)
        .replace("%b: memref", "%T: memref<3x4xf32>, %b: memref")
        .replace('%T = loop.alloc "global" : memref<3x4xf32>\n', "")
    )
    refused(text, ["inline p c"], "the buffer that block p writes is seen outside of the function")


def test_inline_refuses_an_index_that_is_computed(refused):
    text = f"""
func.func @f(%x: memref<4xi64>, %v: memref<9xf32>, %y: memref<4xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<4xi64>
  loop.for "i" %i = 0 to 4 {{
    loop.block "p" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%T[%vi]) {{
      %s = arith.addi %a, %a : i64
      loop.yield %s
    }}
  }}
  loop.for "i" %i = 0 to 4 {{
    loop.block "c" (%vi : spatial = %i) reads(%g = %T[%vi], %a = %v[%g]) writes(%y[%vi]) {{
      loop.yield %a
    }}
  }}
  func.return
}}
"""
    refused(text, ["inline p c"], "block c indexes by what block p computes")


def test_inline_into_a_gather(check):
    text = f"""
func.func @f(%ids: memref<4xi64>, %v: memref<9xf32>, %y: memref<4xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<9xf32>
  loop.for "i" %i = 0 to 9 {{
    loop.block "p" (%vi : spatial = %i) reads(%a = %v[%vi]) writes(%T[%vi]) {{
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }}
  }}
  loop.for "i" %i = 0 to 4 {{
    loop.block "c" (%vi : spatial = %i) reads(%g = %ids[%vi], %a = %T[%g]) writes(%y[%vi]) {{
      loop.yield %a
    }}
  }}
  func.return
}}
"""
    check(text, ["inline p c"], {"ids": np.array([8, 0, 3, 3]), "v": random(9)})


# -- reductions -------------------------------------------------------------------------------------------------------


def matmul(m: int, n: int, k: int, after: str = "") -> str:
    """C = A @ B into a buffer, then y = max(C + b, 0)."""
    return f"""
func.func @f(%A: memref<{m}x{k}xf32>, %B: memref<{k}x{n}xf32>, %b: memref<{n}xf32>, %y: memref<{m}x{n}xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<{m}x{n}xf32>
  %U = loop.alloc "global" : memref<{m}x{n}xf32>
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.for "k" %k = 0 to {k} {{
        loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%lhs = %A[%vi, %vk], %rhs = %B[%vk, %vj]) writes(%c = %T[%vi, %vj]) init {{
          %z = arith.constant 0.0 : f32
          loop.yield %z
        }} {{
          %p = arith.mulf %lhs, %rhs : f32
          %s = arith.addf %c, %p : f32
          loop.yield %s
        }}
      }}
    }}
  }}
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.block "add" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%a = %T[%vi, %vj], %c = %b[%vj]) writes(%U[%vi, %vj]) {{
        %s = arith.addf %a, %c : f32
        loop.yield %s
      }}
    }}
  }}
  loop.for "i" %i = 0 to {m} {{
    loop.for "j" %j = 0 to {n} {{
      loop.block "relu" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %U[%vi, %vj]) writes(%y[%vi, %vj]) {{
        %z = arith.constant 0.0 : f32
        %s = arith.maximumf %a, %z : f32
        loop.yield %s
      }}
    }}
  }}
  {after}
  func.return
}}
"""


def operands(m: int, n: int, k: int) -> dict[str, np.ndarray]:
    return {"A": random(m, k, seed=1), "B": random(k, n, seed=2), "b": random(n, seed=3)}


SHAPES = [(3, 5, 4), (1, 1, 1), (2, 3, 0), (0, 2, 3), (2, 0, 3), (4, 4, 7)]


@pytest.mark.parametrize("shape", SHAPES)
def test_decompose(check, shape):
    module = str(check(matmul(*shape), ["decompose mm"], operands(*shape)))
    assert '"mm.init"' in module
    assert "init {" not in module


@pytest.mark.parametrize("shape", SHAPES)
def test_decompose_with_a_reduce_loop_outside(check, shape):
    """The init runs for every element before the first reduce iteration, and runs where there is none."""
    check(matmul(*shape), ["reorder mm/k mm/i mm/j", "split mm/j 2", "decompose mm"], operands(*shape))


def test_decompose_refuses_twice(refused):
    refused(matmul(2, 3, 4), ["decompose mm", "decompose mm"], "block mm has no init")


def test_decompose_refuses_where_sums_are_read_before_they_are_done(refused):
    text = f"""
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<1xf32>
  loop.for "k" %k = 0 to 4 {{
    loop.block "sum" (%vk : reduce = %k) reads(%a = %x[%vk]) writes(%s = %T[0]) init {{
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }} {{
      %t = arith.addf %s, %a : f32
      loop.yield %t
    }}
    loop.block "so_far" (%vk : spatial = %k) reads(%a = %T[0]) writes(%y[%vk]) {{
      loop.yield %a
    }}
  }}
  func.return
}}
"""
    refused(text, ["decompose sum"], "the buffer of block sum is used by block so_far in its reduce loops")


TILE = [
    "split mm/i 2",
    "split mm/j 4",
    "reorder mm/i.outer mm/j.outer mm/k mm/i.inner mm/j.inner",
]


@pytest.mark.parametrize("scope", ["", "local", "register"])
@pytest.mark.parametrize("shape", [(4, 8, 3), (2, 4, 0), (4, 4, 7), (0, 4, 2)])
def test_cache_write(check, shape, scope):
    module = str(check(matmul(*shape), [*TILE, f"cache-write mm/j.outer {scope}"], operands(*shape)))
    assert f'loop.alloc "{scope or "register"}" : memref<2x4xf32>' in module
    for label in ("mm.init", "mm", "mm.out"):
        assert f'"{label}"' in module


@pytest.mark.parametrize("k", [1, 4, 7])
def test_cache_write_inside_a_reduce_loop_reloads(check, k):
    steps = ["split mm/k 4", "reorder mm/k.outer mm/i mm/j mm/k.inner", "cache-write mm/j"]
    module = str(check(matmul(3, 5, k), steps, operands(3, 5, k)))
    assert '"mm.reload"' in module


def test_cache_write_of_a_single_element(check):
    """What stood for the block while it was rebuilt is gone: nothing outside of the module uses the tile."""
    module = check(matmul(2, 3, 4), ["cache-write mm/k"], operands(2, 3, 4))
    assert '"mm.reload"' in str(module)
    for op in module.walk():
        for result in op.results:
            assert all(module.is_ancestor(use.operation) for use in result.uses)


def test_cache_write_of_padded_columns_clips_only_the_write_back(check):
    steps = ["pad mm/j 4", *TILE, "cache-write mm/j.outer"]
    module = str(check(matmul(4, 6, 3), steps, operands(4, 6, 3)))
    assert module.count("clip") == 1


@pytest.mark.parametrize(
    ("shape", "steps", "reason"),
    [
        ((5, 8, 3), [*TILE, "cache-write mm/j.outer"], "the extent of loop i.inner in the tile is not constant"),
        ((4, 8, 3), ["decompose mm", "cache-write mm/i"], "loop i contains 2 blocks, not one"),
        ((4, 8, 3), ["decompose mm", "cache-write mm/k"], "block mm has no init"),
        (
            (4, 8, 0),
            ["reorder mm/k mm/i mm/j", "cache-write mm/i"],
            "reduce loop k of block mm lies around the tile and may not run",
        ),
        ((4, 8, 3), ["cache-write mm/i rom"], "'rom' is too much"),
    ],
)
def test_cache_write_refuses(refused, shape, steps, reason):
    refused(matmul(*shape), steps, reason)


MAXIMUM = f"""
func.func @f(%x: memref<3x13xf32>, %y: memref<3xf32>) {HEAD} {{
  loop.for "i" %i = 0 to 3 {{
    loop.for "k" %k = 0 to 13 {{
      loop.block "max" (%vi : spatial = %i, %vk : reduce = %k) reads(%a = %x[%vi, %vk]) writes(%m = %y[%vi]) init {{
        %z = arith.constant 0xff800000 : f32
        loop.yield %z
      }} {{
        %s = arith.maximumf %m, %a : f32
        loop.yield %s
      }}
    }}
  }}
  func.return
}}
"""


def test_rfactor_of_a_maximum(check):
    """All-negative rows, a row of -inf, a row with NaN."""
    x = -np.abs(random(3, 13)) - 1
    x[1] = -np.inf
    with_nan = x.copy()
    with_nan[2, 7] = np.nan
    steps = ["pad max/k 4", "split max/k 4", "rfactor max/k.inner", "kind vectorized max.partial/k.inner"]
    module = str(check(MAXIMUM, steps, {"x": x}, {"x": with_nan}))
    assert '"max.partial"' in module


def test_rfactor_of_a_sum_where_allowed(check):
    """Terms that are small integers, so that every order gives the same bits."""
    inputs = {name: np.round(a * 4) for name, a in operands(3, 5, 7).items()}
    check(matmul(3, 5, 7), ["split mm/k 3", "rfactor mm/k.outer reassociates"], inputs)


@pytest.mark.parametrize("outer", ["k.inner", "k.outer"])
def test_rfactor_with_the_reduction_outside(check, outer):
    steps = ["split max/k 13 k.outer k.inner", "reorder max/k.outer max/i max/k.inner", f"rfactor max/{outer}"]
    x = -np.abs(random(3, 13)) - 1
    check(MAXIMUM, steps, {"x": x})


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (matmul(3, 5, 4), ["rfactor mm/k"], "block mm sums floats, which would change its order"),
        (matmul(3, 5, 4), ["rfactor mm/i"], "loop i reduces 0 blocks, not one"),
        (MAXIMUM.replace("0xff800000", "0.0"), ["rfactor max/k"], "the init of block max is not a neutral constant"),
        (MAXIMUM, ["split max/k 3", "rfactor max/k.inner"], "the bounds of loop k.inner depend on loops inside"),
        (MAXIMUM.replace("arith.maximumf", "arith.subf"), ["rfactor max/k"], "does not combine by one op"),
    ],
)
def test_rfactor_refuses(refused, text, steps, reason):
    refused(text, steps, reason)


# -- epilogue ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(4, 8, 3), (2, 4, 0), (4, 4, 7), (0, 4, 2)])
def test_epilogue(check, shape):
    steps = ["inline add relu", *TILE, "cache-write mm/j.outer", "epilogue mm.out relu"]
    module = str(check(matmul(*shape), steps, operands(*shape)))
    assert '"mm.out.relu"' in module
    assert "%T" not in module


def test_epilogue_of_an_element_passed_on_in_one_iteration(check):
    steps = ["merge p/i c/i", "merge p/j c/j", "contract p p/i", "contract p p/j", "epilogue p c"]
    module = str(check(stages(3, 4), steps, {"x": random(3, 4), "b": random(4, seed=1)}))
    assert "loop.if" not in module
    assert "alloc" not in module


def test_epilogue_in_every_part_of_a_peeled_nest(check):
    steps = [
        "inline add relu",
        "peel mm/i 4",
        *TILE,
        "cache-write mm/j.outer",
        "cache-write mm.tail/j",
        "epilogue mm.tail.out relu",
    ]
    module = str(check(matmul(5, 8, 3), steps, operands(5, 8, 3)))
    assert '"mm.out.relu"' in module
    assert '"mm.tail.out.relu"' in module
    assert "%T" not in module


@pytest.mark.parametrize("k", [1, 4, 7])
def test_epilogue_in_the_last_trip_of_a_reduce_loop(check, k):
    steps = [
        "inline add relu",
        "split mm/k 4",
        "reorder mm/k.outer mm/i mm/j mm/k.inner",
        "cache-write mm/j",
        "epilogue mm.out relu",
    ]
    module = str(check(matmul(3, 5, k), steps, operands(3, 5, k)))
    assert "loop.if" in module


def test_epilogue_of_padded_columns(check):
    steps = ["inline add relu", "pad mm/j 4", *TILE, "cache-write mm/j.outer", "epilogue mm.out relu"]
    check(matmul(4, 6, 3), steps, operands(4, 6, 3))


RESIDUAL = """
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "late" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %y[%vi, %vj]) writes(%y[%vi, %vj]) {
        loop.yield %a
      }
    }
  }
"""


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (matmul(4, 8, 3), ["epilogue mm add"], "block mm updates the buffer: accumulate in a tile first"),
        (
            matmul(4, 8, 3),
            [*TILE, "cache-write mm/j.outer", "split add/i 2", "epilogue mm.out add"],
            "does not run through all of dim 0",
        ),
        (
            matmul(4, 8, 3),
            [*TILE, "cache-write mm/j.outer", "epilogue mm.out relu"],
            "block relu reads nothing that block mm.out writes",
        ),
        (
            matmul(4, 8, 3).replace("%a = %T[%vi, %vj], %c", "%a = %T[%vi, %vj], %q = %T[%vi, 0], %c"),
            [*TILE, "cache-write mm/j.outer", "epilogue mm.out add"],
            "block add reads the buffer 2 times",
        ),
        (
            matmul(4, 8, 3, RESIDUAL.replace("%y[%vi, %vj])", "%T[%vi, %vj])", 1)),
            [*TILE, "cache-write mm/j.outer", "epilogue mm.out add"],
            "the buffer is read by block late as well",
        ),
    ],
)
def test_epilogue_refuses(refused, text, steps, reason):
    refused(text, steps, reason)


# -- compute-at and contract ------------------------------------------------------------------------------------------


def blur(rows: int, columns: int) -> str:
    """T = x + x[right], y[i, j] = T[i, j] + T[i + 1, j] + T[i + 2, j]: boxes that overlap by two rows."""
    return f"""
func.func @f(%x: memref<{rows + 2}x{columns + 1}xf32>, %y: memref<{rows}x{columns}xf32>) {HEAD} {{
  %T = loop.alloc "global" : memref<{rows + 2}x{columns}xf32>
  loop.for "r" %r = 0 to {rows + 2} {{
    loop.for "c" %c = 0 to {columns} {{
      loop.block "h" (%vr : spatial = %r, %vc : spatial = %c)
          reads(%a = %x[%vr, %vc], %b = %x[%vr, %vc + 1]) writes(%T[%vr, %vc]) {{
        %s = arith.addf %a, %b : f32
        loop.yield %s
      }}
    }}
  }}
  loop.for "i" %i = 0 to {rows} {{
    loop.for "j" %j = 0 to {columns} {{
      loop.block "v" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%a = %T[%vi, %vj], %b = %T[%vi + 1, %vj], %d = %T[%vi + 2, %vj]) writes(%y[%vi, %vj]) {{
        %s = arith.addf %a, %b : f32
        %t = arith.addf %s, %d : f32
        loop.yield %t
      }}
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize("shape", [(5, 4), (1, 1), (0, 3), (8, 7)])
@pytest.mark.parametrize("split", [[], ["split v/i 2"], ["split v/i 3", "split v/j 2"]])
def test_compute_at_recomputes_where_boxes_overlap(check, shape, split):
    loop = "i.outer" if split else "i"
    text = str(check(blur(*shape), [*split, f"compute-at h v/{loop}"], {"x": random(shape[0] + 2, shape[1] + 1)}))
    assert text.index('"i') < text.index('"h"')


def test_compute_at_of_a_reduction(check):
    steps = ["inline add relu", "compute-at mm relu/i"]
    check(matmul(4, 5, 3), steps, operands(4, 5, 3))


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (blur(5, 4), ["split h/r 2", "compute-at h v/i"], "is not one loop: compute it there before it is split"),
        (
            blur(5, 4).replace("%T[%vi, %vj],", "%T[%vi, %vj] else 0.0 : f32,"),
            ["compute-at h v/i"],
            "block v pads its read of block h",
        ),
        (
            blur(5, 4).replace("%T[%vi, %vj],", "%T[0, %vj],"),
            ["compute-at h v/i"],
            "block v reads boxes at no constant distance",
        ),
        (
            blur(5, 4),
            ["kind parallel v/i", "compute-at h v/i"],
            "loop i is parallel: its iterations would write the same",
        ),
        (blur(5, 4), ["compute-at v h/r"], "block v is read by 0 blocks in loop r"),
        (matmul(2, 3, 4), ["decompose mm", "inline add relu", "compute-at mm relu/i"], "used by block mm.init as well"),
    ],
)
def test_compute_at_refuses(refused, text, steps, reason):
    refused(text, steps, reason)


def test_contract(check):
    """Rows merged, the intermediate is one row, then one element."""
    steps = ["merge p/i c/i", "contract p p/i"]
    inputs = {"x": random(3, 4), "b": random(4, seed=1)}
    assert 'loop.alloc "local" : memref<4xf32>' in str(check(stages(3, 4), steps, inputs))
    steps += ["merge p/j c/j", "contract p p/j register"]
    assert 'loop.alloc "register" : memref<f32>' in str(check(stages(3, 4), steps, inputs))


def test_contract_of_dynamic_dims(check):
    text = """
func.func @f(%m: index, %n: index, %x: memref<?x?xf32>, %y: memref<?x?xf32>)
    attributes {dims = ["m", "n"], outputs_count = 1 : i64} {
  loop.shape %x[%m, %n]
  loop.shape %y[%m, %n]
  %T = loop.alloc "global" [%m, %n] : memref<?x?xf32>
  loop.for "i" %i = 0 to %m {
    loop.for "j" %j = 0 to %n {
      loop.block "p" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%T[%vi, %vj]) {
        %s = arith.addf %a, %a : f32
        loop.yield %s
      }
    }
  }
  loop.for "i" %i = 0 to %m {
    loop.for "j" %j = 0 to %n {
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %T[%vi, %vj]) writes(%y[%vi, %vj]) {
        loop.yield %a
      }
    }
  }
  func.return
}
"""
    module = str(
        check(text, ["merge p/i c/i", "contract p p/i"], *({"x": random(*s)} for s in [(3, 4), (0, 2), (2, 0)]))
    )
    assert 'loop.alloc "local" [%n]' in module


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["contract p p/i"], "the buffer of block p is used outside of loop i, by block c"),
        (["merge p/i c/i", "contract p p/j"], "the buffer of block p is not allocated next to loop j"),
        (["contract c c/i"], "the buffer that block c writes is seen outside of the function"),
        (["merge p/i c/i", "contract p"], "the loop is missing"),
    ],
)
def test_contract_refuses(refused, steps, reason):
    refused(stages(3, 4), steps, reason)


def test_contract_refuses_another_index(refused):
    refused(stages(3, 4, "%T[0, %vj]"), ["merge p/i c/i", "contract p p/i"], "no dim of the buffer of block p")


def test_merge_refuses_loops_of_two_nests(refused):
    refused(stages(3, 4), ["merge p/j c/j"], "do not stand in one body")
