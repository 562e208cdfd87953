"""
Arithmetic on sizes that are known at run time only.

Exporters compute the target of a reshape in the graph: `Shape`, `Gather`, `Mul`, `Concat`. These nodes are followed
here on arrays whose elements are numbers or expressions over the names of dims, and leave nothing behind in the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dialects.expr import Expr, floordiv, maximum, minimum
from ...dialects.graph import Dim
from .node import Content, Node, Sizes
from .weights import Array


def sizes_of(elements: Any, dtype: str = "int64") -> Content:
    """Sizes as the content of a tensor: an array of numbers if all are."""
    array = np.array(elements, dtype=object)
    flat = [_plain(each) for each in array.reshape(-1)]
    if all(isinstance(each, int) for each in flat):
        return np.array(flat, dtype).reshape(array.shape)
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return Sizes(result.reshape(array.shape), dtype)


def _plain(size: Any) -> Dim:
    if isinstance(size, Expr):
        return size if size.value is None else size.value
    return None if size is None else int(size)


def computed_sizes(node: Node) -> Content | None:
    """The output of a node whose inputs are sizes or known; None if it is another one, or not followed here."""
    operator = _OPERATORS.get(node.proto.op_type)
    if operator is None or node.outputs > 1:
        return None
    arrays: list[Array] = []
    dtype = "int64"
    for index in range(len(node.contents)):
        content = node.content(index)
        if isinstance(content, Sizes):
            arrays.append(content.array)
            dtype = content.dtype
        elif content is not None:
            known = node.known(content)
            if known is None:
                return None
            arrays.append(known)
    try:
        result = operator(node, arrays)
        if node.proto.op_type == "Cast":
            dtype = _cast_dtype(node)
        return sizes_of(result, "bool" if node.proto.op_type == "Equal" else dtype)
    except TypeError:
        node.refuse("a size that nothing is known of is used: bind the dims of the inputs with shapes=")


def _arithmetic(compute: Callable[[Any, Any], Any]) -> Callable[[Node, Sequence[Array]], Any]:
    def apply(node: Node, arrays: Sequence[Array]) -> Any:
        result = arrays[0].astype(object)
        for other in arrays[1:]:
            result = np.frompyfunc(compute, 2, 1)(result, other.astype(object))
        return result

    return apply


def _divide(a: Any, b: Any) -> Any:
    """Sizes are not negative, so that division toward zero is floor division."""
    if isinstance(b, int) and b <= 0:
        raise TypeError("a size is divided by a positive number only")
    return floordiv(a, b)


def _same(a: Any, b: Any) -> Any:
    """Whether two sizes are equal, where that is the same in every run: a size is never negative."""
    if a == b:
        return 1
    if isinstance(a, int) and isinstance(b, int):
        return 0
    if (isinstance(a, int) and a < 0) or (isinstance(b, int) and b < 0):
        return 0
    raise TypeError("not known")


def _gather(node: Node, arrays: Sequence[Array]) -> Any:
    return np.take(arrays[0], arrays[1].astype(np.int64), axis=node.integer("axis", 0))


def _concat(node: Node, arrays: Sequence[Array]) -> Any:
    return np.concatenate([array.astype(object) for array in arrays], axis=node.integer("axis", 0))


def _squeeze(node: Node, arrays: Sequence[Array]) -> Any:
    axes = node.ints("axes") if node.opset < 13 else [int(a) for a in arrays[1]] if len(arrays) > 1 else None
    return np.squeeze(arrays[0], axis=None if axes is None else tuple(axes))


def _unsqueeze(node: Node, arrays: Sequence[Array]) -> Any:
    axes = node.ints("axes") if node.opset < 13 else [int(a) for a in arrays[1]]
    return np.expand_dims(arrays[0], tuple(axes or ()))


def _slice(node: Node, arrays: Sequence[Array]) -> Any:
    if node.opset < 10:
        (starts, ends), axes, steps = (node.ints("starts") or [], node.ints("ends") or []), node.ints("axes"), None
    else:
        if any(array.dtype == object for array in arrays[1:]):
            raise TypeError("bounds that are dynamic")
        starts, ends = arrays[1].tolist(), arrays[2].tolist()
        axes = arrays[3].tolist() if len(arrays) > 3 else None
        steps = arrays[4].tolist() if len(arrays) > 4 else None
    picks = [slice(None)] * arrays[0].ndim
    for number, axis in enumerate(axes if axes is not None else range(len(starts))):
        picks[axis] = slice(starts[number], ends[number], steps[number] if steps else 1)
    return arrays[0][tuple(picks)]


def _product(node: Node, arrays: Sequence[Array]) -> Any:
    axes = node.ints("axes") if node.opset < 18 else None
    if len(arrays) > 1 or (axes is not None and len(axes) != arrays[0].ndim):
        raise TypeError("a product over some axes")
    result: Any = 1
    for size in arrays[0].reshape(-1):
        result = result * size
    return np.array(result, dtype=object).reshape((1,) * arrays[0].ndim if node.flag("keepdims", True) else ())


def _where(node: Node, arrays: Sequence[Array]) -> Any:
    return np.where(arrays[0].astype(bool), arrays[1].astype(object), arrays[2].astype(object))


def _reshape(node: Node, arrays: Sequence[Array]) -> Any:
    if node.flag("allowzero") or (arrays[1] == 0).any():
        raise TypeError("a shape with 0")
    return arrays[0].reshape(arrays[1].astype(np.int64).tolist())


def _cast_dtype(node: Node) -> str:
    from onnx import TensorProto

    dtypes: dict[int, str] = {TensorProto.INT64: "int64", TensorProto.INT32: "int32"}
    dtype = dtypes.get(node.integer("to", 0))
    if dtype is None:
        node.refuse("a size that is dynamic is cast to another type than int32 and int64: bind the dims with shapes=")
    return dtype


def _identity(node: Node, arrays: Sequence[Array]) -> Any:
    return arrays[0]


_OPERATORS: dict[str, Callable[[Node, Sequence[Array]], Any]] = {
    "Add": _arithmetic(lambda a, b: a + b),
    "Sub": _arithmetic(lambda a, b: a - b),
    "Mul": _arithmetic(lambda a, b: a * b),
    "Div": _arithmetic(_divide),
    "Max": _arithmetic(lambda a, b: maximum(a, b)),
    "Min": _arithmetic(lambda a, b: minimum(a, b)),
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
