"""A function over buffers that is being made from tensor types: its arguments, temporaries and nests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, BFloat16Type, Float16Type, IndexType, MemRefType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.expr import Expr, Variable, as_expr
from ...dialects.graph.dims import Tensor, dim_text, dims_of, shape_text
from ...dialects.loop import AllocOp, ShapeOp
from ...dialects.origin import located
from ...dialects.signature import ELEMENTS, LAYOUT_FREE, describe_loop_function, integers
from ...errors import PipelineError
from ...rewriting.naming import Names
from .buffer import Buffer, memref_of
from .nest import Nest
from .scalar import Scalar, signless


@dataclass(frozen=True)
class Parameter:
    """A tensor that becomes an argument: its name, which may be empty, and its type."""

    name: str
    type: Tensor


def symbols_of(types: Sequence[Tensor]) -> tuple[str, ...]:
    """The symbols in the dims of tensor types, in order of appearance."""
    sizes = (size for type in types for size in dims_of(type) if isinstance(size, Expr))
    return tuple(dict.fromkeys(str(symbol) for size in sizes for symbol in size.variables()))


class LoopFunction:
    """
    A private function over buffers, filled in nest by nest.

    Its arguments are an `index` for each symbol in the types, the inputs, and the outputs. `origin` is the op that it
    is made from, and that errors name.
    """

    def __init__(self, inputs: Sequence[Parameter], outputs: Sequence[Parameter], origin: Operation):
        self.origin = origin
        parameters = (*inputs, *outputs)
        self.symbols = symbols_of([p.type for p in parameters])
        self.block = Block(
            arg_types=[
                *(IndexType() for _ in self.symbols),
                *(MemRefType(signless(p.type.element_type), p.type.get_shape()) for p in parameters),
            ]
        )
        arguments = tuple(self.block.args)
        for argument, name in zip(arguments, (*self.symbols, *(p.name for p in parameters)), strict=True):
            argument.name_hint = name if SSAValue.is_valid_name(name) else None
        self.dims: dict[Variable, Expr] = {s: Expr.atom(a) for s, a in zip(self.symbols, arguments, strict=False)}
        buffers = [
            Buffer(argument, p.type.element_type, self.dims_of(p.type))
            for argument, p in zip(arguments[len(self.symbols) :], parameters, strict=True)
        ]
        self.inputs, self.outputs = tuple(buffers[: len(inputs)]), tuple(buffers[len(inputs) :])
        self._labels = Names()
        self._layout_free: list[Buffer] = []
        for buffer in (*self.inputs, *self.outputs):
            if any(e.value is None for e in buffer.dims):
                self.block.add_op(ShapeOp(buffer.value, buffer.dims))

    def dims_of(self, type: Tensor) -> tuple[Expr, ...]:
        """The sizes of a tensor over this function's arguments."""
        sizes = dims_of(type)
        known: list[Expr] = []
        for size in sizes:
            if size is None:
                raise self.error(f"a dim of {shape_text(sizes)} has no name: run infer-shapes first")
            known.append(self.dim(size))
        return tuple(known)

    def dim(self, size: Expr | int) -> Expr:
        """A size over symbols as one over this function's arguments."""
        e = as_expr(size)
        for symbol in e.variables():
            if symbol not in self.dims:
                raise self.error(f"the size {dim_text(size)} does not follow from the sizes of the inputs")
        return e.substitute(self.dims)

    def error(self, message: str) -> PipelineError:
        """An error about the op that this function is made from."""
        return PipelineError(located(self.origin, message))

    @property
    def output(self) -> Buffer:
        """The only output."""
        (output,) = self.outputs
        return output

    def mark_layout_free(self, buffer: Buffer) -> None:
        """Say that a buffer holds weights, which may be laid out anew if they are constant."""
        self._layout_free.append(buffer)

    # -- filling in -----------------------------------------------------------------------------------------------

    def temporary(self, name: str, element: Attribute, dims: Sequence[Expr]) -> Buffer:
        """A buffer that lives as long as the function."""
        alloc = AllocOp("global", memref_of(element, dims), [e for e in dims if e.value is None])
        alloc.buffer.name_hint = name if SSAValue.is_valid_name(name) else None
        self.block.add_op(alloc)
        return Buffer(alloc.buffer, element, tuple(dims))

    @property
    def accumulation_element(self) -> Attribute:
        """The type in which to add up the output: f32 for the half floats, its own for others."""
        return f32 if isinstance(self.output.element, Float16Type | BFloat16Type) else self.output.element

    def accumulator(self) -> Buffer:
        """Where to add up the output: itself, or a temporary where its own type is too narrow."""
        element = self.accumulation_element
        return self.output if element == self.output.element else self.temporary("wide", element, self.output.dims)

    def finish(self, accumulator: Buffer) -> None:
        """Round what was added up into the output, if it stands elsewhere."""
        if accumulator is not self.output:
            self.map("round", self.output, (accumulator,), self.to_output)

    def to_output(self, element: Scalar) -> Scalar:
        """An element in the type of the output."""
        return element.cast(self.output.element)

    def label(self, name: str) -> str:
        """A label for a block, with a number where the name is taken."""
        return self._labels.unique(name)

    def nest(self, label: str) -> Nest:
        """A new nest at the end of the function; its block is called `label`, with a number where that is taken."""
        return Nest(self.label(label), self.block)

    def map(self, label: str, output: Buffer, inputs: Sequence[Buffer], body: Callable[..., Scalar]) -> None:
        """A nest that computes each element of `output` from one element of each input; inputs broadcast."""
        with self.nest(label) as n:
            axes = n.spatials(output.dims)
            n.write(output, axes, body(*(n.read(x, self.broadcast(x.dims, output.dims, axes)) for x in inputs)))

    def broadcast(self, dims: Sequence[Expr], to: Sequence[Expr], axes: Sequence[Expr]) -> tuple[Expr, ...]:
        """The indices of an operand of these dims that broadcasts to the shape `to`, indexed by `axes`."""
        start = len(to) - len(dims)
        indices: list[Expr] = []
        for size, whole, axis in zip(dims, to[start:], axes[start:], strict=True):
            if size == whole:
                indices.append(axis)
            elif size.value == 1:
                indices.append(Expr.constant(0))
            else:
                raise self.error(
                    f"{self.shape_text(dims)} and {self.shape_text(to)} may differ: run infer-shapes first"
                )
        return tuple(indices)

    def require_equal(self, a: Expr, b: Expr, what: str) -> None:
        """Refuse two sizes that may differ."""
        if a != b:
            raise self.error(f"{what} may differ, {self.shape_text((a, b))}: run infer-shapes first")

    def shape_text(self, dims: Sequence[Expr]) -> str:
        """Sizes over arguments, named as the symbols are."""
        symbols: dict[Variable, Expr] = {v: Expr.atom(s) for s, e in self.dims.items() for v in e.variables()}
        return shape_text([e.substitute(symbols) for e in dims])

    def done(self, name: str, *, visibility: str | None = "private") -> FuncOp:
        """The function, complete."""
        self.block.add_op(ReturnOp())
        function = FuncOp(name, ([a.type for a in self.block.args], ()), Region(self.block), visibility)
        describe_loop_function(function, dims=self.symbols, outputs=len(self.outputs))
        elements = [b.element for b in (*self.inputs, *self.outputs)]
        if any(signless(element) != element for element in elements):
            function.attributes[ELEMENTS] = ArrayAttr(elements)
        if self._layout_free:
            arguments = tuple(function.args)
            function.attributes[LAYOUT_FREE] = integers([arguments.index(b.value) for b in self._layout_free])
        return function
