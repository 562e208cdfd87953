"""Ops around the computation: constants, calls of loop functions, dataflow scopes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override
from xdsl.dialects.builtin import DYNAMIC_INDEX, FlatSymbolRefAttrConstr, IndexType, MemRefType, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    ConstantLike,
    IsTerminator,
    Pure,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..array import ConstantArrayAttr
from ..element_types import bits_of
from .dims import Dim, DimsAttr, Tensor, type_of_value
from .inference import LOCAL, Solver
from .op import AnyTensor, GraphOp, LeadingDims

if TYPE_CHECKING:
    import numpy as np


@irdl_custom_directive
class TypedArray(CustomDirective):
    """An array attribute, which gives the result its type."""

    value: AttributeVariable
    out: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the attribute and set the type."""
        value = parser.parse_attribute()
        if not isinstance(value, ConstantArrayAttr):
            parser.raise_error("#graph.array expected")
        self.value.set(state, value)
        self.out.set(state, (value.type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the attribute, which says the type."""
        assert isinstance(op, ConstantOp)
        state.print_whitespace(printer)
        printer.print_attribute(op.value)


@irdl_op_definition
class ConstantOp(GraphOp, HasFolderInterface):
    """
    A tensor whose elements are known: a weight, a bias, a number.

    ```mlir
    %c = graph.constant #graph.array<[1.0, -0.0, nan] : tensor<3xf32>>
    ```
    """

    name = "graph.constant"

    value = prop_def(ConstantArrayAttr)
    out = result_def(AnyTensor)

    traits = traits_def(Pure(), ConstantLike())
    custom_directives = (TypedArray,)
    assembly_format = "custom<TypedArray>($value, type($out)) attr-dict"

    def __init__(self, value: ConstantArrayAttr | np.ndarray):
        attribute = value if isinstance(value, ConstantArrayAttr) else ConstantArrayAttr(value)
        super().__init__(result_types=[attribute.type], properties={"value": attribute})

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The type of the array."""
        return (self.value.type,)

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The array."""
        return (self.value,)


@irdl_op_definition
class CallTirOp(GraphOp):
    """
    Call a private loop function: arguments are its inputs, results its outputs, `dims` its leading index arguments.

    ```mlir
    %r = graph.call_tir @relu(%x) dims [n] : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
    ```
    """

    name = "graph.call_tir"

    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def(AnyTensor)
    dims = prop_def(DimsAttr, default_value=DimsAttr(()))
    outs = var_result_def(AnyTensor)

    traits = traits_def(Pure())
    custom_directives = (LeadingDims,)
    assembly_format = (
        "$callee `(` $arguments `)` custom<LeadingDims>($dims) attr-dict `:` functional-type($arguments, $outs)"
    )

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        arguments: Sequence[SSAValue],
        result_types: Sequence[Tensor],
        dims: Sequence[Dim] = (),
    ):
        super().__init__(
            operands=[arguments],
            result_types=[result_types],
            properties={"callee": SymbolRefAttr.get(callee), "dims": DimsAttr(dims)},
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The declared types: the call says where its results go."""
        return tuple(map(type_of_value, self.results))

    @override
    def verify_(self) -> None:
        super().verify_()
        if None in self.dims.data or any(isinstance(v, int) for v in self.dims.variables()):
            raise VerifyException(f"the dims of a call are numbers and expressions over symbols, found {self.dims}")

    def verify_symbols(self, look_up: Callable[[SymbolRefAttr], Operation | None]) -> None:
        """Refuse a callee that is no function, or whose arguments are not the dims, inputs and outputs of this call."""
        callee = look_up(self.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"{self.callee} is not a function")
        expected = callee.function_type.inputs.data
        tensors = (*self.arguments, *self.outs)
        count = len(self.dims.data) + len(tensors)
        if len(expected) != count:
            raise VerifyException(
                f"{self.callee} has {len(expected)} arguments, the call {count}: {len(self.dims.data)} dims, "
                f"{len(self.arguments)} inputs and {len(self.outs)} outputs"
            )
        for index, type in enumerate(expected):
            if index < len(self.dims.data):
                fits = isinstance(type, IndexType)
            else:
                fits = _holds(type, type_of_value(tensors[index - len(self.dims.data)]))
            if not fits:
                raise VerifyException(f"argument {index} of {self.callee} is {type}, which the call does not match")


def _holds(type: Attribute, tensor: Tensor) -> bool:
    """Whether a buffer type can hold a tensor: the same rank, no other number of elements, elements as wide."""
    if not isa(type, MemRefType):
        return False
    buffer, sizes = type.get_shape(), tensor.get_shape()
    fits = len(buffer) == len(sizes) and all(
        DYNAMIC_INDEX in (b, s) or b == s for b, s in zip(buffer, sizes, strict=True)
    )
    return fits and bits_of(type.element_type) == bits_of(tensor.element_type)


@irdl_op_definition
class OutputOp(IRDLOperation):
    """
    End a dataflow scope; the operands are its results.

    ```mlir
    graph.output %y : tensor<4xf32>
    ```
    """

    name = "graph.output"

    values = var_operand_def(AnyTensor)

    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class DataflowOp(GraphOp):
    """
    A scope of pure ops that may be reordered and dropped; `graph.output` says what leaves it.

    ```mlir
    %r = graph.dataflow -> tensor<4xf32> {
      %y = graph.relu %x : tensor<4xf32>
      graph.output %y : tensor<4xf32>
    }
    ```
    """

    name = "graph.dataflow"

    outs = var_result_def(AnyTensor)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())
    assembly_format = "(`->` type($outs)^)? attr-dict-with-keyword $body"

    def __init__(self, body: Region | Block):
        region = body if isinstance(body, Region) else Region(body)
        last = region.block.last_op
        if not isinstance(last, OutputOp):
            raise VerifyException("a dataflow scope ends with graph.output")
        super().__init__(result_types=[list(last.values.types)], regions=[region])

    @property
    def output(self) -> OutputOp:
        """The op that ends the scope."""
        last = self.body.block.last_op
        if not isinstance(last, OutputOp):
            raise VerifyException("a dataflow scope ends with graph.output")
        return last

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The types of the values that leave the scope."""
        return tuple(map(type_of_value, self.output.values))

    @override
    def verify_(self) -> None:
        if self.body.block.args:
            raise VerifyException("a dataflow scope has no arguments: it sees the values around it")
        super().verify_()
