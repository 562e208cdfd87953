"""Programs before and after the way to vectors: the same bits in every output."""

from types import SimpleNamespace

import numpy as np
import pytest
from stepwell.conversions.flatten_storage import FlattenStoragePass
from stepwell.conversions.loop_to_simd import ConvertLoopToSimdPass
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines import new_context
from stepwell.rewriting import verify, walk
from xdsl.context import Context

TARGETS = ("generic", "c-vector", "avx2", "avx512")


def parse_verified(text):
    module = parse(text, "program.mlir", new_context())
    verify(module)
    return module


def converted(module, target, strict=True, flat=True):
    """A copy of the module after the conversion; nothing is left that it promises to take away."""
    module = module.clone()
    if flat:
        FlattenStoragePass().apply(Context(), module)
        verify(module)
    ConvertLoopToSimdPass(target=target, strict=strict).apply(Context(), module)
    verify(module)
    for op in walk(module):
        assert op.name != "loop.block"
        if op.name == "loop.for":
            assert op.kind.data in ("serial", "parallel")
        if op.name == "loop.alloc":
            assert op.scope.data != "register"
        if target == "generic":
            assert not op.name.startswith("simd.")
    return module


def names(module):
    """How often each op is there."""
    count = {}
    for op in walk(module):
        count[op.name] = count.get(op.name, 0) + 1
    return count


def assert_same_bits(found, expected):
    """Equal in every bit, but for the bits of NaN."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype.kind == "f":
            nan = np.isnan(b)
            np.testing.assert_array_equal(np.isnan(a), nan)
            a, b = np.where(nan, 0, a), np.where(nan, 0, b)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b))
        np.testing.assert_array_equal(a, b)


def check(text, inputs, expected=None, targets=TARGETS):
    """
    Run a program as blocks and after the conversion for every target, flat and shaped: the same bits everywhere.

    `expected`: what NumPy says; then the blocks are compared with it too.
    """
    module = parse_verified(text)
    blocks = run(module, None, inputs)
    if expected is not None:
        assert_same_bits(blocks, expected)
    for target in targets:
        assert_same_bits(run(converted(module, target), None, inputs), blocks)
    assert_same_bits(run(converted(module, "avx2", flat=False), None, inputs), blocks)


SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, -1.0, 1.0], np.float32)


def floats(seed, *shape, dtype=np.float32):
    """Numbers with a few special ones among them."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape).astype(dtype)
    flat = values.reshape(-1)
    for n in range(0, flat.size, 5):
        flat[n] = SPECIAL[rng.integers(len(SPECIAL))]
    return values


def plain(seed, *shape, dtype=np.float32):
    """Numbers without special ones."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def elementwise(extent, body, lower=0, kind="vectorized", element="f32", reads="%x = %a[%vi], %y = %b[%vi]"):
    size = lower + extent
    return f"""
func.func @main(%a: memref<{size}x{element}>, %b: memref<{size}x{element}>, %c: memref<{size}x{element}>) {{
  loop.for "i" %i = {lower} to {size} {kind} {{
    loop.block "b" (%vi : spatial = %i) reads({reads}) writes(%c[%vi]) {{
      {body}
      loop.yield %z
    }}
  }}
  func.return
}}"""


def padded(extent, low, high, clip="", element="f32", value="2.5"):
    """`c[i] = a[i - low] else value`, for as many elements as the padded array has."""
    total = extent + low + high
    return f"""
func.func @main(%a: memref<{extent}x{element}>, %c: memref<{total}x{element}>) {{
  loop.for "i" %i = 0 to {total} vectorized {{
    loop.block "pad" (%vi : spatial = %i) reads(%x = %a[%vi - {low}] else {value} : {element}) writes(%c[%vi]){clip} {{
      %z = arith.addf %x, %x : {element}
      loop.yield %z
    }}
  }}
  func.return
}}"""


def rounded_up(lanes):
    """An elementwise loop and a row sum over a size known at run time, in steps of `lanes`: what `pad_loop` makes."""
    return f"""
