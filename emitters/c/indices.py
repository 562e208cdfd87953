"""Index expressions as C: sums and products as they stand, division with its rule, addresses row by row."""

from __future__ import annotations

from typing import cast

from xdsl.ir import SSAValue

from ...dialects.expr import Compound, Expr, Variable
from ...dialects.loop import buffer_shape
from ...errors import VerifyError
from .literals import integer_literal
from .writer import Writer


def index_text(e: Expr, out: Writer) -> str:
    """An index expression as C; a sum is not put in parentheses."""
    parts = [
        (coefficient < 0, _term(monomial.atoms, abs(coefficient), out)) for monomial, coefficient in e.terms.items()
    ]
    if e.offset or not parts:
        parts.append((e.offset < 0, integer_literal(abs(e.offset), 64)))
    (negative, text), *rest = parts
    return "".join([f"-{text}" if negative else text, *(f" {'-' if minus else '+'} {part}" for minus, part in rest)])


def _term(atoms: tuple[Variable, ...], coefficient: int, out: Writer) -> str:
    factors = [_atom(atom, out) for atom in atoms]
    if coefficient != 1:
        factors.append(integer_literal(coefficient, 64))
    return " * ".join(factors)


def _atom(atom: Variable, out: Writer) -> str:
    if not isinstance(atom, Compound):
        return out.name(cast(SSAValue, atom))
    first, *rest = (index_text(arg, out) for arg in atom.args)
    match atom.kind:
        case "floordiv" | "mod":
            dividend, divisor = atom.args
            if divisor.value is not None and divisor.value > 0 and is_natural(dividend, out):
                inner = first if dividend.variable is not None else f"({first})"
                return f"({inner} {'/' if atom.kind == 'floordiv' else '%'} {rest[0]})"
            return f"{out.prelude.call('floordiv' if atom.kind == 'floordiv' else 'floormod')}({first}, {rest[0]})"
        case "min" | "max":
            text = first
            for other in rest:
                text = f"{out.prelude.call(atom.kind)}({text}, {other})"
            return text


def is_natural(e: Expr, out: Writer) -> bool:
    """Whether an expression is never negative by how it is made: sums and products of what is not."""
    return e.offset >= 0 and all(
        coefficient > 0 and all(_is_natural_atom(atom, out) for atom in monomial.atoms)
        for monomial, coefficient in e.terms.items()
    )


def _is_natural_atom(atom: Variable, out: Writer) -> bool:
    if not isinstance(atom, Compound):
        return atom in out.naturals
    natural = [is_natural(arg, out) for arg in atom.args]
    match atom.kind:
        case "floordiv" | "min":
            return all(natural)
        case "mod":
            # floor remainder: it has the sign of the divisor
            return natural[1]
        case "max":
            return any(natural)


def condition_text(exprs: tuple[Expr, ...], out: Writer) -> str:
    """That all expressions are at least zero, as C."""
    return " && ".join(f"{index_text(e, out)} >= 0" for e in exprs) or "1"


def element(buffer: SSAValue, indices: tuple[Expr, ...], out: Writer) -> str:
    """The element of a buffer at an index, as C: row-major, with the sizes that the IR says."""
    return f"{out.name(buffer)}[{index_text(offset(buffer, indices, out), out)}]"


def offset(buffer: SSAValue, indices: tuple[Expr, ...], out: Writer) -> Expr:
    """The number of elements before an index of a buffer."""
    if buffer not in out.strides:
        shape = buffer_shape(buffer)
        if shape is None:
            raise VerifyError("has a buffer with dynamic dims and no loop.shape")
        strides = [Expr.constant(1)]
        for size in shape[:0:-1]:
            strides.append(strides[-1] * size)
        out.strides[buffer] = tuple(strides[: len(shape)][::-1])
    total = Expr.constant(0)
    for index, stride in zip(indices, out.strides[buffer], strict=True):
        total = total + index * stride
    return total
