"""What the rules decide: legal for every extent, the same values bit for bit, and the shape that a machine wants."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.errors import PipelineError, ScheduleError
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


def lowered(text: str) -> ModuleOp:
    return passed(parse(text, "test.mlir", new_context()), DOWN)


def steps_of(module: ModuleOp, target: str) -> list[str]:
    assigned = passed(module, f"assign-schedules{{target={target}}}")
    found: list[str] = []
    for op in assigned.walk():
        if (schedule := op.attributes.get("schedule")) is not None:
            found += schedule.texts
    return found


def check(text: str, target: str, *inputs: dict[str, np.ndarray]) -> ModuleOp:
    plain = lowered(text)
    applied = passed(plain, f"assign-schedules{{target={target}}},apply-schedule")
    simple = passed(applied, "simplify-indices,verify-loops")
    for each in inputs:
        expected = run(plain, "main", each)
        for other in (applied, simple):
            for one, two in zip(expected, run(other, "main", each), strict=True):
                assert one.tobytes() == two.tobytes()
    return simple


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def linear(m: str, k: int, n: int, after: str) -> str:
    """`x @ w`, then what is in `after`; `m` may be a named dim."""
    rows = m if m.isdecimal() else "?"
    names = "" if m.isdecimal() else f", #graph.dims<{m}, {{}}>"

    def tensor(columns: int) -> str:
        return f"tensor<{rows}x{columns}xf32{names.format(columns)}>"

    ops = {
        "nothing": "",
        "bias, relu": f"""
  %u = graph.add %t, %b : {tensor(n)}, tensor<{n}xf32> -> {tensor(n)}
  %y = graph.relu %u : {tensor(n)} -> {tensor(n)}""",
        "its own square": f"""
  %y = graph.multiply %t, %t : {tensor(n)}, {tensor(n)} -> {tensor(n)}""",
    }[after]
    result = "%t" if after == "nothing" else "%y"
    return f"""
func.func @main(%x: {tensor(k)}, %w: tensor<{k}x{n}xf32>, %b: tensor<{n}xf32>) -> {tensor(n)} {{
  %t = graph.matmul %x, %w : {tensor(k)}, tensor<{k}x{n}xf32> -> {tensor(n)}{ops}
  func.return {result} : {tensor(n)}
}}
"""


def operands(m: int, k: int, n: int) -> dict[str, np.ndarray]:
    return {"x": random(m, k), "w": random(k, n, seed=1), "b": random(n, seed=2)}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "shape",
    [(1, 3, 4), (7, 5, 40), (6, 4, 16), (13, 3, 37), (14, 2, 32), (0, 3, 16), (5, 0, 20), (29, 2, 17), (2, 3, 3)],
)
@pytest.mark.parametrize("after", ["nothing", "bias, relu"])
def test_contraction_of_constant_extents(target, shape, after):
    m, k, n = shape
    check(linear(str(m), k, n, after), target, operands(m, k, n))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("after", ["nothing", "bias, relu", "its own square"])
def test_contraction_of_a_run_time_batch(target, after):
    check(linear("batch", 5, 37, after), target, *(operands(m, 5, 37) for m in (0, 1, 6, 7, 13, 15, 28)))


def test_a_tile_fills_the_registers():
    """Rows times vectors of sums, one row of vectors, one broadcast: 6 * 2 + 2 + 1 of 16, 14 * 2 + 2 + 1 of 32."""
    for target, tile in (("avx2", "6x2x8"), ("avx512", "14x2x16"), ("c-vector", "6x2x4")):
        module = str(check(linear("28", 4, 64, "bias, relu"), target))
        assert f'"register" : memref<{tile}xf32>' in module


def test_what_follows_goes_into_the_tile():
    module = str(check(linear("12", 4, 32, "bias, relu"), "avx2"))
    assert '"matmul.out.relu"' in module
    assert '"global"' not in module


def test_what_reads_the_product_twice_stays_outside():
    module = str(check(linear("12", 4, 32, "its own square"), "avx2", operands(12, 4, 32)))
    assert '"global"' in module


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", [(4, 6), (3, 1), (0, 5), (5, 7), (64, 10), (1, 128)])
def test_elementwise(target, shape):
    rows, columns = shape
    whole = f"tensor<{rows}x{columns}xf32>"
    text = f"""
func.func @main(%x: {whole}, %b: tensor<{columns}xf32>) -> {whole} {{
  %u = graph.add %x, %b : {whole}, tensor<{columns}xf32> -> {whole}
  %v = graph.multiply %u, %x : {whole}, {whole} -> {whole}
  %y = graph.relu %v : {whole} -> {whole}
  func.return %y : {whole}
}}
"""
    x = random(rows, columns)
    if x.size > 3:
        x[0, 0] = np.nan
    check(text, target, {"x": x, "b": random(columns, seed=1)})


def test_elementwise_of_a_run_time_extent():
    text = """
func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %y = graph.relu %x : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<n>>
  func.return %y : tensor<?xf32, #graph.dims<n>>
}
"""
    module = str(check(text, "avx2", *({"x": random(n)} for n in (0, 1, 7, 8, 9, 31))))
    assert "0 to 8 vectorized" in module


def test_whole_buffers_are_one_loop():
    """64 rows of 10: 80 registers of 8, not 64 times one and two left."""
    text = """
