"""Operators that move elements and compute none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.element_types import is_float
from ...dialects.expr import Expr, as_expr
from ...dialects.graph import Dim
from .node import Content, Node, Operator
from .sizes import first_index_of
from .weights import Array

TO_END = 2**63 - 1
MOST_PIECES = 64
"""A gather of more pieces than this is no slice any more."""


def dims(node: Node, value: SSAValue) -> list[int | Expr]:
    """The sizes of a value as a reshape of it names them: a number, or `d<i>`."""
    return [Expr.atom(axis) if not isinstance(size, int) else size for axis, size in enumerate(node.shape(value))]


def product(sizes: Sequence[int | Expr]) -> int | Expr:
    """How many elements a shape has."""
    result = Expr.constant(1)
    for size in sizes:
        result = result * size
    return result if result.value is None else result.value


def without_axes(node: Node, value: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The value with axes of size 1 taken out."""
    return node.ops.reshape(value, [size for axis, size in enumerate(dims(node, value)) if axis not in axes])


def with_axes(node: Node, value: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The value with axes of size 1 put in, at these places of the result."""
    rest = iter(dims(node, value))
    rank = node.rank(value) + len(axes)
    return node.ops.reshape(value, [1 if axis in axes else next(rest) for axis in range(rank)])


def transpose(node: Node) -> SSAValue:
    """Axes in another order, by default in the opposite one."""
    return node.ops.permute_dims(node.input(0), node.ints("perm"))


def named_by(node: Node, value: SSAValue, sizes: Sequence[Dim]) -> list[Dim]:
    """Sizes with the names of dims replaced by `d<i>` where the value has an axis of that size."""
    of_axis = {as_expr(size): axis for axis, size in reversed(list(enumerate(node.shape(value)))) if size is not None}
    names = {size.variable: Expr.atom(axis) for size, axis in of_axis.items() if size.variable is not None}
    result: list[Dim] = []
    for size in sizes:
        if isinstance(size, Expr):
            size = Expr.atom(of_axis[size]) if size in of_axis else size.substitute(names)
        result.append(size)
    return result


def reshape(node: Node) -> SSAValue:
    """Another shape: 0 is the size at that place (unless `allowzero`), -1 what remains."""
    x, sizes, allow_zero = node.input(0), node.sizes(1), node.flag("allowzero")
    own = dims(node, x)
    target: list[Dim] = []
    for axis, size in enumerate(sizes):
        if size == 0 and not allow_zero:
            if axis >= len(own):
                raise node.error(f"the shape has 0 at place {axis}, and the rank is {len(own)}")
            target.append(own[axis])
        else:
            target.append(None if size == -1 else size)
    if any(isinstance(size, int) and size < 0 for size in target):
        raise node.error(f"the shape {sizes} has a negative size")
    if target.count(None) == 1 and 0 in node.shape(x):
        target[target.index(None)] = _remaining(node, x, [size for size in target if size is not None])
    return node.ops.reshape(x, named_by(node, x, target))


def _remaining(node: Node, x: SSAValue, others: Sequence[int | Expr]) -> int:
    """What remains of no elements is 0, unless a size beside it is 0 already."""
    if 0 in others:
        raise node.error(f"-1 beside a size 0 may be anything: {list(map(str, others))}")
    return 0


def flatten(node: Node) -> SSAValue:
    """A matrix: the axes before `axis`, and those from it on."""
    x = node.input(0)
    axis = node.integer("axis", 1)
    if not -node.rank(x) <= axis <= node.rank(x):
        raise node.error(f"axis {axis} is out of range for rank {node.rank(x)}")
    axis = axis + node.rank(x) if axis < 0 else axis
    sizes = dims(node, x)
    return node.ops.reshape(x, [product(sizes[:axis]), product(sizes[axis:])])


def squeeze(node: Node) -> SSAValue:
    """The axes of size 1 taken out, or those that are named."""
    x, axes = node.input(0), node.integers(1, "axes", 13)
    shape = node.shape(x)
    if axes is None:
        if any(not isinstance(size, int) for size in shape):
            node.refuse("which axes have size 1 is not known: name them, or bind the dims with shapes=")
        axes = [axis for axis, size in enumerate(shape) if size == 1]
    axes = [node.axis(axis, len(shape)) for axis in axes]
    if wrong := [axis for axis in axes if isinstance(shape[axis], int) and shape[axis] != 1]:
        raise node.error(f"axis {wrong[0]} has size {shape[wrong[0]]}, and only 1 is taken out")
    return without_axes(node, x, axes)


def unsqueeze(node: Node) -> SSAValue:
    """Axes of size 1 put in."""
    x, axes = node.input(0), node.integers(1, "axes", 13)
    if axes is None:
        raise node.error("there are no axes")
    rank = node.rank(x) + len(axes)
    places = [node.axis(axis, rank) for axis in axes]
    if len(set(places)) != len(places):
        raise node.error(f"axes {axes} name a place twice")
    return with_axes(node, x, places)


def concat(node: Node) -> SSAValue:
    """One after the other along an axis."""
    if not node.has("axis"):
        raise node.error("attribute 'axis' is missing")
    return node.ops.concat(node.inputs(), node.integer("axis", 0))


def slice_(node: Node) -> SSAValue:
    """`start:end:step` of some axes."""
    x = node.input(0)
    starts, ends = node.integers(1, "starts", 10), node.integers(2, "ends", 10)
    axes = node.integers(3, "axes", 10)
    steps = None if node.opset < 10 else node.whole_numbers(4)
    if starts is None or ends is None:
        raise node.error("starts and ends are missing")
    axes = [node.axis(axis, node.rank(x)) for axis in (axes if axes is not None else range(len(starts)))]
    each = [1] * len(starts) if steps is None else steps
    if not len(starts) == len(ends) == len(axes) == len(each) or len(set(axes)) != len(axes):
        raise node.error("starts, ends, axes and steps do not go together")
    ranges = {axis: bounds for axis, *bounds in zip(axes, starts, ends, each, strict=True)}
    whole = [0, TO_END, 1]
    for axis, bounds in ranges.items():
        bounds[0] = _first(node, x, axis, bounds[0], bounds[2])
    columns = zip(*[ranges.get(axis, whole) for axis in range(node.rank(x))], strict=True)
    return node.ops.slice(x, *[list(column) for column in columns]) if node.rank(x) else x


def _first(node: Node, x: SSAValue, axis: int, start: int, step: int) -> int:
    """Where a slice of an axis begins, as Python counts."""
    size = node.shape(x)[axis]
    if isinstance(size, int):
        return first_index_of(start, step, size)
    if step < 0 and start <= -(2**31) + 1:  # how exporters write "before every element"
        return 0
    if step < 0 and start < -1:
        node.refuse("a slice backwards from a place counted from the end of a dynamic axis: bind it with shapes=")
    return start


def piece(node: Node, x: SSAValue, axis: int, start: int, end: int, step: int = 1) -> SSAValue:
    """`start:end:step` of one axis."""
    rank = node.rank(x)
    starts, ends, steps = [0] * rank, [TO_END] * rank, [1] * rank
    starts[axis], ends[axis], steps[axis] = start, end, step
    return node.ops.slice(x, starts, ends, steps)


def split(node: Node) -> list[SSAValue]:
    """Parts along an axis, of equal sizes or of those that are given."""
    x = node.input(0)
    axis = node.axis(node.integer("axis", 0), node.rank(x))
    parts = len(node.proto.output)  # outputs without a name are parts too
    sizes, whole = node.integers(1, "split", 13), node.shape(x)[axis]
    if not parts or parts != node.integer("num_outputs", parts) or (sizes is not None and len(sizes) != parts):
        raise node.error(f"{parts} outputs, and another number of parts")
    if sizes is None:
        if not isinstance(whole, int):
            node.refuse("an axis of a dynamic size is split into equal parts: bind it with shapes=")
        if whole % parts and node.opset < 18:
            raise node.error(f"an axis of {whole} does not split into {parts} equal parts")
        size = -(-whole // parts)
        sizes = [max(0, min(size, whole - size * part)) for part in range(parts)]
    if (isinstance(whole, int) and sum(sizes) != whole) or any(size < 0 for size in sizes):
        raise node.error(f"parts of {sizes} do not make up an axis of {whole}")
    ends = [sum(sizes[: part + 1]) for part in range(len(sizes))]
    return [piece(node, x, axis, end - size, end) for size, end in zip(sizes, ends, strict=True)]


def pad(node: Node) -> SSAValue:
    """Elements put before and after each axis."""
    x, mode = node.input(0), node.string("mode", "constant")
    pads = node.integers(1, "pads", 11)
    value: Any = node.real("value", 0.0) if node.opset < 11 else node.number(2)
    axes = None if node.opset < 18 else node.whole_numbers(3)
    places = range(node.rank(x)) if axes is None else [node.axis(axis, node.rank(x)) for axis in axes]
    if pads is None or len(pads) != 2 * len(places):
        raise node.error(f"pads has {len(pads or [])} entries for {len(places)} axes")
    low, high = [0] * node.rank(x), [0] * node.rank(x)
    for place, axis in enumerate(places):
        low[axis], high[axis] = pads[place], pads[place + len(places)]
    number = 0 if value is None else value if isinstance(value, float) else value.item()
    return node.ops.pad(x, low, high, mode=mode, value=number if mode == "constant" else 0)


def expand(node: Node) -> SSAValue:
    """Broadcast to a shape, or where the shape has 1, the other way round."""
    x, sizes = node.input(0), node.sizes(1)
    own = dims(node, x)
    rank = max(len(own), len(sizes))
    mine: list[int | Expr] = [1] * (rank - len(own)) + own
    theirs: list[Dim] = [1] * (rank - len(sizes)) + named_by(node, x, sizes)
    return node.ops.broadcast_to(x, [m if t == 1 else t for m, t in zip(mine, theirs, strict=True)])


def tile(node: Node) -> SSAValue:
    """The whole repeated along each axis."""
    x, repeats = node.input(0), node.whole_numbers(1)
    if repeats is None or len(repeats) != node.rank(x):
        raise node.error("repeats has one number for each axis")
    return repeated(node, x, repeats, whole=True)


def repeated(node: Node, x: SSAValue, times: Sequence[int], *, whole: bool) -> SSAValue:
    """Each axis `times` as long: all of it again and again, or with `whole` off each element several times in a row."""
    if all(count == 1 for count in times):
        return x
    own = dims(node, x)
    around = [(1, size) if whole else (size, 1) for size in own]
    wide = node.ops.reshape(x, [size for pair in around for size in pair])
    sizes = dims(node, wide)
    pairs = [(count, sizes[2 * i + 1]) if whole else (sizes[2 * i], count) for i, count in enumerate(times)]
    wide = node.ops.broadcast_to(wide, [size for pair in pairs for size in pair])
    sizes = dims(node, wide)
    return node.ops.reshape(wide, [product(sizes[2 * i : 2 * i + 2]) for i in range(len(times))])


def depth_to_space(node: Node) -> SSAValue:
    """Channels moved into blocks of the image."""
    x, block, mode = node.input(0), node.integer("blocksize", 0), node.string("mode", "DCR")
    if node.rank(x) != 4 or block < 1:
        raise node.error("an image of rank 4 and a positive blocksize are expected")
    batch, channels, height, width = dims(node, x)
    if not isinstance(channels, int):
        node.refuse("a dynamic number of channels: bind it with shapes=")
    if channels % (block * block) or mode not in ("DCR", "CRD"):
        raise node.error(
            f"{channels} channels do not split into blocks of {block}, or mode '{mode}' is none of DCR, CRD"
        )
    depth = channels // (block * block)
    blocks, order = ([block, block, depth], [0, 3, 4, 1, 5, 2])
    if mode == "CRD":
        blocks, order = [depth, block, block], [0, 1, 4, 2, 5, 3]
    wide = node.ops.permute_dims(node.ops.reshape(x, [batch, *blocks, height, width]), order)
    sizes = dims(node, wide)
    return node.ops.reshape(wide, [sizes[0], depth, product(sizes[2:4]), product(sizes[4:6])])


def space_to_depth(node: Node) -> SSAValue:
    """Blocks of the image moved into channels."""
    x, block, mode = node.input(0), node.integer("blocksize", 0), node.string("mode", "DCR")
    if node.rank(x) != 4 or block < 1 or mode not in ("DCR", "CRD"):
        raise node.error("an image of rank 4, a positive blocksize and a mode DCR or CRD are expected")
    batch, channels, *_ = dims(node, x)
    height, width = node.static_shape(x, "blocks of an image")[2:]
    if height % block or width % block:
        raise node.error(f"an image of {height} by {width} does not split into blocks of {block}")
    wide = node.ops.reshape(x, [batch, channels, height // block, block, width // block, block])
    wide = node.ops.permute_dims(wide, [0, 3, 5, 1, 2, 4] if mode == "DCR" else [0, 1, 3, 5, 2, 4])
    sizes = dims(node, wide)
    return node.ops.reshape(wide, [sizes[0], product(sizes[1:4]), *sizes[4:]])


def gather(node: Node) -> SSAValue:
    """Elements of an axis at indices that are known."""
    indices = node.array(1)
    if indices is None or indices.dtype.kind not in "iu":
        raise node.error("the indices are missing, or no integers")
    x = node.input(0)
    axis = node.axis(node.integer("axis", 0), node.rank(x))
    size = node.shape(x)[axis]
    flat = [int(index) for index in indices.reshape(-1)]
    if isinstance(size, int):
        if wrong := [index for index in flat if not -size <= index < size]:
            raise node.error(f"index {wrong[0]} is out of range for an axis of {size}")
        flat = [index % size for index in flat]
    joined = taken(node, x, axis, flat)
    own = dims(node, joined)
    # of a dynamic axis too, the pieces have as many elements as there are indices: an index out of range is refused
    shape = [*own[:axis], *indices.shape, *own[axis + 1 :]]
    return joined if indices.ndim == 1 and isinstance(size, int) else node.ops.reshape(joined, shape)


def taken(node: Node, x: SSAValue, axis: int, indices: Sequence[int]) -> SSAValue:
    """The elements of an axis at these indices, one after the other."""
    pieces = [piece(node, x, axis, *bounds) for bounds in _runs(node, indices)]
    return pieces[0] if len(pieces) == 1 else node.ops.concat(pieces, axis)


def _runs(node: Node, indices: Sequence[int]) -> list[tuple[int, int, int]]:
    """Indices as `start:end:step` of few slices."""
    runs: list[tuple[int, int, int]] = []
    rest = list(indices)
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 1
        count = 1
        while step and count < len(rest) and rest[count] - rest[count - 1] == step and _same_end(rest[0], rest[count]):
            count += 1
        step = step if count > 1 else 1
        first, last = rest[0], rest[count - 1]
        end = last + (1 if step > 0 else -1)
        crosses = (last < 0) != (end < 0)
        runs.append((first, (TO_END if step > 0 else -TO_END) if crosses else end, step))
        rest = rest[count:]
    if len(runs) > MOST_PIECES:
        node.refuse(f"{len(runs)} separate pieces are gathered, more than {MOST_PIECES}")
    return runs or [(0, 0, 1)]


def _same_end(one: int, other: int) -> bool:
    """Whether two indices count from the same end of an axis."""
    return (one < 0) == (other < 0)


def trilu(node: Node) -> SSAValue:
    """The upper or lower triangle of each matrix, and 0 elsewhere."""
    import numpy as np

    x, upper, diagonal = node.input(0), node.flag("upper", True), node.number(1)
    if node.rank(x) < 2:
        raise node.error("a matrix is expected")
    rows, columns = node.static_shape(x, "a triangle")[-2:]
    ones: Array = np.ones((rows, columns), bool)
    k = 0 if diagonal is None else int(diagonal)
    return node.ops.select(np.triu(ones, k) if upper else np.tril(ones, k), x, 0)


def identity(node: Node) -> SSAValue:
    """The input itself."""
    return node.input(0)


def dropout(node: Node) -> list[Content]:
    """The input itself: nothing is dropped outside training."""
    node.ignore("ratio", "seed")
    node.content(1)
    if node.opset >= 12 and (training := node.array(2)) is not None and training.any():
        node.refuse("dropout in training is random")
    x = node.input(0)
    if node.outputs < 2:
        return [x]
    kept = node.ops.logical_or(node.ops.is_nan(x) if is_float(node.element(x)) else node.ops.equal(x, x), True)
    return [x, kept if node.opset >= 10 else node.ops.cast(kept, node.element(x))]


MOVEMENT: dict[str, Operator] = {
    "Concat": concat,
    "DepthToSpace": depth_to_space,
    "Dropout": dropout,
    "Expand": expand,
    "Flatten": flatten,
    "Gather": gather,
    "Identity": identity,
    "Pad": pad,
    "Reshape": reshape,
    "Slice": slice_,
    "SpaceToDepth": space_to_depth,
    "Split": split,
    "Squeeze": squeeze,
    "Tile": tile,
    "Transpose": transpose,
    "Trilu": trilu,
    "Unsqueeze": unsqueeze,
}
