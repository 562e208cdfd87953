"""What each op of `graph` computes: a table that other packages may add to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import Block, Operation
from xdsl.utils.exceptions import VerifyException

from ...dialects import graph
from ...dialects.element_types import dtype_of
from ...dialects.expr import Expr, Variable
from ...dialects.graph.movement import TargetShapeOp
from ...dialects.origin import located
from ...errors import RunError
from ..numbers.evaluate import constant
from ..numbers.values import choose, quiet
from . import contraction, reduction
from .arrays import Array
from .elementwise import cast as cast_elements
from .elementwise import elementwise_function, ewise_fma

Sizes: TypeAlias = Mapping[Variable, int]
"""The sizes that the symbols of dims stand for in one run."""

Evaluator: TypeAlias = Callable[..., Array]
"""`(op, *operands) -> result`."""


@dataclass(frozen=True)
class Sized:
    """An evaluator `(op, sizes, *operands) -> result`, for an op that mentions symbols."""

    evaluator: Evaluator


def _ints(attribute: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    return tuple(attribute.get_values())


def _elementwise(op: Operation, *operands: Array) -> Array:
    return elementwise_function(op)(*operands)


def _select(op: graph.SelectOp, condition: Array, on_true: Array, on_false: Array) -> Array:
    return choose(condition, on_true, on_false)


def _cast(op: graph.CastOp, x: Array) -> Array:
    return cast_elements(x, dtype_of(op.out.type))


def _fma(op: graph.EwiseFmaOp, a: Array, b: Array, c: Array) -> Array:
    return ewise_fma(a, b, c)


def _constant(op: graph.ConstantOp) -> Array:
    return op.value.array


def _matmul(op: graph.MatmulOp, a: Array, b: Array) -> Array:
    return contraction.matmul(a, b)


def _conv2d(op: graph.Conv2dOp, x: Array, filter: Array, bias: Array | None = None) -> Array:
    strides, pads, dilations = _ints(op.strides), _ints(op.pads), _ints(op.dilations)
    return contraction.conv2d(x, filter, bias, strides, pads, dilations, op.groups.value.data)


def _window_counts(op: graph.Pool2dOp, x: Array) -> tuple[int, ...]:
    kernel, strides, pads, dilations = _ints(op.kernel), _ints(op.strides), _ints(op.pads), _ints(op.dilations)
    ceil_mode = op.ceil_mode is not None
    sizes = [
        graph.window_size(x.shape[2 + i], kernel[i], strides[i], pads[i], pads[i + 2], dilations[i], ceil_mode)
        for i in range(2)
    ]
    return tuple(size for size in sizes if isinstance(size, int))


def _max_pool2d(op: graph.MaxPool2dOp, x: Array) -> Array:
    kernel, strides, pads, dilations = _ints(op.kernel), _ints(op.strides), _ints(op.pads), _ints(op.dilations)
    return contraction.max_pool2d(x, _window_counts(op, x), kernel, strides, pads, dilations)


def _avg_pool2d(op: graph.AvgPool2dOp, x: Array) -> Array:
    kernel, strides, pads, dilations = _ints(op.kernel), _ints(op.strides), _ints(op.pads), _ints(op.dilations)
    include_pad = op.count_include_pad is not None
    return contraction.avg_pool2d(x, _window_counts(op, x), kernel, strides, pads, dilations, include_pad)


def _reduction(function: Callable[[Array], Array]) -> Evaluator:
    def evaluate(op: graph.ReductionOp, x: Array) -> Array:
        return reduction.reduce(x, _ints(op.axes), op.keepdims is not None, function)

    return evaluate


def _softmax(op: graph.SoftmaxOp, x: Array) -> Array:
    return reduction.softmax(x, op.axis.value.data)


def _layer_norm(op: graph.LayerNormOp, x: Array, scale: Array, bias: Array | None = None) -> Array:
    return reduction.layer_norm(x, scale, bias, op.axis.value.data, op.epsilon.value.data)


def _permute_dims(op: graph.PermuteDimsOp, x: Array) -> Array:
    return np.transpose(x, _ints(op.permutation))


def _concat(op: graph.ConcatOp, *operands: Array) -> Array:
    return np.concatenate(operands, op.axis.value.data)


def _slice(op: graph.SliceOp, x: Array) -> Array:
    return x[tuple(slice(*bounds) for bounds in op.ranges)]


def _pad(op: graph.PadOp, x: Array) -> Array:
    low, high = _ints(op.low), _ints(op.high)
    kept = tuple(slice(max(-a, 0), size - max(-b, 0)) for size, a, b in zip(x.shape, low, high, strict=True))
    around = [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)]
    x = x[kept]
    if not around:
        return x  # NumPy wants an axis
    if op.value is not None:
        return np.pad(x, around, constant_values=constant(op.value))
    mode = op.mode.data
    return np.pad(x, around, mode="edge" if mode == "edge" else "reflect" if mode == "reflect" else "wrap")


def _target_shape(op: TargetShapeOp, sizes: Sizes, x: Array) -> tuple[int, ...]:
    """The target of a reshape or broadcast, for an operand of this shape."""
    symbols: dict[Variable, Expr] = {symbol: Expr.constant(size) for symbol, size in sizes.items()}
    operand = graph.tensor_of(graph.type_of_value(op.input).element_type, x.shape)
    shape = graph.dims_of(op.target_type(operand, op.shape.substitute(symbols)))
    unknown = [size for size in shape if not isinstance(size, int)]
    if unknown:
        raise VerifyException(f"no argument gives a value to {graph.DimsAttr(unknown)}")
    return tuple(size for size in shape if isinstance(size, int))


def _reshape(op: graph.ReshapeOp, sizes: Sizes, x: Array) -> Array:
    return x.reshape(_target_shape(op, sizes, x))


def _broadcast_to(op: graph.BroadcastToOp, sizes: Sizes, x: Array) -> Array:
    return np.broadcast_to(x, _target_shape(op, sizes, x))


EVALUATORS: dict[type[Operation], Evaluator | Sized] = {
    graph.ConstantOp: _constant,
    **dict.fromkeys((*graph.UNARY_OPS, *graph.TEST_OPS, *graph.BINARY_OPS, *graph.COMPARISON_OPS), _elementwise),
    graph.SelectOp: _select,
    graph.CastOp: _cast,
    graph.EwiseFmaOp: _fma,
    graph.MatmulOp: _matmul,
    graph.Conv2dOp: _conv2d,
    graph.SumOp: _reduction(reduction.total),
    graph.MaxOp: _reduction(reduction.largest),
    graph.MinOp: _reduction(reduction.smallest),
    graph.MeanOp: _reduction(reduction.mean),
    graph.ProdOp: _reduction(reduction.product),
    graph.SoftmaxOp: _softmax,
    graph.LayerNormOp: _layer_norm,
    graph.PermuteDimsOp: _permute_dims,
    graph.ReshapeOp: Sized(_reshape),
    graph.BroadcastToOp: Sized(_broadcast_to),
    graph.ConcatOp: _concat,
    graph.SliceOp: _slice,
    graph.PadOp: _pad,
    graph.MaxPool2dOp: _max_pool2d,
    graph.AvgPool2dOp: _avg_pool2d,
}
"""Op class -> what it computes."""


def has_own_value(op: Operation) -> bool:
    """Whether the arrays of its operands are all that an op takes: it has a meaning, and names no size of a run."""
    dims = [attribute for attribute in op.properties.values() if isinstance(attribute, graph.DimsAttr)]
    named = any(isinstance(variable, str) for attribute in dims for variable in attribute.variables())
    return op.__class__ in EVALUATORS and not named


def _check_sizes(op: Operation, operands: Sequence[Array]) -> None:
    """Refuse arrays that the op would refuse had its types said these sizes; NumPy takes some of them."""
    if not isinstance(op, graph.GraphOp) or all(type.has_static_shape() for type in op.operand_tensors()):
        return
    pairs = zip(op.operands, operands, strict=True)
    types = [graph.tensor_of(graph.type_of_value(value).element_type, array.shape) for value, array in pairs]
    found = type(op).create(
        operands=Block(arg_types=types).args,
        result_types=op.result_types,
        properties=op.properties,
    )
    found.infer_result_types()


def evaluate_op(op: Operation, operands: Sequence[Array], sizes: Sizes | None = None) -> tuple[Array, ...]:
    """The results of one op on whole arrays; `sizes` says what the symbols of its dims stand for."""
    try:
        _check_sizes(op, operands)
        with quiet():
            match EVALUATORS.get(op.__class__):
                case None:
                    raise RunError(located(op, "has no meaning here; interpreters/graph/evaluate.py lists the ops"))
                case Sized(evaluator):
                    result = evaluator(op, sizes or {}, *operands)
                case evaluator:
                    result = evaluator(op, *operands)
    except (ValueError, VerifyException) as error:
        shapes = ", ".join(str(list(operand.shape)) for operand in operands)
        raise RunError(located(op, f"cannot run on operands of shapes {shapes}: {error}")) from None
    return (np.asarray(result, dtype_of(op.results[0].type)),)
