"""Accesses that are not proved to stay in their buffers -> assertions before them, which end the function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr, UnitAttr, i1, i8
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..analysis.accesses import Touch, touches
from ..analysis.aliases import may_alias
from ..analysis.bounds import Bounds
from ..analysis.effects import written_by
from ..analysis.facts import resolve
from ..dialects.expr import Expr, Variable
from ..dialects.loop import (
    Access,
    AssertOp,
    BlockOp,
    ForOp,
    IfOp,
    LoadOp,
    ShapeOp,
    StoreOp,
    buffer_shape,
    buffer_type,
    enclosing_loops,
)
from ..rewriting import walk

CHECKED = "bounds_checked"
"""The attribute of a function in which accesses are asserted to be in bounds, so that it need not be done again."""

POINTS = 4096
"""How many points of constant loops are looked at one by one, for an index that no rule decides."""


@dataclass(frozen=True)
class CheckBoundsPass(ModulePass):
    """
    Put a `loop.assert` before what may leave a buffer: before the nest if what it reads is not written there.

    An access needs none where it is padded, or where its bounds can be proved from loops, dims and conditions. Of an
    index that is linear in a loop variable only the ends are looked at; one that comes from an element read is
    asserted for each element, in loops of its own before the nest, so that the nest itself stays as it is. Arguments
    of calls are asserted not to be negative, and to be the sizes of the buffers that are handed on. A parallel loop
    that an assertion has to stand in becomes serial.

    Expects: functions over buffers of loops and blocks, not flattened yet: a flat buffer does not know its dims.
    Leaves:  no `loop` access that touches memory outside of its buffer, whatever inputs hold.
    """

    name = "check-bounds"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every function in place."""
        functions = {f.sym_name.data: f for f in op.body.block.ops if isinstance(f, FuncOp) and f.body.blocks}
        for function in functions.values():
            if CHECKED not in function.attributes and _check_function(function, functions):
                function.attributes[CHECKED] = UnitAttr()
        _make_serial(functions)


def _check_function(function: FuncOp, functions: Mapping[str, FuncOp]) -> bool:
    """Check what one function does; whether anything is asserted now."""
    found: list[_Need] = []
    for op in tuple(walk(function)):
        if isinstance(op, CallOp):
            found += _needs_of_call(op, functions.get(op.callee.root_reference.data))
        elif isinstance(op, BlockOp | LoadOp | StoreOp):
            found += _needs_of_accesses(op)
    for need in found:
        need.insert()
    return bool(found)


# -- what has to be asserted --------------------------------------------------------------------------------------


@dataclass
class _Need:
    """Conditions that have to hold where `op` is executed and the guard holds, and what is wrong if they do not."""

    op: Operation
    conditions: list[Expr]
    message: str
    guard: tuple[Expr, ...] = ()

    def insert(self) -> None:
        """Put the assertion as far out as it may stand."""
        for path in _paths(self.op):
            place = _Place(self, path)
            if place.is_legal():
                place.fill()
                return


def _needs_of_accesses(op: Operation) -> Iterator[_Need]:
    seen: set[tuple[SSAValue, tuple[Expr, ...]]] = set()
    for touch in touches(op):
        shape = buffer_shape(touch.buffer)
        key = (touch.buffer, touch.indices)
        # where a buffer's dims are not known no later pass goes on; what is updated is written at the same place
        if touch.bounded or shape is None or key in seen:
            continue
        seen.add(key)
        bounds = Bounds(op, touch.guard)
        for n, (index, dim) in enumerate(zip(touch.indices, shape, strict=True)):
            conditions = [
                e
                for e in (resolve(index), resolve(dim - index - 1))
                if not bounds.is_nonnegative(e) and not _holds_at_all_points(e, touch)
            ]
            if conditions:
                limit = dim.text(lambda v: getattr(v, "name_hint", None) or "?")
                yield _Need(op, conditions, f"{touch.what}: index {n} leaves its dim of {limit}", touch.guard)


def _holds_at_all_points(e: Expr, touch: Touch) -> bool:
    """Whether `e` is at least 0 at each point of the constant loops around, or one of the loops never runs."""
    ranges: dict[Variable, range] = {}
    for loop in enclosing_loops(touch.op):
        lower, upper = resolve(loop.lower).value, resolve(loop.upper).value
        if lower is not None and upper is not None:
            ranges[loop.variable] = range(lower, upper)
    if any(not values for values in ranges.values()):
        return True
    variables = e.variables()
    if any(v not in ranges for v in variables):
        return False
    points = 1
    for v in variables:
        points *= len(ranges[v])
    return points <= POINTS and all(
        e.evaluate(dict(zip(variables, point, strict=True))) >= 0 for point in product(*(ranges[v] for v in variables))
    )


