"""Windows: groups, strides, uneven pads, and how many there are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from stepwell.dialects.graph import Conv2dOp, MaxPool2dOp, dims_of, tensor_of
from stepwell.dialects.graph.dims import type_of_value
from stepwell.frontends.python import GraphBuilder, tensor
from xdsl.dialects import test
from xdsl.dialects.builtin import f32


def direct_conv(x, w, strides, pads, dilations, groups):
    """The definition, in plain loops over NumPy elements."""
    top, left, bottom, right = pads
    padded = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)])
    outs, per_group, kh, kw = w.shape
    height = (padded.shape[2] - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    width = (padded.shape[3] - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    y = np.zeros((x.shape[0], outs, height, width), np.float32)
    for n, o, i, j in product(*map(range, y.shape)):
        first = o // (outs // groups) * per_group
        for c, p, q in product(range(per_group), range(kh), range(kw)):
            row, column = i * strides[0] + p * dilations[0], j * strides[1] + q * dilations[1]
            y[n, o, i, j] += padded[n, first + c, row, column] * w[o, c, p, q]
    return y


CONVOLUTIONS = {
    "b076_depthwise_with_strides": ((1, 4, 8, 8), (4, 1, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 4),
    "b076_depthwise_two_outputs_each": ((1, 3, 7, 6), (6, 1, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 3),
    "b077_groups_with_strides": ((1, 6, 7, 7), (6, 2, 3, 3), (2, 2), (0, 0, 0, 0), (1, 1), 3),
    "b077_groups_with_everything": ((2, 6, 9, 8), (3, 2, 2, 3), (3, 2), (1, 0, 2, 1), (2, 1), 3),
    "b078_depthwise_uneven_pads": ((1, 3, 8, 8), (3, 1, 5, 5), (2, 2), (1, 1, 2, 2), (1, 1), 3),
    "b078_uneven_pads_other_way": ((1, 3, 6, 7), (3, 1, 5, 5), (2, 2), (2, 2, 1, 1), (1, 1), 3),
}


@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_b076_b077_b078_convolutions_against_the_definition(everywhere, case):
    shape, kernel, strides, pads, dilations, groups = CONVOLUTIONS[case]
    rng = np.random.default_rng(len(case))
    x, w = (rng.integers(-3, 4, s).astype(np.float32) for s in (shape, kernel))
    b = GraphBuilder()
    with b.function("main", {"x": tensor(shape)}) as (image,):
        filter = b.constant(w)
        b.emit_func_output(
            b.emit(b.conv2d(image, filter, strides=strides, pads=pads, dilations=dilations, groups=groups))
        )
    everywhere(b.get(), [x], direct_conv(x, w, strides, pads, dilations, groups))


def windows(size, kernel, stride, pad, ceil_mode=True):
    """The extents that inference gives for a pooling of a square image."""
    image = test.TestOp(result_types=[tensor_of(f32, (1, 1, size, size))]).results[0]
    pool = MaxPool2dOp(image, (kernel,) * 2, strides=(stride,) * 2, pads=(pad,) * 4, ceil_mode=ceil_mode)
    return dims_of(type_of_value(pool.out))[2]


def test_b080_b082_the_number_of_windows_in_ceil_mode():
    assert windows(17, 2, 2, 1) == 9  # (17 + 2 - 2) / 2 rounded up + 1 is 10, the last of which starts in the padding
    assert windows(2, 3, 3, 1) == 1
    assert windows(3, 3, 3, 1) == 2  # starts at 2 of 3, which is inside
    # against counting: windows that start before the padding on the right
    for size, kernel, stride in product(range(3, 12), (2, 3), (1, 2, 3)):
        for pad in range(kernel // 2 + 1):
            counted = [s for s in range(-pad, size, stride) if s == -pad or s - stride + kernel < size + pad]
            assert windows(size, kernel, stride, pad) == len(counted), (size, kernel, stride, pad)


@pytest.mark.parametrize(("size", "kernel", "stride", "pad"), [(17, 2, 2, 1), (2, 3, 3, 1), (6, 3, 2, 0), (9, 3, 2, 0)])
def test_b080_b082_averages_of_windows_that_reach_out(everywhere, size, kernel, stride, pad):
    x = np.arange(size * size, dtype=np.float32).reshape(1, 1, size, size)
    count = windows(size, kernel, stride, pad)
    expected = np.empty((1, 1, count, count), np.float32)
    for i, j in product(range(count), repeat=2):
        rows = [r for r in range(i * stride - pad, i * stride - pad + kernel) if 0 <= r < size]
        columns = [c for c in range(j * stride - pad, j * stride - pad + kernel) if 0 <= c < size]
        expected[0, 0, i, j] = x[0, 0][np.ix_(rows, columns)].mean()
    b = GraphBuilder()
    with b.function("main", {"x": tensor(x.shape)}) as (image,):
        b.emit_func_output(
            b.emit(b.avg_pool2d(image, (kernel,) * 2, strides=(stride,) * 2, pads=(pad,) * 4, ceil_mode=True))
        )
    everywhere(b.get(), [x], expected, near=True)


def test_b080_inference_and_values_use_one_formula():
    image = test.TestOp(result_types=[tensor_of(f32, (1, 2, 5, 6))]).results[0]
    filter = test.TestOp(result_types=[tensor_of(f32, (2, 2, 3, 2))]).results[0]
    conv = Conv2dOp(image, filter, strides=(2, 3), pads=(1, 0, 2, 1), dilations=(1, 2))
    x, w = np.zeros((1, 2, 5, 6), np.float32), np.zeros((2, 2, 3, 2), np.float32)
    assert dims_of(type_of_value(conv.out)) == direct_conv(x, w, (2, 3), (1, 0, 2, 1), (1, 2), 1).shape
