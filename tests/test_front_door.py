"""What can be imported from `stepwell` itself, beside compiling: running, checking, applying, at every stage."""

import re
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


LOOPS = stepwell.lower(stepwell.parse(TEXT), stop_after="loop")
FUNCTION = next(op for op in LOOPS.body.block.ops if "loop.for" in str(op))
LOOP = FUNCTION.body.block.first_op


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: stepwell.compile(m, target=None), "PipelineError: expected a Target or the name of one, not None"),
        (lambda m: stepwell.emit(m, target=5), "PipelineError: expected a Target or the name of one, not 5"),
        (lambda m: stepwell.compile(m, shapes=5), "ModelError: expected shapes as a dictionary .*, not 5"),
        (lambda m: stepwell.load(m, shapes="batch=7"), "ModelError: expected shapes as a dictionary"),
        (lambda m: stepwell.lower(m, stages=None), "PipelineError: expected stages: .*, not None"),
        (lambda m: stepwell.lower(m, stages=["graph"]), "PipelineError: expected stages: .*, not 'graph'"),
        (lambda m: stepwell.lower(m, stages=lambda target: None), "PipelineError: expected stages: .*, not None"),
        (lambda m: stepwell.lower(m, stop_after=5), "PipelineError: no stage '5'"),
        (lambda m: stepwell.compile(m, function=5), "PipelineError: no function '5'"),
        (lambda m: stepwell.load(m.body.block.first_op), "ModelError: a path, .* expected, found FuncOp"),
        (lambda m: stepwell.parse(5), "ModelError: expected MLIR text, not 5"),
        (lambda m: stepwell.apply("dce", "m.mlir"), "ModelError: expected a module to apply passes to, not 'm.mlir'"),
        (lambda m: stepwell.apply("dce", m.body.block.first_op), "ModelError: expected a module .*, not a FuncOp"),
        (lambda m: stepwell.apply(None, m), "PipelineError: expected the name of a pass, .*, not None"),
        (lambda m: stepwell.apply([5], m), "PipelineError: expected the name of a pass, .*, not 5"),
        (lambda m: stepwell.check(m, "dce", seed=-1), "PipelineError: a seed is not negative, as -1 is"),
        (lambda m: stepwell.check(m, "dce", seed="a"), "PipelineError: expected a whole number as seed, not 'a'"),
        (lambda m: stepwell.emit(m, name=5), "PipelineError: expected a name for the C, not 5"),
        (lambda m: stepwell.emit(m, inline_weights="a"), "PipelineError: expected a number of bytes .*, not 'a'"),
        (lambda m: stepwell.emit(m, inline_weights=-1), "PipelineError: inline_weights .* not negative, as -1 is"),
        (lambda m: stepwell.OPTIMISED("avx2"), "PipelineError: expected a Target to make stages for, not 'avx2'"),
        (lambda m: stepwell.REFERENCE(None), "PipelineError: expected a Target to make stages for, not None"),
        (lambda m: stepwell.OPTIMISED(stepwell.native(), 9), "PipelineError: no level 9: the levels are 0, 1, 2, 3"),
        (lambda m: stepwell.insert_after(stepwell.OPTIMISED, "graph", 5), "PipelineError: expected a sequence"),
        (lambda m: stepwell.insert_after((), "graph", 5), "PipelineError: expected a Stage to insert, not 5"),
        (lambda m: stepwell.post_order_visit(None, print), "PipelineError: expected an operation to visit, not None"),
        (lambda m: stepwell.post_order_visit(m, None), "PipelineError: expected a function of an operation, not None"),
        (lambda m: stepwell.transform(m, 5), "PipelineError: expected a function of an operation, or None, not 5"),
        (lambda m: stepwell.transform(m, lambda op: 5), "PipelineError: expected None, an operation or a list of them"),
        (lambda m: stepwell.transform(m, kinds=["loop.for"]), "PipelineError: expected kinds as a list of classes"),
        (lambda m: stepwell.substitute(LOOP.variable, "x"), "PipelineError: expected an expression over index values"),
        (lambda m: stepwell.split(m, 8), "ScheduleError: expected a loop.for as loop, not a ModuleOp"),
        (lambda m: stepwell.split(LOOP, "8"), "ScheduleError: expected an int as factor, not '8'"),
        (lambda m: stepwell.reorder(LOOP), "ScheduleError: expected loops in their new order, not a ForOp"),
        (lambda m: stepwell.reorder([LOOP, 5]), "ScheduleError: expected loops as loops, not 5"),
        (lambda m: stepwell.Schedule(m), "ScheduleError: expected a function to schedule, not a ModuleOp"),
        (lambda m: stepwell.show(None), "ModelError: expected a module to print, not None"),
        (lambda m: stepwell.register_interpreter(5, print), "PipelineError: expected a class of operations, not 5"),
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_kind(module, call, error):
    before = str(module)
    with pytest.raises(stepwell.Error) as caught:
        call(module)
    assert re.match(error, f"{caught.type.__name__}: {caught.value}"), caught.value
    assert str(module) == before


@pytest.mark.parametrize(
    "given", [5, [5], [(1,)], [(1, 2, 3)], (1, print), [("1", print)], [(4, print)], [(1, 5)], [(1, "dce")]]
)
def test_what_is_no_lowering_pass(given):
    with pytest.raises(stepwell.PipelineError), stepwell.pass_context(add_lower_pass=given):
        pass


def test_numbers_of_numpy_are_whole_numbers_too(module):
    stepwell.check(module, "dce", seed=np.int64(1))
    stepwell.emit(module, inline_weights=np.int64(1))


@pytest.mark.parametrize("size", [1 << 62, 99_999_999_999_999_999_999])
def test_sizes_beyond_64_bits_are_refused_before_anything_is_lowered(size):
    named = stepwell.parse(
        "func.func @main(%x : tensor<?x64xf32, #graph.dims<n, 64>>) -> tensor<?x64xf32, #graph.dims<n, 64>> {\n"
        "  %y = graph.relu %x : tensor<?x64xf32, #graph.dims<n, 64>>\n"
        "  func.return %y : tensor<?x64xf32, #graph.dims<n, 64>>\n}\n"
    )
    with pytest.raises(stepwell.VerifyError, match=r"a size does not fit 64 bits: tensor<\d+x64xf32> has \d+ bytes"):
        stepwell.emit(named, shapes={"n": size})
    outer = stepwell.parse(
        "func.func @main(%x : tensor<?x1xi8, #graph.dims<n, 1>>, %y : tensor<1x?xi8, #graph.dims<1, m>>)"
        " -> tensor<?x?xi8> {\n"
        "  %z = graph.add %x, %y : tensor<?x1xi8, #graph.dims<n, 1>>, tensor<1x?xi8, #graph.dims<1, m>> -> "
        "tensor<?x?xi8, #graph.dims<n, m>>\n"
        "  %w = graph.cast %z : tensor<?x?xi8, #graph.dims<n, m>> -> tensor<?x?xi8>\n"
        "  func.return %w : tensor<?x?xi8>\n}\n"
    )
    with pytest.raises(stepwell.VerifyError, match="a size does not fit 64 bits"):
        stepwell.emit(outer, shapes={"n": 1 << 40, "m": 1 << 40})
