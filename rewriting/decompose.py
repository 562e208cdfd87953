"""The init of a reduction as a nest of its own, before the loops that reduce."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.expr import Expr, Variable
from ..dialects.loop import Access, BlockOp, ForOp, IfOp, IteratorSpec, WhileOp
from ..errors import ScheduleError


def decompose_reduction(block: BlockOp) -> BlockOp:
    """
    Take the init out of `block` and put it before the outermost loop that reduces; the new block, `<label>.init`.

    The loops between that are not reduced over, and the conditions that do not depend on a reducing loop, stand around
    the new block too, with their kinds. Raises `ScheduleError` where the new nest cannot be said.
    """
    if not block.has_init:
        raise ScheduleError(f"decompose {block.label.data}: the block has no init")
    reducing = [loop for loop in _loops_of_one_run(block) if block.is_reduced_over(loop)]
    place: Operation = reducing[-1] if reducing else block
    nest = _InitNest(block, place, {loop.variable for loop in reducing})
    init = nest.build()
    Rewriter.insert_op(nest.outermost, InsertPoint.before(place))
    return init


def decompose_reductions(root: Operation) -> None:
    """Decompose every block in `root` that has an init."""
    for op in tuple(root.walk()):
        if isinstance(op, BlockOp) and op.has_init:
            decompose_reduction(op)


def _loops_of_one_run(block: BlockOp) -> Iterator[ForOp]:
    """The loops around, innermost first, up to a `loop.while` or a loop that has a buffer of its own per iteration."""
    outer = block.parent_op()
    while outer is not None and not isinstance(outer, WhileOp):
        if isinstance(outer, ForOp):
            if any(_is_inside(buffer, outer) for buffer in block.writes):
                return
            yield outer
        outer = outer.parent_op()


def _is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in `op`: in what it contains, or as an argument of its regions."""
    owner = value.owner
    if isinstance(owner, Operation):
        return owner is not op and op.is_ancestor(owner)
    around = owner.parent_op()
    return around is not None and op.is_ancestor(around)


class _InitNest:
    """The loops and conditions between `place` and `block`, built again around the init."""

    def __init__(self, block: BlockOp, place: Operation, reducing: set[SSAValue]):
        self.block = block
        self.place = place
        self.reducing = reducing
        self.copies: dict[Variable, Expr] = {}
        self.outermost: Operation = block

    def build(self) -> BlockOp:
        frames: list[tuple[Operation, Block]] = []
        for op, inner in self._path():
            if isinstance(op, ForOp) and op.variable not in self.reducing:
                lower, upper = (self._copied(e, f"a bound of loop '{op.label.data}'") for e in (op.lower, op.upper))
                loop = ForOp(op.label.data, lower, upper, kind=op.kind.data)
                loop.variable.name_hint = op.variable.name_hint
                self.copies[op.variable] = Expr.atom(loop.variable)
                frames.append((loop, loop.body.block))
            elif isinstance(op, IfOp):
                frames.extend(self._condition(op, inner))
        init = self._init()
        current: Operation = init
        for frame, body in reversed(frames):
            frame.location = self.block.location
            body.add_op(current)
            current = frame
        self.outermost = current
        return init

    def _path(self) -> list[tuple[Operation, Block]]:
        """What stands around the block up to `place`, outermost first, with the region block that leads inward."""
        path: list[tuple[Operation, Block]] = []
        op: Operation = self.block
        while op is not self.place:
            inner, parent = op.parent, op.parent_op()
            assert inner is not None
            assert parent is not None
            path.append((parent, inner))
            op = parent
        return path[::-1]

    def _condition(self, op: IfOp, inner: Block) -> list[tuple[Operation, Block]]:
        """A condition to stand around the init: without the parts that change while reducing."""
        fixed = [e for e in op.condition_exprs if not any(v in self.reducing for v in e.variables())]
        conditions = [self._copied(e, "a condition") for e in fixed]
        if inner is op.then_body.block:
            copy = IfOp(conditions)
            return [(copy, copy.then_body.block)] if conditions else []
        if len(fixed) < len(op.condition_exprs):
            return []  # at some reduce point the other side may be taken, so the element is one that is reduced
        copy = IfOp(conditions, else_body=Region(Block()))
        return [(copy, copy.else_body.block)]

    def _init(self) -> BlockOp:
        block = self.block
        writes, kinds, bindings = block.write_accesses, block.iterator_kinds, block.bindings
        positions: dict[Variable, int] = {}
        for write in writes:
            for e in (*write.indices, *write.guard):
                for position in e.variables():
                    if not isinstance(position, int) or position >= len(kinds):
                        self._refuse("a write is indexed by an element that was read")
                    positions.setdefault(position, len(positions))
            self._check_outside(write.buffer, "a buffer that is written")
        renumbered: dict[Variable, Expr] = {old: Expr.atom(new) for old, new in positions.items()}
        iterators = [
            IteratorSpec(
                block.iterators[n].name_hint or f"v{new}",
                kinds[n],
                self._copied(bindings[n], "an iterator that a write uses"),
            )
            for n, new in ((n, new) for n, new in positions.items() if isinstance(n, int))
        ]
        moved = [
            Access(
                write.buffer,
                tuple(e.substitute(renumbered) for e in write.indices),
                guard=tuple(e.substitute(renumbered) for e in write.guard),
            )
            for write in writes
        ]
        values = block.init.detach_block(0)
        body = Region(values)
        for n, iterator in enumerate(iterators):
            values.insert_arg(IndexType(), n).name_hint = iterator.name
        init = BlockOp(f"{block.label.data}.init", iterators, [], moved, body, clip=block.clip is not None)
        init.location = block.location
        return init

    def _copied(self, e: Expr, what: str) -> Expr:
        """`e` over the new loop variables; refused where it depends on something inside the loops that reduce."""
        for variable in e.variables():
            if variable not in self.copies:
                self._check_outside(cast("SSAValue[Attribute]", variable), what)
        return e.substitute(self.copies)

    def _check_outside(self, value: SSAValue, what: str) -> None:
        if _is_inside(value, self.place):
            name = value.name_hint or "a value"
            self._refuse(f"{what} depends on '{name}', which is defined inside the loops that reduce")

    def _refuse(self, reason: str) -> NoReturn:
        raise ScheduleError(f"decompose {self.block.label.data}: {reason}")
