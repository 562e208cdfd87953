"""Sizes in bytes, as expressions over the dims of a function; what depends on loops is taken at its largest."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.element_types import bytes_of
from ...dialects.expr import Compound, Expr, Variable, compound, floordiv, maximum
from ...dialects.loop import AllocOp, ForOp, IndexOp, buffer_type
from ...dialects.origin import located
from ...errors import VerifyError

ALIGNMENT = 64
"""Bytes to which every place in an arena is aligned: a cache line, and the widest vector."""


def aligned(size: Expr) -> Expr:
    """The next multiple of the alignment."""
    return floordiv(size + (ALIGNMENT - 1), ALIGNMENT) * ALIGNMENT


def leading_dims(function: FuncOp) -> list[BlockArgument]:
    """The index arguments that stand first."""
    dims: list[BlockArgument] = []
    for arg in function.args:
        if not isinstance(arg.type, IndexType):
            break
        dims.append(arg)
    return dims


def never_negative(e: Expr) -> bool:
    """Whether an expression over dims, which are not negative, is made so that it cannot be."""
    return e.offset >= 0 and all(
        coefficient >= 0 and all(_atom_never_negative(atom) for atom in monomial.atoms)
        for monomial, coefficient in e.terms.items()
    )


def _atom_never_negative(atom: Variable) -> bool:
    if not isinstance(atom, Compound):
        return True
    parts = [never_negative(arg) for arg in atom.args]
    return any(parts) if atom.kind == "max" else all(parts)


class Sizes:
    """The sizes of one function."""

    def __init__(self, function: FuncOp):
        self.dims = leading_dims(function)

    def of(self, alloc: AllocOp) -> Expr:
        """The most bytes that a buffer takes."""
        element = buffer_type(alloc.buffer).element_type
        exact = prod(alloc.shape_exprs, start=Expr.constant(bytes_of(element)))
        return self.most(exact, alloc)

    def most(self, e: Expr, at: Operation) -> Expr:
        """The largest value, at least 0, that `e` has at `at`, over the dims."""
        result = self._bound(e, 1, at)
        return result if never_negative(result) else maximum(result, 0)

    def _bound(self, e: Expr, sign: int, at: Operation) -> Expr:
        """An upper bound of `e`, or with a sign of -1 a lower one."""
        total = Expr.constant(e.offset)
        for monomial, coefficient in e.terms.items():
            rising = sign if coefficient > 0 else -sign
            if len(monomial.atoms) == 1:
                total = total + self._bound_atom(monomial.atoms[0], rising, at) * coefficient
                continue
            bounds = [self._bound_atom(atom, rising, at) for atom in monomial.atoms]
            exact = all(b == Expr.atom(atom) for b, atom in zip(bounds, monomial.atoms, strict=True))
            if not exact and not all(map(never_negative, bounds)):
                raise _refusal(at, "is a product of sizes that may be negative")
            total = total + prod(bounds, start=Expr.constant(coefficient))
        return total

    def _bound_atom(self, atom: Variable, sign: int, at: Operation) -> Expr:
        if isinstance(atom, Compound):
            return self._bound_compound(atom, sign, at)
        value = cast("SSAValue", atom)
        if value in self.dims:
            return Expr.atom(value)
        owner = value.owner
        if isinstance(owner, IndexOp):
            return self._bound(owner.expr, sign, at)
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return Expr.constant(owner.value.value.data)
        loop = None if isinstance(owner, Operation) else owner.parent_op()
        if isinstance(loop, ForOp) and value is loop.variable:
            return self._bound(loop.upper - 1 if sign > 0 else loop.lower, sign, at)
        name = value.name_hint or "a value"
        raise _refusal(at, f"depends on '{name}', which is not known where the function is entered")

    def _bound_compound(self, atom: Compound, sign: int, at: Operation) -> Expr:
        match atom.kind:
            case "min" | "max":
                return compound(atom.kind, tuple(self._bound(arg, sign, at) for arg in atom.args))
            case "floordiv" if (atom.args[1].value or 0) > 0:
                return compound(atom.kind, (self._bound(atom.args[0], sign, at), atom.args[1]))
            case "mod" if (atom.args[1].value or 0) > 0:
                bound = self._bound(atom.args[0], sign, at)
                if bound == atom.args[0]:
                    return Expr.atom(atom)
                return atom.args[1] - 1 if sign > 0 else Expr.constant(0)
            case _:
                exact = all(self._bound(arg, sign, at) == arg for arg in atom.args)
                if not exact:
                    raise _refusal(at, "is divided by something that changes in a loop")
                return Expr.atom(atom)


def _refusal(at: Operation, reason: str) -> VerifyError:
    return VerifyError(located(at, f"has no place in the workspace: its size {reason}"))


def over_positions(e: Expr, dims: Sequence[SSAValue]) -> Expr:
    """An expression over dims as one over their positions."""
    return e.substitute({dim: Expr.atom(n) for n, dim in enumerate(dims)})
