"""What an index expression in a step may name, and that a trace is read back whatever the values are called."""

from __future__ import annotations

import pytest
from stepwell.errors import ScheduleError
from stepwell.frontends.mlir import parse
from stepwell.pipelines.stage import new_context
from stepwell.rewriting import verify
from stepwell.transforms.primitives import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp


def nest(dim: str, outer: str, extent: str) -> ModuleOp:
    """A copy of the lower triangle, in a loop with a label over a dim with a name."""
    dim = dim.replace('"', '\\"')
    module = parse(
        f"""
func.func @f(%0: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>)
    attributes {{dims = ["{dim}"], outputs_count = 1 : i64}} {{
  loop.shape %x[%0, 4]
  loop.shape %y[%0, 4]
  %rows = loop.index (%0 floordiv 2)
  loop.for "{outer}" %i = 0 to {extent} {{
    loop.for "j" %j = 0 to min(%i + {extent}, 4) {{
      loop.block "b" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%y[%vi, %vj]) {{
        loop.yield %a
      }}
    }}
  }}
  func.return
}}
""",
        "test.mlir",
        new_context(),
    )
    verify(module)
    return module


def schedule_of(module: ModuleOp) -> Schedule:
    return Schedule(next(op for op in module.walk() if isinstance(op, FuncOp)))


@pytest.mark.parametrize("extent", ["%0", "%rows"])
@pytest.mark.parametrize(
    ("dim", "outer", "names"),
    [
        ("n", "i", ["n", "i"]),
        ("n", "n", ["arg0", "n"]),
        ("n", "n.outer", ["n", "n.outer"]),
        ("extent", "max", ['"extent"', '"max"']),
        ("the rows", "r/o w", ['"the rows"', '"r/o w"']),
        ('a"b', "1", [r'"a\"b"', '"1"']),
        ("\N{GREEK SMALL LETTER ALPHA}", "arg0", ['"\N{GREEK SMALL LETTER ALPHA}"', "arg0"]),
        ("arg0", "arg0", ["arg0_", "arg0"]),
    ],
)
def test_a_trace_names_every_value_so_that_it_is_read_back(dim: str, outer: str, names: list[str], extent: str) -> None:
    module = nest(dim, outer, extent)
    address = outer if outer.replace(".", "").isalnum() else f'"{outer}"'
    schedule = schedule_of(module)
    schedule.apply(f"peel b/{address} extent floordiv 2", "peel b/j extent floordiv 2")
    rows, label = names
    inner = schedule.trace[1].removeprefix("peel b/j ")
    assert (rows if extent == "%0" else "value0") in inner
    assert label in inner
    again = nest(dim, outer, extent)
    schedule_of(again).apply(*schedule.trace)
    assert str(again) == str(module)


def test_names_that_there_are_not_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(ScheduleError, match=r"names 'q'; an expression may name extent, \"the rows\", value0"):
        schedule_of(nest("the rows", "i", "%0")).apply("peel b/i q")
