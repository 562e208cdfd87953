"""Convolutions under the rules: legal for every extent, the same values bit for bit, vectors where there is room."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines.run import run_pass
from stepwell.pipelines.stage import new_context
from stepwell.pipelines.text import available_passes, parse_passes
from stepwell.rewriting import verify
from xdsl.dialects.builtin import ModuleOp

DOWN = "infer-shapes,fuse-elementwise,convert-graph-to-loop,fuse-loop-functions,convert-calls-to-buffers"
TARGETS = ["c-vector", "avx2", "avx512"]


def passed(module: ModuleOp, pipeline: str) -> ModuleOp:
    result = module.clone()
    context = new_context()
    for each in parse_passes(pipeline, available_passes()):
        run_pass(each, context, result)
    verify(result)
    return result


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def check(text: str, target: str, *inputs: dict[str, np.ndarray]) -> str:
    plain = passed(parse(text, "test.mlir", new_context()), DOWN)
    scheduled = passed(plain, f"assign-schedules{{target={target}}},apply-schedule,simplify-indices,verify-loops")
    lowered = passed(scheduled, f"flatten-storage,convert-loop-to-simd{{target={target}}}")
    for each in inputs:
        (expected,) = run(plain, "main", each)
        assert run(scheduled, "main", each)[0].tobytes() == expected.tobytes()
        (found,) = run(lowered, "main", each)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * max(1, np.abs(expected).max(initial=0)))
    return str(scheduled)


def convolution(
    shape: tuple[int | str, ...],
    filter: tuple[int, ...],
    stride: int = 1,
    pad: int = 0,
    dilation: int = 1,
    groups: int = 1,
    *,
    residual: bool = False,
) -> str:
    """`relu(conv2d(x, w) + b)`, or with `x` added before the relu."""
    sizes = "x".join("?" if isinstance(size, str) else str(size) for size in shape)
    names = f", #graph.dims<{', '.join(map(str, shape))}>" if "?" in sizes else ""
    x = f"tensor<{sizes}xf32{names}>"
    w = f"tensor<{'x'.join(map(str, filter))}xf32>"
    extents = [
        "?" if isinstance(size, str) else str((size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1)
        for size, kernel in zip(shape[2:], filter[2:], strict=True)
    ]
    batch = "?" if isinstance(shape[0], str) else shape[0]
    y = f"tensor<{batch}x{filter[0]}x{'x'.join(extents)}xf32>"
    b = f"tensor<{filter[0]}x1x1xf32>"
    added = f"  %v = graph.add %u, %x : {y}, {x} -> {y}\n" if residual else ""
    return f"""
func.func @main(%x: {x}, %w: {w}, %b: {b}) -> {y} {{
  %t = graph.conv2d %x, %w strides [{stride}, {stride}] pads [{pad}, {pad}, {pad}, {pad}]
      dilations [{dilation}, {dilation}] groups {groups} : {x}, {w} -> {y}
  %u = graph.add %t, %b : {y}, {b} -> {y}
{added}  %y = graph.relu %{"v" if residual else "u"} : {y} -> {y}
  func.return %y : {y}
}}
"""


def operands(shape: tuple[int, ...], filter: tuple[int, ...]) -> dict[str, np.ndarray]:
    return {"x": random(*shape), "w": random(*filter), "b": random(filter[0], 1, 1)}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("shape", "filter", "rest"),
    [
        ((1, 2, 5, 16), (3, 2, 3, 3), (1, 1)),
        ((2, 2, 4, 17), (7, 2, 3, 3), (1, 1)),
        ((1, 2, 3, 5), (33, 2, 3, 3), (1, 1)),
        ((1, 2, 7, 34), (3, 2, 3, 3), (2, 1)),
        ((1, 2, 6, 6), (34, 2, 1, 1), (2, 0)),
        ((1, 2, 6, 36), (3, 2, 1, 1), (2, 0)),
        ((1, 3, 4, 6), (5, 3, 1, 1), ()),
        ((1, 3, 3, 16), (5, 3, 1, 1), ()),
        ((1, 1, 9, 40), (2, 1, 3, 3), (1, 2, 2)),
        ((1, 3, 4, 20), (3, 1, 3, 3), (1, 1, 1, 3)),
        ((1, 3, 4, 20), (6, 1, 3, 3), (1, 1, 1, 3)),
        ((1, 4, 4, 20), (4, 2, 3, 3), (1, 1, 1, 2)),
        ((1, 2, 3, 3), (2, 2, 3, 3), (1, 1)),
        ((0, 2, 4, 16), (3, 2, 3, 3), (1, 1)),
        ((1, 0, 4, 16), (3, 0, 3, 3), (1, 1)),
        ((1, 2, 4, 16), (0, 2, 3, 3), (1, 1)),
        ((1, 2, 1, 1), (33, 2, 1, 1), (1, 9)),
    ],
)
def test_convolution(target, shape, filter, rest):
    check(convolution(shape, filter, *rest), target, operands(shape, filter))


@pytest.mark.parametrize("rest", [(1, 1), (2, 1), (3, 0)])
def test_convolution_of_an_image_of_a_run_time_size(rest):
    filter = (4, 2, 3, 3)
    shapes = [(1, 2, 3, 3), (2, 2, 5, 16), (1, 2, 4, 39), (0, 2, 3, 17)]
    check(convolution(("n", 2, "h", "w"), filter, *rest), "avx2", *(operands(shape, filter) for shape in shapes))


def test_sizes_that_do_not_show_to_be_cut_into_whole_parts_stay_two_loops():
    model = """
