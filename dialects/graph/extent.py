"""Ops that take a part of a tensor, or put something around it: slice and pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, Signedness, StringAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..expr import Expr, as_expr
from .dims import Dim, Tensor, as_dim, dims_of, shape_text, type_of_value, with_dims
from .inference import FAR, LOCAL, TO_BEGIN, TO_END, Solver, slice_range
from .op import AnyTensor, GraphOp, Integers, integers

PAD_MODES = ("constant", "edge", "reflect", "wrap")
"""What the padding holds: a value, the nearest element, the mirror image without the edge, the other end."""

Number: TypeAlias = IntegerAttr[IntegerType] | FloatAttr[AnyFloat]
"""One element as an attribute."""

_BEYOND = 2**31 - 1
"""A bound this far out means "to the end", in the 32-bit spelling of the exporters as in ours."""

LONGEST_STEP = 2**40
"""A step of a slice beyond any axis: it takes one element. Times the size of a row it still is a number of 64 bits."""


def slice_type(input: Tensor, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int]) -> Tensor:
    """The type of a slice: on every axis the number of indices that `start:end:step` takes."""
    sizes = dims_of(input)
    if not len(starts) == len(ends) == len(steps) == len(sizes):
        raise VerifyException(
            f"a slice of rank {len(sizes)} has as many starts, ends and steps, found "
            f"{len(starts)}, {len(ends)} and {len(steps)}"
        )
    if 0 in steps:
        raise VerifyException(f"a step is not 0, found {list(steps)}")
    if max(map(abs, steps), default=0) > LONGEST_STEP:
        raise VerifyException(f"a step is at most {LONGEST_STEP}, found {list(steps)}")
    ranges = zip(sizes, starts, ends, steps, strict=True)
    return with_dims(input, [slice_range(size, start, end, step)[1] for size, start, end, step in ranges])


def pad_type(input: Tensor, low: Sequence[int], high: Sequence[int], mode: str) -> Tensor:
    """The type of a padding: every axis longer by what is put before and after it; negative amounts take away."""
    sizes = dims_of(input)
    if not len(low) == len(high) == len(sizes):
        raise VerifyException(
            f"a padding of rank {len(sizes)} has as many amounts before and after, found {len(low)} and {len(high)}"
        )
    if mode not in PAD_MODES:
        raise VerifyException(f"padding is one of {', '.join(PAD_MODES)}, found '{mode}'")
    padded: list[Dim] = []
    for axis, (size, before, after) in enumerate(zip(sizes, low, high, strict=True)):
        kept = None if size is None else as_dim(as_expr(size) + min(before, 0) + min(after, 0))
        if isinstance(kept, int) and kept < 0:
            raise VerifyException(
                f"axis {axis} of {shape_text(sizes)} has fewer elements than {list(low)} and {list(high)} take away"
            )
        if kept == 0 and mode != "constant" and max(before, after) > 0:
            raise VerifyException(f"axis {axis} of {shape_text(sizes)} has no element to pad with")
        padded.append(None if size is None else as_dim(as_expr(size) + (before + after)))
    return with_dims(input, padded)


@irdl_custom_directive
class SliceRanges(CustomDirective):
    """`[:, 1:3, ::-1]`, one `start:end:step` per axis with what says nothing left out."""

    starts: AttributeVariable
    ends: AttributeVariable
    steps: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the ranges; a bound that is left out is the first or the last, by the sign of the step."""
        ranges = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_range(parser))
        self.starts.set(state, integers([start for start, _, _ in ranges]))
        self.ends.set(state, integers([end for _, end, _ in ranges]))
        self.steps.set(state, integers(_normal_steps([step for _, _, step in ranges])))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the ranges as Python writes them."""
        assert isinstance(op, SliceOp)
        state.print_whitespace(printer)
        with printer.in_square_brackets():
            printer.print_list(op.ranges, lambda bounds: printer.print_string(_range_text(*bounds)))


def _default_bounds(step: int) -> tuple[int, int]:
    return (0, TO_END) if step > 0 else (TO_END, TO_BEGIN)


def _parse_range(parser: Parser) -> tuple[int, int, int]:
    def bound() -> int | None:
        return parser.parse_optional_integer(allow_boolean=False)

    start = bound()
    parser.parse_punctuation(":")
    end = bound()
    step = bound() if parser.parse_optional_punctuation(":") else None
    step = 1 if step is None else step
    first, last = _default_bounds(step)
    return first if start is None else start, last if end is None else end, step


def _range_text(start: int, end: int, step: int) -> str:
    first, last = _default_bounds(step)
    text = f"{'' if start == first else start}:{'' if end == last else end}"
    return text if step == 1 else f"{text}:{step}"


@irdl_op_definition
class SliceOp(GraphOp, HasFolderInterface):
    """
    Take `start:end:step` of every axis; negative bounds count from the end, bounds are clamped, a step may be negative.

    ```mlir
    %y = graph.slice %x [:, 1:3, ::-1] : tensor<2x4x5xf32> -> tensor<2x2x5xf32>
    ```
    """

    name = "graph.slice"

    input = operand_def(AnyTensor)
    starts = prop_def(Integers)
    ends = prop_def(Integers)
    steps = prop_def(Integers)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    custom_directives = (SliceRanges,)
    assembly_format = "$input custom<SliceRanges>($starts, $ends, $steps) attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int] | None = None):
        steps = [1] * len(starts) if steps is None else _normal_steps(steps)
        starts, ends = _normal_bounds(starts), _normal_bounds(ends)
        super().__init__(
            operands=[input],
            result_types=[slice_type(type_of_value(input), starts, ends, steps)],
            properties={"starts": integers(starts), "ends": integers(ends), "steps": integers(steps)},
        )

    @property
    def ranges(self) -> tuple[tuple[int, int, int], ...]:
        """Start, end and step of every axis."""
        return tuple(zip(self.starts.get_values(), self.ends.get_values(), self.steps.get_values(), strict=True))

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The number of indices that each range takes."""
        input = type_of_value(self.input)
        return (slice_type(input, self.starts.get_values(), self.ends.get_values(), self.steps.get_values()),)

    @override
    def requirements(self) -> tuple[Expr, ...]:
        """What is sliced to a far end does not reach beyond it."""
        sizes = dims_of(type_of_value(self.input))
        return tuple(
            end - as_expr(size)
            for size, (_, end, step) in zip(sizes, self.ranges, strict=True)
            if size is not None and not isinstance(size, int) and FAR <= end < TO_END and step > 0
        )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """All of every axis in its order: the operand itself."""
        sizes = dims_of(type_of_value(self.input))
        whole = all(
            (step == 1 and slice_range(size, start, end, step) == (0, size)) or (start, end, step) == (0, TO_END, 1)
            for size, (start, end, step) in zip(sizes, self.ranges, strict=True)
        )
        return (self.input,) if whole and self.input.type == self.out.type else None


