"""Operators whose output is known when the model is read: constants, shapes, and what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.element_types import dtype_of
from ...dialects.expr import Expr
from ...dialects.graph import Dim
from .movement import with_axes
from .node import Content, Node, Operator
from .sizes import sizes_of
from .weights import Array, element_type_name, element_type_of


def constant(node: Node) -> Array:
    """An array from the file."""
    array = node.tensor("value")
    if array is not None:
        return array
    if node.has("value_float"):
        return np.array(node.real("value_float", 0.0), np.float32)
    if node.has("value_int"):
        return np.array(node.integer("value_int", 0), np.int64)
    if (floats := node.floats("value_floats")) is not None:
        return np.array(floats, np.float32)
    if (ints := node.ints("value_ints")) is not None:
        return np.array(ints, np.int64)
    return node.refuse("a constant that is neither numbers nor truth values")


def shape(node: Node) -> Content:
    """The sizes of a tensor, or some of them."""
    sizes = node.shape(node.input(0))
    start, end = node.integer("start", 0), node.integer("end", len(sizes)) if node.has("end") else len(sizes)
    return sizes_of(list(sizes[start:end]), natural=_natural(sizes))


def _natural(sizes: Sequence[Dim]) -> frozenset[Expr]:
    return frozenset(size for size in sizes if isinstance(size, Expr))


def size(node: Node) -> Content:
    """The number of elements of a tensor."""
    total: Any = 1
    for each in node.shape(node.input(0)):
        if each is None:
            node.refuse("the number of elements is not known: bind the dims with shapes=")
        total = total * each
    return sizes_of(total, natural=_natural([total]))


def constant_of_shape(node: Node) -> Content:
    """One number everywhere."""
    value = node.tensor("value")
    value = np.zeros(1, np.float32) if value is None else value
    if value.size != 1:
        raise node.error(f"the value is one number, found {value.size}")
    sizes = node.sizes(0)
    if any(isinstance(each, int) and each < 0 for each in sizes):
        raise node.error(f"a size of {sizes} is negative")
    static = [each for each in sizes if isinstance(each, int)]
    if len(static) == len(sizes):
        _check_size(node, static)
        return np.full(static, value.reshape(())[()])
    if None in sizes:
        node.refuse("a size that nothing is known of: bind the dims with shapes=")
    return node.ops.broadcast_to(value.reshape(()), sizes)


MOST_ELEMENTS = 2**31
"""An array of more elements than this is not made while a model is read."""


def _check_size(node: Node, sizes: Sequence[int]) -> None:
    if prod(sizes) > MOST_ELEMENTS:
        node.refuse(f"an array of {prod(sizes)} elements")


def range_(node: Node) -> Array:
    """`start`, `start + delta`, … up to `limit`."""
    start, limit, delta = (node.given_number(index) for index in range(3))
    if delta == 0:
        raise node.error("delta is 0")
    steps = -((int(start) - int(limit)) // int(delta)) if start.dtype.kind in "iu" else np.ceil((limit - start) / delta)
    count = max(0, int(steps))
    _check_size(node, [count])
    return (start + np.arange(count).astype(start.dtype) * delta).astype(start.dtype)


def eye_like(node: Node) -> Array:
    """Ones on a diagonal."""
    x = node.input(0)
    if node.rank(x) != 2:
        raise node.error(f"a matrix is expected, found rank {node.rank(x)}")
    rows, columns = node.static_shape(x, "a diagonal")
    _check_size(node, [rows, columns])
    dtype = dtype_of(_element(node, node.integer("dtype", 0))) if node.has("dtype") else node.dtype(x)
    return np.eye(rows, columns, node.integer("k", 0)).astype(dtype)


def _element(node: Node, number: int) -> Any:
    element = element_type_of(number)
    return node.refuse(f"elements of type {element_type_name(number)}") if element is None else element


def one_hot(node: Node) -> SSAValue:
    """One value where the index along an axis is the one given, another elsewhere."""
    indices, depth, values = node.input(0), int(node.given_number(1)), node.input(2)
    axis = node.axis(node.integer("axis", -1), node.rank(indices) + 1)
    off, on = (node.ops.reshape(node.ops.slice(values, [i], [i + 1]), []) for i in (0, 1))
    whole = node.ops.cast(indices, "i64")
    wrapped = node.ops.select(node.ops.less(whole, 0), node.ops.add(whole, depth), whole)
    places = np.arange(depth).reshape([depth if i == axis else 1 for i in range(node.rank(indices) + 1)])
    hot = node.ops.equal(with_axes(node, wrapped, [axis]), places.astype(np.int64))
    return node.ops.select(hot, on, off)


CONSTANTS: dict[str, Operator] = {
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "EyeLike": eye_like,
    "OneHot": one_hot,
    "Range": range_,
    "Shape": shape,
    "Size": size,
}
