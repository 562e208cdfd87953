"""Names that a model may have, in C (B109-B112, B150, B152)."""

from __future__ import annotations

import re

import numpy as np
import pytest
from stepwell.compiler import parse
from stepwell.emitters.c import emit_module
from stepwell.emitters.c.names import Names, comment, is_reserved, prefix_of, string_literal
from stepwell.targets import target_named

from tests.emitters.conftest import Build

GENERIC = target_named("generic")

NASTY = [
    "y0", "y1", "j0", "j1", "gamma", "index", "time", "main", "free", "exp", "expf", "memcpy", "NULL", "NAN", "linux",
    "layer1.weight", "1234", "a:0", "/model/add", "input.1", "input_1", "input 1", "int", "restrict", "double", "class",
    "_Bool", "__x", "_X", "ü", "日本", "", "sw_floordiv", "f32x8", "int32_t", "size_t", "workspace", "weights", "batch",
    "INFINITY", "errno", "x" * 300, 'quote"', "back\\slash", "question??/", "*/ evil /*", "new\nline",
]  # fmt: skip


def adding(inputs: list[str], dim: str) -> str:
    """A function of many inputs: the output is their sum."""
    names = ", ".join(f'"{name}"' for name in map(escaped, inputs))
    arguments = ", ".join(f"%x{n}: memref<?xf32>" for n in range(len(inputs)))
    shapes = "\n".join(f"loop.shape %x{n}[%n]" for n in range(len(inputs)))
    sums = "\n".join(
        f"%v{n} = loop.load %x{n}[%i] : f32\n%s{n + 1} = arith.addf %s{n}, %v{n} : f32" for n in range(len(inputs))
    )
    return f"""
func.func @free(%n: index, {arguments}, %y: memref<?xf32>)
    attributes {{dims = ["{dim}"], inputs = [{names}], outputs = ["{dim}"], outputs_count = 1 : i64}} {{
  {shapes}
  loop.shape %y[%n]
  loop.for "for" %i = 0 to %n {{
    %s0 = arith.constant 0.0 : f32
    {sums}
    loop.store %s{len(inputs)}, %y[%i]
  }}
  func.return
}}"""


def escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def test_any_names_of_tensors_and_dims(build: Build) -> None:
    source = emit_module(parse(adding(NASTY, "batch")), GENERIC, "int", origin="dir/*/model ??/ */.onnx")
    (entry,) = source.entries
    assert [t.name for t in entry.inputs] == NASTY
    parameters = [t.parameter for t in (*entry.inputs, *entry.outputs)] + list(entry.dim_parameters)
    assert len(set(parameters)) == len(parameters)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", p) and not is_reserved(p) for p in parameters)
    x = [np.full(3, n, np.float32) for n in range(len(NASTY))]
    (y,) = build(source).run("free", x, [np.zeros(3, np.float32)], [3])
    assert y.tolist() == [sum(range(len(NASTY)))] * 3


def test_original_names_stand_in_the_header() -> None:
    header = emit_module(parse(adding(["a:0", 'say "x"'], "N")), GENERIC, "net").header
    assert '#define NET_INPUT_0_NAME "a:0"' in header
    assert r'#define NET_INPUT_1_NAME "say \"x\""' in header
    assert '#define NET_DIM_0_NAME "N"' in header
    assert 'input "a:0", float32[N]' in header


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("digits", "digits"),
        ("my model-2", "my_model_2"),
        ("1234", "model1234"),
        ("", "model"),
        ("int", "int"),
        ("sw", "model_sw"),
        ("sw_x", "model_sw_x"),
        ("__x", "x"),
    ],
)
def test_prefix_of_a_model(name: str, prefix: str) -> None:
    assert prefix_of(name) == prefix


def test_names_that_would_merge_stay_apart() -> None:
    names = Names()
    taken = [names.take(text) for text in ("input.1", "input_1", "input 1", "input_1_1", "exp", "exp", "a", "a", "a_1")]
    assert len(set(taken)) == len(taken)
    assert taken[1] != "input_1"
    assert taken[0] == "input_1"


def test_inner_scopes_avoid_the_names_around_them() -> None:
    outer = Names()
    assert outer.take("net_w") == "net_w"
    assert Names(outer).take("net_w") == "net_w_1"


def test_functions_called_like_the_interface(build: Build) -> None:
    body = "attributes {outputs_count = 1 : i64} {\n%c = arith.constant 1.0 : f32\nloop.store %c, %y[0]\nfunc.return }"
    kernels = "\n".join(
        f"func.func private @{name}(%y: memref<1xf32>) {body}" for name in ("run", "workspace_size", "status", "exp")
    )
    calls = "\n".join(f"func.call @{name}(%y) : (memref<1xf32>) -> ()" for name in ("run", "workspace_size", "exp"))
    head = "func.func @main(%y: memref<1xf32>) attributes {outputs_count = 1 : i64}"
    text = f"{kernels}\n{head} {{ {calls} func.return }}"
    (y,) = build(emit_module(parse(text), GENERIC, "net"), "-O2", "-Wno-unused-function").run(
        "main", [], [np.zeros(1, np.float32)]
    )
    assert y.tolist() == [1.0]


@pytest.mark.parametrize("text", ["*/ int x; /*", "/**/", "a\nb\r\tc", "**//", "/*/*/"])
def test_comments_end_where_they_should(text: str) -> None:
    inside = comment(text)
    assert "*/" not in inside
    assert "/*" not in inside
    assert "\n" not in inside


def test_string_literals_are_ascii_without_trigraphs() -> None:
    assert string_literal('a"\\??/\n') == r'"a\"\\\?\?/\012"'
    assert string_literal("ü") == r'"\303\274"'


def test_entries_called_like_parts_of_each_other(build: Build) -> None:
    def storing(name: str, number: float) -> str:
        return f"""
func.func @{name}(%y: memref<1xf32>) attributes {{outputs_count = 1 : i64}} {{
  %c = arith.constant {number} : f32
  loop.store %c, %y[0]
  func.return
}}"""

    names = ["f_run", "f", "OK", "main", "run", "main_run", "f_run_1"]
    text = "".join(storing(name, n + 0.5) for n, name in enumerate(names))
    source = emit_module(parse(text), GENERIC, "NET")
    runs = [entry.run for entry in source.entries]
    assert len(set(runs)) == len(runs)
    assert all(run.startswith("NET_") for run in runs)
    assert source.entries[names.index("main")].run == "NET_run"
    library = build(source)
    for n, name in enumerate(names):
        assert library.run(name, [], [np.zeros(1, np.float32)])[0].tolist() == [n + 0.5]