def _normal_bounds(bounds: Sequence[int]) -> list[int]:
    return [TO_END if bound >= _BEYOND else TO_BEGIN if bound <= -_BEYOND else bound for bound in bounds]


def _normal_steps(steps: Sequence[int]) -> list[int]:
    return [max(-LONGEST_STEP, min(step, LONGEST_STEP)) for step in steps]


@irdl_custom_directive
class PadMode(CustomDirective):
    """`constant(0.0 : f32)`, `edge`, `reflect` or `wrap`."""

    mode: AttributeVariable
    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the mode, and the value of a constant one."""
        mode = parser.parse_keyword_in(PAD_MODES)
        self.mode.set(state, StringAttr(mode))
        if mode == "constant":
            with parser.in_parens():
                self.value.set(state, parser.parse_attribute())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the mode, and the value of a constant one."""
        assert isinstance(op, PadOp)
        state.print_whitespace(printer)
        printer.print_string(op.mode.data)
        if op.value is not None:
            with printer.in_parens():
                printer.print_attribute(op.value)


@irdl_op_definition
class PadOp(GraphOp, HasFolderInterface):
    """
    Put elements before and after each axis, or with negative amounts take some away (which happens first).

    ```mlir
    %y = graph.pad %x [0, 1] [0, -1] constant(0.000000e+00 : f32) : tensor<2x3xf32> -> tensor<2x3xf32>
    ```
    """

    name = "graph.pad"

    input = operand_def(AnyTensor)
    low = prop_def(Integers)
    high = prop_def(Integers)
    mode = prop_def(StringAttr)
    value = opt_prop_def(AnyAttr())
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    custom_directives = (PadMode,)
    assembly_format = "$input $low $high custom<PadMode>($mode, $value) attr-dict `:` type($input) `->` type($out)"

    def __init__(
        self,
        input: SSAValue,
        low: Sequence[int],
        high: Sequence[int],
        *,
        mode: str = "constant",
        value: float = 0,
    ):
        type = pad_type(type_of_value(input), low, high, mode)
        super().__init__(
            operands=[input],
            result_types=[type],
            properties={
                "low": integers(low),
                "high": integers(high),
                "mode": StringAttr(mode),
                "value": scalar_attribute(value, type.element_type) if mode == "constant" else None,
            },
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """Every axis longer by what is put around it."""
        input = type_of_value(self.input)
        return (pad_type(input, self.low.get_values(), self.high.get_values(), self.mode.data),)

    @override
    def requirements(self) -> tuple[Expr, ...]:
        """No more is taken away than there is, and something is left to pad with where elements are repeated."""
        amounts = zip(dims_of(type_of_value(self.input)), self.low.get_values(), self.high.get_values(), strict=True)
        repeats = self.mode.data != "constant"
        return tuple(
            as_expr(size) + (min(low, 0) + min(high, 0) - (1 if repeats and max(low, high) > 0 else 0))
            for size, low, high in amounts
            if size is not None
        )

    @override
    def verify_(self) -> None:
        super().verify_()
        if (self.mode.data == "constant") != (self.value is not None):
            raise VerifyException("a constant padding has a value, and only that")
        element = type_of_value(self.input).element_type
        if self.value is not None and (not isa(self.value, Number) or self.value.type != element):
            raise VerifyException(f"the value is a number of type {element}, found {self.value}")

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """Nothing put around, nothing taken away: the operand itself."""
        unchanged = not any(self.low.get_values()) and not any(self.high.get_values())
        return (self.input,) if unchanged and self.input.type == self.out.type else None


def scalar_attribute(value: float, element_type: Attribute) -> Number:
    """A number as an attribute of an element type."""
    if isa(element_type, IntegerType):
        # IntegerAttr takes 255 for an i8 too, as a spelling of -1
        bits = element_type.width.data
        signed = bits > 1 and element_type.signedness.data is not Signedness.UNSIGNED
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if signed else (0, 1 << bits)
        if not low <= value < high or value != int(value):
            raise VerifyException(f"{value} is no number of type {element_type}")
        return IntegerAttr(int(value), element_type)
    if isa(element_type, AnyFloat):
        return FloatAttr(float(value), element_type)
    raise VerifyException(f"no number has the type {element_type}")
