"""A block as statements: its loads, its body on scalars or on lanes, its stores."""

from __future__ import annotations

from math import copysign

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.simd import (
    CompareOp,
    ConvertOp,
    FmaOp,
    MaxOp,
    MinOp,
    ReduceOp,
    SelectOp,
    vector_of,
    vector_type,
)
from ...targets import Target
from .accesses import Accesses, Lanes
from .lanes import UNIFORM, BlockLanes, on_lanes
from .output import Output
from .plan import AccessPlan, BlockPlan

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


class Statements(Accesses):
    """Writes blocks, one after the other."""

    def __init__(self, out: Output, target: Target, promoted: set[SSAValue], fuses: bool):
        super().__init__(out, promoted)
        self.target = target
        self.fuses = fuses
        """Whether a product and a sum may become one fused multiply-add."""

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
        number_is_zero, negative = attribute.value.data == 0, copysign(1.0, attribute.value.data) < 0
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
