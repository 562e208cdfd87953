"""Which `register` buffers become SSA values: those whose elements can be told apart by constants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from ...dialects.expr import Variable
from ...dialects.loop import AllocOp, BlockOp, ForOp, WhileOp, enclosing_loops
from .lanes import LoopLanes
from .plan import AccessPlan, BlockPlan, resolve

Key = tuple[SSAValue, int, int]
"""An element, or as many neighbours as a vector has lanes, of a register buffer: buffer, offset, lanes."""

Points = Iterator[tuple[dict[Variable, int], int]]
"""Values of the loops that are expanded, and the lanes of the step."""


class NotConstant(Exception):
    """An element cannot be told by a constant."""


@dataclass(slots=True)
class Registers:
    """The buffers that become SSA values."""

    promoted: set[SSAValue] = field(default_factory=set[SSAValue])
    written: dict[Operation, dict[Key, None]] = field(default_factory=dict[Operation, dict[Key, None]])
    """Loop or condition -> what is written inside and lives on after it."""
    by_lane: set[ForOp] = field(default_factory=set[ForOp])
    """Vectorized loops whose steps meet different registers, so that they are written out."""


def find_registers(
    function: Operation,
    plans: Mapping[BlockOp, BlockPlan],
    lanes: Mapping[ForOp, LoopLanes],
    unrolled: set[ForOp],
) -> Registers:
    """Decide for every `register` buffer of a function."""
    result = Registers()
    for op in function.walk():
        if isinstance(op, AllocOp) and op.scope.data == "register":
            try:
                _Promotion(op, plans, lanes, unrolled).into(result)
            except NotConstant:
                continue
    return result


class _Promotion:
    """One register buffer."""

    def __init__(
        self,
        alloc: AllocOp,
        plans: Mapping[BlockOp, BlockPlan],
        lanes: Mapping[ForOp, LoopLanes],
        unrolled: set[ForOp],
    ):
        self.alloc = alloc
        self.buffer: SSAValue = alloc.buffer
        self.plans = plans
        self.lanes = lanes
        self.unrolled = unrolled

    def into(self, result: Registers) -> None:
        users = {use.operation: None for use in self.buffer.uses}
        written: dict[Operation, dict[Key, None]] = {}
        by_lane: set[ForOp] = set()
        met: dict[tuple[int, int], None] = {}
        for user in users:
            if not isinstance(user, BlockOp):
                raise NotConstant
            plan = self.plans[user]
            for access, is_write in (*((a, False) for a in plan.reads), *((a, True) for a in plan.writes)):
                if access.buffer is not self.buffer:
                    continue
                keys = self.keys(user, access, by_lane)
                met.update(keys)
                if is_write:
                    for around in self.around(user):
                        written.setdefault(around, {}).update({(self.buffer, *key): None for key in keys})
        self.check_apart(sorted(met))
        result.promoted.add(self.buffer)
        result.by_lane |= by_lane
        for op, keys in written.items():
            result.written.setdefault(op, {}).update(keys)

    def around(self, user: Operation) -> Iterator[Operation]:
        """What stands around a user, up to where the buffer is made."""
        op = user.parent_op()
        end = self.alloc.parent_op()
        while op is not None and op is not end:
            if isinstance(op, WhileOp) or (isinstance(op, ForOp) and op.kind.data == "parallel"):
                raise NotConstant
            yield op
            op = op.parent_op()

    def keys(self, user: BlockOp, access: AccessPlan, by_lane: set[ForOp]) -> dict[tuple[int, int], None]:
        """The elements that an access meets."""
        if access.guard:
            raise NotConstant
        loops = [loop for loop in enclosing_loops(user) if access.address.mentions(loop.variable)][::-1]
        stepped = [loop for loop in loops if loop in self.lanes]
        if any(self.lanes[loop].conditions for loop in stepped):
            raise NotConstant
        by_lane.update(stepped)
        found: dict[tuple[int, int], None] = {}
        if len(loops) < len(access.address.variables()):
            raise NotConstant
        for values, lanes in self.points(loops):
            found[access.address.evaluate(values), lanes] = None
        return found

    def points(self, loops: list[ForOp]) -> Points:
        """All values of loops, outermost first."""
        if not loops:
            yield {}, 1
            return
        *outer, loop = loops
        for values, lanes in self.points(outer):
            lower, extent = resolve(loop.lower), loop.extent.value
            if extent is None or any(v not in values for v in lower.variables()):
                raise NotConstant
            for value, step in self.steps(loop, lower.evaluate(values), extent):
                if lanes > 1 and step > 1:
                    raise NotConstant
                yield {**values, loop.variable: value}, max(lanes, step)

    def steps(self, loop: ForOp, lower: int, extent: int) -> Iterator[tuple[int, int]]:
        """The values of one loop, with the lanes of the step that begins there."""
        if loop in self.lanes:
            lanes = self.lanes[loop].lanes
            main = extent // lanes * lanes
            yield from ((lower + n, lanes) for n in range(0, main, lanes))
            yield from ((lower + n, 1) for n in range(main, extent))
        elif loop in self.unrolled:
            yield from ((lower + n, 1) for n in range(extent))
        else:
            raise NotConstant

    @staticmethod
    def check_apart(keys: list[tuple[int, int]]) -> None:
        """The parts of a buffer that become values of their own must not overlap."""
        end = 0
        for offset, lanes in keys:
            if offset < end:
                raise NotConstant
            end = offset + lanes
