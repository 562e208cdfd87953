"""Rows A18–A33 and A43–A50: graph optimisation as the founding documents show it, in the form it has here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import stepwell
from stepwell import GraphBuilder, tensor
from stepwell.dialects import graph
from stepwell.dialects.signature import is_primitive
from stepwell.frontends.show import text
from stepwell.interpreters.run import run
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.rewriting import walk
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation

RNG = np.random.default_rng(8)
WEIGHTS = {
    "w0": RNG.normal(size=(128, 784)).astype(np.float32),
    "b0": RNG.normal(size=128).astype(np.float32),
    "w1": RNG.normal(size=(10, 128)).astype(np.float32),
    "b1": RNG.normal(size=10).astype(np.float32),
}
IMAGE = RNG.normal(size=(1, 784)).astype(np.float32)


def mlp() -> ModuleOp:
    """The model of the second document, built as it builds it."""
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 784), "f32")}) as (x,):
        with b.dataflow():
            lv0 = b.emit(b.matmul(x, b.permute_dims(WEIGHTS["w0"])))
            lv1 = b.emit(b.add(lv0, WEIGHTS["b0"]))
            lv2 = b.emit(b.relu(lv1))
            lv3 = b.emit(b.matmul(lv2, b.permute_dims(WEIGHTS["w1"])))
            lv4 = b.emit(b.add(lv3, WEIGHTS["b1"]))
            gv = b.emit_output(lv4)
        b.emit_func_output(gv)
    return b.get()


def mlp_in_numpy() -> np.ndarray:
    hidden = np.maximum(IMAGE @ WEIGHTS["w0"].T + WEIGHTS["b0"], 0)
    return hidden @ WEIGHTS["w1"].T + WEIGHTS["b1"]


def multiply_add() -> ModuleOp:
    """`(x * y) + y` on f32[3, 4], the module of section 8.1."""
    b = GraphBuilder()
    with b.function("main", {"x": tensor((3, 4)), "y": tensor((3, 4))}) as (x, y):
        with b.dataflow():
            lv0 = b.emit(b.multiply(x, y))
            gv0 = b.emit_output(b.add(lv0, y))
        b.emit_func_output(gv0)
    return b.get()


def functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}


def bindings(root: Operation) -> list[Operation]:
    """What is bound to names in a function, constants aside."""
    scope = (graph.ConstantOp, graph.DataflowOp)
    return [op for op in walk(root) if isinstance(op, graph.GraphOp | CallOp) and not isinstance(op, scope)]


def names(ops: Sequence[Operation]) -> list[str]:
    return [op.name.partition(".")[2] for op in ops]


def close(found: Any, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_a18_everything_of_a_module_is_reachable() -> None:
    """Functions, parameters, blocks, the dataflow scope, each binding with its variable and its value, the return."""
    function = functions(multiply_add())["main"]
    assert [arg.name_hint for arg in function.args] == ["x", "y"]
    scope, end = function.body.block.ops
    assert isinstance(scope, graph.DataflowOp)
    assert isinstance(end, ReturnOp)
    multiply, add, output = scope.body.block.ops
    assert isinstance(multiply, graph.MultiplyOp)
    assert isinstance(add, graph.AddOp)
    assert multiply.out.name_hint == "lv"
    assert (multiply.lhs, multiply.rhs) == tuple(function.args)
    assert add.lhs is multiply.out
    assert list(output.operands) == [add.out]
    assert end.operands[0] is scope.results[0]


def test_a19_printed_form_has_the_scope_its_outputs_and_a_type_on_every_binding() -> None:
    lines = [line.strip() for line in text(multiply_add()).splitlines()]
    assert "%gv = graph.dataflow -> tensor<3x4xf32> {" in lines
    assert "%lv = graph.multiply %x, %y : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>" in lines
    assert "graph.output %lv1 : tensor<3x4xf32>" in lines
    assert all("tensor<3x4xf32>" in line for line in lines if " = " in line)


def test_a20_the_product_is_found_through_its_binding_and_inner_ops_come_first() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((4,)), "y": tensor((4,))}) as (x, y):
        inner = b.add(b.multiply(x, y), y)
        b.emit_func_output(b.add(b.multiply(inner, x), inner))
    module = stepwell.apply("fuse-multiply-add,dce", b.get())
    assert names(bindings(module)) == ["ewise_fma", "ewise_fma"]
    given = [np.array([1, 2, 3, 4], np.float32), np.array([5, 6, 7, 8], np.float32)]
    expected = given[0] * given[1] + given[1]
    np.testing.assert_array_equal(run(module, "main", given)[0], expected * given[0] + expected)


def test_a21_one_binding_remains() -> None:
    module = stepwell.apply("fuse-multiply-add,dce", multiply_add())
    (fma,) = bindings(module)
    assert isinstance(fma, graph.EwiseFmaOp)
    assert list(fma.operands) == [*functions(module)["main"].args, functions(module)["main"].args[1]]
    assert str(fma.out.type) == "tensor<3x4xf32>"
    given = [RNG.normal(size=(3, 4)).astype(np.float32) for _ in range(2)]
    np.testing.assert_array_equal(run(module, "main", given)[0], given[0] * given[1] + given[1])


def test_a22_only_operand_0_is_looked_at_unless_asked() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((4,)), "c": tensor((4,))}) as (x, c):
        b.emit_func_output([b.add(c, b.multiply(x, x)), b.add(b.negate(x), c), b.subtract(b.multiply(x, c), x)])
    module = b.get()
    assert str(stepwell.apply("fuse-multiply-add", module)) == str(module)
    commuted = stepwell.apply("fuse-multiply-add{commuted=true},dce", module)
    assert names(bindings(commuted)) == ["ewise_fma", "negate", "add", "multiply", "subtract"]


def test_a23_the_product_goes_in_a_step_of_its_own_and_only_if_nothing_reads_it() -> None:
    fused = stepwell.apply("fuse-multiply-add", multiply_add())
    assert names(bindings(fused)) == ["multiply", "ewise_fma"]
    assert names(bindings(stepwell.apply("dce", fused))) == ["ewise_fma"]
    b = GraphBuilder()
    with b.function("main", {"x": tensor((4,))}) as (x,):
        product = b.multiply(x, x)
        b.emit_func_output([b.add(product, x), product])
    module = stepwell.apply("fuse-multiply-add,dce", b.get())
    assert names(bindings(module)) == ["multiply", "ewise_fma"]


def test_a24_builder_scopes_names_types_and_outputs() -> None:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2, 3))}) as (x,):
        with b.dataflow():
            lv = b.emit(b.exp(x))
            lv1 = b.emit(b.sum(lv, [1]))
            gv = b.emit_output(lv1)
        b.emit_func_output(gv)
    assert (lv.name_hint, lv1.name_hint) == ("lv", "lv1")
    assert str(lv1.type) == "tensor<2xf32>"
    function = functions(b.get())["main"]
    assert str(function.function_type) == "(tensor<2x3xf32>) -> tensor<2xf32>"


def test_a25_the_mlp_is_built_that_way() -> None:
    module = mlp()
    assert names(bindings(module)) == ["permute_dims", "matmul", "add", "relu", "permute_dims", "matmul", "add"]
    assert [op.results[0].name_hint for op in bindings(module)] == ["lv", "lv1", "lv2", "lv3", "lv4", "lv5", "lv6"]
    (found,) = run(module, "main", [IMAGE])
    assert found.shape == (1, 10)
    close(found, mlp_in_numpy())


def test_a26_types_are_inferred() -> None:
    types = [str(op.results[0].type) for op in bindings(mlp())]
    assert types == [
        "tensor<784x128xf32>",
        "tensor<1x128xf32>",
        "tensor<1x128xf32>",
        "tensor<1x128xf32>",
        "tensor<128x10xf32>",
        "tensor<1x10xf32>",
        "tensor<1x10xf32>",
    ]


def test_a27_large_constants_are_numbered_and_an_option_prints_them() -> None:
    short = text(mlp())
    for number, type in enumerate(["128x784xf32", "128xf32", "10x128xf32"]):
        assert f"graph.constant #array[{number}] : tensor<{type}>" in short
    assert short.endswith("// 3 constants are not written out: show(module, constants=True) does.")
    assert len(short) < 3000
    full = text(mlp(), constants=True)
    assert str(WEIGHTS["w0"][0, 0]) in full
    assert "#array[" not in full
    (found,) = run(stepwell.parse(full), "main", [IMAGE])
    close(found, mlp_in_numpy())


def fused() -> ModuleOp:
    return stepwell.apply("fuse-matmul-add", mlp())


def test_a28_each_site_becomes_a_function_numbered_in_program_order() -> None:
    outlined = [function for name, function in functions(fused()).items() if name != "main"]
    assert [f.sym_name.data for f in outlined] == ["fused_matmul_add0", "fused_matmul_add1"]
    assert [[arg.name_hint for arg in f.args] for f in outlined] == [["x", "w", "b"]] * 2
    assert [str(f.function_type) for f in outlined] == [
        "(tensor<1x784xf32>, tensor<784x128xf32>, tensor<128xf32>) -> tensor<1x128xf32>",
        "(tensor<1x128xf32>, tensor<128x10xf32>, tensor<10xf32>) -> tensor<1x10xf32>",
    ]
    assert [names(bindings(f)) for f in outlined] == [["matmul", "add"]] * 2


def test_a29_the_functions_are_primitive() -> None:
    assert {name: is_primitive(f) for name, f in functions(fused()).items()} == {
        "fused_matmul_add0": True,
        "fused_matmul_add1": True,
        "main": False,
    }
    assert "primitive = 1 : i64" in str(functions(fused())["fused_matmul_add0"])


def test_a30_the_caller_is_left_with_calls() -> None:
    main = functions(fused())["main"]
    assert names(bindings(main)) == ["permute_dims", "call", "relu", "permute_dims", "call"]
    (found,) = run(fused(), "main", [IMAGE])
    close(found, mlp_in_numpy())


def test_a31_primitive_and_other_functions_are_skipped_and_a_second_run_changes_nothing() -> None:
    once = fused()
    assert str(stepwell.apply("fuse-matmul-add", once)) == str(once)
    lowered = stepwell.apply("fuse-matmul-add,infer-shapes,convert-graph-to-loop", mlp())
    assert str(stepwell.apply("fuse-matmul-add", lowered)) == str(lowered)


def test_a32_passes_have_a_name_and_a_level_and_return_a_new_module() -> None:
    fuse, lower = parse_passes("fuse-matmul-add,convert-graph-to-loop", available_passes())
    assert (fuse.name, fuse.opt_level) == ("fuse-matmul-add", 2)
    assert (lower.name, lower.opt_level) == ("convert-graph-to-loop", 0)
    module = mlp()
    before = str(module)
    assert "call @fused_matmul_add0" in str(stepwell.apply(fuse, module))
    assert str(module) == before


def product_read_twice() -> ModuleOp:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((2, 3)), "w": tensor((3, 4)), "c": tensor((4,))}) as (x, w, c):
        product = b.matmul(x, w)
        b.emit_func_output([b.add(product, c), b.relu(product)])
    return b.get()


def test_a33_a_product_with_a_second_reader_is_left_alone_unless_asked() -> None:
    module = product_read_twice()
    assert str(stepwell.apply("fuse-matmul-add", module)) == str(module)
    asked = stepwell.apply("fuse-matmul-add{allow-multiple-uses=true}", module)
    assert names(bindings(functions(asked)["main"])) == ["matmul", "call", "relu"]
    x, w, c = (RNG.normal(size=shape).astype(np.float32) for shape in ((2, 3), (3, 4), (4,)))
    total, positive = run(asked, "main", [x, w, c])
    close(total, x @ w + c)
    close(positive, np.maximum(x @ w, 0))


# -- reordering concat and relu ----------------------------------------------------------------------------------------


def concat_relu(*, second_reader: bool = False, readers: int = 1) -> ModuleOp:
    b = GraphBuilder()
    with b.function("main", {"a": tensor((2, 3)), "b": tensor((2, 4))}) as (first, second):
        joined = b.concat([first, second], 1)
        relu = b.relu(joined)
        b.emit_func_output([*[relu] * readers, *[joined] * second_reader])
    return b.get()


A, B = (RNG.normal(size=shape).astype(np.float32) for shape in ((2, 3), (2, 4)))
JOINED = np.concatenate([A, B], 1)


def test_a43_relu_moves_to_the_parts() -> None:
    module = stepwell.apply("reorder-concat-relu", concat_relu())
    first, second, joined = bindings(module)
    assert names([first, second, joined]) == ["relu", "relu", "concat"]
    assert list(joined.operands) == [first.results[0], second.results[0]]
    assert isinstance(joined, graph.ConcatOp)
    assert joined.axis.value.data == 1
    np.testing.assert_array_equal(run(module, "main", [A, B])[0], np.maximum(JOINED, 0))


def test_a44_a_concat_with_a_second_reader_is_left_alone() -> None:
    module = concat_relu(second_reader=True)
    assert str(stepwell.apply("reorder-concat-relu", module)) == str(module)


def test_a45_uses_are_counted_in_the_original_graph() -> None:
    """Two relus read one concat: each alone would be a single reader once the other had moved."""
    b = GraphBuilder()
    with b.function("main", {"a": tensor((2,)), "b": tensor((2,))}) as (first, second):
        joined = b.concat([first, second], 0)
        b.emit_func_output([b.relu(joined), b.exp(joined)])
    module = b.get()
    for steps in ("", "{steps=1}", "{steps=2}"):
        assert str(stepwell.apply(f"reorder-concat-relu{steps}", module)) == str(module)


def test_a46_operands_of_a_concat_are_always_written_out() -> None:
    """There is no tuple value that a concat could take instead: its operands are SSA values, one for each part."""
    (concat,) = (op for op in walk(concat_relu()) if isinstance(op, graph.ConcatOp))
    assert [str(value.type) for value in concat.operands] == ["tensor<2x3xf32>", "tensor<2x4xf32>"]
    with pytest.raises(stepwell.ModelError, match="tuple"):
        stepwell.parse(
            "func.func @f(%t : tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<4xf32> {\n"
            "  %c = graph.concat %t axis 0 : tuple<tensor<2xf32>, tensor<2xf32>> -> tensor<4xf32>\n"
            "  func.return %c : tensor<4xf32>\n}"
        )


def test_a47_parts_may_be_arguments_and_constants() -> None:
    b = GraphBuilder()
    with b.function("main", {"a": tensor((2,))}) as (a,):
        b.emit_func_output(b.relu(b.concat([a, np.array([-1, 5], np.float32), b.exp(a)], 0)))
    module = stepwell.apply("reorder-concat-relu", b.get())
    assert names(bindings(module)) == ["exp", "relu", "relu", "relu", "concat"]
    (found,) = run(module, "main", [np.array([-1, 0], np.float32)])
    np.testing.assert_allclose(found, [0, 0, 0, 5, np.exp(-1), 1], rtol=1e-6)


def test_a48_all_readers_of_the_relu_get_the_new_concat() -> None:
    module = stepwell.apply("reorder-concat-relu", concat_relu(readers=3))
    (concat,) = (op for op in walk(module) if isinstance(op, graph.ConcatOp))
    end = functions(module)["main"].body.block.last_op
    assert isinstance(end, ReturnOp)
    assert list(end.operands) == [concat.out] * 3


def test_a49_the_pass_has_a_name_a_level_and_a_place_in_the_pipeline() -> None:
    (one,) = parse_passes("reorder-concat-relu", available_passes())
    assert (one.name, one.opt_level) == ("reorder-concat-relu", 1)
    assert "graph.relu" in str(stepwell.apply(one, concat_relu()))
    stages = stepwell.OPTIMISED(stepwell.native())
    assert "reorder-concat-relu" in [each.name for stage in stages for each in stage.passes]


def test_a50_one_step_lands_on_the_inner_concat_and_the_next_goes_on() -> None:
    b = GraphBuilder()
    with b.function("main", {"a": tensor((1,)), "b": tensor((2,)), "c": tensor((3,))}) as (x, y, z):
        b.emit_func_output(b.relu(b.concat([b.concat([x, y], 0), z], 0)))
    module = b.get()
    once = stepwell.apply("reorder-concat-relu{steps=1}", module)
    assert names(bindings(once)) == ["concat", "relu", "relu", "concat"]
    twice = stepwell.apply("reorder-concat-relu{steps=1}", once)
    assert sorted(names(bindings(twice))) == ["concat", "concat", "relu", "relu", "relu"]
    assert names(bindings(twice))[0] == "relu"
    assert str(stepwell.apply("reorder-concat-relu{steps=2}", module)) == str(twice)
    assert str(stepwell.apply("reorder-concat-relu", module)) == str(twice)
    given = [np.array(values, np.float32) for values in ([-1], [2, -3], [4, -5, np.nan])]
    for each in (once, twice):
        np.testing.assert_array_equal(run(each, "main", given)[0], np.array([0, 2, 0, 4, 0, np.nan], np.float32))
