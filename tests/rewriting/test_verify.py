"""The verifier between passes: dominance, symbols, structure, and that each error names operation and place."""

import time

import pytest
from stepwell import VerifyError
from stepwell.dialects.origin import text_location
from stepwell.rewriting import verify
from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, scf, test
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter


def parse(text):
    ctx = Context()
    for dialect in (builtin.Builtin, arith.Arith, func.Func, scf.Scf, test.Test, cf.Cf):
        ctx.load_dialect(dialect)
    return Parser(ctx, text).parse_module()


def refused(text, message):
    with pytest.raises(VerifyError, match=message):
        verify(parse(text))


def test_a_use_before_the_definition_is_refused_with_its_name():
    refused(
        'func.func @f() { "test.op"(%x) : (i32) -> ()  %x = arith.constant 1 : i32  func.return }',
        r"'test.op': uses %x of 'arith.constant', which is not defined before it",
    )


def test_a_value_of_an_inner_block_is_not_seen_outside():
    module = parse(
        """func.func @f(%n : index) {
          scf.for %i = %n to %n step %n { %x = arith.constant 1 : index }
          "test.op"(%n) : (index) -> ()
          func.return }"""
    )
    loop = next(op for op in module.walk() if isinstance(op, scf.ForOp))
    user = loop.next_op
    user.operands = [loop.body.block.first_op.results[0]]
    with pytest.raises(VerifyError, match="uses %x"):
        verify(module)
    user.operands = [loop.body.block.args[0]]
    with pytest.raises(VerifyError, match="uses %i, an argument of a block that does not enclose it"):
        verify(module)


def test_a_region_does_not_see_the_results_of_its_own_operation():
    refused('%x = "test.op"() ({ "test.termop"(%x) : (i32) -> () }) : () -> i32', "'test.termop': uses %x of 'test.op'")


def test_a_value_of_an_earlier_region_is_not_seen_in_the_next():
    value = arith.ConstantOp.from_int_and_width(1, 32)
    first = Region(Block([value, test.TestTermOp()]))
    second = Region(Block([test.TestTermOp([value.result])]))
    with pytest.raises(VerifyError, match="'test.termop': uses a value of 'arith.constant'"):
        verify(builtin.ModuleOp([test.TestOp(regions=[first, second])]))


def test_values_from_around_are_seen():
    verify(
        parse(
            """func.func @f(%n : index) {
              %x = arith.constant 1 : i32
              scf.for %i = %n to %n step %n { scf.for %j = %i to %n step %n { "test.op"(%x, %i) : (i32, index) -> () } }
              func.return }"""
        )
    )


def test_several_blocks_go_by_dominance():
    branches = """func.func @f(%c : i1) {{
      cf.cond_br %c, ^a, ^b
    ^a:
      %x = arith.constant 1 : i32
      cf.br ^end
    ^b:
      {in_b}
      cf.br ^end
    ^end:
      "test.op"({at_end}) : ({type}) -> ()
      func.return }}"""
    verify(parse(branches.format(in_b="", at_end="%c", type="i1")))
    refused(branches.format(in_b="", at_end="%x", type="i32"), "uses %x")
    refused(branches.format(in_b='"test.op"(%x) : (i32) -> ()', at_end="%c", type="i1"), "uses %x")


def test_an_operand_of_an_operation_that_is_nowhere_is_refused():
    lost = arith.ConstantOp.from_int_and_width(1, 32)
    with pytest.raises(VerifyError, match="uses a value of 'arith.constant'"):
        verify(builtin.ModuleOp([test.TestOp([lost.result])]))


def test_part_of_a_function_may_use_what_is_around_it():
    module = parse(
        """func.func @f(%n : index) { scf.for %i = %n to %n step %n { "test.op"(%n, %i) : (index, index) -> () }
        func.return }"""
    )
    verify(next(op for op in module.walk() if isinstance(op, scf.ForOp)))


