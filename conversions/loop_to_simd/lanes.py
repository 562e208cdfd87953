"""How many iterations of a vectorized loop go side by side in a register, and what their accesses become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, IntegerType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...analysis.effects import Names
from ...dialects.expr import Expr
from ...dialects.loop import AllocOp, BlockOp, ForOp, IfOp, IndexOp, YieldOp
from ...dialects.simd import (
    BroadcastOp,
    CompareOp,
    FmaOp,
    GatherOp,
    IotaOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MaskOp,
    ReduceOp,
    SelectOp,
    StoreOp,
    StridedLoadOp,
    vector_of,
)
from ...targets import Target
from .plan import AccessPlan, BlockPlan, resolve

UNIFORM = 0
"""All lanes meet one element."""
UNIT = 1
"""Neighbouring lanes meet neighbouring elements."""
GATHERED = 1 << 63
"""Each lane meets an element by a number that was read: there is no stride, and no stride is this large."""

REDUCTIONS: dict[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.AddiOp: "add",
    arith.MulfOp: "mul",
    arith.MuliOp: "mul",
    arith.MaximumfOp: "max",
    arith.MaxSIOp: "max",
    arith.MinimumfOp: "min",
    arith.MinSIOp: "min",
    arith.MaxUIOp: "umax",
    arith.MinUIOp: "umin",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
}
"""What combines an element with an old one -> the combination of `simd.reduce`."""


def on_lanes(element: Attribute) -> Attribute:
    """The element type of lanes that hold values of this type: indices are i64 there."""
    return i64 if isinstance(element, IndexType) else element


class NotVector(Exception):
    """Why a loop cannot run in lanes."""


@dataclass(slots=True)
class BlockLanes:
    """What the accesses and ops of one block become in lanes."""

    reads: list[int] = field(default_factory=list[int])
    """For each read the stride of the lanes: `UNIFORM`, `UNIT`, a larger one, or `GATHERED`."""
    writes: list[int] = field(default_factory=list[int])
    varying: set[SSAValue] = field(default_factory=set[SSAValue])
    """The values of the body that differ from lane to lane."""
    reduction: tuple[Operation, str, SSAValue] | None = None
    """The op that combines, its combination, and the operand that is combined with the old element."""


@dataclass(slots=True)
class LoopLanes:
    """The decision about one vectorized loop."""

    lanes: int
    blocks: dict[BlockOp, BlockLanes]
    conditions: tuple[tuple[Expr, int], ...] = ()
    """Where lanes cannot be masked: guards that depend on the lane, with its coefficient; they must hold for all."""


def decide(loop: ForOp, plans: Mapping[BlockOp, BlockPlan], names: Names, target: Target) -> LoopLanes:
    """Lanes and accesses for a vectorized loop; `NotVector` says why there are none."""
    extent = loop.extent.value
    assert extent is not None
    lanes = 1 << (min(extent, max(target.vector_bits // 8, 1)).bit_length() - 1) if extent > 0 else 1
    reason = NotVector("its extent is below two lanes" if extent < 2 else f"{target.name} has no vectors")
    while lanes > 1:
        try:
            return _Decision(loop, plans, names, target, lanes).make()
        except NotVector as error:
            reason = error
            lanes //= 2
    raise reason


class _Decision:
    """One attempt, with a number of lanes."""

    def __init__(self, loop: ForOp, plans: Mapping[BlockOp, BlockPlan], names: Names, target: Target, lanes: int):
        self.loop = loop
        self.variable = loop.variable
        self.plans = plans
        self.names = names
        self.target = target
        self.lanes = lanes
        self.inner: list[ForOp] = []
        self.blocks: list[BlockOp] = []
        self.lane_guards: list[tuple[Expr, int]] = []
        self.maskable = True

    def make(self) -> LoopLanes:
        for op in self.loop.body.block.ops:
            self.look(op)
        result = {block: self.block(self.plans[block]) for block in self.blocks}
        self.check_independence(result)
        if not self.lane_guards or self.maskable:
            return LoopLanes(self.lanes, result)
        inner = {loop.variable for loop in self.inner}
        for e, _ in self.lane_guards:
            if any(v in inner for v in e.variables()):
                raise NotVector("a condition changes with the lane and with a loop inside")
        return LoopLanes(self.lanes, result, tuple(dict.fromkeys(self.lane_guards)))

    def look(self, op: Operation) -> None:
        """Take in one op inside the loop, or refuse it."""
        match op:
            case BlockOp():
                self.blocks.append(op)
            case ForOp():
                if op.kind.data == "vectorized":
                    raise NotVector(f"the vectorized loop '{op.label.data}' is inside of it")
                if op.inits or self.varies(op.lower, op.upper):
                    raise NotVector(f"loop '{op.label.data}' inside of it differs from lane to lane")
                self.inner.append(op)
                for child in op.body.block.ops:
                    self.look(child)
            case IfOp():
                if op.results or self.varies(*op.condition_exprs):
                    raise NotVector("a condition inside of it differs from lane to lane")
                for region in op.regions:
                    for block in region.blocks:
                        for child in block.ops:
                            self.look(child)
            case IndexOp() | YieldOp():
                pass
            case AllocOp():
                raise NotVector("each of its iterations has a buffer of its own")
            case _:
                raise NotVector(f"'{op.name}' inside of it is not in a block")

    def varies(self, *exprs: Expr) -> bool:
        """Whether an expression depends on the lane."""
        return any(resolve(e).mentions(self.variable) for e in exprs)

    def need(self, op: type[Operation] | str, element: Attribute) -> None:
        """Refuse unless the target has `op` on vectors of this element type."""
        if not self.target.has(op, vector_of(on_lanes(element), self.lanes)):
            name = op if isinstance(op, str) else op.name
            raise NotVector(f"{self.target.name} has no {name} on {self.lanes} lanes of {element}")

    # -- one block ------------------------------------------------------------------------------------------------

    def block(self, plan: BlockPlan) -> BlockLanes:
        result = BlockLanes()
        for iterator, e in zip(plan.op.iterators, plan.bindings, strict=True):
            if e.mentions(self.variable):
                result.varying.add(iterator)
                if iterator.first_use is not None:
                    self.need_iota(e)
        for access in plan.reads:
            stride = self.stride(access, result.varying)
            result.reads.append(stride)
            self.need_read(access, stride, result.varying)
            assert access.value is not None
            if stride != UNIFORM or self.varying_guard(access):
                result.varying.add(access.value)
        for access in plan.writes:
            stride = self.stride(access, result.varying)
            result.writes.append(stride)
            if stride == UNIT and access.value is not None:
                self.need(LoadOp, access.element)
                result.varying.add(access.value)
        if UNIFORM in result.writes:
            result.reduction = self.reduction(plan)
        self.body(plan, result)
        for access, stride in zip(plan.writes, result.writes, strict=True):
            self.need_write(access, stride, result.varying)
        return result

    def need_iota(self, e: Expr) -> None:
        factor = e.coefficient(self.variable)
        if factor is None or factor.value is None:
            raise NotVector("an index that is used as a value is not linear in the lane")
        for op in (IotaOp, BroadcastOp, "arith.addi", "arith.muli"):
            self.need(op, i64)

    def stride(self, access: AccessPlan, varying: set[SSAValue]) -> int:
        """The stride of the lanes in the address of an access."""
        name = access.buffer.name_hint or "a buffer"
        numbers = [v for v in access.address.variables() if v in varying]
        factor = access.address.coefficient(self.variable)
        if numbers:
            if access.value is None or factor is None or len(access.indices) > 1:
                raise NotVector(f"the lanes meet %{name} at numbers that were read")
            for number in numbers:
                scale = access.address.coefficient(number)
                if scale is None or scale.value is None:
                    raise NotVector(f"the address in %{name} is not linear in a number that was read")
            if factor.value is None:
                raise NotVector(f"the stride of the lanes in %{name} is not constant")
            return GATHERED
        if factor is None:
            raise NotVector(f"the address in %{name} is not linear in the lane")
        if factor.value is None:
            raise NotVector(f"the stride of the lanes in %{name} is not constant")
        if factor.value != UNIFORM and any(e.mentions(self.variable) for e in access.indices[:-1]):
            raise NotVector(f"the lanes run over more than the last dim of %{name}")
        return factor.value

    def varying_guard(self, access: AccessPlan) -> bool:
        return any(e.mentions(self.variable) for e in access.guard)

    def need_read(self, access: AccessPlan, stride: int, varying: set[SSAValue]) -> None:
        name = access.buffer.name_hint or "a buffer"
        if stride == UNIT:
            self.need(LoadOp, access.element)
        elif stride == GATHERED:
            self.need(GatherOp, access.element)
            for op in (BroadcastOp, IotaOp, "arith.addi", "arith.muli", "arith.extsi"):
                self.need(op, i64)
        elif stride in (2, 4):
            self.need(StridedLoadOp, access.element)
        elif stride != UNIFORM:
            raise NotVector(f"the lanes are {stride} elements apart in %{name}")
        self.guards(access, stride, MaskedLoadOp, varying)

    def need_write(self, access: AccessPlan, stride: int, varying: set[SSAValue]) -> None:
        name = access.buffer.name_hint or "a buffer"
        if stride == UNIT:
            self.need(StoreOp, access.element)
        elif stride != UNIFORM:
            raise NotVector(f"the lanes are {stride} elements apart in %{name}, which is written")
        self.guards(access, stride, MaskedStoreOp, varying)

    def guards(self, access: AccessPlan, stride: int, masked: type[Operation], varying: set[SSAValue]) -> None:
        """Take in the guards that depend on the lane."""
        for e in access.guard:
            if any(v in varying for v in e.variables()):
                raise NotVector("a condition depends on a number that was read")
            if not e.mentions(self.variable):
                continue
            factor = e.coefficient(self.variable)
            if factor is None or factor.value is None:
                raise NotVector("a condition is not linear in the lane")
            self.lane_guards.append((e, factor.value))
            vector, mask = vector_of(access.element, self.lanes), vector_of(IntegerType(1), self.lanes)
            has_masks = self.target.has(masked, vector) and self.target.has(MaskOp, mask)
            if stride != UNIT or abs(factor.value) != 1 or not has_masks:
                self.maskable = False

    def reduction(self, plan: BlockPlan) -> tuple[Operation, str, SSAValue]:
        """The combination of a block whose lanes all write one element."""
        name = plan.writes[0].buffer.name_hint or "a buffer"
        combining = plan.yielded[0].owner
        old = plan.writes[0].value
        if (
            len(plan.writes) != 1
            or old is None
            or not isinstance(combining, Operation)
            or type(combining) not in REDUCTIONS
            or old not in combining.operands
            or not old.has_one_use()
            or not plan.yielded[0].has_one_use()
            or plan.op.parent_op() is not self.loop
        ):
            raise NotVector(f"all lanes write one element of %{name}")
        if any(e.mentions(self.variable) for e in plan.writes[0].guard):
            raise NotVector(f"which lanes add to %{name} depends on a condition")
        (value,) = (v for v in combining.operands if v is not old)
        self.need(ReduceOp, plan.writes[0].element)
        self.need(BroadcastOp, plan.writes[0].element)
        return combining, REDUCTIONS[type(combining)], value

    def body(self, plan: BlockPlan, result: BlockLanes) -> None:
        """Which ops of the body work on lanes, and whether the target has them."""
        skipped = result.reduction[0] if result.reduction is not None else None
        for op in plan.body:
            if op is skipped:
                continue
            operands = [v for v in op.operands if v in result.varying]
            if not operands:
                continue
            element = op.results[0].type
            match op:
                case arith.CmpfOp() | arith.CmpiOp():
                    self.need(CompareOp, op.operands[0].type)
                    self.hold(element)
                case arith.SelectOp():
                    self.need(SelectOp, element)
                case math.FmaOp():
                    self.need(FmaOp, element)
                case arith.IndexCastOp():
                    self.need("arith.extsi" if isinstance(element, IndexType) else "arith.trunci", element)
                case _:
                    self.need(type(op), element)
            for operand in op.operands:
                if operand not in result.varying:
                    self.need(BroadcastOp, operand.type)
                else:
                    self.hold(operand.type)
            result.varying.add(op.results[0])
        for value, access, stride in zip(plan.yielded, plan.writes, result.writes, strict=True):
            if stride == UNIT and value not in result.varying:
                self.need(BroadcastOp, access.element)

    def hold(self, element: Attribute) -> None:
        """Refuse unless a vector of this element type fits a register."""
        if not self.target.holds(vector_of(on_lanes(element), self.lanes)):
            raise NotVector(f"{self.lanes} lanes of {element} are more than {self.target.name} holds")

    # -- independence ---------------------------------------------------------------------------------------------

    def check_independence(self, blocks: Mapping[BlockOp, BlockLanes]) -> None:
        """Lanes run side by side: an element that one of them writes must not be met by another."""
        accesses = list(self.accesses(blocks))
        for write, stride, is_write in accesses:
            if not is_write:
                continue
            for other, other_stride, _ in accesses:
                if other.buffer in self.names.get(write.buffer, ()):
                    written, met = (a.buffer.name_hint or "a buffer" for a in (write, other))
                    raise NotVector(f"%{written}, which is written, and %{met} may be the same memory")
                if other is not write and other.buffer is write.buffer:
                    self.check_pair(write, stride, other, other_stride)
            if stride == UNIT:
                self.check_steps(write)

    def accesses(self, blocks: Mapping[BlockOp, BlockLanes]) -> Iterator[tuple[AccessPlan, int, bool]]:
        for block, lanes in blocks.items():
            plan = self.plans[block]
            for access, stride in zip(plan.reads, lanes.reads, strict=True):
                yield access, stride, False
            for access, stride in zip(plan.writes, lanes.writes, strict=True):
                yield access, stride, True

    def check_pair(self, write: AccessPlan, stride: int, other: AccessPlan, other_stride: int) -> None:
        name = write.buffer.name_hint or "a buffer"
        apart = (other.address - write.address).value
        if stride != UNIT or other_stride != UNIT or apart is None or apart % self.lanes:
            raise NotVector(f"a lane may meet an element of %{name} that another one writes")
        self.check_steps(other)

    def check_steps(self, access: AccessPlan) -> None:
        """Iterations of the loops inside must not bring one lane to the elements of another."""
        for loop in self.inner:
            step = access.address.coefficient(loop.variable)
            if step is None or step.value is None or step.value % self.lanes:
                name = access.buffer.name_hint or "a buffer"
                raise NotVector(f"loop '{loop.label.data}' inside takes a lane to elements of %{name} of another one")
