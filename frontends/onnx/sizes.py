"""
Arithmetic on sizes that are known at run time only.

Exporters compute the target of a reshape in the graph: `Shape`, `Gather`, `Mul`, `Concat`. These nodes are followed
here on arrays whose elements are numbers or expressions over the names of dims, and leave nothing behind in the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dialects.expr import Expr, as_expr, floordiv, maximum, minimum
from ...dialects.expr_interval import interval
from ...dialects.graph import Dim
from .node import Content, Node, Sizes
from .weights import Array

Known = Sequence[Array | None]
"""What the inputs of a node are, each None where it is left out."""


def sizes_of(elements: Any, dtype: str = "int64", natural: frozenset[Expr] = frozenset()) -> Content:
    """Sizes as the content of a tensor: an array of numbers if all are."""
    array = np.array(elements, dtype=object)
    flat = [_plain(each) for each in array.reshape(-1)]
    if all(isinstance(each, int) for each in flat):
        return np.array(flat, dtype).reshape(array.shape)
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return Sizes(result.reshape(array.shape), dtype, natural)


def _plain(size: Any) -> Dim:
    if isinstance(size, Expr):
        return size if size.value is None else size.value
    return None if size is None else int(size)


def computed_sizes(node: Node) -> Content | None:
    """The output of a node whose inputs are sizes or known; None if it is another one, or not followed here."""
    operator = _OPERATORS.get(node.proto.op_type)
    if operator is None or node.outputs > 1:
        return None
    arrays: list[Array | None] = []
    dtype = "int64"
    for index in range(len(node.contents)):
        content = node.content(index)
        if isinstance(content, Sizes):
            arrays.append(content.array)
            dtype = content.dtype
        elif content is None:
            arrays.append(None)
        else:
            known = node.known(content)
            if known is None:
                return None
            arrays.append(known)
    try:
        result = operator(node, arrays)
        if node.proto.op_type == "Cast":
            dtype = _cast_dtype(node)
        return sizes_of(result, "bool" if node.proto.op_type == "Equal" else dtype, _natural(node))
    except TypeError:
        node.refuse("a size that nothing is known of is used: bind the dims of the inputs with shapes=")
    except (ValueError, IndexError) as error:  # what NumPy says of axes, indices and shapes that do not fit
        raise node.error(str(error)) from error


def _natural(node: Node) -> frozenset[Expr]:
    """Sizes of tensors among what the inputs were computed from."""
    return frozenset[Expr]().union(*(each.natural for each in node.contents if isinstance(each, Sizes)))


def _given(node: Node, arrays: Known, index: int) -> Array:
    """An input that cannot be left out."""
    array = arrays[index] if index < len(arrays) else None
    if array is None:
        raise node.error(f"input {index} is missing")
    return array


def _integers(arrays: Known, index: int) -> list[int] | None:
    """An input that is a list of numbers, None if it is left out."""
    array = arrays[index] if index < len(arrays) else None
    if array is None:
        return None
    if array.dtype == object:
        raise TypeError("bounds that are dynamic")
    return [int(each) for each in array.reshape(-1)]


def _arithmetic(compute: Callable[[Any, Any, frozenset[Expr]], Any]) -> Callable[[Node, Known], Any]:
    """An operator of each two elements, and of the sizes that are not negative."""

    def apply(node: Node, arrays: Known) -> Any:
        natural = _natural(node)

        def known(a: Any, b: Any) -> Any:
            if a is None or b is None:
                raise TypeError("not known")
            return compute(a, b, natural)

        result = _given(node, arrays, 0).astype(object)
        for index in range(1, len(arrays)):
            result = np.frompyfunc(known, 2, 1)(result, _given(node, arrays, index).astype(object))
        return result

    return apply


def _divide(a: Any, b: Any, natural: frozenset[Expr]) -> Any:
    """Division toward zero, which is floor division of what is not negative."""
    if b == 0 or not _is_natural(b, natural):
        raise TypeError("a size is divided by a positive number only")
    if _is_natural(a, natural):
        return floordiv(a, b)
    return floordiv(maximum(a, 0), b) - floordiv(maximum(as_expr(a) * -1, 0), b)


def _is_natural(a: int | Expr, natural: frozenset[Expr]) -> bool:
    """Whether a number in no run is negative."""
    low, _ = interval(as_expr(a), dict.fromkeys(as_expr(a).variables(), (0, None)))
    return a in natural or (low is not None and low >= 0)


def _same(a: Any, b: Any, natural: frozenset[Expr]) -> Any:
    """Whether two sizes are equal, where that is the same in every run."""
    if a == b:
        return 1
    if isinstance(a, int) and isinstance(b, int):
        return 0
    if any(isinstance(one, int) and one < 0 and _is_natural(other, natural) for one, other in ((a, b), (b, a))):
        return 0
    raise TypeError("not known")


def _gather(node: Node, arrays: Known) -> Any:
    indices = np.array(_integers(arrays, 1), np.int64).reshape(_given(node, arrays, 1).shape)
    return np.take(_given(node, arrays, 0), indices, axis=node.integer("axis", 0))


def _concat(node: Node, arrays: Known) -> Any:
    parts = [_given(node, arrays, index).astype(object) for index in range(len(arrays))]
    return np.concatenate(parts, axis=node.integer("axis", 0))


def _squeeze(node: Node, arrays: Known) -> Any:
    axes = node.ints("axes") if node.opset < 13 else _integers(arrays, 1)
    return np.squeeze(_given(node, arrays, 0), axis=None if axes is None else tuple(axes))


def _unsqueeze(node: Node, arrays: Known) -> Any:
    axes = node.ints("axes") if node.opset < 13 else _integers(arrays, 1)
    return np.expand_dims(_given(node, arrays, 0), tuple(axes or ()))


def _slice(node: Node, arrays: Known) -> Any:
    whole, steps = _given(node, arrays, 0), None
    if node.opset < 10:
        starts, ends, axes = node.ints("starts"), node.ints("ends"), node.ints("axes")
    else:
        starts, ends, axes, steps = (_integers(arrays, index) for index in (1, 2, 3, 4))
    if starts is None or ends is None:
        raise node.error("starts and ends are missing")
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    picks = [slice(None)] * whole.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        place = node.axis(axis, whole.ndim)
        picks[place] = slice(first_index_of(start, step, whole.shape[place]), end, step)
    return whole[tuple(picks)]


def first_index_of(start: int, step: int, size: int) -> int:
    """Where a slice begins: for ONNX a step backwards from before the first element begins at it, in Python it ends."""
    return max(start, -size) if step < 0 else start


def _product(node: Node, arrays: Known) -> Any:
    whole = _given(node, arrays, 0)
    axes = node.ints("axes") if node.opset < 18 else _integers(arrays, 1)
    if axes and sorted(node.axis(axis, whole.ndim) for axis in axes) != list(range(whole.ndim)):
        raise TypeError("a product over some axes")
    if not axes and node.opset >= 18 and node.flag("noop_with_empty_axes"):
        return whole
    result: Any = 1
    for size in whole.reshape(-1):
        result = result * size
    return np.array(result, dtype=object).reshape((1,) * whole.ndim if node.flag("keepdims", True) else ())


def _where(node: Node, arrays: Known) -> Any:
    condition, yes, no = (_given(node, arrays, index) for index in range(3))
    return np.where(condition.astype(bool), yes.astype(object), no.astype(object))


def _reshape(node: Node, arrays: Known) -> Any:
    target = _integers(arrays, 1) or []
    if node.flag("allowzero") or 0 in target:
        raise TypeError("a shape with 0")
    return _given(node, arrays, 0).reshape(target)


def _cast_dtype(node: Node) -> str:
    from onnx import TensorProto

    dtypes: dict[int, str] = {TensorProto.INT64: "int64", TensorProto.INT32: "int32"}
    dtype = dtypes.get(node.integer("to", 0))
    if dtype is None:
        node.refuse("a size that is dynamic is cast to another type than int32 and int64: bind the dims with shapes=")
    return dtype


def _identity(node: Node, arrays: Known) -> Any:
    return _given(node, arrays, 0)


_OPERATORS: dict[str, Callable[[Node, Known], Any]] = {
    "Add": _arithmetic(lambda a, b, _: a + b),
    "Sub": _arithmetic(lambda a, b, _: a - b),
    "Mul": _arithmetic(lambda a, b, _: a * b),
    "Div": _arithmetic(_divide),
    "Max": _arithmetic(lambda a, b, _: maximum(a, b)),
    "Min": _arithmetic(lambda a, b, _: minimum(a, b)),
    "Equal": _arithmetic(_same),
    "Where": _where,
    "Gather": _gather,
    "Concat": _concat,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Slice": _slice,
    "ReduceProd": _product,
    "Reshape": _reshape,
    "Cast": _identity,
    "Identity": _identity,
}
"""Operators that are followed on sizes; any other wants its inputs known."""
