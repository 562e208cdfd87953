"""Inits as nests of their own: the same values, also where there is nothing to reduce; and what is refused."""

import numpy as np
import pytest
from stepwell.dialects.loop import BlockOp
from stepwell.errors import ScheduleError
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines import new_context
from stepwell.rewriting import decompose_reduction, decompose_reductions, verify


def parsed(text):
    module = parse(text, "nest.mlir", new_context())
    verify(module)
    return module


def matmul(order, k, condition=""):
    """`c = 2 + a @ b` with loops in an order."""
    extents = {"i": 3, "j": 4, "k": k}
    body = """
loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
    reads(%x = %a[%vi, %vk], %y = %b[%vk, %vj]) writes(%o = %c[%vi, %vj]) init {
  %z = arith.constant 2.0 : f32
  loop.yield %z
} {
  %p = arith.mulf %x, %y : f32
  %q = arith.addf %o, %p : f32
  loop.yield %q
}"""
    if condition:
        body = f"loop.if ({condition}) {{{body}\n}}"
    for name in reversed(order):
        body = f'loop.for "{name}" %{name} = 0 to {extents[name]} {{\n{body}\n}}'
    arguments = f"%a: memref<3x{k}xf32>, %b: memref<{k}x4xf32>, %c: memref<3x4xf32>"
    return f"func.func @main({arguments}) {{\n{body}\nfunc.return\n}}"


@pytest.mark.parametrize("order", ["ijk", "ikj", "kij", "jki"])
@pytest.mark.parametrize("k", [0, 1, 5])
def test_the_values_stay(order, k):
    module = parsed(matmul(order, k))
    decompose_reductions(module)
    verify(module)
    labels = [op.label.data for op in module.walk() if isinstance(op, BlockOp)]
    assert labels == ["mm.init", "mm"]
    assert not any(op.has_init for op in module.walk() if isinstance(op, BlockOp))
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, k), np.float32), rng.standard_normal((k, 4), np.float32)
    expected = np.full((3, 4), 2, np.float32)
    for n in range(k):
        expected = expected + a[:, n, None] * b[n]
    np.testing.assert_array_equal(run(module, None, [a, b])[0], expected)


def test_conditions_around_the_init():
    # what holds whatever is reduced stands around the init too; the rest does not
    module = parsed(matmul("ikj", 5, "1 - %i >= 0, %k - 2 >= 0"))
    before = parsed(matmul("ikj", 5, "1 - %i >= 0, %k - 2 >= 0"))
    decompose_reductions(module)
    verify(module)
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, 5), np.float32), rng.standard_normal((5, 4), np.float32)
    c = rng.standard_normal((3, 4), np.float32)
    expected = np.full((3, 4), 2, np.float32)
    for n in range(2, 5):
        expected = expected + a[:, n, None] * b[n]
    expected[2] = c[2]
    for m in (before, module):
        np.testing.assert_array_equal(run(m, None, {"a": a, "b": b, "c": c})[0], expected)


def test_an_init_that_depends_on_what_is_reduced_is_refused():
    text = """
func.func @main(%a: memref<4x4xf32>, %c: memref<4xf32>) {
  loop.for "k" %k = 0 to 4 {
    loop.for "i" %i = 0 to %k + 1 {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%x = %a[%vi, %vk]) writes(%o = %c[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %q = arith.addf %o, %x : f32
        loop.yield %q
      }
    }
  }
  func.return
}"""
    (block,) = (op for op in parsed(text).walk() if isinstance(op, BlockOp))
    with pytest.raises(ScheduleError, match="sum: a bound of loop 'i' depends on 'k', which is defined inside"):
        decompose_reduction(block)


def test_a_block_without_an_init_is_refused():
    module = parsed(matmul("ijk", 3))
    decompose_reductions(module)
    block = next(op for op in module.walk() if isinstance(op, BlockOp))
    with pytest.raises(ScheduleError, match=r"decompose mm\.init: the block has no init"):
        decompose_reduction(block)
