import numpy as np
import pytest
from stepwell.dialects.graph import Graph
from stepwell.dialects.loop import Loop
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.rewriting import verify
from stepwell.transforms.verify_loops import VerifyLoopsPass
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, math


@pytest.fixture(scope="session")
def parse_text():
    """MLIR text -> a verified module."""

    def parse_verified(text):
        ctx = Context()
        for dialect in (builtin.Builtin, func.Func, arith.Arith, math.Math, Loop, Graph):
            ctx.load_dialect(dialect)
        module = parse(text, "nest.mlir", ctx)
        verify(module)
        return module

    return parse_verified


@pytest.fixture(scope="session")
def run_text(parse_text):
    """Run the function of an MLIR text; its outputs. What runs without an error, `verify-loops` must let pass."""

    def run_it(text, inputs=(), function=None):
        module = parse_text(text)
        outputs = run(module, function, inputs)
        VerifyLoopsPass().apply(Context(), module)
        return outputs

    return run_it


@pytest.fixture
def rng():
    return np.random.default_rng(7)
