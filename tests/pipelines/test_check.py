"""What a pass may do to the module that it is about to get: `check` allows no more than that."""

import pytest
import stepwell
from stepwell.pipelines.check import Check, is_licensed
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.transforms.apply_schedule import ApplySchedulePass

SUM = """
func.func @main(%x: memref<4x8xf32>, %y: memref<4xf32>)
    attributes {{outputs_count = 1 : i64, schedule = #loop.schedule<{steps}>}} {{
  loop.for "i" %i = 0 to 4 {{
    loop.for "k" %k = 0 to 8 {{
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%a = %x[%vi, %vk]) writes(%old = %y[%vi]) init {{
        %0 = arith.constant 0.0 : f32
        loop.yield %0
      }} {{
        %0 = arith.addf %old, %a : f32
        loop.yield %0
      }}
    }}
  }}
  func.return
}}
"""
KEEPS = '["split sum/k 2", "reorder sum/k.outer sum/i sum/k.inner"]'
REORDERS = '["split sum/k 2", "reorder sum/k.inner sum/k.outer reassociates"]'


def one_pass(text):
    (found,) = parse_passes(text, available_passes())
    return found


@pytest.mark.parametrize(("steps", "licensed"), [(KEEPS, False), (REORDERS, True), ("[]", False)])
def test_a_schedule_is_as_free_as_its_steps(steps, licensed):
    module = stepwell.parse(SUM.format(steps=steps))
    assert is_licensed(ApplySchedulePass(), module) is licensed
    assert stepwell.check(module, "apply-schedule").unchecked == {}


@pytest.mark.parametrize(
    ("text", "licensed"),
    [
        ('reorder-loops{loops="sum/k","sum/i"}', False),
        ('reorder-loops{loops="sum/k","sum/i" reassociates=true}', True),
        ('rfactor{loop="sum/k"}', False),
        ('rfactor{loop="sum/k" reassociates=true}', True),
        ('split-loop{loop="sum/k" factor=2}', False),
        ("convert-graph-to-loop", True),
        ("convert-loop-to-simd{strict=true}", False),
        ("convert-loop-to-simd", True),
        ("dce", False),
    ],
)
def test_options_decide_too(text, licensed):
    assert is_licensed(one_pass(text), stepwell.parse(SUM.format(steps="[]"))) is licensed


def test_a_licence_is_that_of_the_module_before_the_pass():
    """Afterwards the steps are gone, and what they were allowed is still what counts."""
    module = stepwell.parse(SUM.format(steps=REORDERS))
    checking = Check(module)
    checking.before(ApplySchedulePass())
    assert checking.licensed
    assert not is_licensed(ApplySchedulePass(), stepwell.apply("apply-schedule", module))
