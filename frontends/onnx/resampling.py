"""Operators that make images larger or smaller, by repeating and leaving out elements."""

from __future__ import annotations

from math import floor, isfinite
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.element_types import is_float, type_of
from .movement import repeated, taken
from .node import Node, Operator

ANY_SIZE = 16
"""Stands for a dynamic size where the way an axis is resampled does not depend on it."""


def upsample(node: Node) -> SSAValue:
    """Each axis `scale` times as long."""
    if node.string("mode", "nearest") != "nearest":
        node.refuse("resampling that is not 'nearest'")
    scales = _scales(node, 1) if node.opset >= 9 else node.floats("scales")
    if scales is None:
        raise node.error("the scales are missing")
    _check_count(node, "scales", len(scales), node.rank(node.input(0)))
    return _resampled(node, scales, None, "asymmetric", "floor")


def _scales(node: Node, index: int) -> list[float] | None:
    array = node.array(index)
    if array is not None and not is_float(type_of(array.dtype)):
        raise node.error(f"the scales are real numbers, found {array.dtype}")
    return None if array is None else [float(scale) for scale in array.reshape(-1)]


def _check_count(node: Node, what: str, count: int, axes: int) -> None:
    if count != axes:
        raise node.error(f"{what} has {count} entries for {axes} axes")


def resize(node: Node) -> SSAValue:
    """Each axis of another size; every element of the result is the nearest one of the input."""
    if node.string("mode", "nearest") != "nearest":
        node.refuse("resampling that is not 'nearest'")
    node.ignore("cubic_coeff_a", "exclude_outside", "extrapolation_value")  # these speak of other modes
    if node.flag("antialias") or node.string("keep_aspect_ratio_policy", "stretch") != "stretch":
        node.refuse("antialias and aspect ratio policies")
    x = node.input(0)
    if node.opset < 11:
        scales, sizes = _scales(node, 1), None
        way, rounding = "asymmetric", "floor"
    else:
        node.content(1)  # a region of interest, which only a mode that is refused looks at
        scales, sizes = _scales(node, 2), node.whole_numbers(3)
        way = node.string("coordinate_transformation_mode", "half_pixel")
        rounding = node.string("nearest_mode", "round_prefer_floor")
    axes = [node.axis(axis, node.rank(x)) for axis in node.ints("axes") or range(node.rank(x))]
    shape = node.shape(x)
    if sizes:
        _check_count(node, "sizes", len(sizes), len(axes))
        if any(size < 0 for size in sizes):
            raise node.error(f"sizes {sizes} has a negative one")
        wanted = dict(zip(axes, sizes, strict=True))
        given = node.static_shape(x, "a size that is given for an axis")
        factors = [wanted.get(axis, size) / size if size else 1.0 for axis, size in enumerate(given)]
        return _resampled(node, factors, [wanted.get(axis, size) for axis, size in enumerate(given)], way, rounding)
    if not scales:
        raise node.error("neither scales nor sizes are given")
    _check_count(node, "scales", len(scales), len(axes))
    by_axis = dict(zip(axes, scales, strict=True))
    return _resampled(node, [by_axis.get(axis, 1.0) for axis in range(len(shape))], None, way, rounding)


def _resampled(node: Node, scales: list[float], sizes: list[int] | None, way: str, rounding: str) -> SSAValue:
    x = node.input(0)
    shape = node.shape(x)
    times = [1] * len(shape)
    if sizes is None and any(not (isfinite(scale) and scale > 0) for scale in scales):
        raise node.error(f"scales {scales} must be positive")
    for axis, (size, scale) in enumerate(zip(shape, scales, strict=True)):
        if scale == 1:
            continue
        if not isinstance(size, int) and (scale != int(scale) or way == "align_corners"):
            node.refuse("an axis of a dynamic size is resampled by other than a whole number: bind it with shapes=")
        known = size if isinstance(size, int) else ANY_SIZE
        count = floor(np.float32(known) * np.float32(scale)) if sizes is None else sizes[axis]
        indices = _nearest(node, known, count, scale, way, rounding)
        if scale == int(scale) and indices == [i // int(scale) for i in range(known * int(scale))]:
            times[axis] = int(scale)
        elif isinstance(size, int):
            x = taken(node, x, axis, indices)
        else:
            node.refuse("the elements of a dynamic axis are not just repeated: bind it with shapes=")
    return repeated(node, x, times, whole=False)


def _nearest(node: Node, size: int, count: int, factor: float, way: str, rounding: str) -> list[int]:
    """Which element of an axis each one of the result is."""
    i, scale = np.arange(count, dtype=np.float32), np.float32(factor)  # an f32 decides what is a tie
    places: dict[str, Any] = {
        "asymmetric": i / scale,
        "half_pixel": (i + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (i + 0.5) / scale - 0.5 if count > 1 else i * 0,
        "align_corners": i * (size - 1) / (count - 1) if count > 1 else i * 0,
        "half_pixel_symmetric": _symmetric(i, size, count, scale),
    }
    if way not in places:
        node.refuse(f"resampling by {way}")
    place = places[way]
    roundings: dict[str, Any] = {
        "round_prefer_floor": np.ceil(place - 0.5),
        "round_prefer_ceil": np.floor(place + 0.5),
        "floor": np.floor(place),
        "ceil": np.ceil(place),
    }
    if rounding not in roundings:
        node.refuse(f"resampling that rounds by {rounding}")
    return [int(index) for index in np.clip(roundings[rounding], 0, max(size - 1, 0))]


def _symmetric(i: Any, size: int, count: int, scale: Any) -> Any:
    """Half pixels, with what is cut off of a size that is no whole number spread over both ends."""
    adjusted = count / (size * scale) if size else 1.0
    return size / 2 * (1 - adjusted) + (i + 0.5) / scale - 0.5


RESAMPLING: dict[str, Operator] = {"Resize": resize, "Upsample": upsample}
