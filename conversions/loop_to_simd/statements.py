"""A block as statements: its loads, its body on scalars or on lanes, its stores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, VectorType, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.expr import Expr
from ...dialects.loop import ForOp, LoadOp, StoreOp, pack
from ...dialects.simd import (
    CompareOp,
    ConvertOp,
    FmaOp,
    GatherOp,
    IotaOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MaxOp,
    MinOp,
    ReduceOp,
    SelectOp,
    StridedLoadOp,
    vector_of,
    vector_type,
)
from ...dialects.simd import LoadOp as VectorLoadOp
from ...dialects.simd import StoreOp as VectorStoreOp
from ...targets import Target
from .lanes import GATHERED, UNIFORM, UNIT, BlockLanes, LoopLanes, on_lanes
from .output import Output, number_key, zero_of
from .plan import AccessPlan, BlockPlan
from .registers import Key

Guards = tuple[tuple[Expr, ...], tuple[tuple[Expr, int], ...]]
"""Conditions over new indices: the same for all lanes, and those of lane 0 with what a lane adds."""


CASTS: dict[type[Operation], str] = {
    arith.ExtSIOp: "extsi",
    arith.ExtUIOp: "extui",
    arith.TruncIOp: "trunci",
    arith.SIToFPOp: "sitofp",
    arith.UIToFPOp: "uitofp",
    arith.FPToSIOp: "fptosi",
    arith.FPToUIOp: "fptoui",
}
"""Casts that `arith` has for scalars only -> how `simd.convert` calls them."""


@dataclass(slots=True)
class Lanes:
    """The vectorized loop whose lanes run side by side here."""

    loop: ForOp
    plan: LoopLanes
    masked: bool
    """Whether guards that depend on the lane become masks; else they are known to hold for all lanes."""

    @property
    def count(self) -> int:
        """How many lanes there are."""
        return self.plan.lanes


class Statements:
    """Writes blocks, one after the other."""

    def __init__(self, out: Output, target: Target, promoted: set[SSAValue], fuses: bool):
        self.out = out
        self.target = target
        self.promoted = promoted
        self.fuses = fuses
        """Whether a product and a sum may become one fused multiply-add."""
        self.registers: dict[Key, SSAValue] = {}

    def block(self, plan: BlockPlan, lanes: Lanes | None) -> None:
        """One block; in lanes, at the point where the loop's variable is that of lane 0."""
        out = self.out
        out.location = plan.op.location
        self._iterators(plan, lanes)
        if lanes is None:
            for access in plan.reads:
                self._define(access, self._read(access, UNIFORM, None), plan.numbers)
            for access in plan.writes:
                if access.value is not None:
                    out.values[access.value] = self._old(access, UNIFORM, None)
            self._body(plan, 1, None)
            for access, value in zip(plan.writes, plan.yielded, strict=True):
                self._write(access, out.value(value), UNIFORM, None)
            return
        block = lanes.plan.blocks[plan.op]
        for access, stride in zip(plan.reads, block.reads, strict=True):
            self._define(access, self._read(access, stride, lanes), plan.numbers)
        for access, stride in zip(plan.writes, block.writes, strict=True):
            if access.value is not None:
                out.values[access.value] = self._old(access, stride, lanes)
        self._body(plan, lanes.count, block)
        for access, stride, value in zip(plan.writes, block.writes, plan.yielded, strict=True):
            self._write(access, self._yielded(value, access, block, lanes), stride, lanes)

    def _iterators(self, plan: BlockPlan, lanes: Lanes | None) -> None:
        """Give the body the indices that it uses as values."""
        out = self.out
        for iterator, e in zip(plan.op.iterators, plan.bindings, strict=True):
            if iterator.first_use is None:
                continue
            factor = e.coefficient(lanes.loop.variable) if lanes is not None else None
            if lanes is not None and factor is not None and factor.value:
                # the body wants lanes, not an expression
                out.values[iterator] = self._numbers(out.expr(e), factor.value, lanes.count)
            else:
                out.values.pop(iterator, None)
                out.indices[iterator] = out.expr(e)

    def _numbers(self, start: Expr, step: int, lanes: int) -> SSAValue:
        """`start`, `start + step`, … in the lanes, as i64."""
        out = self.out
        numbers = self._scaled(out.shared(("iota", lanes), lambda: IotaOp(i64, lanes)), step, lanes)
        if start.value == 0:
            return numbers
        first = self._lanes(out.index(start), lanes)
        return out.shared(("numbers", first, step), lambda: arith.AddiOp(first, numbers))

    def _scaled(self, value: SSAValue, factor: int, lanes: int) -> SSAValue:
        if factor == 1:
            return value
        scale = self.out.broadcast(self.out.constant(IntegerAttr(factor, i64)), lanes)
        return self.out.shared(("scaled", value, factor), lambda: arith.MuliOp(value, scale))

    def _lanes(self, value: SSAValue, lanes: int) -> SSAValue:
        """A value in all lanes; an index as i64."""
        if isinstance(value.type, IndexType):
            index = value
            value = self.out.shared(("i64", index), lambda: arith.IndexCastOp(index, i64))
        return self.out.broadcast(value, lanes)

    # -- reading --------------------------------------------------------------------------------------------------

    def _define(self, access: AccessPlan, value: SSAValue, numbers: frozenset[SSAValue]) -> None:
        """Let the argument of the body be `value`; and an index, where a later access goes by it."""
        out, argument = self.out, access.value
        assert argument is not None
        out.values[argument] = value
        if argument not in numbers or isinstance(value.type, VectorType):
            return
        if not isinstance(access.element, IndexType):
            value = out.shared(("index", value), lambda: self._to_index(value))
        out.indices[argument] = Expr.atom(value)

    def _to_index(self, value: SSAValue) -> Operation:
        """An integer as an index; a truth value is 0 or 1 there."""
        if value.type == i1:
            value = self.out.add(arith.ExtUIOp(value, i8)).results[0]
        return arith.IndexCastOp(value, IndexType())

    def _guards(self, access: AccessPlan, lanes: Lanes | None) -> Guards | None:
        """The conditions of an access here; None where one of them never holds."""
        uniform: list[Expr] = []
        varying: list[tuple[Expr, int]] = []
        for e in access.guard:
            factor = None if lanes is None else e.coefficient(lanes.loop.variable)
            here = self.out.expr(e)
            if factor is None or not factor.value:
                if here.value is None:
                    uniform.append(here)
                elif here.value < 0:
                    return None
            elif lanes is not None and lanes.masked:
                varying.append((here, factor.value))
        return tuple(uniform), tuple(varying)

    def _mask(self, varying: tuple[tuple[Expr, int], ...], lanes: int) -> SSAValue | None:
        """The lanes in which all conditions hold; None where that is all of them."""
        out = self.out
        mask: SSAValue | None = None
        for e, step in varying:
            # e + step * l >= 0 with a step of 1 or -1
            if e.value is not None and min(e.value, e.value + step * (lanes - 1)) >= 0:
                continue
            other = out.mask(e + 1, lanes) if step < 0 else out.mask_from(-e, lanes)
            if mask is None:
                mask = other
            else:
                first = mask
                mask = out.shared(("both", first, other), lambda a=first, b=other: arith.AndIOp(a, b))
        return mask

    def _read(self, access: AccessPlan, stride: int, lanes: Lanes | None) -> SSAValue:
        """The element of an access, or its elements in the lanes."""
        out = self.out
        count = 1 if lanes is None or stride == UNIFORM else lanes.count
        guards = self._guards(access, lanes)
        if guards is None:
            assert access.pad is not None
            return out.constant(access.pad)
        if access.buffer in self.promoted:
            return self._register(access, count)
        uniform, varying = guards
        mask = self._mask(varying, count)
        pad = access.pad if uniform or mask is not None else None
        buffer = out.value(access.buffer)
        offsets: SSAValue | None = None
        if stride == GATHERED and lanes is not None:
            start, offsets = self._offsets(access, lanes)
            indices: tuple[Expr, ...] = (start,)
        else:
            indices = out.exprs(access.indices)
        key = (stride, count, indices, uniform, mask, offsets, *number_key(pad))
        known = out.loads.setdefault(buffer, {})
        value = known.get(key)
        if value is None:
            value = self._load(access, buffer, indices, uniform, pad, stride, count, mask, offsets)
            known[key] = value
        return value

    def _load(
        self,
        access: AccessPlan,
        buffer: SSAValue,
        indices: tuple[Expr, ...],
        guard: tuple[Expr, ...],
        pad: Attribute | None,
        stride: int,
        lanes: int,
        mask: SSAValue | None,
        offsets: SSAValue | None,
    ) -> SSAValue:
        operands, maps = pack(indices, guard) if guard else pack(indices)
        properties: dict[str, Attribute] = {"indices": maps[0]}
        if guard:
            properties["guard"] = maps[1]
        if pad is not None:
            properties["pad"] = pad
        kind: type[Operation] = LoadOp if lanes == 1 else VectorLoadOp
        first: tuple[SSAValue, ...] = (buffer,)
        if offsets is not None:
            kind, first = GatherOp, (offsets, buffer)
        elif mask is not None:
            kind, first = MaskedLoadOp, (mask, buffer)
        elif stride not in (UNIFORM, UNIT):
            kind = StridedLoadOp
            properties["stride"] = IntegerAttr(stride, i64)
        type = access.element if lanes == 1 else vector_of(access.element, lanes)
        op = kind.create(operands=[*first, *operands], result_types=[type], properties=properties)
        return self.out.add(op, access.value.name_hint if access.value is not None else None).results[0]

    def _offsets(self, access: AccessPlan, lanes: Lanes) -> tuple[Expr, SSAValue]:
        """A gathered access as a place that all lanes share and an offset for each."""
        out = self.out
        address, variable, count = access.address, lanes.loop.variable, lanes.count
        total: SSAValue | None = None
        shared = address
        for v in address.variables():
            value = out.values.get(cast("SSAValue[Attribute]", v))
            if value is None or not isinstance(value.type, VectorType):
                continue
            factor = address.coefficient(v)
            assert factor is not None
            assert factor.value is not None
            shared = shared - Expr.atom(v) * factor
            if vector_type(value).element_type != i64:
                read = value
                value = out.shared(("i64", read), lambda a=read: ConvertOp("extsi", a, i64))
            part = self._scaled(value, factor.value, count)
            total = part if total is None else out.add(arith.AddiOp(total, part)).results[0]
        own = address.coefficient(variable)
        assert own is not None
        if own.value:
            numbers = self._numbers(Expr.constant(0), own.value, count)
            total = numbers if total is None else out.add(arith.AddiOp(total, numbers)).results[0]
        # the number may be the same in all lanes here: the value after else, where a guard never holds
        total = out.zero(i64, count) if total is None else total
        return out.expr(shared), total

    def _key(self, access: AccessPlan, lanes: int) -> Key:
        offset = self.out.expr(access.address).value
        assert offset is not None
        return access.buffer, offset, lanes

    def _register(self, access: AccessPlan, lanes: int) -> SSAValue:
        key = self._key(access, lanes)
        value = self.registers.get(key)
        if value is None:
            # never written: what it holds is not known, and this is as good
            value = self.registers[key] = self.out.zero(access.element, lanes)
        return value

    def _old(self, access: AccessPlan, stride: int, lanes: Lanes | None) -> SSAValue:
        """The old element of a write; where the write is not made, anything."""
        if not access.guard:
            return self._read(access, stride, lanes)
        guarded = replace(access, pad=zero_of(access.element))
        return self._read(guarded, stride, lanes)

    # -- computing ------------------------------------------------------------------------------------------------

    def _body(self, plan: BlockPlan, lanes: int, block: BlockLanes | None) -> None:
        out, values = self.out, self.out.values
        skipped: set[Operation] = set()
        if block is not None and block.reduction is not None:
            skipped.add(block.reduction[0])
        fused: dict[Operation, Operation] = {}
        if block is not None and self.fuses:
            for addition, product in plan.products.items():
                result = product.results[0]
                if result in block.varying and addition not in skipped and self._has_fma(result.type, lanes):
                    fused[addition] = product
                    skipped.add(product)
        for op in plan.body:
            if op in skipped:
                continue
            if isinstance(op, arith.ConstantOp):
                values[op.results[0]] = out.constant(op.properties["value"])
            elif op in fused:
                values[op.results[0]] = self._fused(op, fused[op], lanes)
            else:
                operands = [out.value(v) for v in op.operands]
                if any(isinstance(v.type, VectorType) for v in operands):
                    value = self._on_lanes(op, operands, lanes)
                else:
                    new = op.__class__.create(
                        operands=operands, result_types=op.result_types, properties=dict(op.properties)
                    )
                    value = out.add(new, op.results[0].name_hint).results[0]
                values[op.results[0]] = value

    def _has_fma(self, element: Attribute, lanes: int) -> bool:
        return self.target.has(FmaOp, vector_of(element, lanes))

    def _fused(self, addition: Operation, product: Operation, lanes: int) -> SSAValue:
        out = self.out
        (addend,) = (v for v in addition.operands if v.owner is not product)
        factors = [out.broadcast(out.value(v), lanes) for v in (*product.operands, addend)]
        op = FmaOp.create(operands=factors, result_types=[factors[0].type])
        return out.add(op, addition.results[0].name_hint).results[0]

    def _on_lanes(self, op: Operation, operands: list[SSAValue], lanes: int) -> SSAValue:
        out, hint = self.out, op.results[0].name_hint
        if isinstance(op, arith.MaximumfOp | arith.MinimumfOp):
            cheap = self._cheap_extreme(op, operands, lanes)
            if cheap is not None:
                return cheap
        vectors = [self._lanes(v, lanes) for v in operands]
        element = on_lanes(op.results[0].type)
        match op:
            case arith.CmpfOp():
                predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
                return out.add(CompareOp(predicate, *vectors), hint).results[0]
            case arith.CmpiOp():
                predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
                return out.add(CompareOp(predicate, *vectors), hint).results[0]
            case arith.SelectOp():
                return out.add(SelectOp(*vectors), hint).results[0]
            case math.FmaOp():
                return out.add(FmaOp(*vectors), hint).results[0]
            case arith.IndexCastOp():
                source = vector_type(vectors[0]).element_type
                if source == element:
                    return vectors[0]
                cast = "extsi" if element == i64 else "trunci"
                return out.add(ConvertOp(cast, vectors[0], element), hint).results[0]
            case _ if op.__class__ in CASTS:
                return out.add(ConvertOp(CASTS[op.__class__], vectors[0], element), hint).results[0]
            case _:
                new = op.__class__.create(
                    operands=vectors, result_types=[vector_of(element, lanes)], properties=dict(op.properties)
                )
                return out.add(new, hint).results[0]

    def _cheap_extreme(self, op: Operation, operands: list[SSAValue], lanes: int) -> SSAValue | None:
        """`max(x, c)` is `c > x ? c : x` for a number `c`; for +0 the zero of either sign still has to become +0."""
        out = self.out
        constant = next((v for v in operands if isinstance(v.owner, arith.ConstantOp)), None)
        if constant is None:
            return None
        assert isinstance(constant.owner, arith.ConstantOp)
        attribute = constant.owner.value
        if not isinstance(attribute, FloatAttr) or attribute.value.data != attribute.value.data:
            return None
        number_is_zero, negative = attribute.value.data == 0, number_key(attribute)[2] == -1
        largest = isinstance(op, arith.MaximumfOp)
        if number_is_zero and negative and not largest:
            return None
        (other,) = [v for v in operands if v is not constant] or [constant]
        limit = out.broadcast(constant, lanes)
        value = out.broadcast(other, lanes)
        kind, hint = MaxOp if largest else MinOp, op.results[0].name_hint
        result = out.add(kind.create(operands=[limit, value], result_types=[value.type]), hint).results[0]
        if number_is_zero and largest and not negative:
            result = out.add(arith.AddfOp(result, limit), hint).results[0]
        return result

    def _yielded(self, value: SSAValue, access: AccessPlan, block: BlockLanes, lanes: Lanes) -> SSAValue:
        out = self.out
        if block.reduction is None:
            return out.value(value)
        _, combination, combined = block.reduction
        assert access.value is not None
        vector = out.broadcast(out.value(combined), lanes.count)
        op = ReduceOp(combination, out.value(access.value), vector)
        return out.add(op, value.name_hint).results[0]

    # -- writing --------------------------------------------------------------------------------------------------

    def _write(self, access: AccessPlan, value: SSAValue, stride: int, lanes: Lanes | None) -> None:
        out = self.out
        guards = self._guards(access, lanes)
        if guards is None:
            return
        count = 1 if lanes is None or stride == UNIFORM else lanes.count
        if count > 1:
            value = self._lanes(value, count)
        if access.buffer in self.promoted:
            self.registers[self._key(access, count)] = value
            return
        uniform, varying = guards
        mask = self._mask(varying, count)
        buffer, indices = out.value(access.buffer), out.exprs(access.indices)
        operands, maps = pack(indices, uniform) if uniform else pack(indices)
        properties: dict[str, Attribute] = {"indices": maps[0]}
        if uniform:
            properties["guard"] = maps[1]
        kind: type[Operation] = StoreOp if count == 1 else VectorStoreOp if mask is None else MaskedStoreOp
        first = (value, buffer) if mask is None else (mask, value, buffer)
        out.add(kind.create(operands=[*first, *operands], properties=properties))
        # buffers do not alias: only what came from this one is out of date
        known = out.loads[buffer] = {}
        if not uniform and mask is None:
            known[stride, count, indices, (), None, None, None] = value
