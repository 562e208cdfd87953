"""Shape inference: what results follow from operands, and what happens where two sizes have to be equal."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, as_expr, floordiv, maximum, minimum
from .dims import Dim, Tensor, as_dim, dim_text, dims_of, shape_text

TO_END = 2**63 - 1
"""A slice bound past the last element, whatever the size; `TO_BEGIN` is before the first."""

FAR = 10**9
"""From here on, the end of a slice of a size not known stands for the last element; a run checks that it does."""

TO_BEGIN = -(2**63)

_FARTHEST = 2**61


class Solver:
    """
    Decides what two sizes become that an op wants to be equal.

    This one knows only what it is told: sizes that may be equal at run time pass, and the answer is the better known
    of the two, or None. A subclass may bind symbols so that they are equal.
    """

    def same(self, a: Dim, b: Dim, what: str) -> Dim:
        """The size of an axis that has to be `a` and `b` at once; `what` names it in the error."""
        if a == b or b is None:
            return a
        if a is None:
            return b
        if (isinstance(a, int) and isinstance(b, int)) or (as_expr(a) - as_expr(b)).value is not None:
            raise VerifyException(f"{what} differ: {dim_text(a)} and {dim_text(b)}")
        return self.unify(a, b, what)

    def unify(self, a: int | Expr, b: int | Expr, what: str) -> Dim:
        """Two sizes, not both numbers, that are equal in every run that succeeds."""
        del what
        return a if isinstance(a, int) else b if isinstance(b, int) else None

    def same_count(self, before: Dim, after: Dim, what: str) -> None:
        """Two numbers of elements that have to be equal; where that is not known, a requirement of the op says so."""
        self.same(before, after, what)

    def broadcast(self, a: Dim, b: Dim, what: str) -> Dim:
        """The size that `a` and `b` broadcast to: equal, or one of them 1."""
        if a == 1:
            return b
        if b == 1 or a == b:
            return a
        if isinstance(a, int) and isinstance(b, int):
            raise VerifyException(f"{what} do not broadcast: {a} and {b}")
        return self.unify_broadcast(a, b, what)

    def unify_broadcast(self, a: Dim, b: Dim, what: str) -> Dim:
        """Two sizes, not both numbers and neither known to be 1, that are equal or of which one is 1."""
        del what
        return a if isinstance(a, int) else b if isinstance(b, int) else None


LOCAL = Solver()
"""Inference without a memory: for construction and verification."""


def broadcast_dims(shapes: Sequence[Sequence[Dim]], solver: Solver = LOCAL) -> tuple[Dim, ...]:
    """The shape that these broadcast to, as NumPy does: aligned at the right, missing axes are 1."""
    rank = max(map(len, shapes), default=0)
    result: list[Dim] = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            here = result[axis]
            if here == 1:
                result[axis] = size
            elif size not in (1, here):
                result[axis] = solver.broadcast(here, size, f"sizes on axis {axis} of {_shapes_text(shapes)}")
    return tuple(result)


def _shapes_text(shapes: Sequence[Sequence[Dim]]) -> str:
    return " and ".join(map(shape_text, shapes))


def same_element_type(types: Sequence[Tensor]) -> None:
    """Refuse operands of different element types."""
    first = types[0].element_type
    for other in types[1:]:
        if other.element_type != first:
            raise VerifyException(f"element types differ: {first} and {other.element_type}")


def dims_with_rank(type: Tensor, rank: int, what: str) -> tuple[Dim, ...]:
    """The sizes of a type that must have this rank."""
    sizes = dims_of(type)
    if len(sizes) != rank:
        raise VerifyException(f"{what} must have rank {rank}, found {shape_text(sizes)}")
    return sizes


def normal_axis(axis: int, rank: int) -> int:
    """The axis counted from the front; refuses one that the rank does not have."""
    if not -rank <= axis < rank:
        raise VerifyException(f"axis {axis} is out of range for rank {rank}")
    return axis % rank


def normal_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Axes counted from the front, in ascending order, without repetition."""
    normal = sorted(normal_axis(axis, rank) for axis in axes)
    if len(set(normal)) != len(normal):
        raise VerifyException(f"axes {list(axes)} name an axis twice")
    return tuple(normal)


