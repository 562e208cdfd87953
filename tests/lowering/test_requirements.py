"""What a model requires of its sizes: checked at every level, before anything is computed or allocated."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import stepwell
from stepwell.compiler import parse, program_of
from stepwell.errors import RunError
from stepwell.interpreters.run import run
from stepwell.pipelines import run_stages
from stepwell.runtime import load
from stepwell.runtime.cache import default_cache
from stepwell.runtime.library import load_library
from stepwell.targets import target_named

# 'valid' 3x3 windows, then the columns in pairs: rows >= 3, columns >= 3, columns - 2 even
TEXT = """
func.func @main(%x : tensor<1x1x?x?xf32, #graph.dims<1, 1, h, w>>) -> tensor<?x?x2xf32> attributes {outputs = ["y"]} {
  %0 = graph.max_pool2d %x kernel [3, 3] : tensor<1x1x?x?xf32, #graph.dims<1, 1, h, w>> -> tensor<1x1x?x?xf32>
  %y = graph.reshape %0 to <d2, ?, 2> : tensor<1x1x?x?xf32> -> tensor<?x?x2xf32>
  func.return %y : tensor<?x?x2xf32>
}
"""

REFUSED = [((2, 4), "h - 3 >= 0, but it is -1 with h = 2"), ((3, 2), "w - 3 >= 0, but it is -1 with w = 2")]
ODD = (3, 5)


def image(shape: tuple[int, int]) -> np.ndarray:
    return np.arange(shape[0] * shape[1], dtype=np.float32).reshape(1, 1, *shape)


@pytest.mark.parametrize("stages", [stepwell.REFERENCE, stepwell.OPTIMISED])
def test_every_stage_refuses_and_accepts_the_same_sizes(stages):
    levels: list[str] = []

    def try_all(stage, module):
        levels.append(stage.name)
        # the largest of each window is its last element: x[2, 2], x[2, 3]
        (y,) = run(module, "main", [image((3, 4))])
        np.testing.assert_array_equal(y, np.array([[[10, 11]]], np.float32))
        for shape, reason in REFUSED:
            with pytest.raises(RunError, match="'main' needs " + reason.split(",")[0]):
                run(module, "main", [image(shape)])
        with pytest.raises(RunError, match=r"needs .* mod 2\) >= 0, but it is -1 with w = 5"):
            run(module, "main", [image(ODD)])

    run_stages(parse(TEXT), stages(target_named("generic")), after_stage=try_all)
    assert levels[0] == "graph"
    assert levels[-1] == "clean"


def test_a_model_refuses_before_it_allocates(monkeypatch):
    model = stepwell.compile(parse(TEXT), "generic")
    np.testing.assert_array_equal(model(image((4, 4))), np.array([[[10, 11]], [[14, 15]]], np.float32))
    allocations: list[object] = []
    monkeypatch.setattr(np, "empty", lambda *args: allocations.append(args))
    for shape, reason in REFUSED:
        with pytest.raises(RunError, match=f"model 'model' needs {reason.split(' with')[0]} with h = {shape[0]}"):
            model(image(shape))
    with pytest.raises(RunError, match=r"needs -\(.* % 2\) >= 0, but it is -1 with h = 3, w = 5"):
        model(image(ODD))
    assert allocations == []


def test_the_c_returns_a_status_and_sizes_of_0():
    program = program_of(stepwell.emit(parse(TEXT), "generic"))
    library = load_library(program, default_cache())
    bad = program.spec.statuses.index("a dim is negative, or the dims are not ones that the model can run with")
    pointers = [ctypes.c_void_p(64)] * 2  # never looked at
    for sizes in [*(shape for shape, _ in REFUSED), ODD, (-1, 4)]:
        dims = [ctypes.c_int64(size) for size in sizes]
        assert library.model_run(*pointers, *dims, None) == bad
        for function, selector in (("input_size", [0]), ("output_size", [0]), ("workspace_size", [])):
            size = getattr(library, f"model_{function}")
            size.restype = ctypes.c_size_t
            assert size(*selector, *dims) == 0
    assert library.model_output_size(0, ctypes.c_int64(4), ctypes.c_int64(4)) == 2 * 1 * 2 * 4


def test_a_reshape_to_sizes_that_no_symbol_makes_equal_runs_where_they_are():
    module = parse("""
