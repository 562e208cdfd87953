"""The code being written: the block it goes into, values and indices by their old names, and what may be shared."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    UnknownLoc,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...analysis.effects import Names
from ...dialects.element_types import is_float
from ...dialects.expr import Compound, Expr, Monomial, Variable
from ...dialects.loop import IndexOp
from ...dialects.simd import BroadcastOp, MaskOp, vector_of

Loaded = dict[tuple[object, ...], SSAValue]
"""What was loaded from one buffer: place and form -> value."""


class Output:
    """Appends ops; constants, broadcasts and the like are shared in what they dominate, loads until a store."""

    def __init__(self, block: Block, names: Names):
        self.block = block
        self.names = names
        self.location: LocationAttr = UnknownLoc()
        self.indices: dict[Variable, Expr] = {}
        """Old index value -> what it is over new ones."""
        self.values: dict[SSAValue, SSAValue] = {}
        """Old value -> new one; an index may be known as an expression only."""
        self.pure: dict[tuple[object, ...], SSAValue] = {}
        self.loads: dict[SSAValue, Loaded] = {}

    # -- ops ------------------------------------------------------------------------------------------------------

    def add(self, op: Operation, hint: str | None = None) -> Operation:
        """Append an op, with the location of what is being converted."""
        op.location = self.location
        self.block.add_op(op)
        if hint is not None:
            op.results[0].name_hint = hint
        return op

    @contextmanager
    def inside(self, block: Block, killed: Iterable[SSAValue] = ()) -> Generator[None]:
        """Write into another block; what was loaded from the buffers in `killed` is not known there, nor after it."""
        for buffer in killed:
            self.forget(buffer)
        outer = self.block, self.pure, self.loads
        self.block, self.pure = block, dict(self.pure)
        self.loads = {buffer: dict(known) for buffer, known in self.loads.items()}
        yield
        self.block, self.pure, self.loads = outer

    def forget(self, buffer: SSAValue) -> None:
        """An old buffer is written: what was loaded from it, by any of its names, is out of date."""
        for name in (buffer, *self.names.get(buffer, ())):
            self.loads.pop(self.values.get(name, name), None)

    # -- values ---------------------------------------------------------------------------------------------------

    def value(self, old: SSAValue) -> SSAValue:
        """The new value of an old one; an index becomes an op where it is not a value already."""
        new = self.values.get(old)
        if new is not None:
            return new
        e = self.indices.get(old)
        return old if e is None else self.index(e)

    def define(self, old: SSAValue, new: SSAValue) -> None:
        """Let `old` be `new` from here on."""
        self.values[old] = new
        if isinstance(old.type, IndexType):
            self.indices[old] = Expr.atom(new)

    def expr(self, e: Expr) -> Expr:
        """An expression over old index values over new ones."""
        terms: dict[Monomial, int] = {}
        offset = e.offset
        for monomial, coefficient in e.terms.items():
            # sums of multiples, which is nearly all there is, without going through general products
            if len(monomial.atoms) != 1:
                return e.substitute(self.indices)
            (atom,) = monomial.atoms
            new = self.indices.get(atom)
            if new is None:
                if isinstance(atom, Compound):
                    return e.substitute(self.indices)
                terms[monomial] = terms.get(monomial, 0) + coefficient
                continue
            offset += coefficient * new.offset
            for part, factor in new.terms.items():
                if any(isinstance(a, Compound) for a in part.atoms):
                    return e.substitute(self.indices)
                terms[part] = terms.get(part, 0) + coefficient * factor
        return Expr(terms, offset)

    def exprs(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Several of them."""
        return tuple([self.expr(e) for e in exprs])

    def index(self, e: Expr) -> SSAValue:
        """An expression over new index values as a value."""
        variable = e.variable
        if isinstance(variable, SSAValue):
            return cast("SSAValue[Attribute]", variable)
        if e.value is not None:
            return self.constant(IntegerAttr(e.value, IndexType()))
        return self.shared(("index", e), lambda: IndexOp(e))

    def shared(self, key: tuple[object, ...], make: Callable[[], Operation]) -> SSAValue:
        """The result of an op without effects, made where no equal one is at hand."""
        known = self.pure.get(key)
        if known is None:
            known = self.pure[key] = self.add(make()).results[0]
        return known

    def constant(self, attribute: Attribute) -> SSAValue:
        """A scalar constant."""
        return self.shared(("constant", attribute), lambda: _constant(attribute))

    def broadcast(self, value: SSAValue, lanes: int) -> SSAValue:
        """A scalar in all lanes; a vector as it is."""
        if isinstance(value.type, VectorType):
            return value
        type = vector_of(value.type, lanes)
        return self.shared(
            ("broadcast", value, lanes), lambda: BroadcastOp.create(operands=[value], result_types=[type])
        )

    def mask(self, count: Expr, lanes: int) -> SSAValue:
        """A mask of the first lanes."""
        return self.shared(("mask", count, lanes), lambda: MaskOp(count, lanes))

    def mask_from(self, start: Expr, lanes: int) -> SSAValue:
        """A mask of all lanes but the first ones."""
        ones = self.broadcast(self.constant(IntegerAttr(1, IntegerType(1))), lanes)
        first = self.mask(start, lanes)
        return self.shared(("not", first), lambda: arith.XOrIOp(first, ones))

    def zero(self, element: Attribute, lanes: int) -> SSAValue:
        """A value for what was never written."""
        zero = self.constant(zero_of(element))
        return zero if lanes == 1 else self.broadcast(zero, lanes)


def zero_of(element: Attribute) -> Attribute:
    """The number 0 of an element type."""
    if is_float(element):
        return FloatAttr(0.0, cast(AnyFloat, element))
    return IntegerAttr(0, cast("IntegerType | IndexType", element))


def _constant(attribute: Attribute) -> arith.ConstantOp:
    assert isinstance(attribute, IntegerAttr | FloatAttr)
    return arith.ConstantOp(cast("IntegerAttr | FloatAttr", attribute))
