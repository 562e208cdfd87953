"""Rows A01 to A17: a user's own pass over statements and loops."""

import numpy as np
import pytest
import stepwell
from stepwell.dialects import loop
from stepwell.dialects.expr import Expr
from stepwell.interpreters.run import run
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

ADD = """
func.func @main(%a: tensor<128xf32>, %b: tensor<128xf32>) -> tensor<128xf32> {
  %c = graph.add %a, %b : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>
  func.return %c : tensor<128xf32>
}
"""

NEST = """
func.func @f(%n: index, %x: memref<4x16xf32>, %d: memref<?xf32>, %y: memref<4x16xf32>)
    attributes {{outputs_count = 1 : i64}} {{
  loop.shape %d[%n]
  loop.for "{outer}" %i = 0 to {outer_extent} {{
    loop.for "{inner}" %j = 0 to {inner_extent} {{
      loop.block "copy" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%e = %x[%vi, %vj])
          writes(%y[%vi, %vj]) {{
        loop.yield %e
      }}
    }}
  }}
  func.return
}}
"""


def nest(outer_extent: object = 4, inner_extent: object = 16, outer: str = "i", inner: str = "j") -> FuncOp:
    text = NEST.format(outer=outer, inner=inner, outer_extent=outer_extent, inner_extent=inner_extent)
    return function(stepwell.parse(text), "f")


def function(module: ModuleOp, name: str) -> FuncOp:
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp) and op.sym_name.data == name)


def find_width8(root: Operation) -> list[loop.ForOp]:
    """The loops whose extent is a constant that 8 divides."""
    loops: list[loop.ForOp] = []

    def visit(op: Operation) -> None:
        if isinstance(op, loop.ForOp) and op.extent.value is not None and op.extent.value % 8 == 0:
            loops.append(op)

    stepwell.post_order_visit(root, visit)
    return loops


