"""What a step would do to memory that is used elsewhere too: under another name, before a sum starts, out of bounds."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.pipelines.run import run_pass
from stepwell.pipelines.stage import new_context
from stepwell.transforms.hoist_invariants import HoistInvariantsPass
from stepwell.transforms.simplify_indices import SimplifyIndicesPass

from .conftest import assert_same, module_of

X = np.arange(1, 5, dtype=np.float32)


def program(body: str, n: bool = False, element: str = "f32") -> str:
    """A function of x, and of y and z, which have contents already."""
    first, dims = ("%n: index, ", 'dims = ["n"], ') if n else ("", "")
    buffers = ", ".join(f"%{name}: memref<4x{element}>" for name in "xyz")
    return (
        f"func.func @f({first}{buffers}) attributes {{{dims}outputs_count = 2 : i64}} {{\n{body}\n  func.return\n}}\n"
    )


def total(label: str, buffer: str, at: str, axes: str, operand: str = "%x[%vk]") -> str:
    """A block that adds up."""
    return f"""
      loop.block "{label}" ({axes}) reads(%a = {operand}) writes(%o = {buffer}[{at}]) init {{
        %zero = arith.constant 0.0 : f32
        loop.yield %zero
      }} {{
        %s = arith.addf %o, %a : f32
        loop.yield %s
      }}"""


# -- another name for the same memory ----------------------------------------------------------------------------------

SAME_MEMORY = {
    "if": "%b = loop.if (%n >= 0) -> (memref<4xf32>) { loop.yield %y } else { loop.yield %z }",
    "for": '%b = loop.for "t" %t = 0 to 3 iter(%c = %y) { loop.yield %c }',
    "for, handed on": '%b = loop.for "t" %t = 0 to 3 iter(%c = %x) { loop.yield %y }',
    "while": """%no = arith.constant false
  %b = loop.while (%c = %y) { loop.condition %no, %c } do (%d) { loop.yield %d }""",
}


@pytest.mark.parametrize("name", SAME_MEMORY)
def test_iterations_meet_under_another_name(refused, name):
    body = f"""
  {SAME_MEMORY[name]}
  loop.for "i" %i = 0 to 3 {{
    loop.block "p" (%v : spatial = %i) reads(%a = %b[%v]) writes(%y[%v + 1]) {{ loop.yield %a }}
  }}"""
    refused(program(body, n=True), ["kind parallel p/i"], "two iterations of i may meet")


@pytest.mark.parametrize("name", SAME_MEMORY)
def test_a_load_is_not_hoisted_over_a_store_under_another_name(name):
    text = program(
        f"""
  {SAME_MEMORY[name]}
  loop.for "i" %i = 0 to 4 {{
    %a = loop.load %y[2] : f32
    %s = arith.addf %a, %a : f32
    loop.store %s, %b[2]
  }}""",
        n=True,
    )
    module = module_of(text)
    run_pass(HoistInvariantsPass(), new_context(), module)
    assert_same(module_of(text), module, {"n": np.array(1), "x": X, "y": X, "z": X})
    (loop,) = [op for op in module.walk() if op.name == "loop.for" and op.label.data == "i"]  # type: ignore[attr-defined]
    assert "loop.load" in [op.name for op in loop.walk()]


def test_views_that_overlap_are_one_buffer(refused):
    """The second view begins in the middle of the first."""
    body = """
  loop.for "i" %i = 0 to 4 {
    loop.block "p" (%v : spatial = %i) reads(%a = %one[%v]) writes(%y[%v]) { loop.yield %a }
  }
  loop.for "j" %j = 0 to 4 {
    loop.block "c" (%v : spatial = %j) reads(%a = %x[%v]) writes(%two[%v]) { loop.yield %a }
  }"""
    text = f"""
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %ws: memref<32xi8>) attributes {{workspace = #loop.map<(32)>}} {{
  %one = loop.view %ws[0] : memref<4xf32>
  %two = loop.view %ws[OFFSET] : memref<4xf32>
  {body}
  func.return
}}"""
    refused(text.replace("OFFSET", "8"), ["merge p/i c/j"], "needs a later one of loop i")


def test_views_that_lie_apart_are_two_buffers(check):
    text = """
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %ws: memref<32xi8>) attributes {workspace = #loop.map<(32)>} {
  %one = loop.view %ws[0] : memref<4xf32>
  %two = loop.view %ws[16] : memref<4xf32>
  loop.for "i" %i = 0 to 4 {
    loop.block "p" (%v : spatial = %i) reads(%a = %x[%v]) writes(%one[%v]) { loop.yield %a }
  }
  loop.for "j" %j = 0 to 4 {
    loop.block "c" (%v : spatial = %j) reads(%a = %x[-%v + 3]) writes(%two[%v]) { loop.yield %a }
  }
  loop.for "k" %k = 0 to 4 {
    loop.block "s" (%v : spatial = %k) reads(%a = %one[%v], %b = %two[%v]) writes(%y[%v]) {
      %s = arith.mulf %a, %b : f32
      loop.yield %s
    }
  }
  func.return
}"""
    check(text, ["merge p/i c/j"], {"x": X})


# -- sums that are read, or started, elsewhere -------------------------------------------------------------------------

FEEDBACK = program(
    f"""
  loop.for "t" %t = 0 to 1 {{
    loop.for "k" %k = 0 to 4 {{{total("c", "%y", "0", "%vk : reduce = %k", "%y[%vk]")}
    }}
  }}"""
)


@pytest.mark.parametrize("step", ["cache-write c/t", "rfactor c/k reassociates"])
def test_a_sum_that_it_reads_itself_stays_where_it_is(refused, step):
    refused(FEEDBACK, [step], "block c reads the buffer that it accumulates in")


def test_a_sum_does_not_start_before_its_old_value_is_read(refused):
    body = f"""
  loop.for "i" %i = 0 to 4 {{
    loop.block "p" (%v : spatial = %i) reads(%a = %y[%v]) writes(%z[%v]) {{ loop.yield %a }}
  }}
  loop.for "k" %k = 0 to 4 {{{total("c", "%y", "0", "%vk : reduce = %k")}
  }}"""
    refused(program(body), ["merge p/i c/k"], "block c starts its sums before loop k, and loop i uses them")


def test_a_sum_may_start_where_nobody_looks(check):
    body = f"""
  loop.for "i" %i = 0 to 3 {{
    loop.block "p" (%v : spatial = %i) reads(%a = %y[%v + 1]) writes(%z[%v]) {{ loop.yield %a }}
  }}
  loop.for "k" %k = 0 to 3 {{{total("c", "%y", "0", "%vk : reduce = %k")}
  }}"""
    check(program(body), ["merge p/i c/k"], {"x": X, "y": 7 * X, "z": X})


def test_a_tile_is_not_begun_in_a_trip_that_is_left_out(refused):
    """The init belongs to every k, but the tile would begin with k = 0, which the condition leaves out."""
    body = f"""
  loop.for "k" %k = 0 to 4 {{
    loop.if (%k - 1 >= 0) {{
      loop.for "t" %t = 0 to 1 {{
        loop.for "i" %i = 0 to 4 {{{total("c", "%y", "%vi", "%vi : spatial = %i, %vk : reduce = %k")}
        }}
      }}
    }}
  }}"""
    refused(program(body), ["cache-write c/t"], "block c stands in 'loop.if' within its reduce loops")


def test_a_tile_may_stand_under_a_condition_that_stays(check):
    body = f"""
  loop.for "k" %k = 0 to 4 {{
    loop.if (%n - 1 >= 0) {{
      loop.for "t" %t = 0 to 1 {{
        loop.for "i" %i = 0 to 4 {{{total("c", "%y", "%vi", "%vi : spatial = %i, %vk : reduce = %k")}
        }}
      }}
    }}
  }}"""
    check(
        program(body, n=True),
        ["cache-write c/t"],
        *({"n": np.array(n), "x": X, "y": 7 * X, "z": X} for n in (0, 1)),
    )


def test_loops_do_not_change_places_where_a_sum_starts_in_sight(refused):
    """With k outside, every sum starts before the first element is read."""
    body = f"""
  loop.for "i" %i = 0 to 3 {{
    loop.for "k" %k = 0 to 1 {{
      loop.block "p" (%v : spatial = %i) reads(%a = %y[%v + 1]) writes(%z[%v]) {{ loop.yield %a }}
      {total("c", "%y", "%vi", "%vi : spatial = %i, %vk : reduce = %k")}
    }}
  }}"""
    refused(program(body), ["reorder c/k c/i"], "block c would start its sums at another time")


START = {
    "a sum that starts before something reads its old value": f"""
  loop.for "k" %k = 0 to 1 {{
    loop.block "p" () reads(%a = %y[0]) writes(%z[0]) {{ loop.yield %a }}
    loop.for "l" %l = 0 to 4 {{{total("c", "%y", "0", "%vk : reduce = %k, %vl : reduce = %l", "%x[%vl]")}
    }}
  }}""",
    "sums that all start before one is read": f"""
  loop.for "k" %k = 0 to 1 {{
    loop.for "i" %i = 0 to 3 {{{total("c", "%y", "%vi", "%vi : spatial = %i, %vk : reduce = %k", "%y[%vi + 1]")}
    }}
  }}""",
    "a sum that starts where its loop does not run": f"""
  loop.for "i" %i = 1 to 4 {{
    loop.for "k" %k = 0 to -%i * 3 + 4 {{
      {total("c", "%y", "%vi floordiv 2", "%vi : spatial = %i, %vk : reduce = %k")}
    }}
  }}""",
    "a sum that starts out of bounds where its loop does not run": f"""
  loop.for "i" %i = 3 to 6 {{
    loop.for "k" %k = 0 to -%i + 4 {{
      {total("c", "%y", "%vi", "%vi : spatial = %i, %vk : reduce = %k").replace(") init", ") clip init")}
    }}
  }}""",
    "a sum that starts before a side that is never taken": f"""
  loop.for "k" %k = 0 to 4 {{
    loop.if (%k >= 0) {{
      loop.block "p" (%v : spatial = %k) reads(%a = %x[%v]) writes(%z[%v]) {{ loop.yield %a }}
    }} else {{{total("c", "%y", "0", "%vk : reduce = %k")}
    }}
  }}""",
}


@pytest.mark.parametrize("name", START)
def test_simplifying_does_not_move_where_a_sum_starts(name):
    text = program(START[name])
    module = module_of(text)
    run_pass(SimplifyIndicesPass(), new_context(), module)
    assert_same(module_of(text), module, {"x": X, "y": 7 * X, "z": X})


# -- out of bounds ----------------------------------------------------------------------------------------------------


def test_a_dim_that_decides_about_padding_is_not_contracted(refused):
    """`T[-1]` is dropped by the write and padded by the read; without the dim it would be an element like others."""
    body = """
  %T = loop.alloc "global" : memref<4xf32>
  loop.for "i" %i = 0 to 4 {
    loop.block "p" (%v : spatial = %i) reads(%a = %x[%v]) writes(%T[%v - 1]) clip { loop.yield %a }
    loop.block "c" (%v : spatial = %i) reads(%a = %T[%v - 1] else 9.0 : f32) writes(%y[%v]) { loop.yield %a }
  }"""
    refused(program(body), ["contract p p/i"], "pads or clips an access of the buffer of block p by dim 0")


def test_a_padded_dim_that_stays_does_not_matter(check):
    body = """
  %T = loop.alloc "global" : memref<4x4xf32>
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 4 {
      loop.block "p" (%v : spatial = %i, %w : spatial = %j) reads(%a = %x[%w]) writes(%T[%v, %w]) { loop.yield %a }
    }
    loop.block "c" (%v : spatial = %i) reads(%a = %T[%v, %v - 1] else 9.0 : f32) writes(%y[%v]) { loop.yield %a }
  }"""
    check(program(body), ["contract p p/i"], {"x": X, "y": X, "z": X})


@pytest.mark.parametrize("value", ["inf", "nan", "1.5", "4294967296", "1e30"])
def test_padding_is_a_number_that_the_type_has(refused, value):
    body = """
  loop.for "i" %i = 0 to 4 {
    loop.block "p" (%v : spatial = %i) reads(%a = %x[%v]) writes(%y[%v]) { loop.yield %a }
  }"""
    refused(program(body, element="i32"), [f"pad p/i 3 {value}"], "is no number of type i32")


def test_a_loop_that_calls_is_not_padded(refused):
    """The calls beyond the extent would be calls too many."""
    body = """
  loop.for "i" %i = 0 to 3 {
    loop.block "p" (%v : spatial = %i) reads(%a = %x[%v]) writes(%y[%v + 1]) { loop.yield %a }
    func.call @more(%z) : (memref<4xf32>) -> ()
  }"""
    refused(
        program(body) + "func.func private @more(memref<4xf32>)\n",
        ["pad p/i 2"],
        "loop i contains 'func.call', which cannot be padded",
    )
