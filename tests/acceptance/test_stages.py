"""Row A42: whatever the stage, the model of the second document computes what NumPy does, in both pipelines."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell
from stepwell import OPTIMISED, REFERENCE, GraphBuilder, tensor
from stepwell.targets import TARGETS, runs_here, target_named
from xdsl.dialects.builtin import ModuleOp

RNG = np.random.default_rng(42)
W0, B0 = RNG.normal(size=(128, 784)).astype(np.float32), RNG.normal(size=128).astype(np.float32)
W1, B1 = RNG.normal(size=(10, 128)).astype(np.float32), RNG.normal(size=10).astype(np.float32)
STAGES = [stage.name for stage in REFERENCE(target_named("generic"))]


def mlp(batch: int | str) -> ModuleOp:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((batch, 784))}) as (x,):
        with b.dataflow():
            h = b.emit(b.relu(b.add(b.matmul(x, b.permute_dims(W0)), B0)))
            y = b.emit_output(b.add(b.matmul(h, b.permute_dims(W1)), B1))
        b.emit_func_output(y)
    return b.get()


def check(found: np.ndarray, x: np.ndarray) -> None:
    expected = np.maximum(x @ W0.T + B0, 0) @ W1.T + B1
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("pipeline", [REFERENCE, OPTIMISED], ids=["reference", "optimised"])
@pytest.mark.parametrize("stage", STAGES)
def test_a42_every_stage_computes_the_same(stage, pipeline) -> None:
    x = RNG.normal(size=(1, 784)).astype(np.float32)
    lowered = stepwell.lower(mlp(1), "avx2", stages=pipeline, stop_after=stage)
    check(stepwell.run(lowered, x), x)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("batch", [1, 7, "batch"])
def test_a42_so_does_the_c_of_every_target(name, batch) -> None:
    if not runs_here(target_named(name)):
        pytest.skip(f"this machine does not run {name}")
    x = RNG.normal(size=(batch if isinstance(batch, int) else 3, 784)).astype(np.float32)
    check(stepwell.compile(mlp(batch), name)(x), x)