def _needs_of_call(op: CallOp, callee: FuncOp | None) -> Iterator[_Need]:
    """Index arguments of functions are dims, which are never negative; buffers have the sizes that the callee says."""
    if callee is None:
        return
    name = op.callee.root_reference.data
    bounds = Bounds(op)
    given: dict[Variable, Expr] = {}
    for parameter, argument in zip(callee.args, op.arguments, strict=True):
        if isinstance(parameter.type, IndexType):
            given[parameter] = resolve(Expr.atom(argument))
            if not bounds.is_nonnegative(given[parameter]):
                dim = parameter.name_hint or "an argument"
                yield _Need(op, [given[parameter]], f"call of '{name}': '{dim}' is negative")
    for shape in callee.body.block.ops:
        if not isinstance(shape, ShapeOp) or shape.buffer.owner is not callee.body.block:
            continue
        buffer = op.arguments[callee.args.index(shape.buffer)]
        sizes = buffer_shape(buffer)
        for found, said in zip(sizes or (), shape.dim_exprs, strict=sizes is not None):
            difference = resolve(found - said.substitute(given))
            wrong = [e for e in (difference, -difference) if not bounds.is_nonnegative(e)]
            if wrong and all(v in given for v in said.variables()):
                buffer_name = shape.buffer.name_hint or "a buffer"
                yield _Need(op, wrong, f"call of '{name}': '{buffer_name}' has not the size that is said")


# -- where it is asserted -----------------------------------------------------------------------------------------


def _paths(op: Operation) -> Iterator[tuple[ForOp, ...]]:
    """Loops right around `op`, outermost first, that carry nothing: first all there are, at last none."""
    path: list[ForOp] = []
    around = op.parent_op()
    while isinstance(around, ForOp) and not around.inits and not isinstance(op, CallOp):
        path.insert(0, around)
        around = around.parent_op()
    for start in range(len(path) + 1):
        yield tuple(path[start:])


