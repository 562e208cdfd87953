"""
Every op on every element type that it takes: the C of the target `generic` against the graph interpreter.

The ops come from the tables of the dialect: a new elementwise op joins by itself, any other one asks for a case here.
The interpreter itself is held against NumPy, `math` and Python integers by the other files of this folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import stepwell
from stepwell.dialects import graph
from stepwell.dialects.element_types import dtype_of, is_float, type_of
from stepwell.dialects.expr import Expr
from stepwell.dialects.graph.extent import PAD_MODES
from stepwell.interpreters.compare import TOLERANCES, first_difference
from stepwell.interpreters.run import run
from stepwell.pipelines import OPTIMISED, REFERENCE
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import RangeConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler"),
]

Array = np.ndarray[Any, Any]
Case = tuple[Callable[..., Operation], list[Array]]
"""An op of its operands, and arrays for these."""

DTYPES = [
    np.dtype(each)
    for each in (
        *(np.float64, np.float32, np.float16, ml_dtypes.bfloat16),
        *(f"{sign}int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)),
        np.bool_,
    )
]
FLOATS = DTYPES[:4]
MOVED = [np.dtype(each) for each in (np.float32, ml_dtypes.bfloat16, np.int8, np.int64, np.bool_)]
"""For ops that only move elements: one of each width, and those that are something else in C."""
ELEMENTS = [type_of(dtype) for dtype in DTYPES]

INEXACT = (
    *(op for op in graph.UNARY_OPS if op.__module__.endswith(".functions")),
    graph.PowerOp,
    graph.SoftmaxOp,
    graph.LayerNormOp,
)
"""Ops whose float results are those of `math.h`, or come from several steps."""
EXACT_FUNCTIONS = (graph.SqrtOp, graph.ReciprocalOp)


def awkward(dtype: np.dtype[Any]) -> Array:
    """The numbers of a type at which something happens."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        ends, bits = np.iinfo(dtype), dtype.itemsize * 8
        signed = [-1, -2, -3, -7, -bits, ends.min + 1] if ends.min else []
        return np.array(
            [0, 1, 2, 3, 7, bits - 1, bits, ends.max, ends.max - 1, ends.max // 2 + 1, ends.min, *signed], dtype
        )
    ends = ml_dtypes.finfo(dtype)
    edges = [float(each) for each in (ends.max, ends.tiny, ends.smallest_subnormal, ends.eps)]
    plain = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 7.25, 0.3, 88.7, 1 + float(ends.eps), *edges, np.inf]
    with np.errstate(all="ignore"):
        return np.array([*plain, *(-each for each in plain), np.nan]).astype(dtype)


def small(dtype: np.dtype[Any], shape: Sequence[int]) -> Array:
    """Small whole numbers: every sum and product of a few of them is exact in every type, in any order."""
    rng = np.random.default_rng(len(shape) + sum(shape))
    return np.asarray(rng.integers(0 if dtype.kind in "ub" else -2, 2 if dtype.kind == "b" else 3, shape)).astype(dtype)


def drawn(dtype: np.dtype[Any], shape: Sequence[int]) -> Array:
    """Awkward numbers in any order."""
    rng = np.random.default_rng(len(shape) + sum(shape))
    return np.asarray(rng.choice(awkward(dtype), shape))


# -- elementwise ops: all combinations of awkward numbers -------------------------------------------------------------


def taken(op: type[graph.GraphOp], element: Attribute) -> list[Attribute] | None:
    """The element types of the operands where those that may have elements of this type do; None if no one may."""
    constraints = [definition.constr for _, definition in op.get_irdl_definition().operands]
    fits = [accepts(constraint, element) for constraint in constraints]
    return [element if each else i1 for each in fits] if any(fits) else None


def accepts(constraint: RangeConstraint[Attribute], element: Attribute) -> bool:
    """Whether an operand may be a tensor of such elements."""
    try:
        constraint.verify((graph.tensor_of(element, ()),), VerificationContext())
    except VerifyException:
        return False
    return True


def options(op: type[graph.GraphOp], element: Attribute) -> list[dict[str, Any]]:
    """What else an elementwise op is told."""
    if op is graph.CastOp:
        return [{"element_type": each} for each in ELEMENTS]
    if op is graph.ModuloOp:
        return [{"fmod": True}] if is_float(element) else [{"fmod": True}, {"fmod": False}]
    return [{}]