func.func @main(%n: index, %x: memref<3x?xf32>, %y: memref<3x?xf32>, %s: memref<3xf32>) {{
  loop.shape %x[3, %n]
  loop.shape %y[3, %n]
  loop.for "i" %i = 0 to 3 {{
    loop.for "j.outer" %jo = 0 to (%n + {lanes - 1}) floordiv {lanes} {{
      loop.for "j.inner" %ji = 0 to {lanes} vectorized {{
        loop.block "double" (%vi : spatial = %i, %vj : spatial = %jo * {lanes} + %ji)
            reads(%a = %x[%vi, %vj] else 0xff800000 : f32) writes(%y[%vi, %vj]) clip {{
          %b = arith.addf %a, %a : f32
          loop.yield %b
        }}
        loop.block "max" (%vi : spatial = %i, %vj : reduce = %jo * {lanes} + %ji)
            reads(%a = %x[%vi, %vj] else 0xff800000 : f32) writes(%m = %s[%vi]) init {{
          %k = arith.constant 0xff800000 : f32
          loop.yield %k
        }} {{
          %b = arith.maximumf %m, %a : f32
          loop.yield %b
        }}
      }}
    }}
  }}
  func.return
}}"""


def tile(m, n, k, rows, columns, kind="unrolled"):
    """A matrix product with a register tile of `rows` times `columns`, which divide `m` and `n`."""
    return f"""
func.func @main(%a: memref<{m}x{k}xf32>, %b: memref<{k}x{n}xf32>, %c: memref<{m}x{n}xf32>) {{
  loop.for "io" %io = 0 to {m // rows} {{
    loop.for "jo" %jo = 0 to {n // columns} {{
      %t = loop.alloc "register" : memref<{rows}x{columns}xf32>
      loop.for "ii" %ii = 0 to {rows} {kind} {{
        loop.for "ji" %ji = 0 to {columns} vectorized {{
          loop.block "zero" (%vi : spatial = %ii, %vj : spatial = %ji) reads() writes(%t[%vi, %vj]) {{
            %z = arith.constant 0.0 : f32
            loop.yield %z
          }}
        }}
      }}
      loop.for "k" %k = 0 to {k} {{
        loop.for "ii" %ii = 0 to {rows} {kind} {{
          loop.for "ji" %ji = 0 to {columns} vectorized {{
            loop.block "matmul" (%vi : spatial = %io * {rows} + %ii, %vj : spatial = %jo * {columns} + %ji,
                                 %vk : reduce = %k, %ti : spatial = %ii, %tj : spatial = %ji)
                reads(%x = %a[%vi, %vk], %y = %b[%vk, %vj]) writes(%o = %t[%ti, %tj]) {{
              %p = arith.mulf %x, %y : f32
              %q = arith.addf %o, %p : f32
              loop.yield %q
            }}
          }}
        }}
      }}
      loop.for "ii" %ii = 0 to {rows} {kind} {{
        loop.for "ji" %ji = 0 to {columns} vectorized {{
          loop.block "out" (%vi : spatial = %io * {rows} + %ii, %vj : spatial = %jo * {columns} + %ji,
                            %ti : spatial = %ii, %tj : spatial = %ji)
              reads(%x = %t[%ti, %tj]) writes(%c[%vi, %vj]) {{
            %z = arith.constant 0.0 : f32
            %r = arith.maximumf %x, %z : f32
            loop.yield %r
          }}
        }}
      }}
    }}
  }}
  func.return
}}"""


@pytest.fixture(scope="session")
def programs():
    """What the tests here share."""
    return SimpleNamespace(
        TARGETS=TARGETS,
        assert_same_bits=assert_same_bits,
        check=check,
        converted=converted,
        elementwise=elementwise,
        floats=floats,
        names=names,
        padded=padded,
        parse_verified=parse_verified,
        plain=plain,
        rounded_up=rounded_up,
        tile=tile,
    )