func.func @main(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<2x?xf32> {
  %y = graph.reshape %x to <2, n floordiv 2> : tensor<?xf32, #graph.dims<n>> -> tensor<2x?xf32>
  func.return %y : tensor<2x?xf32>
}
""")
    model = stepwell.compile(module, "generic")
    np.testing.assert_array_equal(model(np.arange(6, dtype=np.float32)), np.float32([[0, 1, 2], [3, 4, 5]]))
    with pytest.raises(RunError, match="with n = 7"):
        model(np.arange(7, dtype=np.float32))


@pytest.mark.parametrize("stages", [stepwell.REFERENCE, stepwell.OPTIMISED])
def test_a_rounded_size_beside_a_number_is_required_to_be_it(stages):
    """Every fourth row, beside a single one: there has to be one such row."""
    module = parse("""
func.func @main(%x : tensor<?x?xf32, #graph.dims<h, w>>, %z : tensor<1x?xf32, #graph.dims<1, w>>) -> tensor<1x?xf32> {
  %0 = graph.slice %x [0:9223372036854775807:4, :] : tensor<?x?xf32, #graph.dims<h, w>> -> tensor<?x?xf32>
  %y = graph.concat %0, %z axis 1 : tensor<?x?xf32>, tensor<1x?xf32, #graph.dims<1, w>> -> tensor<1x?xf32>
  func.return %y : tensor<1x?xf32>
}
""")
    model = stepwell.compile(module, "generic", stages=stages)
    for rows in (1, 4):
        x, z = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3), np.ones((1, 3), np.float32)
        np.testing.assert_array_equal(model(x, z), np.concatenate([x[::4], z], 1))
        np.testing.assert_array_equal(stepwell.run(module, x, z), np.concatenate([x[::4], z], 1))
    for rows in (0, 5):
        x = np.zeros((rows, 3), np.float32)
        for run_it in (model, lambda *given: stepwell.run(stepwell.lower(module, stop_after="graph"), *given)):
            with pytest.raises(RunError, match=f"needs .* with h = {rows}"):
                run_it(x, np.ones((1, 3), np.float32))


@pytest.mark.parametrize("mode", ["edge", "reflect", "wrap"])
def test_an_empty_axis_has_nothing_to_pad_with(mode):
    module = parse(f"""
func.func @main(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32> {{
  %y = graph.pad %x [2] [1] {mode} : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}}
""")
    model = stepwell.compile(module, "generic")
    for size in (1, 2, 5):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(model(x), np.pad(x, (2, 1), mode=mode))
    with pytest.raises(RunError, match="needs n - 1 >= 0, but it is -1 with n = 0"):
        model(np.empty(0, np.float32))


def test_a_slice_to_a_far_end_takes_the_whole_axis_and_says_so():
    # exporters write "to the end" as a large number: the sizes before and after are one size, for all that can be run
    text = """
    func.func @main(%x : tensor<?x4xf32, #graph.dims<n, 4>>) -> tensor<?x4xf32> {
      %0 = graph.slice %x [0:1000000000, 1:2] : tensor<?x4xf32, #graph.dims<n, 4>> -> tensor<?x1xf32>
      %y = graph.subtract %x, %0 : tensor<?x4xf32, #graph.dims<n, 4>>, tensor<?x1xf32> -> tensor<?x4xf32>
      func.return %y : tensor<?x4xf32>
    }
    """
    program = program_of(stepwell.emit(parse(text), "generic"))
    model = load(program)
    x = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
    np.testing.assert_array_equal(model(x), x - x[:, 1:2])
    assert model(np.zeros((0, 4), np.float32)).shape == (0, 4)
    size = load_library(program, default_cache()).model_output_size
    size.restype = ctypes.c_size_t
    assert size(0, ctypes.c_int64(10**9)) == 16 * 10**9
    assert size(0, ctypes.c_int64(10**9 + 1)) == 0