def check_from_front(axes: Sequence[int]) -> None:
    """Refuse axes of an op that are not ascending and counted from the front, as every reader of them takes them."""
    if list(axes) != sorted(axes) or (axes and axes[0] < 0):
        what = f"axis {axes[0]} must be" if len(axes) == 1 else f"axes {list(axes)} must be ascending and"
        raise VerifyException(f"{what} counted from the front")


def ceildiv(size: Expr, divisor: int) -> Expr:
    """`ceil(size / divisor)` for a positive divisor."""
    return floordiv(size + (divisor - 1), divisor)


def slice_range(size: Dim, start: int, end: int, step: int) -> tuple[Dim, Dim]:
    """
    The first index and the number of indices that `start:end:step` takes from an axis, counting as ONNX and NumPy do.

    Negative bounds count from the end; bounds are clamped to the axis. The first index means something only if the
    number is not 0. An end of `FAR` or more is taken to be the end of an axis whose size is not known.
    """
    if isinstance(size, int):
        points = range(*slice(start, end, step).indices(size))
        return points.start, len(points)
    if size is None:
        return None, None
    # no axis reaches as far as these, and 64 bits hold what is computed from them
    start, end = (max(-_FARTHEST, min(bound, _FARTHEST)) for bound in (start, end))
    if step > 0:
        first = Expr.constant(start) if start >= 0 else maximum(size + start, 0) if start > -_FARTHEST else as_expr(0)
        last = size if end >= FAR else minimum(size, end) if end >= 0 else size + end
        count = ceildiv(last - first, step)
        return as_dim(first), as_dim(count if first.value == 0 and end >= FAR else maximum(count, 0))
    first = size - 1 if start == _FARTHEST else minimum(size - 1, start) if start >= 0 else size + start
    last = as_expr(-1) if end == -_FARTHEST else as_expr(end) if end >= 0 else maximum(size + end, -1)
    count = ceildiv(first - last, -step)
    return as_dim(first), as_dim(count if start == _FARTHEST and last.value == -1 else maximum(count, 0))


def window_size(
    size: Dim, kernel: int, stride: int, pad_begin: int, pad_end: int, dilation: int = 1, ceil_mode: bool = False
) -> Dim:
    """
    How many windows fit on an axis: `floor((size + pads - dilation * (kernel - 1) - 1) / stride) + 1`.

    In ceil mode the quotient is rounded up, and a last window that would start in the padding on the right is dropped.
    """
    if size is None:
        return None
    room = window_room(size, kernel, pad_begin, pad_end, dilation)
    if room.value is not None and room.value < 0:
        raise VerifyException(
            f"a window of {dilation * (kernel - 1) + 1} does not fit an axis of {dim_text(size)} padded by "
            f"{pad_begin} and {pad_end}"
        )
    if not ceil_mode:
        return as_dim(floordiv(room, stride) + 1)
    starts_inside = floordiv(as_expr(size) + (pad_begin - 1), stride) + 1
    return as_dim(minimum(ceildiv(room, stride) + 1, starts_inside))


def window_room(size: int | Expr, kernel: int, pad_begin: int, pad_end: int, dilation: int = 1) -> Expr:
    """How far a window can move on an axis; negative where not even one fits."""
    return as_expr(size) + (pad_begin + pad_end - dilation * (kernel - 1) - 1)


def check_declared(declared: Tensor, inferred: Tensor, what: str) -> None:
    """Refuse a declared type that is not the inferred one, or one that knows less of its sizes."""
    if declared == inferred:
        return
    if declared.element_type != inferred.element_type:
        raise VerifyException(f"{what} has elements {declared.element_type}, inferred {inferred.element_type}")
    sizes, expected = dims_of(declared), dims_of(inferred)
    agree = len(sizes) == len(expected) and all(
        size is None or size == known for size, known in zip(sizes, expected, strict=True)
    )
    if not agree:
        raise VerifyException(f"{what} has shape {shape_text(sizes)}, inferred {shape_text(expected)}")
