"""Row A42: the model of the second document computes what NumPy does after each of its steps, and all the way down."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell
from stepwell import GraphBuilder, tensor
from xdsl.dialects.builtin import ModuleOp

RNG = np.random.default_rng(42)
W0, B0 = RNG.normal(size=(128, 784)).astype(np.float32), RNG.normal(size=128).astype(np.float32)
W1, B1 = RNG.normal(size=(10, 128)).astype(np.float32), RNG.normal(size=10).astype(np.float32)
IMAGE = RNG.normal(size=(1, 784)).astype(np.float32)
EXPECTED = np.maximum(IMAGE @ W0.T + B0, 0) @ W1.T + B1


@pytest.fixture
def mlp() -> ModuleOp:
    b = GraphBuilder()
    with b.function("main", {"x": tensor((1, 784))}) as (x,):
        with b.dataflow():
            hidden = b.emit(b.relu(b.add(b.matmul(x, b.permute_dims(W0)), B0)))
            y = b.emit_output(b.add(b.matmul(hidden, b.permute_dims(W1)), B1))
        b.emit_func_output(y)
    return b.get()


def close(found: np.ndarray) -> None:
    assert found.shape == (1, 10)
    np.testing.assert_allclose(found, EXPECTED, rtol=0, atol=1e-5 * np.abs(EXPECTED).max())


def test_a42_every_step_of_the_document_computes_the_same(mlp: ModuleOp) -> None:
    close(stepwell.run(mlp, IMAGE))
    module = mlp
    for step in ("fuse-matmul-add", "dce", "convert-graph-to-loop", "fuse-loop-functions"):
        before = str(module)
        module = stepwell.apply(step, module)
        assert (str(module) != before) == (step != "dce"), step
        close(stepwell.run(module, IMAGE))


def test_a42_so_does_the_end_of_both_pipelines(mlp: ModuleOp) -> None:
    for pipeline in (stepwell.REFERENCE, stepwell.OPTIMISED):
        close(stepwell.run(stepwell.lower(mlp, "c-vector", stages=pipeline), IMAGE))
        close(stepwell.compile(mlp, "c-vector", stages=pipeline)(IMAGE))
