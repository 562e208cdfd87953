"""The walker: origins are kept, patterns that undo each other stop, and a pattern that raises is named."""

import pytest
from stepwell import PipelineError
from stepwell.dialects.origin import node_location, origin, text_location
from stepwell.rewriting import rewrite
from xdsl.dialects import arith, builtin, test
from xdsl.ir import Block, Region
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern


class AddForMultiply(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MuliOp, rewriter):
        rewriter.replace(op, arith.AddiOp(op.lhs, op.rhs))


class MultiplyForAdd(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddiOp, rewriter):
        rewriter.replace(op, arith.MuliOp(op.lhs, op.rhs))


class Raise(RewritePattern):
    def match_and_rewrite(self, op, rewriter):
        raise ZeroDivisionError("by zero")


class Nest(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.MuliOp, rewriter):
        inner = arith.AddiOp(op.lhs, op.rhs)
        rewriter.replace(op, test.TestOp(result_types=op.result_types, regions=[Region(Block([inner]))]))


def module(*locations):
    one = arith.ConstantOp.from_int_and_width(1, 32)
    ops = [one]
    for location in locations:
        ops.append(arith.MuliOp(one, one))
        ops[-1].location = location
    return builtin.ModuleOp(ops)


def test_new_operations_take_the_location_of_what_they_replace():
    m = module(text_location("a.mlir", 3, 5), node_location("m.onnx", "n", "Mul"))
    assert rewrite(m, [AddForMultiply()], name="add")
    assert [origin(op) for op in m.body.ops] == ["", "a.mlir:3", "m.onnx: node 'n' (Mul)"]


def test_operations_nested_in_new_ones_too():
    m = module(text_location("a.mlir", 3, 5))
    rewrite(m, [Nest()], name="nest")
    assert [origin(op) for op in m.walk() if isinstance(op, arith.AddiOp)] == ["a.mlir:3"]


def test_nothing_to_do_says_so():
    assert not rewrite(module(), [AddForMultiply()], name="add")


def test_once_tries_new_operations_not_again():
    m = module(text_location("a.mlir", 3, 5))
    assert rewrite(m, [AddForMultiply(), MultiplyForAdd()], name="once", recursively=False)
    assert [op.name for op in m.body.ops][1:] == ["arith.addi"]


def test_patterns_that_undo_each_other_stop_with_an_error():
    m = module(text_location("a.mlir", 3, 5))
    with pytest.raises(PipelineError, match=r"a\.mlir:3: error: .*pass 'ping-pong'.*undo each other"):
        rewrite(m, [AddForMultiply(), MultiplyForAdd()], name="ping-pong")


def test_a_pattern_that_raises_is_named():
    m = module(text_location("a.mlir", 3, 5))
    with pytest.raises(PipelineError, match=r"pass 'bad': pattern Raise failed: by zero"):
        rewrite(m, [AddForMultiply(), Raise()], name="bad")


def test_b132_replacing_an_operation_by_its_own_result_names_the_pattern():
    class ByItself(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: arith.MuliOp, rewriter):
            rewriter.replace(op, (), op.results)

    m = module(text_location("a.mlir", 3, 5))
    m.body.block.add_op(test.TestOp([m.body.block.last_op.results[0]]))
    with pytest.raises(PipelineError, match="pattern ByItself failed"):
        rewrite(m, [ByItself()], name="itself")
