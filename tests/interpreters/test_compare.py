"""When two arrays count as the same."""

import ml_dtypes
import numpy as np
import pytest
from stepwell.interpreters.compare import first_difference

FLOATS = (
    np.float64,
    np.float32,
    np.float16,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fnuz,
)


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_equals_nan_and_nothing_else(dtype):
    one = np.array([np.nan, 1], dtype)
    assert first_difference(one, one.copy()) is None
    other = first_difference(one, np.array([0, 1], dtype))
    assert other is not None
    assert other.index == (0,)


@pytest.mark.parametrize("dtype", FLOATS[:-1])  # the last one has no -0
def test_zeros_have_a_sign(dtype):
    assert first_difference(np.array([0.0], dtype), np.array([-0.0], dtype)) is not None


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, ml_dtypes.int4, ml_dtypes.uint4])
def test_what_is_no_float_has_no_tolerance(dtype):
    one = np.array([0, 1], dtype)
    assert first_difference(one, one.copy(), licensed=True, terms=1000) is None
    assert first_difference(one, np.array([1, 1], dtype), licensed=True, terms=1000) is not None


def test_the_tolerance_grows_with_the_largest_value_and_the_terms():
    one, near = np.array([100, 0], np.float32), np.array([100, 9e-4], np.float32)
    assert first_difference(one, near) is not None
    assert first_difference(one, near, licensed=True) is None
    assert first_difference(one, near * 2, licensed=True) is not None
    assert first_difference(one, near * np.array([1, 2], np.float32), licensed=True, terms=4) is None


def test_shapes_and_dtypes_count():
    assert first_difference(np.zeros(2), np.zeros((2, 1))) is not None
    assert first_difference(np.zeros(2), np.zeros(2, np.float32)) is not None
    assert first_difference(np.zeros((0, 3)), np.zeros((0, 3))) is None
