"""Programs before and after the way to vectors: the same bits in every output."""

from types import SimpleNamespace

import numpy as np
import pytest
from stepwell.conversions.flatten_storage import FlattenStoragePass
from stepwell.conversions.loop_to_simd import ConvertLoopToSimdPass
from stepwell.frontends.mlir import parse
from stepwell.interpreters.run import run
from stepwell.pipelines import new_context
from stepwell.rewriting import verify, walk
from xdsl.context import Context

TARGETS = ("generic", "c-vector", "avx2", "avx512")


def parse_verified(text):
    module = parse(text, "program.mlir", new_context())
    verify(module)
    return module


def converted(module, target, strict=True, flat=True):
    """A copy of the module after the conversion; nothing is left that it promises to take away."""
    module = module.clone()
    if flat:
        FlattenStoragePass().apply(Context(), module)
        verify(module)
    ConvertLoopToSimdPass(target=target, strict=strict).apply(Context(), module)
    verify(module)
    for op in walk(module):
        assert op.name != "loop.block"
        if op.name == "loop.for":
            assert op.kind.data in ("serial", "parallel")
        if op.name == "loop.alloc":
            assert op.scope.data != "register"
        if target == "generic":
            assert not op.name.startswith("simd.")
    return module


def names(module):
    """How often each op is there."""
    count = {}
    for op in walk(module):
        count[op.name] = count.get(op.name, 0) + 1
    return count


def assert_same_bits(found, expected):
    """Equal in every bit, but for the bits of NaN."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype.kind == "f":
            nan = np.isnan(b)
            np.testing.assert_array_equal(np.isnan(a), nan)
            a, b = np.where(nan, 0, a), np.where(nan, 0, b)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b))
        np.testing.assert_array_equal(a, b)


def check(text, inputs, expected=None, targets=TARGETS):
    """
    Run a program as blocks and after the conversion for every target, flat and shaped: the same bits everywhere.

    `expected`: what NumPy says; then the blocks are compared with it too.
    """
    module = parse_verified(text)
    blocks = run(module, None, inputs)
    if expected is not None:
        assert_same_bits(blocks, expected)
    for target in targets:
        assert_same_bits(run(converted(module, target), None, inputs), blocks)
    assert_same_bits(run(converted(module, "avx2", flat=False), None, inputs), blocks)


SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, -1.0, 1.0], np.float32)


def floats(seed, *shape, dtype=np.float32):
    """Numbers with a few special ones among them."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape).astype(dtype)
    flat = values.reshape(-1)
    for n in range(0, flat.size, 5):
        flat[n] = SPECIAL[rng.integers(len(SPECIAL))]
    return values


def plain(seed, *shape, dtype=np.float32):
    """Numbers without special ones."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.fixture(scope="session")
def programs():
    """What the tests here share."""
    return SimpleNamespace(
        TARGETS=TARGETS,
        assert_same_bits=assert_same_bits,
        check=check,
        converted=converted,
        floats=floats,
        names=names,
        parse_verified=parse_verified,
        plain=plain,
    )
