"""What is known about index values at a place: loop bounds, conditions, sizes, and what a value is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..dialects.expr import Compound, Expr, Variable, floordiv
from ..dialects.expr_interval import ANYTHING, Interval, interval
from ..dialects.loop import BlockOp, ForOp, IfOp, IndexOp, ShapeOp

Rank: TypeAlias = tuple[int, int, int]
"""Where a value is defined: nesting, argument or result, position. Bounds of a value are over values of lower rank."""


class Facts:
    """Bounds of each index value at `at`, as expressions over values defined before it."""

    def __init__(self, at: Operation, assuming: Sequence[Expr] = ()):
        self.conditions: list[Expr] = []
        """Expressions known to be at least 0 that are not just a bound of one value."""
        self._lower: dict[Variable, list[Expr]] = {}
        self._upper: dict[Variable, list[Expr]] = {}
        self._ranges: dict[Variable, Interval] = {}
        self._ranks: dict[Variable, Rank] = {}
        for fact in (*_facts_around(at), *assuming):
            self._learn(resolve(fact))

    # -- looking --------------------------------------------------------------------------------------------------

    def lower(self, variable: Variable) -> list[Expr]:
        """Lower bounds, each valid by itself, the latest learnt first."""
        own = self._lower.get(variable, [])
        return [*own[::-1], Expr.constant(0)] if is_size(variable) else own[::-1]

    def upper(self, variable: Variable) -> list[Expr]:
        """Upper bounds, included, each valid by itself, the latest learnt first."""
        return self._upper.get(variable, [])[::-1]

    def rank(self, atom: Variable) -> Rank:
        """The rank of a variable; of a compound atom that of its innermost variable."""
        known = self._ranks.get(atom)
        if known is None:
            known = self._ranks[atom] = self._find_rank(atom)
        return known

    def _find_rank(self, atom: Variable) -> Rank:
        if isinstance(atom, Compound):
            return max((self.rank(v) for arg in atom.args for v in arg.variables()), default=(-1, 0, 0))
        if isinstance(atom, BlockArgument):
            return _depth(atom.owner), 0, atom.index
        if isinstance(atom, SSAValue) and isinstance(atom.owner, Operation) and atom.owner.parent is not None:
            return _depth(atom.owner.parent), 1, atom.owner.parent.get_operation_index(atom.owner)
        return -1, 0, 0

    def ranges(self, e: Expr) -> dict[Variable, Interval]:
        """The constant range of every variable in `e`."""
        return {v: self.range(v) for v in e.variables()}

    def range(self, variable: Variable) -> Interval:
        """The constant range of a variable."""
        known = self._ranges.get(variable)
        if known is None:
            self._ranges[variable] = ANYTHING
            lows = [interval(e, self.ranges(e))[0] for e in self.lower(variable)]
            highs = [interval(e, self.ranges(e))[1] for e in self.upper(variable)]
            known = self._ranges[variable] = (
                max((low for low in lows if low is not None), default=None),
                min((high for high in highs if high is not None), default=None),
            )
        return known

    # -- learning -------------------------------------------------------------------------------------------------

    def _learn(self, e: Expr) -> None:
        """Take in that `e >= 0`."""
        if e.value is not None:
            return
        parts = self._parts(e)
        if parts is not None:
            for part in parts:
                self._learn(part)
            return
        variable = max(e.variables(), key=self.rank)
        factor = e.coefficient(variable)
        self._ranges.clear()
        if factor is None or factor.value is None:
            self.conditions.append(e)
            return
        rest = e - Expr.atom(variable) * factor
        if factor.value > 0:
            self._lower.setdefault(variable, []).append(-floordiv(rest, factor.value))
        else:
            self._upper.setdefault(variable, []).append(floordiv(rest, -factor.value))
        if abs(factor.value) != 1 or len(e.terms) > 1:
            self.conditions.append(e)

    def _parts(self, e: Expr) -> list[Expr] | None:
        """Facts that together say as much as `e >= 0`, for a single term that is a compound atom or a product."""
        if len(e.terms) != 1:
            return None
        ((monomial, coefficient),) = e.terms.items()
        atoms = monomial.atoms
        if len(atoms) == 1 and isinstance(atoms[0], Compound) and abs(coefficient) == 1:
            atom = atoms[0]
            if (atom.kind, coefficient) in (("min", 1), ("max", -1)):
                return [arg * coefficient + e.offset for arg in atom.args]
            divisor = atom.args[1].value if atom.kind == "floordiv" else None
            if divisor is not None:
                # x floordiv d >= -o is x >= -o * d; x floordiv d <= o is x <= o * d + d - 1
                slack = 0 if coefficient == 1 else divisor - 1
                return [atom.args[0] * coefficient + e.offset * divisor + slack]
        plain = not any(isinstance(atom, Compound) for atom in atoms)
        if len(atoms) > 1 and coefficient > 0 and e.offset < 0 and plain:
            # a product of sizes that is positive has no factor 0
            lows = [self.range(atom)[0] for atom in atoms]
            if all(low is not None and low >= 0 for low in lows):
                return [Expr.atom(atom) - 1 for atom in dict.fromkeys(atoms)]
        return None


def _facts_around(at: Operation) -> Iterator[Expr]:
    """Expressions at least 0 whenever `at` is executed, from the outermost loop in."""
    path: list[tuple[Operation, Block]] = []
    inner = at
    while (block := inner.parent) is not None and (outer := block.parent_op()) is not None:
        path.append((outer, block))
        inner = outer
    for op, block in reversed(path):
        match op:
            case func.FuncOp():
                for shape in block.ops:
                    if isinstance(shape, ShapeOp):
                        yield from shape.dim_exprs
            case ForOp():
                lower, upper = op.lower, op.upper
                yield upper - lower - 1
                yield Expr.atom(op.variable) - lower
                yield upper - 1 - Expr.atom(op.variable)
            case IfOp():
                conditions = op.condition_exprs
                if block is op.then_body.block:
                    yield from conditions
                elif len(conditions) == 1:
                    yield -conditions[0] - 1
            case _:
                pass


def resolve(e: Expr) -> Expr:
    """`e` with values that are computed from others (`loop.index`, iterators of a block, constants) spelled out."""
    while True:
        mapping = {v: d for v in e.variables() if (d := _definition(v)) is not None}
        if not mapping:
            return e
        e = e.substitute(mapping)


def _definition(variable: Variable) -> Expr | None:
    """What an index value is computed from, or None where it is given by a loop, a caller or a computation."""
    if isinstance(variable, BlockArgument):
        block = variable.owner.parent_op()
        if isinstance(block, BlockOp) and variable.index < len(block.kinds):
            return block.bindings[variable.index]
        return None
    owner = variable.owner if isinstance(variable, SSAValue) else None
    if isinstance(owner, IndexOp):
        return owner.expr
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return Expr.constant(owner.value.value.data)
    return None


def is_size(variable: Variable) -> bool:
    """Whether an index value is an argument of a function: a dim, so never negative."""
    return isinstance(variable, BlockArgument) and isinstance(variable.owner.parent_op(), func.FuncOp)


def _depth(block: Block) -> int:
    depth, op = 0, block.parent_op()
    while op is not None:
        depth += 1
        op = op.parent_op()
    return depth
