"""Ops that move elements, as nests: by bits, for every kind of element."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.dialects import graph


def ramp(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.uint64, np.bool_])
def test_permute_dims(agree: Any, dtype: Any) -> None:
    x = ramp(2, 3, 4, dtype=dtype)
    for permutation in ((2, 1, 0), (1, 2, 0), (2, 0, 1), (0, 1, 2)):
        agree(lambda v, p=permutation: graph.PermuteDimsOp(v, p), [x], np.transpose(x, permutation))


def test_two_permutations_compose(agree: Any) -> None:
    x = ramp(2, 3, 4)
    agree(
        lambda v: graph.PermuteDimsOp(graph.PermuteDimsOp(v, (1, 0, 2)).out, (0, 2, 1)),
        [x],
        x.transpose(1, 0, 2).transpose(0, 2, 1),
    )


RESHAPES = [
    ((2, 3, 4), (2, 12)),
    ((2, 3, 4), (6, 4)),
    ((2, 3, 4), (24,)),
    ((24,), (2, 3, 4)),
    ((2, 3, 4), (4, 3, 2)),
    ((6, 4), (3, 8)),
    ((4, 6, 5), (2, 2, 3, 10)),
    ((2, 3), (2, 1, 3, 1)),
    ((1, 2, 1, 3), (2, 3)),
    ((1, 1), (1,)),
    ((1,), ()),
    ((), (1, 1)),
    ((0, 3), (3, 0)),
    ((2, 0, 4), (0, 5)),
    ((0,), (0, 7, 2)),
]


@pytest.mark.parametrize(("source", "target"), RESHAPES, ids=str)
def test_reshape(agree: Any, source: tuple[int, ...], target: tuple[int, ...]) -> None:
    x = ramp(*source)
    agree(lambda v: graph.ReshapeOp(v, target), [x], x.reshape(target))


@pytest.mark.parametrize(
    ("source", "target"), [((3,), (2, 3)), ((2, 1), (2, 4)), ((), (2, 2)), ((1, 3), (0, 3)), ((1, 1), (1, 1))], ids=str
)
def test_broadcast_to(agree: Any, source: tuple[int, ...], target: tuple[int, ...]) -> None:
    x = ramp(*source)
    agree(lambda v: graph.BroadcastToOp(v, target), [x], np.broadcast_to(x, target).copy())


def test_concat(agree: Any) -> None:
    a, b, c = ramp(2, 3), ramp(2, 1) + 100, ramp(2, 0)
    agree(lambda *v: graph.ConcatOp(v, 1), [a, c, b], np.concatenate([a, c, b], axis=1))
    agree(lambda *v: graph.ConcatOp(v, 0), [a, a], np.concatenate([a, a]))
    agree(lambda v: graph.ConcatOp((v, v, v), 1), [a], np.concatenate([a, a, a], axis=1))
    agree(lambda v: graph.ConcatOp((v,), 1), [a], a)
    u = ramp(3, dtype=np.uint8) + np.uint8(250)
    agree(lambda *v: graph.ConcatOp(v, 0), [u, u], np.concatenate([u, u]))


SLICES = [
    (slice(None), slice(1, 3)),
    (slice(None, None, -1), slice(None)),
    (slice(4, None, -2), slice(-3, -1)),
    (slice(-1, -6, -1), slice(None, None, 3)),
    (slice(100, 0, -1), slice(-100, 100)),
    (slice(3, 1), slice(None)),
    (slice(1, 4, 2), slice(5, 1, -3)),
]


@pytest.mark.parametrize("ranges", SLICES, ids=str)
def test_slice(agree: Any, ranges: tuple[slice, ...]) -> None:
    x = ramp(5, 6)
    forward, backward = (0, 2**31 - 1), (2**31 - 1, -(2**31))
    steps = [r.step or 1 for r in ranges]
    starts = [
        (forward if s > 0 else backward)[0] if r.start is None else r.start for r, s in zip(ranges, steps, strict=True)
    ]
    ends = [
        (forward if s > 0 else backward)[1] if r.stop is None else r.stop for r, s in zip(ranges, steps, strict=True)
    ]
    agree(lambda v: graph.SliceOp(v, starts, ends, steps), [x], x[ranges].copy())


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize(
    ("low", "high"),
    [((0, 1), (2, 0)), ((2, 3), (2, 3)), ((7, 0), (0, 11)), ((0, 0), (0, 0)), ((1, 2), (3, 1))],
    ids=str,
)
def test_pad(agree: Any, mode: str, low: tuple[int, ...], high: tuple[int, ...]) -> None:
    x = ramp(3, 4)
    options: dict[str, Any] = {"constant_values": 7.5} if mode == "constant" else {}
    expected = np.pad(x, tuple(zip(low, high, strict=True)), mode=mode, **options)
    agree(lambda v: graph.PadOp(v, low, high, mode=mode, value=7.5), [x], expected)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
def test_pad_that_takes_away(agree: Any, mode: str) -> None:
    x = ramp(6)
    for low, high in ((-1, 2), (2, -1), (-2, -3), (5, -4), (-5, 3)):
        kept = x[max(-low, 0) : 6 - max(-high, 0)]
        expected = np.pad(kept, (max(low, 0), max(high, 0)), mode=mode)
        agree(lambda v, p=(low, high): graph.PadOp(v, p[:1], p[1:], mode=mode), [x], expected)


def test_pad_of_one_element_and_of_nothing(agree: Any) -> None:
    for mode in ("edge", "reflect", "wrap"):
        agree(lambda v, m=mode: graph.PadOp(v, (2,), (3,), mode=m), [np.array([5], np.int32)], np.full(6, 5, np.int32))
    agree(lambda v: graph.PadOp(v, (2,), (1,), value=-1), [np.zeros(0, np.int8)], np.full(3, -1, np.int8))
    agree(lambda v: graph.PadOp(v, (1,), (0,), value=200), [np.array([255], np.uint8)], np.array([200, 255], np.uint8))
    agree(
        lambda v: graph.PadOp(v, (1,), (0,), value=-np.inf),
        [np.zeros(1, np.float32)],
        np.array([-np.inf, 0], np.float32),
    )
    agree(lambda v: graph.PadOp(v, (1,), (0,), value=True), [np.array([False])], np.array([True, False]))


def test_movement_keeps_bits(agree: Any) -> None:
    x = np.array([np.nan, -0.0, 1e-45, -np.inf], np.float32)
    agree(lambda v: graph.SliceOp(v, (2**31 - 1,), (-(2**31),), (-1,)), [x], x[::-1].copy())