def split8(op: loop.ForOp) -> loop.ForOp:
    """A copy of the loop as an outer serial one around an inner vectorized one of 8."""
    copy = op.clone()
    name, extent = copy.label.data, copy.extent.value
    assert extent is not None
    outer = loop.ForOp(f"{name}.outer", 0, extent // 8)
    inner = loop.ForOp(f"{name}.inner", 0, 8, kind="vectorized")
    stepwell.substitute(copy.variable, Expr.atom(outer.variable) * 8 + Expr.atom(inner.variable))
    for child in list(copy.body.block.ops):
        child.detach()
        inner.body.block.add_op(child)
    outer.body.block.add_op(inner)
    return outer


def vectorize(root: Operation) -> Operation:
    """The pass of the document: split and vectorize every loop that `find_width8` finds."""
    loops = find_width8(root)
    if not loops:
        return root
    return stepwell.transform(root, None, lambda op: split8(op) if op in loops else None, [loop.ForOp])


def loops_of(root: Operation) -> list[tuple[str, str, str]]:
    return [
        (op.label.data, op.kind.data, op.extent.text(lambda v: v.name_hint or "?"))
        for op in root.walk()
        if isinstance(op, loop.ForOp)
    ]


def test_a01_add_lowers_to_one_serial_loop_printable_as_text():
    text = stepwell.lower(stepwell.parse(ADD), stop_after="loop", simple_mode=True)
    assert "for i in 0..128 {" in text
    assert text.count("for ") == 1
    assert "c[i] = a[i] + b[i]" in text.replace("lhs", "a").replace("rhs", "b").replace("out", "c")


def test_a02_a_pass_is_a_plain_function_called_on_lowered_ir():
    lowered = stepwell.lower(stepwell.parse(ADD), stop_after="loop")
    result = vectorize(function(lowered, "add"))
    assert [kind for _, kind, _ in loops_of(result)] == ["serial", "vectorized"]
    assert [kind for _, kind, _ in loops_of(lowered)] == ["serial"]


def test_a03_post_order_visit_calls_after_the_children_and_ignores_results():
    seen: list[str] = []

    def visit(op: Operation) -> Operation:
        seen.append(op.label.data if isinstance(op, loop.ForOp | loop.BlockOp) else op.name)
        return op

    assert stepwell.post_order_visit(nest(), visit) is None
    assert [name for name in seen if name in ("i", "j", "copy")] == ["copy", "j", "i"]
    assert seen[-1] == "func.func"


def test_a04_any_closure_state_works():
    count = 0

    class Longest:
        label = ""

    def visit(op: Operation) -> None:
        nonlocal count
        if isinstance(op, loop.ForOp):
            count += 1
            Longest.label = max(Longest.label, op.label.data)

    stepwell.post_order_visit(nest(), visit)
    assert (count, Longest.label) == (2, "j")


@pytest.mark.parametrize(
    ("extent", "found"), [(16, True), (8, True), (12, False), (7, False), ("%n", False), ("%n * 8", False), (0, True)]
)
def test_a05_only_constant_extents_that_8_divides_are_found(extent: object, found: bool):
    assert [op.label.data for op in find_width8(nest(3, extent))] == (["j"] if found else [])


def test_a06_none_keeps_and_anything_else_replaces():
    kept = nest()
    assert stepwell.transform(kept, lambda op: None, lambda op: None) is kept

    def rename(op: Operation) -> Operation | None:
        if not isinstance(op, loop.ForOp) or op.label.data != "j":
            return None
        copy = op.clone()
        copy.properties["label"] = StringAttr("q")
        return copy

    for arguments in ((rename, None), (None, rename)):
        assert [name for name, _, _ in loops_of(stepwell.transform(nest(), *arguments))] == ["i", "q"]


def test_a07_a_value_from_pre_order_skips_post_order():
    called: list[str] = []

    def pre(op: Operation) -> Operation | None:
        return op.clone() if isinstance(op, loop.ForOp) and op.label.data == "i" else None

    def post(op: Operation) -> None:
        if isinstance(op, loop.ForOp):
            called.append(op.label.data)

    stepwell.transform(nest(), pre, post)
    assert called == []
    stepwell.transform(nest(), None, post)
    assert called == ["j", "i"]


def test_a08_kinds_limit_what_reaches_the_callbacks():
    seen: set[str] = set()
    stepwell.transform(nest(), lambda op: seen.add(op.name), None, [loop.ForOp])
    assert seen == {"loop.for"}
    stepwell.transform(nest(), None, lambda op: seen.add(op.name), [loop.BlockOp, FuncOp])
    assert seen == {"loop.for", "loop.block", "func.func"}


def test_a09_substitute_replaces_a_variable_everywhere_in_a_body():
    loops = [op for op in nest().walk() if isinstance(op, loop.ForOp)]
    outer, inner = loops
    stepwell.substitute(inner.variable, Expr.atom(outer.variable) * 8 + 1)
    block = next(op for op in outer.walk() if isinstance(op, loop.BlockOp))
    assert block.bindings == (Expr.atom(outer.variable), Expr.atom(outer.variable) * 8 + 1)
    assert not inner.variable.uses.get_length()


def test_a10_split_result():
    lowered = stepwell.lower(stepwell.parse(ADD), stop_after="loop")
    result = vectorize(function(lowered, "add"))
    assert loops_of(result) == [("i.outer", "serial", "16"), ("i.inner", "vectorized", "8")]
    outer = next(op for op in result.walk() if isinstance(op, loop.ForOp))
    assert (outer.lower.value, outer.upper.value) == (0, 16)


def test_a11_what_does_not_qualify_stays_and_nothing_found_gives_the_same_object():
    unchanged = nest(3, 12)
    assert vectorize(unchanged) is unchanged
    assert loops_of(vectorize(nest(3, 16))) == [
        ("i", "serial", "3"),
        ("j.outer", "serial", "2"),
        ("j.inner", "vectorized", "8"),
    ]


def test_a12_of_nested_loops_only_the_innermost_changes():
    # once the inner loop is replaced, the outer one is a new object, and not among those found
    assert loops_of(vectorize(nest(8, 16))) == [
        ("i", "serial", "8"),
        ("j.outer", "serial", "2"),
        ("j.inner", "vectorized", "8"),
    ]


def test_a13_two_calls_and_two_functions_are_independent():
    first, second = nest(8, 12), nest(3, 16)
    assert [op.label.data for op in find_width8(first)] == ["i"]
    assert [op.label.data for op in find_width8(second)] == ["j"]
    assert str(vectorize(second)) == str(vectorize(second))
    assert loops_of(vectorize(first))[0] == ("i.outer", "serial", "1")


def test_a14_passes_are_injected_inside_the_context_only():
    calls: list[str] = []

    def note(op: FuncOp) -> None:
        calls.append(op.sym_name.data)

    module = stepwell.parse(ADD)
    with stepwell.pass_context(add_lower_pass=[(1, note)]):
        stepwell.lower(module)
    assert "add" in calls
    calls.clear()
    stepwell.lower(module)
    assert calls == []
    with (
        pytest.raises(stepwell.PipelineError, match="no lowering phase 4"),
        stepwell.pass_context(add_lower_pass=[(4, note)]),
    ):
        pass


def test_a15_each_phase_sees_the_work_of_the_phase_before():
    seen: dict[int, FuncOp] = {}

    def at(phase: int):
        def keep(op: FuncOp) -> None:
            if op.sym_name.data == "add2d":
                seen[phase] = op.clone()

        return keep

    text = """
    func.func private @add2d(%a: memref<4x8xf32>, %c: memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
      loop.for "i" %i = 0 to 4 {
        loop.for "j" %j = 0 to 8 {
          loop.block "double" (%vi : spatial = %i, %vj : spatial = %j) reads(%x = %a[%vi, %vj]) writes(%c[%vi, %vj]) {
            %y = arith.addf %x, %x : f32
            loop.yield %y
          }
        }
      }
      func.return
    }
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = graph.call_tir @add2d(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      func.return %y : tensor<4x8xf32>
    }
    """
    with stepwell.pass_context(add_lower_pass=[(phase, at(phase)) for phase in range(4)]):
        stepwell.lower(stepwell.parse(text))

    def blocks(phase: int) -> list[loop.BlockOp]:
        return [op for op in seen[phase].walk() if isinstance(op, loop.BlockOp)]

    assert [len(r.indices) for r in blocks(0)[0].read_accesses] == [2]
    assert [len(r.indices) for r in blocks(1)[0].read_accesses] == [1]
    assert blocks(2) == []
    assert any(isinstance(op, loop.LoadOp) for op in seen[2].walk())
    assert sorted(seen) == [0, 1, 2, 3]


def test_a16_vectorized_at_phase_1_becomes_vector_accesses_at_phase_2():
    flat: list[list[int]] = []

    def vectorize_flat(op: FuncOp) -> Operation:
        flat.extend([len(r.indices) for r in b.read_accesses] for b in op.walk() if isinstance(b, loop.BlockOp))
        return vectorize(op)

    module = stepwell.parse(ADD)
    with stepwell.pass_context(add_lower_pass=[(1, vectorize_flat)]):
        lowered = stepwell.lower(module, target="avx2", stages=stepwell.REFERENCE)
    assert flat
    assert all(rank == 1 for ranks in flat for rank in ranks)
    add = function(lowered, "add")
    assert loops_of(add) == [("i.outer", "serial", "16")]
    names = [op.name for op in add.walk()]
    assert (names.count("simd.load"), names.count("simd.store"), names.count("loop.load")) == (2, 1, 0)
    vectors = {str(r.type) for op in add.walk() if op.name == "simd.load" for r in op.results}
    assert vectors == {"vector<8xf32>"}
    a, b = np.arange(128, dtype=np.float32), np.linspace(-1, 1, 128, dtype=np.float32)
    np.testing.assert_array_equal(run(lowered, "main", [a, b])[0], a + b)


def test_a17_simple_mode_is_a_readable_statement_dump():
    text = stepwell.lower(stepwell.parse(ADD), stop_after="loop", simple_mode=True)
    assert isinstance(text, str)
    assert "memref" not in text
    assert "attributes" not in text
    with stepwell.pass_context(add_lower_pass=[(0, vectorize)]):
        text = stepwell.lower(stepwell.parse(ADD), stop_after="loop", simple_mode=True)
    assert "for i.outer in 0..16 {" in text
    assert "for i.inner in 0..8 vectorized {" in text
