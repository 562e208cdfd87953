"""The order of passes is the one that the reasons give, and the reference is the same without transforms."""

from functools import partial

import numpy as np
import pytest
import stepwell
from programs.machines import can_run, compiled
from stepwell.conversions import CONVERSIONS
from stepwell.pipelines import REASONS, Before, is_required, order
from stepwell.targets import TARGETS, target_named


@pytest.mark.parametrize("reason", REASONS, ids=lambda r: f"{r.first} before {r.second}")
def test_each_reason_holds(reason: Before):
    names = order(stepwell.OPTIMISED(target_named("generic")))
    last_first = max(n for n, name in enumerate(names) if name == reason.first)
    first_second = min(n for n, name in enumerate(names) if name == reason.second)
    assert last_first < first_second, reason.because


@pytest.mark.parametrize("target", TARGETS)
def test_the_reference_has_every_conversion_and_no_transform(target: str):
    reference = stepwell.REFERENCE(target_named(target))
    optimised = stepwell.OPTIMISED(target_named(target))
    assert [s.name for s in reference] == [s.name for s in optimised]
    assert set(order(reference)) == set(CONVERSIONS)
    assert order(reference) == [p.name for s in optimised for p in s.passes if is_required(p)]


def test_levels_leave_out_the_transforms_above_them():
    generic = target_named("generic")
    assert order(stepwell.OPTIMISED(generic, 0))
    assert "fuse-matmul-add" not in order(stepwell.OPTIMISED(generic, 1))
    assert "fuse-matmul-add" in order(stepwell.OPTIMISED(generic, 2))
    assert set(CONVERSIONS) <= set(order(stepwell.OPTIMISED(generic, 0)))


def test_a_stage_can_be_added():
    seen: list[str] = []
    generic = target_named("generic")
    mine = stepwell.Stage("mine", "nothing new", lambda op: not seen.append(op.name))
    stages = stepwell.insert_after(stepwell.OPTIMISED(generic), "loop", mine)
    assert [s.name for s in stages][3] == "mine"
    stepwell.lower(
        stepwell.parse("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> }"),
        stages=stages,
    )
    assert "func.func" in seen
    with pytest.raises(stepwell.PipelineError, match="no stage 'lop'"):
        stepwell.insert_after(stages, "lop", mine)


def test_what_a_stage_does_not_allow_is_named():
    text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { func.return %x : tensor<2xf32> }"
    strict = stepwell.Stage("strict", "nothing returns", lambda op: op.name != "func.return")
    with pytest.raises(
        stepwell.PipelineError, match=r"<text>:1: error: 'func.return': stage 'strict' left this behind"
    ):
        stepwell.lower(stepwell.parse(text), stages=(strict,))


@pytest.mark.parametrize("target", ["generic", "c-vector", "avx2", "avx512"])
def test_strict_c_is_what_the_loops_compute_to_the_bit(target: str):
    if not can_run(target_named(target)):
        pytest.skip(f"this machine has not what the code for {target} needs, and nothing to emulate it")
    module = stepwell.parse("""
    func.func @main(%x: tensor<5x19xf32>, %w: tensor<19x21xf32>, %b: tensor<21xf32>) -> tensor<5x21xf32> {
      %p = graph.matmul %x, %w : tensor<5x19xf32>, tensor<19x21xf32> -> tensor<5x21xf32>
      %s = graph.add %p, %b : tensor<5x21xf32>, tensor<21xf32> -> tensor<5x21xf32>
      %y = graph.relu %s : tensor<5x21xf32>
      func.return %y : tensor<5x21xf32>
    }
    """)
    random = np.random.default_rng(5)
    x, w, b = (random.standard_normal(shape).astype(np.float32) for shape in ((5, 19), (19, 21), (21,)))
    # the reference for sums: left to right, in the element type
    wanted = np.zeros((5, 21), np.float32)
    for k in range(19):
        wanted = wanted + x[:, k : k + 1] * w[k]
    wanted = np.maximum(wanted + b, np.float32(0))
    strict = partial(stepwell.OPTIMISED, strict=True)
    np.testing.assert_array_equal(compiled(module, target_named(target), strict)(x, w, b), wanted)
    np.testing.assert_array_equal(compiled(module, target_named(target), stepwell.REFERENCE)(x, w, b), wanted)
