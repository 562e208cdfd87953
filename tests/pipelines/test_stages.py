"""What a stage lets pass: operations of other packages that have an emitter of their own."""

import numpy as np
import pytest
import stepwell
from stepwell.conversions.graph_to_loop import LOWERINGS, ConvertGraphToLoopPass
from stepwell.emitters.c.writer import EMITTERS, emits
from stepwell.interpreters.registry import INTERPRETERS
from stepwell.targets import target_named
from xdsl.dialects.builtin import f32
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

TEXT = """func.func @main(%x: tensor<19xf32>) -> tensor<19xf32> {
  %a = graph.add %x, %x : tensor<19xf32>, tensor<19xf32> -> tensor<19xf32>
  %y = graph.reciprocal %a : tensor<19xf32>
  %z = graph.multiply %y, %x : tensor<19xf32>, tensor<19xf32> -> tensor<19xf32>
  func.return %z : tensor<19xf32>
}
"""
X = np.arange(1, 20, dtype=np.float32)


@irdl_op_definition
class InverseOp(IRDLOperation):
    """`out = 1 / x`, as another package says it"""

    name = "elsewhere.inverse"

    x = operand_def(f32)
    out = result_def(f32)

    traits = traits_def(Pure())

    assembly_format = "$x attr-dict `:` type($x) `->` type($out)"

    def __init__(self, x):
        super().__init__(operands=[x], result_types=[x.type])


Elsewhere = Dialect("elsewhere", [InverseOp])


def lower_reciprocal(f, op):
    with f.nest("inverse") as n:
        axes = n.spatials(f.output.dims)
        x = n.read(f.inputs[0], axes)
        n.write(f.output, axes, x.insert(InverseOp(x.value)))


def stages(target, pipeline):
    from dataclasses import replace

    convert = ConvertGraphToLoopPass(lowerings=LOWERINGS | {"graph.reciprocal": lower_reciprocal})
    return tuple(
        replace(stage, passes=tuple(convert if p.name == convert.name else p for p in stage.passes))
        for stage in pipeline(target)
    )


@pytest.fixture
def with_emitter(monkeypatch):
    monkeypatch.setitem(EMITTERS, InverseOp, lambda op, out: out.define(op.out, f"1.0f / {out.name(op.x)}"))
    monkeypatch.setitem(INTERPRETERS, InverseOp.name, lambda op, out: out.assign(op.out, f"1 / {out.name(op.x)}"))


@pytest.mark.parametrize("pipeline", [stepwell.OPTIMISED, stepwell.REFERENCE])
@pytest.mark.parametrize("target", ["generic", "c-vector"])
@pytest.mark.usefixtures("with_emitter")
def test_an_op_of_another_package_lives_until_the_c(target, pipeline):
    down = stages(target_named(target), pipeline)
    module = stepwell.parse(TEXT)
    for stage in ("loop", "scheduled", "clean"):
        lowered = stepwell.lower(module, target, stages=down, stop_after=stage)
        assert "elsewhere.inverse" in str(lowered)
        np.testing.assert_array_equal(stepwell.run(lowered, X), 1 / (X + X) * X)
    assert "1.0f / " in stepwell.emit(module, target, stages=down).code
    np.testing.assert_array_equal(stepwell.compile(module, target, stages=down)(X), 1 / (X + X) * X)


def test_without_an_emitter_it_is_left_behind():
    assert InverseOp not in EMITTERS
    down = stages(target_named("generic"), stepwell.REFERENCE)
    with pytest.raises(stepwell.PipelineError, match="'elsewhere.inverse': stage 'loop' left this behind"):
        stepwell.lower(stepwell.parse(TEXT), stages=down)


def test_an_emitter_does_not_let_our_own_ops_stay():
    from stepwell.dialects import simd
    from stepwell.emitters.c import emit_module  # whose import fills the table

    assert emit_module
    assert simd.LoadOp in EMITTERS
    loops = stepwell.lower(stepwell.parse(TEXT), "c-vector")
    loop_stage = next(stage for stage in stepwell.OPTIMISED(target_named("generic")) if stage.name == "loop")
    assert not all(map(loop_stage.legal, loops.walk()))


def test_emits_is_a_decorator_for_such_ops(monkeypatch):
    monkeypatch.setattr("stepwell.emitters.c.writer.EMITTERS", table := dict(EMITTERS))

    @emits(InverseOp)
    def write(op, out):
        out.define(op.out, f"1.0f / {out.name(op.x)}")

    assert table[InverseOp] is write