def test_errors_name_the_place():
    op = arith.ConstantOp.from_int_and_width(1, 32)
    late = test.TestOp([op.result])
    late.location = text_location("net.mlir", 7, 3)
    module = builtin.ModuleOp([late, op])
    with pytest.raises(VerifyError, match=r"^net\.mlir:7: error: 'test.op': uses a value"):
        verify(module)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("%r = func.call @nowhere(%x) : (i32) -> i32", "no symbol @nowhere"),
        ("%r = func.call @g(%x, %x) : (i32, i32) -> i32", "the callee has 1 arguments, the call 2"),
        ("%r = func.call @g(%x) : (i32) -> i64", "result 0 of the callee is i32, of the call i64"),
        ("%r = func.call @m(%x) : (i32) -> i32", "@m is not a function"),
    ],
)
def test_calls_are_checked(call, message):
    text = "builtin.module @m { } func.func private @g(i32) -> i32 func.func @f(%x : i32) { {call} func.return }"
    refused(text.replace("{call}", call), message)


def test_symbols_in_any_attribute_must_exist():
    refused('"test.op"() {callee = @nowhere} : () -> ()', "no symbol @nowhere")
    verify(parse('"test.op"() {callee = [@g]} : () -> () func.func private @g()'))


def test_an_operation_checks_its_own_symbols_through_the_table():
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def
    from xdsl.utils.exceptions import VerifyException

    @irdl_op_definition
    class UseOp(IRDLOperation):
        name = "mine.use"
        callee = prop_def(SymbolRefAttr)

        def verify_symbols(self, look_up):
            if not isinstance(look_up(self.callee), func.FuncOp):
                raise VerifyException("only functions here")

    good = func.FuncOp.external("g", [], [])
    verify(builtin.ModuleOp([good, UseOp(properties={"callee": SymbolRefAttr("g")})]))
    inner = builtin.ModuleOp([], sym_name=builtin.StringAttr("m"))
    with pytest.raises(VerifyError, match="only functions here"):
        verify(builtin.ModuleOp([inner, UseOp(properties={"callee": SymbolRefAttr("m")})]))


def test_structure():
    refused("func.func @f() { %x = arith.constant 1 : i32 }", "ends a block of 'func.func' but is not a terminator")
    empty = func.FuncOp("f", ((), ()), Region(Block()))
    with pytest.raises(VerifyError, match="an empty block"):
        verify(builtin.ModuleOp([empty]))


def test_a_custom_verifier_speaks_with_its_operation():
    module = builtin.ModuleOp([func.FuncOp("f", ((), (builtin.i32,)), Region(Block([func.ReturnOp()])))])
    with pytest.raises(VerifyError, match="error: 'func.return': "):
        verify(module)


def test_redefined_symbols_are_refused():
    refused("func.func private @g() func.func private @g()", 'Redefinition of symbol "g"')


def test_ten_thousand_nested_regions_need_no_recursion():
    op = test.TestOp()
    for _ in range(10_000):
        op = test.TestOp(regions=[Region(Block([op, test.TestTermOp()]))])
    verify(builtin.ModuleOp([op]))


def test_many_calls_of_many_functions_take_linear_time():
    def program(count):
        functions = [func.FuncOp.external(f"g{i}", [], []) for i in range(count)]
        calls = [func.CallOp(f"g{i}", [], []) for i in range(count)]
        return builtin.ModuleOp([*functions, func.FuncOp("f", ((), ()), Region(Block([*calls, func.ReturnOp()])))])

    def seconds(count):
        module = program(count)
        start = time.process_time()
        verify(module)
        return time.process_time() - start

    assert seconds(4000) < 12 * seconds(1000)


def test_a_moved_operation_is_found():
    module = parse('func.func @f(%c : i32) { %x = arith.addi %c, %c : i32  "test.op"(%x) : (i32) -> ()  func.return }')
    verify(module)
    add = next(op for op in module.walk() if isinstance(op, arith.AddiOp))
    user = add.next_op
    user.detach()
    Rewriter.insert_op(user, InsertPoint.before(add))
    with pytest.raises(VerifyError, match="uses %x of 'arith.addi'"):
        verify(module)
