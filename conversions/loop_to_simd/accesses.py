"""Reads and writes of a block: addresses, guards, masks, and elements that are registers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.expr import Expr
from ...dialects.loop import ForOp, LoadOp, StoreOp, pack
from ...dialects.simd import (
    ConvertOp,
    GatherOp,
    IotaOp,
    MaskedLoadOp,
    MaskedStoreOp,
    StridedLoadOp,
    vector_of,
    vector_type,
)
from ...dialects.simd import LoadOp as VectorLoadOp
from ...dialects.simd import StoreOp as VectorStoreOp
from .lanes import GATHERED, UNIFORM, UNIT, LoopLanes
from .output import Output, zero_of
from .plan import AccessPlan
from .registers import Key

Guards = tuple[tuple[Expr, ...], tuple[tuple[Expr, int], ...]]
"""Conditions over new indices: the same for all lanes, and those of lane 0 with what a lane adds."""


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


class Accesses:
    """Reads and writes in the place that the output is at."""

    def __init__(self, out: Output, promoted: set[SSAValue]):
        self.out = out
        self.promoted = promoted
        """Buffers whose elements are values."""
        self.registers: dict[Key, SSAValue] = {}
        """What the elements of promoted buffers are now."""

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
        key = (stride, count, indices, uniform, mask, offsets, pad)
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
        out.forget(access.buffer)
        known = out.loads[buffer] = {}
        if not uniform and mask is None:
            known[stride, count, indices, (), None, None, None] = value
