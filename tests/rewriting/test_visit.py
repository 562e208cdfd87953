"""Visitors: order, kinds, what is replaced, and what is left alone."""

import pytest
from stepwell import PipelineError, post_order_visit, transform
from stepwell.rewriting import verify, walk
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf, test
from xdsl.ir import Block, Region
from xdsl.parser import Parser

PROGRAM = """
func.func @f(%n : index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = arith.addi %i, %one : index
    scf.for %j = %zero to %a step %one {
      %b = arith.muli %i, %j : index
      "test.op"(%b) : (index) -> ()
    }
  }
  %c = arith.muli %n, %one : index
  %d = arith.addi %c, %c : index
  func.return %d : index
}
"""


def parse(text=PROGRAM):
    ctx = Context()
    for dialect in (builtin.Builtin, arith.Arith, func.Func, scf.Scf, test.Test):
        ctx.load_dialect(dialect)
    return Parser(ctx, text).parse_module()


def add_for_multiply(op):
    return arith.AddiOp(op.lhs, op.rhs)


def test_a03_post_order_visits_children_first_and_ignores_results():
    seen = []
    post_order_visit(parse(), lambda op: seen.append(op.name) or "ignored")
    assert seen[-3:] == ["func.return", "func.func", "builtin.module"]
    inner = seen.index("scf.for")
    assert seen[inner - 2 : inner + 1] == ["test.op", "scf.yield", "scf.for"]


def test_a04_any_state_of_a_closure_works():
    count = 0

    def visit(op):
        nonlocal count
        count += 1

    module = parse()
    post_order_visit(module, visit)
    assert count == len(list(module.walk()))


def test_walk_is_program_order():
    module = parse()
    assert list(walk(module)) == list(module.walk())


def test_a06_a08_replacement_by_kind_and_the_root_is_left_alone():
    module = parse()
    before = str(module)
    changed = transform(module, None, add_for_multiply, [arith.MuliOp])
    assert changed is not module
    assert str(module) == before
    verify(module)
    verify(changed)
    names = [op.name for op in changed.walk()]
    assert "arith.muli" not in names
    assert names.count("arith.addi") == before.count("arith.addi") + before.count("arith.muli")
    assert str(changed) == before.replace("muli", "addi")


def test_a07_pre_order_replacement_skips_contents_and_post_order():
    visited = []

    def drop_outer_loop(op):
        return [] if isinstance(op, scf.ForOp) else None

    changed = transform(parse(), drop_outer_loop, lambda op: visited.append(op.name), None)
    verify(changed)
    assert "scf.for" not in visited
    assert "test.op" not in visited
    assert "scf.for" not in [op.name for op in changed.walk()]


def test_a11_same_object_when_nothing_is_replaced():
    module = parse()
    assert transform(module, lambda op: None, lambda op: None) is module
    assert transform(module, None, add_for_multiply, [scf.IfOp]) is module


def test_a12_a_loop_around_a_changed_loop_is_a_new_object():
    module = parse()
    found = []
    post_order_visit(module, lambda op: found.append(op) if isinstance(op, scf.ForOp) else None)
    rewritten = []

    def mark(op):
        if op not in found:
            return None
        rewritten.append(op)
        copy = op.clone()
        copy.attributes["mark"] = builtin.UnitAttr()
        return copy

    changed = transform(module, None, mark, [scf.ForOp])
    assert rewritten == found[:1]
    marks = ["mark" in op.attributes for op in changed.walk() if isinstance(op, scf.ForOp)]
    assert marks == [False, True]


def test_wrapping_an_operation_and_using_values_from_around():
    module = parse()

    def twice(op):
        (ub,) = [operand for operand in op.operands if operand.name_hint == "b"]
        zero, two = (
            arith.ConstantOp.from_int_and_width(0, builtin.IndexType()),
            arith.ConstantOp.from_int_and_width(2, builtin.IndexType()),
        )
        body = Block([op.clone(), scf.YieldOp()], arg_types=[builtin.IndexType()])
        return [zero, two, scf.ForOp(zero, ub, two, [], Region(body))]

    changed = transform(module, None, twice, [test.TestOp])
    verify(changed)
    assert [op.name for op in changed.walk()].count("scf.for") == 3
    for value in [*module.walk()][-1].operands:
        assert all(use.operation.parent is not None for use in value.uses)


def test_the_root_itself_can_be_replaced_and_detached_loops_keep_their_surroundings():
    module = parse()
    outer = next(op for op in module.walk() if isinstance(op, scf.ForOp))
    changed = transform(outer, None, add_for_multiply, [arith.MuliOp])
    assert changed.parent is None
    assert changed.operands == outer.operands
    verify(changed)
    replaced = transform(outer, lambda op: test.TestOp([op.ub]), None, [scf.ForOp])
    assert isinstance(replaced, test.TestOp)


def test_misuse_is_refused():
    module = parse()
    with pytest.raises(PipelineError, match="2 results"):
        transform(
            parse('func.func @f() { %a, %b = "test.op"() : () -> (i32, i32) func.return }'),
            None,
            lambda op: [],
            [test.TestOp],
        )
    with pytest.raises(PipelineError, match="build the replacement from clones"):
        transform(module, None, lambda op: op.detach(), [test.TestOp])
    with pytest.raises(PipelineError, match="root"):
        transform(module, lambda op: [], None)