func.func @main(%x: tensor<1x3x?x?xf32, #graph.dims<1, 3, h, w>>, %w: tensor<6x3x3x3xf32>,
    %p: tensor<6x6x1x1xf32>) -> tensor<1x6x?x?xf32> {
  %t = graph.conv2d %x, %w strides [2, 3] pads [1, 0, 2, 1] dilations [1, 2] groups 1
      : tensor<1x3x?x?xf32, #graph.dims<1, 3, h, w>>, tensor<6x3x3x3xf32> -> tensor<1x6x?x?xf32>
  %y = graph.conv2d %t, %p strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] groups 1
      : tensor<1x6x?x?xf32>, tensor<6x6x1x1xf32> -> tensor<1x6x?x?xf32>
  func.return %y : tensor<1x6x?x?xf32>
}
"""
    shapes = [(1, 3, 4, 5), (1, 3, 14, 17), (1, 3, 6, 80)]
    inputs = [{"x": random(*shape), "w": random(6, 3, 3, 3), "p": random(6, 6, 1, 1)} for shape in shapes]
    text = check(model, "avx2", *inputs)
    assert "vectorized" in text
    assert "y.x" not in text


def test_padding_is_copied_and_the_rest_goes_into_the_tile():
    text = check(convolution((1, 2, 4, 16), (12, 2, 3, 3), 1, 1), "avx2")
    assert "memref<1x2x6x18xf32>" in text
    assert '"register" : memref<6x2x8xf32>' in text
    assert '"conv2d.out.' in text


def test_rows_shorter_than_a_register_are_one_row():
    shape, filter = (1, 32, 7, 7), (32, 32, 3, 3)
    text = check(convolution(shape, filter, 1, 1, residual=True), "avx2", operands(shape, filter))
    assert "memref<32x3x3x1x7x7xf32>" in text
    assert '"register" : memref<6x2x8xf32>' in text
    assert '"y.x.outer"' in text


def test_a_window_of_one_is_a_product_of_matrices_without_a_copy():
    text = check(convolution((1, 8, 5, 7), (12, 8, 1, 1)), "avx2")
    assert '"y.x.outer"' in text
    assert "conv2d.read" not in text


def test_a_transposed_operand_is_turned_once_for_many_rows():
    text = """
func.func @main(%x: tensor<48x5xf32>, %w: tensor<16x5xf32>) -> tensor<48x16xf32> {
  %t = graph.permute_dims %w [1, 0] : tensor<16x5xf32> -> tensor<5x16xf32>
  %y = graph.matmul %x, %t : tensor<48x5xf32>, tensor<5x16xf32> -> tensor<48x16xf32>
  func.return %y : tensor<48x16xf32>
}
"""
    check(text, "avx2", {"x": random(48, 5), "w": random(16, 5)})