@dataclass
class _Place:
    """An assertion before the outermost loop of a path, or where the path is empty, before the op itself."""

    need: _Need
    path: tuple[ForOp, ...]
    elements: dict[Variable, Access] = field(default_factory=dict[Variable, Access])
    """Elements that the conditions mention -> the reads that give them, over loop variables and earlier elements."""

    def __post_init__(self) -> None:
        op = self.need.op
        if not isinstance(op, BlockOp):
            return
        wanted = [*self.need.conditions, *self.need.guard]
        reads = list(zip(op.read_elements, op.read_accesses, strict=True))
        for element, access in reversed(reads):
            if any(e.mentions(element) for e in wanted):
                indices, guard = op.over_loops(access.indices), op.over_loops(access.guard)
                if access.pad is not None and not guard:
                    guard = tuple(
                        e
                        for index, dim in zip(indices, buffer_shape(access.buffer) or (), strict=True)
                        for e in (index, dim - index - 1)
                    )
                self.elements[element] = Access(access.buffer, indices, access.pad, guard)
                wanted += [*indices, *guard]
        self.elements = dict(reversed(self.elements.items()))

    @property
    def outermost(self) -> Operation:
        return self.path[0] if self.path else self.need.op

    def is_legal(self) -> bool:
        """Whether all that is needed is there before the path, and the same."""
        own = {loop.variable for loop in self.path}
        exprs = [*self.need.conditions, *self.need.guard, *(e for loop in self.path for e in (loop.lower, loop.upper))]
        for access in self.elements.values():
            exprs += [*access.indices, *access.guard]
            if self.path and any(may_alias(access.buffer, b) for op in self.path[0].walk() for b in written_by(op)):
                return False
        variables = {v for e in exprs for v in resolve(e).variables()} - own - self.elements.keys()
        buffers = [access.buffer for access in self.elements.values()]
        return not any(self._is_inside(cast("SSAValue", v)) for v in (*variables, *buffers))

    def _is_inside(self, value: SSAValue) -> bool:
        owner = value.owner
        around = owner if isinstance(owner, Operation) else owner.parent_op()
        return bool(self.path) and around is not None and self.path[0].is_ancestor(around)

    def fill(self) -> None:
        """Write the assertions: one for all conditions that hold for the same loops."""
        groups: dict[tuple[tuple[ForOp, ...], tuple[Expr, ...]], list[Expr]] = {}
        for condition in self.need.conditions:
            end = self._at_the_ends(condition)
            if end is None or (not end.loops and Bounds(self.outermost, end.runs).is_nonnegative(end.condition)):
                continue
            groups.setdefault((end.loops, end.runs), []).append(end.condition)
        for (loops, runs), conditions in groups.items():
            ops = self._assertion(loops, runs, conditions)
            Rewriter.insert_op(ops, InsertPoint.before(self.outermost))

    def _at_the_ends(self, condition: Expr) -> _End | None:
        """A condition with loop variables replaced by the ends at which it is least; None if a loop never runs."""
        fixed = {v for e in self.need.guard for v in resolve(e).variables()}
        for access in self.elements.values():
            fixed |= {v for e in (*access.indices, *access.guard) for v in resolve(e).variables()}
        kept: list[ForOp] = []
        runs: list[Expr] = []
        for loop in reversed(self.path):
            variable = loop.variable
            lower, upper = resolve(loop.lower), resolve(loop.upper)
            factor = condition.coefficient(variable)
            if variable in fixed or factor is None or factor.value is None:
                kept.append(loop)
                fixed |= {*lower.variables(), *upper.variables()}
                continue
            if factor.value:
                condition = condition.substitute({variable: lower if factor.value > 0 else upper - 1})
            trips = upper - lower
            if trips.value is None:
                runs.append(trips - 1)
                fixed |= set(trips.variables())
            elif trips.value <= 0:
                return None
        return _End(tuple(reversed(kept)), tuple(runs), condition)

    # -- writing --------------------------------------------------------------------------------------------------

    def _assertion(
        self, loops: Sequence[ForOp], runs: Sequence[Expr], conditions: Sequence[Expr]
    ) -> Sequence[Operation]:
        """The loops, the elements read in them, and the assertion where the access would happen."""
        variables: dict[Variable, Expr] = {}
        nest: list[ForOp] = []
        for loop in loops:
            lower, upper = (resolve(e).substitute(variables) for e in (loop.lower, loop.upper))
            copy = ForOp(loop.label.data, lower, upper)
            copy.location = loop.location
            copy.variable.name_hint = loop.variable.name_hint
            variables[loop.variable] = Expr.atom(copy.variable)
            nest.append(copy)
        inner: list[Operation] = []
        for element, access in self.elements.items():
            inner += self._element(element, access, variables)

        def over_copies(exprs: Sequence[Expr]) -> list[Expr]:
            return [resolve(e).substitute(variables) for e in exprs]

        assertion = self._where(over_copies(self.need.guard), [AssertOp(over_copies(conditions), self.need.message)])
        # nothing is read either where a loop that is not needed would not run
        ops = self._where(over_copies(runs), [*inner, *assertion])
        for copy in reversed(nest):
            copy.body.block.add_ops(ops)
            ops = [copy]
        return ops

    def _where(self, conditions: Sequence[Expr], ops: Sequence[Operation]) -> Sequence[Operation]:
        """Operations where conditions hold; as they are where there are none."""
        for op in ops:
            op.location = self.need.op.location
        if not conditions:
            return ops
        under = IfOp(conditions, Region(Block(ops)))
        under.location = self.need.op.location
        return [under]

    def _element(self, element: Variable, access: Access, variables: dict[Variable, Expr]) -> list[Operation]:
        """A read of the block as a load; `variables` gets what stands for its element in index expressions."""
        indices = [resolve(e).substitute(variables) for e in access.indices]
        guard = [resolve(e).substitute(variables) for e in access.guard]
        load = LoadOp(access.buffer, indices, guard, access.pad if guard else None)
        load.out.name_hint = cast("SSAValue", element).name_hint
        ops: list[Operation] = [load]
        type = buffer_type(access.buffer).element_type
        if type == i1:
            ops.append(arith.ExtUIOp(load.out, i8))
        if not isinstance(type, IndexType):
            ops.append(arith.IndexCastOp(ops[-1].results[0], IndexType()))
        variables[element] = Expr.atom(ops[-1].results[0])
        return ops


@dataclass(frozen=True)
class _End:
    """A condition, the loops that it still needs, and what has to be at least 0 for the other loops to run."""

    loops: tuple[ForOp, ...]
    runs: tuple[Expr, ...]
    condition: Expr


# -- loops around assertions --------------------------------------------------------------------------------------


def _make_serial(functions: Mapping[str, FuncOp]) -> None:
    """Iterations that may end the function cannot run side by side."""
    ending: set[str] = set()
    while True:
        before = len(ending)
        for name, function in functions.items():
            for op in walk(function):
                if isinstance(op, AssertOp) or (isinstance(op, CallOp) and op.callee.root_reference.data in ending):
                    ending.add(name)
                    for loop in enclosing_loops(op):
                        if loop.kind.data in ("parallel", "vectorized"):
                            loop.properties["kind"] = StringAttr("serial")
        if len(ending) == before:
            return
