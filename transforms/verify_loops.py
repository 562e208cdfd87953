"""Refuse loop nests that are wrong for certain: names, bounds, reads of nothing, iterations that meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..analysis.accesses import Touch, touches
from ..analysis.bounds import Bounds, interval
from ..analysis.points import Point, ends, points, value_at
from ..dialects.expr import Expr, Variable
from ..dialects.loop import (
    AllocOp,
    BlockOp,
    ConditionOp,
    ForOp,
    GetGlobalOp,
    ShapeOp,
    YieldOp,
    buffer_shape,
    enclosing_loops,
)
from ..dialects.origin import located
from ..errors import VerifyError
from ..rewriting import walk

SIDE_BY_SIDE = ("parallel", "vectorized", "tensorized")
"""Kinds of loops whose iterations run together."""

SAMPLE_SIZE = 16
"""What dims of a function are taken to be when iterations are looked at that might meet."""

SAMPLE_TRIPS = 16
"""How many iterations of one loop are compared with one another."""


@dataclass(frozen=True)
class VerifyLoopsPass(ModulePass):
    """
    Refuse loop functions that are wrong for certain; change nothing.

    Names that are not unique, an access that leaves its buffer at a point that is met, a read of an element that
    nothing has written, parallel and vectorized loops with iterations that meet in an element, a constant that is
    written, a buffer that outlives its place. What cannot be decided here, the interpreter checks when it runs.

    Expects: `loop` functions that verify.
    Leaves:  the module as it is.
    """

    name = "verify-loops"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every function."""
        for function in op.walk():
            if isinstance(function, FuncOp) and not function.is_declaration:
                verify_loops(function)


def verify_loops(function: FuncOp) -> None:
    """Raise `VerifyError` if a function is wrong for certain."""
    ops = list(walk(function))
    accesses = [touch for op in ops for touch in touches(op)]
    _verify_labels(ops)
    _verify_lifetimes(ops)
    for touch in accesses:
        _verify_bounds(touch)
    _verify_coverage(ops, accesses)
    for op in ops:
        if isinstance(op, ForOp) and op.kind.data in SIDE_BY_SIDE:
            _verify_side_by_side(op, function)


def _refuse(op: Operation, message: str) -> NoReturn:
    raise VerifyError(located(op, message))


# -- names and places ---------------------------------------------------------------------------------------------


def _verify_labels(ops: Sequence[Operation]) -> None:
    blocks: set[str] = set()
    for op in ops:
        if isinstance(op, BlockOp):
            if op.label.data in blocks:
                _refuse(op, f"a second block '{op.label.data}' in this function")
            blocks.add(op.label.data)
        if isinstance(op, ForOp):
            for outer in enclosing_loops(op):
                if outer.label.data == op.label.data:
                    _refuse(op, f"loop '{op.label.data}' in a loop of the same name")


def _verify_lifetimes(ops: Sequence[Operation]) -> None:
    for op in ops:
        if isinstance(op, YieldOp | ConditionOp | ReturnOp):
            place = op.parent_op()
            for value in op.operands:
                if isinstance(value.owner, AllocOp) and place is not None and place.is_ancestor(value.owner):
                    _refuse(op, f"buffer '{value.name_hint or 'a buffer'}' is handed out of the place where it lives")
        if isinstance(op, AllocOp) and op.scope.data == "register":
            for use in op.buffer.uses:
                if not any(touch.buffer is op.buffer for touch in touches(use.operation)):
                    _refuse(use.operation, f"takes '{op.buffer.name_hint}', which is in registers: only accesses may")


# -- bounds -------------------------------------------------------------------------------------------------------


def _verify_bounds(touch: Touch) -> None:
    if isinstance(touch.buffer.owner, GetGlobalOp) and touch.writes:
        _refuse(touch.op, f"{touch.what}, which is a constant")
    shape = buffer_shape(touch.buffer)
    if shape is None:
        _refuse(touch.op, f"{touch.what}: its dims are not known, the function needs a loop.shape of it")
    if touch.bounded or Bounds(touch.op, touch.guard).is_in_bounds(touch.indices, shape):
        return
    for point in points(touch.op):
        where = _element(touch, point)
        if where is not None and not _is_inside_of(where, shape, point):
            dims = [e.text(_variable_name) for e in shape]
            _refuse(touch.op, f"{touch.what} at {list(where)} leaves its dims [{', '.join(dims)}]{_at(point)}")


def _element(touch: Touch, point: Point) -> tuple[int, ...] | None:
    """Which element is met at a point; None where that is not known, or where the guard says that none is."""
    guard = [value_at(e, point) for e in touch.guard]
    if any(v is None or v < 0 for v in guard):
        return None
    values = [value_at(e, point) for e in touch.indices]
    known = tuple(v for v in values if v is not None)
    return known if len(known) == len(values) else None


def _is_inside_of(where: Sequence[int], shape: Sequence[Expr], point: Point) -> bool:
    """Whether an element is in bounds; a dim that is not known has room for all."""
    for index, e in zip(where, shape, strict=True):
        dim = value_at(e, point)
        if index < 0 or (dim is not None and index >= dim):
            return False
    return True


def _variable_name(variable: Variable) -> str:
    return (variable.name_hint if isinstance(variable, SSAValue) else None) or "?"


def _at(point: Point) -> str:
    values = [f"{_variable_name(v)} = {n}" for v, n in point.items()]
    return f", with {', '.join(values)}" if values else ""


# -- reads of nothing ---------------------------------------------------------------------------------------------