def elementwise(op: type[graph.GraphOp], dtype: np.dtype[Any]) -> Iterator[Case]:
    elements = taken(op, type_of(dtype))
    for each in options(op, type_of(dtype)) if elements else ():
        rank = len(elements or ())
        arrays = [
            awkward(dtype_of(element)).reshape([-1 if axis == place else 1 for axis in range(rank)])
            for place, element in enumerate(elements or ())
        ]
        yield (lambda *values, each=each: op(*values, **each)), arrays


# -- the others: shapes with empty axes, axes of size 1, none and many ------------------------------------------------

SHAPES = [(), (1,), (0,), (5,), (2, 3), (2, 0, 3), (1, 3, 1), (2, 1, 3, 2, 2)]


def shapes(dtype: np.dtype[Any]) -> list[tuple[int, ...]]:
    """All shapes for one float and one integer type; a plain and an empty one for those of the same nests."""
    return SHAPES if dtype in (np.float32, np.int8) else SHAPES[4:6]


def over_axes(op: Any, values: Callable[..., Array]) -> Callable[[np.dtype[Any]], Iterator[Case]]:
    def cases(dtype: np.dtype[Any]) -> Iterator[Case]:
        for shape in shapes(dtype):
            rank = len(shape)
            for axes in dict.fromkeys(
                [(), tuple(range(rank)), (0,)[:rank], (-1,)[:rank], (0, -1)[: rank if rank > 1 else 0]]
            ):
                for keep in (False, True) if len(axes) == rank else (False,):
                    yield (lambda x, axes=axes, keep=keep: op(x, axes, keepdims=keep)), [values(dtype, shape)]

    return cases


def softmax(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        for axis in range(len(shape)):
            for values in (small, drawn):
                yield (lambda x, axis=axis: graph.SoftmaxOp(x, axis)), [values(dtype, shape)]


def layer_norm(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        for axis in range(len(shape)):
            for scale, bias in ((shape[axis:], shape[axis:]), ((), (1,)), (shape, None)):
                arrays = [small(dtype, each) for each in (shape, scale, bias) if each is not None]
                yield (lambda *values, axis=axis: graph.LayerNormOp(*values, axis=axis, epsilon=1e-3)), arrays


MATRICES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((0,), (0,)),
    ((2, 0), (0, 3)),
    ((0, 2), (2, 3)),
    ((2, 1, 2, 3), (4, 3, 2)),
    ((0, 2, 3), (3, 2)),
    ((2, 1, 1, 2, 3), (1, 2, 3, 1)),
]


def matmul(dtype: np.dtype[Any]) -> Iterator[Case]:
    for a, b in MATRICES:
        yield graph.MatmulOp, [(small if dtype in FLOATS else drawn)(dtype, shape) for shape in (a, b)]


CONVOLUTIONS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((1, 2, 4, 4), (3, 2, 3, 3), {}),
    ((2, 4, 5, 5), (4, 2, 2, 2), {"groups": 2, "strides": (2, 1), "pads": (1, 0, 2, 1)}),
    ((1, 3, 7, 7), (3, 1, 3, 3), {"groups": 3, "dilations": (2, 2), "pads": (2, 2, 2, 2)}),
    ((1, 2, 1, 1), (2, 2, 1, 1), {"pads": (3, 3, 3, 3), "strides": (2, 2)}),
    ((0, 1, 3, 3), (1, 1, 2, 2), {}),
    ((1, 0, 3, 3), (2, 0, 2, 2), {}),
    ((1, 1, 3, 3), (0, 1, 2, 2), {}),
    ((1, 1, 0, 3), (1, 1, 2, 2), {"pads": (1, 0, 1, 0)}),
]


def conv2d(dtype: np.dtype[Any]) -> Iterator[Case]:
    for image, filter, each in CONVOLUTIONS:
        bias = (filter[:1],) if dtype in FLOATS else ()
        arrays = [small(dtype, shape) for shape in (image, filter, *bias)]
        yield (lambda *values, each=each: graph.Conv2dOp(*values, **each)), arrays