func.func @main(%x: tensor<64x10xf32>) -> tensor<64x10xf32> {
  %y = graph.relu %x : tensor<64x10xf32> -> tensor<64x10xf32>
  func.return %y : tensor<64x10xf32>
}
"""
    assert "0 to 80" in str(check(text, "avx2", {"x": random(64, 10)}))


@pytest.mark.parametrize(
    "body",
    [
        "%y = graph.permute_dims %x [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>",  # lanes would stride
        "%y = graph.softmax %x axis 1 : tensor<16x16xf32>",
    ],
)
def test_what_does_not_go_along_the_lanes_is_right_all_the_same(body):
    text = f"""
func.func @main(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {{
  {body}
  func.return %y : tensor<16x16xf32>
}}
"""
    check(text, "avx2", {"x": random(16, 16)})


def test_sums_along_the_lanes_keep_their_order():
    text = """
func.func @main(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  %y = graph.sum %x [1] : tensor<4x64xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
    assert steps_of(lowered(text), "avx512") == []


def test_no_schedule_without_vectors():
    assert steps_of(lowered(linear("28", 4, 64, "bias, relu")), "generic") == []


def test_a_schedule_that_is_there_stays():
    module = passed(lowered(linear("4", 4, 16, "nothing")), "assign-schedules{target=avx2}")
    before = str(module)
    assert str(passed(module, "assign-schedules{target=avx512}")) == before


def test_the_same_steps_every_time():
    module = lowered(linear("batch", 5, 37, "bias, relu"))
    assert steps_of(module, "avx2") == steps_of(module, "avx2") != []


def test_the_trace_is_what_was_assigned(capsys):
    module = lowered(linear("7", 5, 40, "bias, relu"))
    steps = steps_of(module, "avx2")
    passed(module, "assign-schedules{target=avx2},apply-schedule{print-trace=true}")
    traced = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert len(traced) == len(steps)
    assert [t.split()[0] for t in traced] == [s.split()[0] for s in steps]
    # the trace replays as well
    again = passed(module, "assign-schedules{target=avx2}")
    from stepwell.transforms.primitives import Schedule
    from xdsl.dialects.func import FuncOp

    function = next(op for op in again.walk() if isinstance(op, FuncOp) and "schedule" in op.attributes)
    del function.attributes["schedule"]
    Schedule(function).apply(*traced)
    assert str(again) == str(passed(module, "assign-schedules{target=avx2},apply-schedule"))


def test_a_wrong_step_names_function_and_step():
    text = """
func.func @f(%x: memref<4xf32>) attributes {outputs_count = 1 : i64,
    schedule = #loop.schedule<["split b/i 2", "split b/k 2"]>} {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads() writes(%x[%vi]) {
      %c = arith.constant 1.0 : f32
      loop.yield %c
    }
  }
  func.return
}
"""
    module = parse(text, "test.mlir", new_context())
    with pytest.raises(ScheduleError, match=r"test.mlir:2: error: function @f: step 'split b/k 2': no loop 'k' around"):
        passed(module, "apply-schedule")


def test_an_unknown_target():
    with pytest.raises(PipelineError, match="no target 'z80'"):
        passed(lowered(linear("4", 4, 16, "nothing")), "assign-schedules{target=z80}")


BATCHED = """
func.func @main(%x: tensor<3x9x5xf32>, %w: tensor<3x5x20xf32>) -> tensor<3x9x20xf32> {
  %y = graph.matmul %x, %w : tensor<3x9x5xf32>, tensor<3x5x20xf32> -> tensor<3x9x20xf32>
  func.return %y : tensor<3x9x20xf32>
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_batched_products(target):
    check(BATCHED, target, {"x": random(3, 9, 5), "w": random(3, 5, 20, seed=1)})


def test_random_programs():
    """Shapes drawn at random, with primes, ones and zeros among them; the seed is in the test's name for a failure."""
    rng = np.random.default_rng(20)
    for _ in range(25):
        m, k, n = (int(rng.choice([0, 1, 2, 3, 5, 7, 8, 11, 13, 16, 17, 24, 31])) for _ in range(3))
        target = str(rng.choice(TARGETS))
        after = str(rng.choice(["nothing", "bias, relu", "its own square"]))
        check(linear(str(m), k, n, after), target, operands(m, k, n))


def test_convolution_without_padding():
    """Rows are output channels, lanes go along the width: the filter is what one row shares."""
    text = """
func.func @main(%x: tensor<1x3x7x22xf32>, %w: tensor<10x3x3x3xf32>) -> tensor<1x10x5x20xf32> {
  %y = graph.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] groups 1
      : tensor<1x3x7x22xf32>, tensor<10x3x3x3xf32> -> tensor<1x10x5x20xf32>
  func.return %y : tensor<1x10x5x20xf32>
}
"""
    module = check(text, "avx2", {"x": random(1, 3, 7, 22), "w": random(10, 3, 3, 3, seed=1)})
    assert "vectorized" in str(module)