def _verify_coverage(ops: Sequence[Operation], accesses: Sequence[Touch]) -> None:
    order = {op: n for n, op in enumerate(ops)}
    for alloc in ops:
        if not isinstance(alloc, AllocOp):
            continue
        own = [touch for touch in accesses if touch.buffer is alloc.buffer]
        known = {touch.op for touch in own}
        if any(use.operation not in known and not isinstance(use.operation, ShapeOp) for use in alloc.buffer.uses):
            continue  # a call may write all of it
        for touch in own:
            if not touch.writes:
                writes = [w for w in own if w.writes and _may_come_before(w, touch, alloc, order)]
                _verify_read(touch, writes, alloc, order)


def _may_come_before(write: Touch, read: Touch, alloc: AllocOp, order: dict[Operation, int]) -> bool:
    if order[write.op] < order[read.op]:
        return True
    return any(loop.is_ancestor(write.op) and not loop.is_ancestor(alloc) for loop in _loops_around(read.op))


def _loops_around(op: Operation) -> Iterator[Operation]:
    """Whatever may bring control back to before `op`."""
    outer = op.parent_op()
    while outer is not None and not isinstance(outer, FuncOp):
        yield outer
        outer = outer.parent_op()


def _verify_read(read: Touch, writes: Sequence[Touch], alloc: AllocOp, order: dict[Operation, int]) -> None:
    initialised = isinstance(read.op, BlockOp) and read.op.has_init and read.buffer in read.op.writes
    if initialised:
        return
    if not any(order[w.op] < order[read.op] for w in writes) and not read.bounded and not read.guard:
        # where all writes come later in loops around both, the first iteration reads nothing
        shared = [o for o in _loops_around(read.op) if any(o.is_ancestor(w.op) for w in writes)]
        first = points(
            read.op,
            start=_sizes(alloc),
            choose=lambda loop, lower, upper: [lower] if loop in shared else ends(lower, upper),
        )
        if next(first, None) is not None:
            _refuse(read.op, f"{read.what}: nothing was written there before")
    hull = [_ranges(w) for w in writes]
    for point in points(read.op):
        where = _element(read, point)
        if where is None or (read.bounded and not _is_inside_of(where, alloc.shape_exprs, point)):
            continue
        if not any(all(_holds(box, n) for box, n in zip(boxes, where, strict=True)) for boxes in hull):
            _refuse(read.op, f"{read.what} at {list(where)}: nothing is written there{_at(point)}")


def _ranges(write: Touch) -> list[tuple[int | None, int | None]]:
    facts = Bounds(write.op, write.guard).facts
    return [interval(e, facts.ranges(e)) for e in write.indices]


def _holds(box: tuple[int | None, int | None], n: int) -> bool:
    low, high = box
    return (low is None or low <= n) and (high is None or n <= high)


def _sizes(op: Operation) -> dict[Variable, int]:
    """Sample values for the dims of the function around `op`."""
    outer: Operation | None = op
    while outer is not None and not isinstance(outer, FuncOp):
        outer = outer.parent_op()
    return {} if outer is None else {a: SAMPLE_SIZE for a in outer.args if isinstance(a.type, IndexType)}


# -- iterations that meet -----------------------------------------------------------------------------------------


def _verify_side_by_side(loop: ForOp, function: FuncOp) -> None:
    kind, label = loop.kind.data, loop.label.data
    combined: set[Operation] = set()
    for op in walk(loop):
        if not isinstance(op, BlockOp):
            continue
        for iterator, binding in zip(op.iterator_kinds, op.bindings, strict=True):
            if iterator == "ordered" and binding.mentions(loop.variable):
                _refuse(op, f"loop '{label}' is {kind}, but block '{op.label.data}' needs its iterations in order")
        if op.is_reduced_over(loop) and not any(loop.is_ancestor(_owner(w)) for w in op.writes):
            if kind == "parallel":
                _refuse(op, f"loop '{label}' is parallel, but block '{op.label.data}' adds up over it")
            combined.add(op)  # lanes are combined with one another
    accesses = [
        touch
        for op in walk(loop)
        if op not in combined
        for touch in touches(op)
        if not loop.is_ancestor(_owner(touch.buffer))
    ]
    start = next(points(loop, start=_sizes(function)), None)
    if start is not None:
        _verify_apart(loop, [t for t in accesses if t.writes], [t for t in accesses if not t.writes], start)


def _owner(value: SSAValue) -> Operation:
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    assert op is not None
    return op


def _verify_apart(loop: ForOp, writes: Sequence[Touch], reads: Sequence[Touch], start: Point) -> None:
    """No two iterations write one element, and none reads what another one writes."""
    writers: dict[tuple[SSAValue, tuple[int, ...]], tuple[int, Touch]] = {}
    for touch in (*writes, *reads):
        for iteration, where in _elements(loop, touch, start):
            found = writers.get((touch.buffer, where))
            if found is not None and found[0] != iteration:
                other, write = found
                label = loop.label.data
                _refuse(
                    touch.op,
                    f"loop '{label}' is {loop.kind.data}, but its iterations meet: {touch.what} at {list(where)}"
                    f" with {label} = {iteration}, {write.what} with {label} = {other}",
                )
            if touch.writes:
                writers.setdefault((touch.buffer, where), (iteration, touch))


def _elements(loop: ForOp, touch: Touch, start: Point) -> Iterator[tuple[int, tuple[int, ...]]]:
    """(iteration, element) for the first iterations of `loop`, with the loops inside it at their ends."""
    shape = buffer_shape(touch.buffer)

    def choose(op: ForOp, lower: int, upper: int) -> Sequence[int]:
        return range(lower, min(upper, lower + SAMPLE_TRIPS)) if op is loop else ends(lower, upper)

    for point in points(touch.op, within=loop, start=start, choose=choose):
        where = _element(touch, point)
        if where is not None and (shape is None or _is_inside_of(where, shape, point)):
            yield point[loop.variable], where
