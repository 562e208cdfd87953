"""The order of passes is the one that the reasons give, and the reference is the same without transforms."""

import pytest
import stepwell
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
