"""Sums of products in Einstein's notation, as matrix products."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.expr import Expr
from .movement import dims, product
from .node import Node, Operator


def einsum(node: Node) -> SSAValue:
    """`ij,jk->ik`: one operand after the other is multiplied in, and what no one needs any more is summed up."""
    equation = node.string("equation", "").replace(" ", "")
    values = node.inputs()
    left, arrow, output = equation.partition("->")
    terms = left.split(",")
    if not arrow:
        output = "".join(sorted(label for label in set(left) - {","} if left.count(label) == 1))
    _check(node, equation, terms, output, values)
    value, term = values[0], terms[0]
    for number in range(1, len(values)):
        later = set("".join(terms[number + 1 :]) + output)
        value, term = _multiplied(node, value, term, values[number], terms[number], later)
    value, term = _summed(node, value, term, set(output))
    return _permuted(node, value, term, output)


def _check(node: Node, equation: str, terms: Sequence[str], output: str, values: Sequence[SSAValue]) -> None:
    if "." in equation or any(len(set(term)) != len(term) for term in (*terms, output)):
        node.refuse(f"the equation {equation}: dots and labels that occur twice in a term are not known")
    if len(terms) != len(values) or any(node.rank(v) != len(t) for v, t in zip(values, terms, strict=False)):
        raise node.error(f"the equation {equation} does not fit the ranks of the inputs")
    if not set(output) <= set("".join(terms)):
        raise node.error(f"the equation {equation} has a label in its output that no input has")


def _summed(node: Node, value: SSAValue, term: str, needed: set[str]) -> tuple[SSAValue, str]:
    axes = [axis for axis, label in enumerate(term) if label not in needed]
    if not axes:
        return value, term
    return node.ops.sum(value, axes), "".join(label for label in term if label in needed)


def _permuted(node: Node, value: SSAValue, term: str, order: str) -> SSAValue:
    return value if term == order else node.ops.permute_dims(value, [term.index(label) for label in order])


def _multiplied(
    node: Node, a: SSAValue, a_term: str, b: SSAValue, b_term: str, later: set[str]
) -> tuple[SSAValue, str]:
    """The product of two operands, with the labels that are needed later, and its term."""
    a, a_term = _summed(node, a, a_term, later | set(b_term))
    b, b_term = _summed(node, b, b_term, later | set(a_term))
    shared = [label for label in a_term if label in b_term]
    batch = "".join(label for label in shared if label in later)
    inner = "".join(label for label in shared if label not in later)
    rows = "".join(label for label in a_term if label not in b_term)
    columns = "".join(label for label in b_term if label not in a_term)
    left, row_sizes = _matrix(node, _permuted(node, a, a_term, batch + rows + inner), len(batch), len(rows))
    right, column_sizes = _matrix(node, _permuted(node, b, b_term, batch + inner + columns), len(batch), len(inner))
    out = node.ops.matmul(left, right)
    sizes = dims(node, out)
    row_sizes, column_sizes = row_sizes[: len(rows)], column_sizes[len(inner) :]
    around = _split(node, sizes[-2], row_sizes), _split(node, sizes[-1], column_sizes)
    return node.ops.reshape(out, [*sizes[:-2], *around[0], *around[1]]), batch + rows + columns


def _matrix(node: Node, value: SSAValue, batch: int, rows: int) -> tuple[SSAValue, list[int | Expr]]:
    """The value with all rows as one axis and all columns as one, and the sizes of both."""
    sizes = dims(node, value)
    split = batch + rows
    target = [*sizes[:batch], product(sizes[batch:split]), product(sizes[split:])]
    return node.ops.reshape(value, target), sizes[batch:]


def _split(node: Node, whole: int | Expr, sizes: Sequence[int | Expr]) -> list[int | Expr]:
    """The sizes of axes that were one axis of a matrix."""
    if len(sizes) == 1:
        return [whole]
    if any(not isinstance(size, int) for size in sizes):
        node.refuse("several axes of dynamic sizes become one side of a matrix: bind them with shapes=")
    return list(sizes)


EINSUM: dict[str, Operator] = {"Einsum": einsum}
