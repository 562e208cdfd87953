"""cache-read: a copy of what is read gives the same values, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.interpreters.run import run

HEAD = "attributes {outputs_count = 1 : i64}"


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def window(size: int, kernel: int, stride: int, pad: int, dilation: int = 1, padded: str = "else 0.5 : f32") -> str:
    """y[o, i] = sum over k of w[o, k] * x[stride * i + dilation * k - pad]"""
    count = (size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1
    return f"""
func.func @f(%x: memref<{size}xf32>, %w: memref<3x{kernel}xf32>, %y: memref<3x{count}xf32>) {HEAD} {{
  loop.for "o" %o = 0 to 3 {{
    loop.for "i" %i = 0 to {count} {{
      loop.for "k" %k = 0 to {kernel} {{
        loop.block "conv" (%vo : spatial = %o, %vi : spatial = %i, %vk : reduce = %k)
            reads(%a = %x[%vi * {stride} + %vk * {dilation} - {pad}] {padded if pad else ""}, %b = %w[%vo, %vk])
            writes(%s = %y[%vo, %vi]) init {{
          %z = arith.constant 0.0 : f32
          loop.yield %z
        }} {{
          %m = arith.mulf %a, %b : f32
          %t = arith.addf %s, %m : f32
          loop.yield %t
        }}
      }}
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize("form", ["", " box 1", " 2", " 3", " points"])
@pytest.mark.parametrize(
    ("size", "kernel", "stride", "pad", "dilation"),
    [
        (7, 3, 1, 1, 1),
        (7, 3, 1, 0, 1),
        (8, 3, 2, 1, 1),
        (9, 2, 3, 2, 2),
        (5, 1, 2, 0, 1),
        (1, 1, 1, 0, 1),
        (4, 3, 1, 4, 1),
    ],
)
def test_cache_read(check, form, size, kernel, stride, pad, dilation):
    text = window(size, kernel, stride, pad, dilation)
    module = str(check(text, [f"cache-read conv 0{form}"], {"x": random(size), "w": random(3, kernel)}))
    assert '"conv.read"' in module
    assert module.count("else") == 1  # in the copy


def test_phases_make_a_strided_read_plain(check):
    text = window(8, 3, 2, 1)
    module = str(check(text, ["cache-read conv 0 2"], {"x": random(8), "w": random(3, 3)}))
    assert "%x_read[(%vk mod 2), %vi + (%vk floordiv 2)]" in module


def test_what_is_read_can_be_scheduled_on(check):
    steps = ["cache-read conv 0 points", "cache-read conv 1", "split conv/i 4", "kind vectorized conv.read/r1"]
    check(window(7, 3, 1, 1), steps, {"x": random(7), "w": random(3, 3)})


DYNAMIC = f"""
func.func @f(%n: index, %m: index, %x: memref<?xf32>, %y: memref<?xf32>) {HEAD[:-1]}, dims = ["n", "m"]}} {{
  loop.shape %x[%n]
  loop.shape %y[%m]
  loop.for "i" %i = 0 to %m {{
    loop.block "p" (%vi : spatial = %i) reads(%a = %x[%vi * 2 - 1] else 0.0 : f32) writes(%y[%vi]) {{
      loop.yield %a
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize("form", ["", " 2", " points"])
@pytest.mark.parametrize(("n", "m"), [(0, 0), (4, 0), (4, 3), (4, 9), (0, 2)])
def test_cache_read_of_a_size_known_at_run_time(check, form, n, m):
    inputs = {"x": random(n), "y": np.zeros(m, np.float32)}
    (found,) = run(check(DYNAMIC, [f"cache-read p 0{form}"], inputs), None, inputs)
    np.testing.assert_array_equal(found, np.pad(inputs["x"], (1, 40))[: 2 * m : 2])


REPEATED = f"""
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {HEAD} {{
  loop.for "t" %t = 0 to 3 {{
    loop.for "i" %i = 0 to 4 {{
      loop.block "p" (%vt : ordered = %t, %vi : spatial = %i) reads(%a = %x[%vi], %b = %y[-%vi + 3]) writes(%y[%vi]) {{
        %c = arith.addf %a, %b : f32
        loop.yield %c
      }}
    }}
  }}
  func.return
}}
"""


@pytest.mark.parametrize(
    ("text", "steps", "reason"),
    [
        (REPEATED, ["cache-read p 1"], "what block p reads is written in loop t"),
        (REPEATED, ["cache-read p 2"], "block p has 2 reads: there is no read 2"),
        (REPEATED, ["cache-read p 0 0"], "at least 1 phases"),
        (REPEATED, ["cache-read p 0 points 2"], "only of a box"),
        (window(7, 3, 1, 1), ["split conv/i 2", "cache-read conv 0"], "something else than iterators that are loops"),
        (window(7, 3, 1, 1), ["peel conv/i 2", "cache-read conv.tail 0"], "something else than iterators"),
        (
            DYNAMIC.replace("%vi * 2 - 1", "(%vi floordiv 2)"),
            ["cache-read p 0"],
            "block p does not read at sums of multiples of iterators",
        ),
        (DYNAMIC.replace("%vi * 2 - 1", "-%vi"), ["cache-read p 0"], "does not read at sums of multiples"),
    ],
)
def test_cache_read_refuses(refused, text, steps, reason):
    refused(text, steps, reason)
