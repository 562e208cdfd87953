"""Building one plain nest: a block in the loops of its iterators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.expr import Expr, Variable, as_expr
from ...dialects.loop import Access, BlockOp, ForOp, IndexOp, IteratorSpec, YieldOp
from .buffer import Buffer
from .scalar import Scalar, constant, insert, number


class Nest:
    """
    One block in its loops, made step by step: axes, then reads, then one write.

    Indices and extents are expressions over loop variables, which `spatial` and `reduce` give, and over arguments of
    the function. Used as a context: the block is complete, and stands in the function, when the context ends.
    """

    def __init__(self, label: str, place: Block):
        self.label = label
        self._place = place
        self._outermost: ForOp | None = None
        self._innermost: Block | None = None
        self._iterators: dict[SSAValue, IteratorSpec] = {}
        self._body = Block()
        self._builder = Builder(InsertPoint.at_end(self._body))
        self._reads: list[tuple[Buffer, tuple[Expr, ...], Attribute | None]] = []
        self._write: tuple[Buffer, tuple[Expr, ...]] | None = None
        self._init: Region | None = None

    # -- axes -----------------------------------------------------------------------------------------------------

    def spatial(self, label: str, extent: Expr) -> Expr:
        """A loop whose points are independent; its variable."""
        return self._axis(label, extent, "spatial")

    def reduce(self, label: str, extent: Expr) -> Expr:
        """A loop whose points are combined into one element; its variable."""
        return self._axis(label, extent, "reduce")

    def spatials(self, extents: Sequence[Expr], prefix: str = "ax") -> tuple[Expr, ...]:
        """Loops over all points of a shape, `ax0`, `ax1`, …, or `i` where there is one; their variables."""
        if len(extents) == 1 and prefix == "ax":
            return (self.spatial("i", extents[0]),)
        return tuple(self.spatial(f"{prefix}{axis}", extent) for axis, extent in enumerate(extents))

    def _axis(self, label: str, extent: Expr, kind: str) -> Expr:
        loop = ForOp(label, 0, extent)
        if self._innermost is None:
            self._outermost = loop
        else:
            self._innermost.add_op(loop)
        self._innermost = loop.body.block
        self._iterator(loop.variable, label, kind)
        return Expr.atom(loop.variable)

    def _iterator(self, variable: SSAValue, label: str, kind: str) -> None:
        argument = self._body.insert_arg(IndexType(), len(self._iterators))
        argument.name_hint = f"v{label}" if SSAValue.is_valid_name(f"v{label}") else None
        self._iterators[variable] = IteratorSpec(f"v{label}", kind, Expr.atom(variable))

    def _inside(self, exprs: Sequence[Expr | int]) -> tuple[Expr, ...]:
        """The same expressions, with an iterator for every function argument that they mention."""
        inside = tuple(map(as_expr, exprs))
        for e in inside:
            for variable in e.variables():
                value = cast(SSAValue, variable)
                if value not in self._iterators:
                    self._iterator(value, value.name_hint or "n", "param")
        return inside

    # -- elements -------------------------------------------------------------------------------------------------

    def read(self, buffer: Buffer, indices: Sequence[Expr | int], pad: float | None = None) -> Scalar:
        """The element at these indices; where they are out of bounds, `pad`."""
        value = None if pad is None else number(pad, buffer.element)
        self._reads.append((buffer, self._inside(indices), value))
        argument = self._body.insert_arg(buffer.type.element_type, len(self._body.args))
        return Scalar(argument, buffer.element, self._builder)

    def constant(self, value: float, element: Attribute) -> Scalar:
        """A number inside the body."""
        return constant(value, element, self._builder)

    def index(self, e: Expr, element: Attribute) -> Scalar:
        """The value of an index expression as an element."""
        if e.value is not None:
            return self.constant(e.value, element)
        (inside,) = self._inside((e,))
        values: dict[Variable, Expr] = {v: Expr.atom(a) for v, a in zip(self._iterators, self._body.args, strict=False)}
        return insert(IndexOp(inside.substitute(values)), IndexType(), self._builder).cast(element)

    # -- ending ---------------------------------------------------------------------------------------------------

    def write(self, buffer: Buffer, indices: Sequence[Expr | int], element: Scalar) -> None:
        """Every point writes this element."""
        self._write = (buffer, self._inside(indices))
        self._builder.insert(YieldOp(element.value))

    def accumulate(
        self, buffer: Buffer, indices: Sequence[Expr | int], init: float, combine: Callable[[Scalar], Scalar]
    ) -> None:
        """Every element begins as `init`, and each point of the reduce axes makes a new one from the old."""
        self._write = (buffer, self._inside(indices))
        region = Region(Block())
        start = Builder(InsertPoint.at_end(region.block))
        start.insert(YieldOp(constant(init, buffer.element, start).value))
        self._init = region
        old = self._body.insert_arg(buffer.type.element_type, len(self._body.args))
        self._builder.insert(YieldOp(combine(Scalar(old, buffer.element, self._builder)).value))

    def __enter__(self) -> Nest:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self._finish()

    def _finish(self) -> None:
        assert self._write is not None, "a nest ends with write or accumulate"
        positions: dict[Variable, Expr] = {v: Expr.atom(n) for n, v in enumerate(self._iterators)}

        def access(buffer: Buffer, indices: tuple[Expr, ...], pad: Attribute | None = None) -> Access:
            return Access(buffer.value, tuple(e.substitute(positions) for e in indices), pad)

        block = BlockOp(
            self.label,
            tuple(self._iterators.values()),
            [access(*read) for read in self._reads],
            [access(*self._write)],
            Region(self._body),
            self._init,
        )
        if self._innermost is None or self._outermost is None:
            self._place.add_op(block)
        else:
            self._innermost.add_op(block)
            self._place.add_op(self._outermost)
