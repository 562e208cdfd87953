"""What can be imported from `stepwell` itself, beside compiling: running, checking, applying, at every stage."""

from dataclasses import dataclass

import numpy as np
import pytest
import stepwell
from stepwell.dialects import graph
from stepwell.rewriting import rewrite
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern

TEXT = """
func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @both(%x : tensor<?xf32, #graph.dims<n>>) -> (tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>) {
  %y = graph.abs %x : tensor<?xf32, #graph.dims<n>>
  %z = graph.negate %x : tensor<?xf32, #graph.dims<n>>
  func.return %y, %z : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>
}
"""
X = np.array([-1.5, 0.0, 2.5, -0.0], np.float32)


class DropRelu(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.ReluOp, rewriter):
        rewriter.replace(op, [], [op.input])


@dataclass(frozen=True)
class DropReluPass(ModulePass):
    name = "drop-relu"

    def apply(self, ctx, op):
        rewrite(op, (DropRelu(),), name=self.name)


@pytest.fixture
def module():
    return stepwell.parse(TEXT)


def test_run_gives_an_array_or_a_tuple(module, tmp_path):
    np.testing.assert_array_equal(stepwell.run(module, X), np.maximum(X, 0))
    y, z = stepwell.run(module, X, function="both")
    np.testing.assert_array_equal(y, np.abs(X))
    np.testing.assert_array_equal(z, -X)
    file = tmp_path / "m.mlir"
    file.write_text(TEXT)
    np.testing.assert_array_equal(stepwell.run(file, X), np.maximum(X, 0))


@pytest.mark.parametrize("stage", ["graph", "loop", "buffers", "flat", "simd", "clean"])
def test_run_takes_a_module_of_any_stage(module, stage):
    lowered = stepwell.lower(module, target="c-vector", stop_after=stage)
    np.testing.assert_array_equal(stepwell.run(lowered, X), np.maximum(X, 0))


def test_run_binds_dims(module):
    with pytest.raises(stepwell.Error):
        stepwell.run(module, X, function="both", shapes={"n": 3})
    y, _ = stepwell.run(module, X, function="both", shapes={"n": 4})
    assert y.shape == (4,)


@pytest.mark.parametrize(
    ("given", "type"), [((np.int64(4),), "tensor<4xf32>"), ((None,), "tensor<?xf32, #graph.dims<n>>")]
)
def test_a_shape_may_leave_a_dim_as_it_is(module, given, type):
    loaded = stepwell.load(module, shapes={"x": given})
    assert f"@both(%x: {type})" in str(loaded)


def test_a_shape_names_what_has_no_name():
    text = "func.func @f(%x : tensor<?xf32>) -> tensor<?xf32> { func.return %x : tensor<?xf32> }"
    assert "@f(%x: tensor<?xf32, #graph.dims<n>>)" in str(stepwell.load(stepwell.parse(text), shapes={"x": ("n",)}))


@pytest.mark.parametrize(
    ("shapes", "error"),
    [
        ({"n": -4}, r"shapes\['n'\]: -4 is no size"),
        ({"n": True}, r"shapes\['n'\]: True is no size"),
        ({"x": 4}, "no dim is called 'x'; a dim takes one size, an input a shape"),
        ({"n": (4,)}, "no input is called 'n'; a dim takes one size, an input a shape"),
    ],
)
def test_shapes_of_the_wrong_kind(module, shapes, error):
    with pytest.raises(stepwell.ModelError, match=error):
        stepwell.load(module, shapes=shapes)


def test_a_name_beyond_ascii_is_read_back_from_text():
    text = 'func.func @f(%x : tensor<2xf32>) -> tensor<2xf32> attributes {inputs = ["größe"]} {'
    text += "func.return %x : tensor<2xf32>}"
    again = stepwell.parse(str(stepwell.parse(text)))
    np.testing.assert_array_equal(stepwell.compile(again).run({"größe": X[:2]})["output0"], X[:2])


def test_stages_have_no_name(module):
    with pytest.raises(stepwell.PipelineError, match="not the name 'reference'"):
        stepwell.lower(module, stages="reference")


def test_run_refuses_a_function_that_there_is_not(module):
    with pytest.raises(stepwell.RunError, match="no function 'other'"):
        stepwell.run(module, X, function="other")


def test_a_file_that_is_no_text_is_the_fault_of_the_file(tmp_path):
    path = tmp_path / "bad.mlir"
    path.write_bytes(b"builtin.module {}\n\xff")
    with pytest.raises(stepwell.ModelError, match=r"bad\.mlir:2: error: not UTF-8 text"):
        stepwell.load(path)


def test_check_says_what_it_ran_and_leaves_the_module(module):
    before = str(module)
    checked = stepwell.check(module, "canonicalize-graph,dce", seed=3)
    assert set(checked.inputs) == {"main", "both"}
    assert checked.unchecked == {}
    assert str(module) == before


def test_check_stops_at_the_pass_that_is_wrong(module):
    with pytest.raises(stepwell.PipelineError, match=r"pass 'drop-relu' changes what @main computes: output 'output0'"):
        stepwell.check(module, DropReluPass())


def test_apply_takes_text_one_pass_or_several(module):
    changed = stepwell.apply(DropReluPass(), module)
    assert "graph.relu" not in str(changed)
    assert "graph.relu" in str(module)
    assert str(stepwell.apply([DropReluPass(), DropReluPass()], module)) == str(changed)
    assert str(stepwell.apply("dce", changed)) == str(changed)
    assert str(stepwell.apply([DropReluPass(), "dce"], module)) == str(changed)
    with pytest.raises(stepwell.PipelineError, match="no pass is called 'drop-relu'"):
        stepwell.apply("drop-relu", module)


def test_a_target_that_this_machine_lacks_is_refused_before_anything_is_compiled():
    from dataclasses import replace

    from stepwell.targets import target_named

    strange = replace(target_named("generic"), name="strange", needs=frozenset({"no-such-feature"}))
    with pytest.raises(stepwell.RunError, match="target 'strange' needs no-such-feature"):
        stepwell.compile(stepwell.parse(TEXT), strange, function="main")
