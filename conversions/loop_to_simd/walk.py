"""The walk: a function's loops, conditions and blocks, written anew in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...analysis.effects import Names, stores_within, written_by
from ...dialects.expr import Expr
from ...dialects.loop import (
    AllocOp,
    BlockOp,
    ForOp,
    IfOp,
    IndexedOp,
    IndexOp,
    WhileOp,
    YieldOp,
    buffer_type,
)
from ...targets import Target
from .accesses import Lanes
from .lanes import LoopLanes
from .output import Output
from .plan import BlockPlan
from .registers import Key, Registers
from .statements import Statements

STEPS_WRITTEN_OUT = 4
"""Steps of a vectorized loop, as many as are written one after the other; of more a loop is left."""

NOT_VECTORIZED = "not_vectorized"
"""The attribute of a loop that says why it did not become lanes."""


@dataclass(slots=True)
class Decisions:
    """All that was decided about a function before it is written."""

    plans: dict[BlockOp, BlockPlan]
    lanes: dict[ForOp, LoopLanes]
    reasons: dict[ForOp, str]
    unrolled: set[ForOp]
    registers: Registers
    names: Names


class Walk:
    """Writes one function."""

    def __init__(self, function: Operation, decisions: Decisions, target: Target, fuses: bool):
        self.decisions = decisions
        self.stores = stores_within(function)
        self.out = Output(Block(), decisions.names)
        self.statements = Statements(self.out, target, decisions.registers.promoted, fuses)
        self.lanes: Lanes | None = None
        self.bounds: dict[ForOp, tuple[Expr, ...]] = {}

    def function(self, block: Block) -> None:
        """Replace the ops of a function's block."""
        old = list(block.ops)
        for op in old:
            op.detach()
        self.out.block = block
        self.ops(old)
        for op in reversed(old):
            op.erase(safe_erase=False)

    def ops(self, ops: Sequence[Operation]) -> None:
        """Write ops in order, but for a `loop.yield` without values."""
        for op in ops:
            self.op(op)

    def op(self, op: Operation) -> None:
        """Write what one op becomes."""
        match op:
            case BlockOp():
                self.statements.block(self.decisions.plans[op], self.lanes)
            case ForOp():
                self.loop(op)
            case IfOp():
                self.condition(op)
            case IndexOp():
                self.out.indices[op.out] = self.out.expr(op.expr)
            case AllocOp():
                self.alloc(op)
            case WhileOp():
                self.while_loop(op)
            case YieldOp():
                if op.values:
                    self.copy(op)
            case _:
                self.copy(op)

    # -- loops ----------------------------------------------------------------------------------------------------

    def loop(self, op: ForOp) -> None:
        """A loop of any kind."""
        self.out.location = op.location
        bounds = self.bounds.get(op)
        if bounds is None:
            bounds = self.bounds[op] = op.index_exprs("bounds")
        lower, upper = self.out.exprs(bounds)
        if op in self.decisions.lanes and self.lanes is None:
            self.vectorized(op, lower, (bounds[1] - bounds[0]).offset)
        elif op in self.decisions.unrolled:
            for n in range((bounds[1] - bounds[0]).offset):
                self.step(op, lower + n)
        else:
            kind = op.kind.data if op.kind.data in ("serial", "parallel") else "serial"
            reason = self.decisions.reasons.get(op)
            self.rolled(op, lower, upper, kind, lambda variable: self.step(op, Expr.atom(variable)), reason)

    def step(self, op: ForOp, value: Expr) -> None:
        """One iteration of a loop, with its variable being `value`."""
        self.out.indices[op.variable] = value
        self.ops(list(op.body.block.ops))

    def rolled(
        self,
        op: ForOp,
        lower: Expr,
        upper: Expr,
        kind: str,
        body: Callable[[SSAValue], None],
        reason: str | None = None,
    ) -> None:
        """A loop that stays one, carrying what it carried and the registers that are written inside."""
        out, registers = self.out, self.statements.registers
        keys = list(self.decisions.registers.written.get(op, ()))
        inits = [out.value(v) for v in op.inits] + [self.register(key) for key in keys]
        loop = ForOp(op.label.data, lower, upper, kind=kind, inits=inits)
        loop.attributes |= op.attributes
        if reason is not None:
            loop.attributes[NOT_VECTORIZED] = StringAttr(reason)
        loop.variable.name_hint = op.variable.name_hint
        own = len(op.inits)
        for old, new in zip(op.carried, loop.carried, strict=False):
            out.define(old, new)
            new.name_hint = old.name_hint
        registers.update(zip(keys, loop.carried[own:], strict=True))
        out.add(loop)
        with out.inside(loop.body.block, self.stores[op]):
            body(loop.variable)
            if inits:
                out.add(YieldOp(*_take_yield(loop.body.block), *(registers[key] for key in keys)))
        for old, new in zip(op.results, loop.results, strict=False):
            out.define(old, new)
        registers.update(zip(keys, loop.results[own:], strict=True))

    def register(self, key: Key) -> SSAValue:
        """What a register holds; zero where nothing was written, and so nothing may rely on it."""
        value = self.statements.registers.get(key)
        if value is None:
            buffer, _, lanes = key
            value = self.out.zero(buffer_type(buffer).element_type, lanes)
        return value

    def vectorized(self, op: ForOp, lower: Expr, extent: int) -> None:
        """Steps of as many lanes as fit, and the rest one by one."""
        plan = self.decisions.lanes[op]
        steps, rest = divmod(extent, plan.lanes)
        written_out = op in self.decisions.registers.by_lane
        if steps <= STEPS_WRITTEN_OUT or written_out:
            for n in range(steps):
                self.vector_step(op, plan, lower + n * plan.lanes)
        else:
            self.rolled(
                op,
                Expr.constant(0),
                Expr.constant(steps),
                "serial",
                lambda variable: self.vector_step(op, plan, lower + Expr.atom(variable) * plan.lanes),
            )
        first = lower + steps * plan.lanes
        if rest == 1 or written_out:
            for n in range(rest):
                self.step(op, first + n)
        elif rest:
            self.rolled(op, first, first + rest, "serial", lambda variable: self.step(op, Expr.atom(variable)))

    def vector_step(self, op: ForOp, plan: LoopLanes, start: Expr) -> None:
        """The lanes of one step; under a condition, where all of them have to be inside."""
        out = self.out
        out.indices[op.variable] = start
        conditions: list[Expr] = []
        for e, factor in plan.conditions:
            worst = out.expr(e) + min(0, factor * (plan.lanes - 1))
            if worst.value is None:
                conditions.append(worst)
            elif worst.value < 0:
                self.one_by_one(op, start, plan.lanes)
                return
        if not conditions:
            self.side_by_side(op, plan, start)
            return
        self.branch(
            op,
            list(dict.fromkeys(conditions)),
            lambda: self.side_by_side(op, plan, start),
            lambda: self.one_by_one(op, start, plan.lanes),
        )

    def side_by_side(self, op: ForOp, plan: LoopLanes, start: Expr) -> None:
        """One step in lanes."""
        self.lanes = Lanes(op, plan, masked=not plan.conditions)
        self.step(op, start)
        self.lanes = None

    def one_by_one(self, op: ForOp, start: Expr, count: int) -> None:
        """Iterations as a loop."""
        self.rolled(op, start, start + count, "serial", lambda variable: self.step(op, Expr.atom(variable)))

    # -- conditions -----------------------------------------------------------------------------------------------

    def condition(self, op: IfOp) -> None:
        """A `loop.if`, or the side of it that is taken for certain."""
        self.out.location = op.location
        conditions = [e for e in self.out.exprs(op.condition_exprs) if e.value is None or e.value < 0]
        then_ops = list(op.then_body.block.ops)
        else_ops = list(op.else_body.block.ops) if op.else_body.blocks else []
        if not conditions or any(e.value is not None for e in conditions):
            taken = else_ops if conditions else then_ops
            last = taken[-1] if taken else None
            self.ops([child for child in taken if not isinstance(child, YieldOp)])
            if isinstance(last, YieldOp):
                for result, value in zip(op.results, last.values, strict=True):
                    self.out.define(result, self.out.value(value))
            return
        self.branch(op, conditions, lambda: self.ops(then_ops), lambda: self.ops(else_ops), bool(op.else_body.blocks))

    def branch(
        self,
        op: Operation,
        conditions: Sequence[Expr],
        then_side: Callable[[], None],
        else_side: Callable[[], None],
        has_else: bool = True,
    ) -> None:
        """A condition that hands on the results of `op` and the registers that are written on either side."""
        out, registers = self.out, self.statements.registers
        keys = list(self.decisions.registers.written.get(op, ()))
        results = op.results if isinstance(op, IfOp) else ()
        before = {key: self.register(key) for key in keys}
        types: list[Attribute] = [*(r.type for r in results), *(before[key].type for key in keys)]
        sides: list[Region] = []
        location = out.location
        for side in (then_side, else_side):
            registers.update(before)
            region = Region(Block())
            with out.inside(region.block):
                side()
                if types:
                    out.add(YieldOp(*_take_yield(region.block), *(registers[key] for key in keys)))
            sides.append(region)
        out.location = location
        if not has_else and not types:
            sides[1] = Region()
        new = IfOp(conditions, *sides, result_types=types)
        new.attributes |= op.attributes if isinstance(op, IfOp) else {}
        out.add(new)
        for buffer in self.stores[op]:
            out.forget(buffer)
        for old, value in zip(results, new.results, strict=False):
            out.define(old, value)
        registers.update(zip(keys, new.results[len(results) :], strict=True))

    # -- the rest -------------------------------------------------------------------------------------------------

    def alloc(self, op: AllocOp) -> None:
        """A buffer; a register buffer is made of values, or if it cannot be, of local memory."""
        buffer = op.buffer
        if buffer in self.decisions.registers.promoted:
            registers = self.statements.registers
            for key in [key for key in registers if key[0] is buffer]:
                del registers[key]
            return
        new = self.copy(op)
        if op.scope.data == "register":
            new.properties["scope"] = StringAttr("local")

    def while_loop(self, op: WhileOp) -> None:
        """Both regions; what was loaded before is only known where nothing inside is stored."""
        out = self.out
        regions: list[Region] = []
        inits = [out.value(v) for v in op.inits]
        for region in op.regions:
            block = Block(arg_types=[a.type for a in region.block.args])
            for old, new in zip(region.block.args, block.args, strict=True):
                out.define(old, new)
                new.name_hint = old.name_hint
            with out.inside(block, self.stores[op]):
                self.ops(list(region.block.ops))
            regions.append(Region(block))
        new = out.add(WhileOp(inits, *regions))
        for old, value in zip(op.results, new.results, strict=True):
            out.define(old, value)

    def copy(self, op: Operation) -> Operation:
        """Any other op as it is, over new values."""
        out = self.out
        out.location = op.location
        if isinstance(op, IndexedOp):
            new = op.clone_without_regions({v: out.value(v) for v in op.operands[: op.index_start]})
            new.set_index_exprs(
                {name: out.exprs(op.index_exprs(name)) for name in op.INDEX_MAPS if op.index_map(name) is not None}
            )
        else:
            outside = dict.fromkeys(v for inner in op.walk() for v in inner.operands if not _is_inside(v, op))
            new = op.clone({v: out.value(v) for v in outside})
        out.add(new)
        for buffer in written_by(op):
            out.forget(buffer)
        for old, value in zip(op.results, new.results, strict=True):
            out.define(old, value)
        return new


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    return op.is_ancestor(owner) and owner is not op


def _take_yield(block: Block) -> Sequence[SSAValue]:
    """Take the `loop.yield` out of a block that has one at its end; the values that it hands on."""
    last = block.last_op
    if not isinstance(last, YieldOp):
        return ()
    values = tuple(last.values)
    last.detach()
    last.erase()
    return values
