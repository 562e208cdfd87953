"""What a function says about itself: the discardable attributes of `func.func`, read and written in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, IntegerAttr, MemRefType, StringAttr, UnitAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Data, Operation

from .expr import Expr, Variable, as_expr

INPUTS = "inputs"
OUTPUTS = "outputs"
DIMS = "dims"
OUTPUTS_COUNT = "outputs_count"
PRIMITIVE = "primitive"
NOALIAS = "noalias"
LAYOUT_FREE = "layout_free"
ELEMENTS = "elements"
SHAPES = "shapes"
WORKSPACE = "workspace"
REQUIRES = "requires"
SCHEDULE = "schedule"


def strings(names: Sequence[str]) -> ArrayAttr[StringAttr]:
    """Names as an attribute."""
    return ArrayAttr([StringAttr(name) for name in names])


def integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr]:
    """Numbers as an attribute: `[1 : i64]`."""
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def names_of(op: Operation, attribute: str) -> tuple[str, ...]:
    """The names that an attribute of a function holds; none if it is absent."""
    attr = op.attributes.get(attribute)
    if attr is None:
        return ()
    # the text of a name beyond ASCII is read as bytes
    texts = [s.data for s in cast("ArrayAttr[StringAttr | BytesAttr]", attr)]
    return tuple(text.decode() if isinstance(text, bytes) else text for text in texts)


def is_primitive(function: FuncOp) -> bool:
    """Whether this is a fused group of graph ops, to become one loop function."""
    return PRIMITIVE in function.attributes


def is_loop_function(function: FuncOp) -> bool:
    """Whether this function works on buffers, the last of which it writes."""
    return OUTPUTS_COUNT in function.attributes


def outputs_count(function: FuncOp) -> int:
    """How many of the last buffers a loop function writes."""
    return cast(IntegerAttr, function.attributes[OUTPUTS_COUNT]).value.data


def dim_names(function: FuncOp) -> tuple[str, ...]:
    """The names of the leading `index` arguments of a loop function."""
    return names_of(function, DIMS)


def layout_free(function: FuncOp) -> tuple[int, ...]:
    """The argument numbers of weights, which may be laid out anew where they are constant."""
    attr = function.attributes.get(LAYOUT_FREE)
    return () if attr is None else tuple(i.value.data for i in cast("ArrayAttr[IntegerAttr]", attr))


def input_names(function: FuncOp) -> tuple[str, ...]:
    """The names of the inputs: as declared, else the name hints of the arguments, else `input0`, `input1`, …"""
    if declared := names_of(function, INPUTS):
        return declared
    arguments = parameters(function).inputs if is_loop_function(function) else function.args
    return tuple(arg.name_hint or f"input{n}" for n, arg in enumerate(arguments))


def output_names(function: FuncOp) -> tuple[str, ...]:
    """The names of the outputs: as declared, else `output0`, `output1`, …"""
    if declared := names_of(function, OUTPUTS):
        return declared
    count = outputs_count(function) if is_loop_function(function) else len(function.function_type.outputs)
    return tuple(f"output{n}" for n in range(count))


@dataclass(frozen=True)
class Parameters:
    """The arguments of a loop function by what they are for, in order."""

    dims: tuple[BlockArgument, ...]
    inputs: tuple[BlockArgument, ...]
    outputs: tuple[BlockArgument, ...]
    workspace: BlockArgument | None = None


def parameters(function: FuncOp) -> Parameters:
    """The arguments of a loop function: dims, inputs, outputs, workspace."""
    arguments = tuple(function.args)
    workspace = arguments[-1] if WORKSPACE in function.attributes else None
    buffers = tuple(a for a in arguments if isinstance(a.type, MemRefType) and a is not workspace)
    written = len(buffers) - outputs_count(function)
    return Parameters(arguments[: len(dim_names(function))], buffers[:written], buffers[written:], workspace)


def element_types(function: FuncOp) -> tuple[Attribute, ...]:
    """
    The element types of the inputs and outputs of a loop function as the model has them, unsigned ones included.

    As declared in `elements`, else those of the buffers, which are signless.
    """
    declared = function.attributes.get(ELEMENTS)
    if declared is not None:
        return tuple(cast("ArrayAttr[Attribute]", declared))
    given = parameters(function)
    return tuple(cast("MemRefType[Attribute]", a.type).element_type for a in (*given.inputs, *given.outputs))


def requirements(function: FuncOp) -> tuple[Expr, ...]:
    """What must not be negative in a run: over symbols in a function of tensors, over the dims arguments below."""
    attr = function.attributes.get(REQUIRES)
    if attr is None:
        return ()
    arguments: dict[Variable, Expr] = {n: Expr.atom(argument) for n, argument in enumerate(function.args)}
    return tuple(as_expr(e).substitute(arguments) for e in cast("Data[tuple[Expr | int, ...]]", attr).data)


def describe_loop_function(function: FuncOp, *, dims: Sequence[str], outputs: int, noalias: bool = True) -> None:
    """Mark a function as one over buffers: the names of its leading dims, how many buffers it writes."""
    attributes: dict[str, Attribute] = function.attributes
    if dims:
        attributes[DIMS] = strings(dims)
    attributes[OUTPUTS_COUNT] = IntegerAttr(outputs, i64)
    if noalias:
        attributes[NOALIAS] = UnitAttr()


def mark_primitive(function: FuncOp) -> None:
    """Mark a function as a fused group."""
    function.attributes[PRIMITIVE] = IntegerAttr(1, i64)