POOLS: list[tuple[tuple[int, ...], tuple[int, int], dict[str, Any]]] = [
    ((1, 2, 4, 4), (2, 2), {}),
    ((1, 1, 5, 7), (3, 2), {"strides": (2, 2), "pads": (1, 1, 2, 0), "ceil_mode": True}),
    ((1, 1, 6, 6), (2, 2), {"dilations": (3, 3), "pads": (3, 3, 3, 3)}),
    ((1, 1, 1, 1), (2, 2), {"dilations": (3, 3), "pads": (3, 3, 3, 3)}),
    ((1, 1, 0, 2), (2, 2), {"pads": (1, 0, 1, 1)}),
    ((0, 1, 3, 3), (2, 2), {}),
    ((1, 1, 2, 2), (3, 3), {"strides": (3, 3), "pads": (1, 1, 1, 1), "ceil_mode": True}),
    ((1, 1, 3, 3), (1, 1), {"strides": (5, 5), "ceil_mode": True}),
]


def max_pool2d(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape, kernel, each in POOLS:
        yield (lambda x, kernel=kernel, each=each: graph.MaxPool2dOp(x, kernel, **each)), [drawn(dtype, shape)]


def avg_pool2d(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape, kernel, each in POOLS:
        for both in (each, each | {"count_include_pad": True}):
            yield (lambda x, kernel=kernel, both=both: graph.AvgPool2dOp(x, kernel, **both)), [small(dtype, shape)]


FAR = 2**63 - 1
RANGES = [
    (0, FAR, 1),
    (-1, -FAR - 1, -1),
    (1, 2, 1),
    (-2, 100, 1),
    (5, -100, -2),
    (0, FAR, 3),
    (2, 1, 1),
    (-100, 100, FAR),
    (FAR, -FAR - 1, -FAR),
    (-1, 0, -1),
    (FAR, -FAR - 1, 1),
    (-FAR - 1, FAR, -1),
    (2**40, -(2**40), 1),
    (1, FAR, FAR),
]


def slices(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        for each in RANGES:
            bounds = [[bound] * len(shape) for bound in each]
            yield (lambda x, bounds=bounds: graph.SliceOp(x, *bounds)), [drawn(dtype, shape)]


def pads(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        for low, high in ((0, 0), (1, 2), (7, 9), (-1, 1), (2, -1)):
            if any(size + min(low, 0) + min(high, 0) < 0 for size in shape):
                continue
            for mode in PAD_MODES if 0 not in shape and not (min(low, high) < 0 and 1 in shape) else ("constant",):
                amounts = [low] * len(shape), [high] * len(shape)
                yield (lambda x, a=amounts, m=mode: graph.PadOp(x, *a, mode=m, value=1)), [drawn(dtype, shape)]


def permutations(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        yield graph.PermuteDimsOp, [drawn(dtype, shape)]
        axes = [*range(1, len(shape)), *range(min(len(shape), 1))]
        yield (lambda x, axes=axes: graph.PermuteDimsOp(x, axes)), [drawn(dtype, shape)]


def reshapes(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        flat = (1, int(np.prod(shape)))
        yield (lambda x, flat=flat: graph.ReshapeOp(x, flat)), [drawn(dtype, shape)]
        if 0 not in shape:
            yield (lambda x: graph.ReshapeOp(x, (None, 1))), [drawn(dtype, shape)]


def broadcasts(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        target = (2, *(4 if size == 1 else size for size in shape))
        yield (lambda x, target=target: graph.BroadcastToOp(x, target)), [drawn(dtype, shape)]


def concats(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        for axis in range(len(shape)):
            other = [0 if place == axis else size for place, size in enumerate(shape)]
            yield (lambda a, b, axis=axis: graph.ConcatOp([a, b, a], axis)), [drawn(dtype, shape), drawn(dtype, other)]


def constants(dtype: np.dtype[Any]) -> Iterator[Case]:
    for shape in shapes(dtype):
        array = drawn(dtype, shape)
        yield (lambda array=array: graph.ConstantOp(array)), []


CASES: dict[type[graph.GraphOp], Callable[[np.dtype[Any]], Iterator[Case]]] = {
    **{op: over_axes(op, drawn) for op in (graph.MaxOp, graph.MinOp)},
    **{op: over_axes(op, small) for op in (graph.SumOp, graph.MeanOp, graph.ProdOp)},
    graph.SoftmaxOp: softmax,
    graph.LayerNormOp: layer_norm,
    graph.MatmulOp: matmul,
    graph.Conv2dOp: conv2d,
    graph.MaxPool2dOp: max_pool2d,
    graph.AvgPool2dOp: avg_pool2d,
    graph.SliceOp: slices,
    graph.PadOp: pads,
    graph.PermuteDimsOp: permutations,
    graph.ReshapeOp: reshapes,
    graph.BroadcastToOp: broadcasts,
    graph.ConcatOp: concats,
    graph.ConstantOp: constants,
}
MOVEMENT = {graph.SliceOp, graph.PadOp, graph.PermuteDimsOp, graph.ReshapeOp, graph.BroadcastToOp, graph.ConcatOp}
STRUCTURE = {graph.CallTirOp, graph.DataflowOp, graph.OutputOp}
ONE_CALL = 250
"""How many cases are one model: ctypes calls a function of at most 1024 arguments."""
OPS = [*graph.ELEMENTWISE_OPS, *CASES]


def test_every_op_that_computes_is_here() -> None:
    assert set(OPS) == set(graph.Graph.operations) - STRUCTURE
    assert len(OPS) == len(set(OPS))


def cases_of(op: type[graph.GraphOp], dtype: np.dtype[Any]) -> Iterator[Case]:
    if op not in CASES:
        yield from elementwise(op, dtype)
    elif op is graph.ConstantOp or taken(op, type_of(dtype)):
        yield from CASES[op](dtype)


def module_of(cases: Sequence[Case], named: Collection[int] = ()) -> ModuleOp:
    """`@main` with the results of all cases; a size above 1 of the operands in these places is known in a run only."""
    types = [
        graph.tensor_of(
            type_of(a.dtype), [Expr.atom(f"n{size}") if place in named and size > 1 else size for size in a.shape]
        )
        for _, arrays in cases
        for place, a in enumerate(arrays)
    ]
    block = Block(arg_types=types)
    arguments, results = iter(block.args), []
    for build, arrays in cases:
        op = build(*(next(arguments) for _ in arrays))
        block.add_op(op)
        results.append(op.results[0])
    block.add_op(ReturnOp(*results))
    module = ModuleOp([FuncOp("main", (types, [each.type for each in results]), Region(block))])
    module.verify()
    return module


def compare(op: type[graph.GraphOp], cases: Sequence[Case], found: Any) -> None:
    """Every result as the graph interpreter has it: by bits, but for the functions of real numbers."""
    arrays = [array for _, each in cases for array in each]
    expected = run(module_of(cases), "main", arrays)
    results = found if isinstance(found, tuple) else (found,)
    for (_, given), a, b in zip(cases, expected, results, strict=True):
        b = np.asarray(b)
        where = f"{op.name} of {', '.join(f'{each.dtype}{list(each.shape)}' for each in given)}"
        if op in INEXACT and op not in EXACT_FUNCTIONS and is_float(type_of(a.dtype)):
            assert a.dtype == b.dtype
            tolerance = TOLERANCES[a.dtype.name]
            wide, other = a.astype(np.float64), b.astype(np.float64)
            tiny = float(ml_dtypes.finfo(a.dtype).tiny)
            np.testing.assert_allclose(other, wide, rtol=tolerance, atol=tiny, err_msg=where)
        else:
            difference = first_difference(a, b)
            assert difference is None, f"{where}: {difference}"


@pytest.mark.parametrize("op", OPS)
def test_on_every_element_type(op: type[graph.GraphOp]) -> None:
    cases = [case for dtype in (MOVED if op in MOVEMENT else DTYPES) for case in cases_of(op, dtype)]
    assert cases
    for first in range(0, len(cases), ONE_CALL):
        some = cases[first : first + ONE_CALL]
        model = stepwell.compile(module_of(some), target="generic", stages=REFERENCE)
        compare(op, some, model(*(array for _, arrays in some for array in arrays)))


@pytest.mark.parametrize("op", [op for op in OPS if op is not graph.ConstantOp])
def test_with_sizes_known_in_a_run_only(op: type[graph.GraphOp]) -> None:
    dtype = next(
        dtype for dtype in (np.dtype(np.float32), np.dtype(np.int8), np.dtype(np.bool_)) if taken(op, type_of(dtype))
    )
    cases = list(cases_of(op, dtype))
    # the window of a filter is a number
    module = module_of(cases, named=(0, 2) if op is graph.Conv2dOp else (0, 1, 2))
    model = stepwell.compile(module, target="generic", stages=OPTIMISED)
    compare(op, cases, model(*(array for _, arrays in cases for array in arrays)))
