"""Elementwise ops that are no family: a choice, a change of element type, a multiply-add."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from .binary import binary_type
from .dims import Tensor, dims_of, tensor_of, type_of_value
from .inference import LOCAL, Solver, broadcast_dims, same_element_type
from .op import AnyTensor, BoolTensor, GraphOp, NumericTensor


def select_type(condition: Tensor, on_true: Tensor, on_false: Tensor, solver: Solver = LOCAL) -> Tensor:
    """The type of a choice: the broadcast shape of all three, the element type of the two values."""
    same_element_type((on_true, on_false))
    shapes = (dims_of(condition), dims_of(on_true), dims_of(on_false))
    return tensor_of(on_true.element_type, broadcast_dims(shapes, solver))


def cast_type(input: Tensor, element_type: Attribute) -> Tensor:
    """The type of a cast: the shape of the operand, another element type."""
    return tensor_of(element_type, dims_of(input))


def ewise_fma_type(a: Tensor, b: Tensor, c: Tensor, solver: Solver = LOCAL) -> Tensor:
    """The type of a multiply-add: the broadcast shape of all three, the common element type."""
    return binary_type(binary_type(a, b, solver), c, solver)


@irdl_op_definition
class SelectOp(GraphOp):
    """
    `on_true` where `condition` is true, else `on_false`; the three broadcast.

    ```mlir
    %y = graph.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<f32> -> tensor<4xf32>
    ```
    """

    name = "graph.select"

    condition = operand_def(BoolTensor)
    on_true = operand_def(AnyTensor)
    on_false = operand_def(AnyTensor)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = (
        "$condition `,` $on_true `,` $on_false attr-dict `:` "
        "type($condition) `,` type($on_true) `,` type($on_false) `->` type($out)"
    )

    def __init__(self, condition: SSAValue, on_true: SSAValue, on_false: SSAValue):
        type = select_type(type_of_value(condition), type_of_value(on_true), type_of_value(on_false))
        super().__init__(operands=[condition, on_true, on_false], result_types=[type])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The broadcast shape of all three, the element type of the two values."""
        condition, on_true, on_false = self.operand_tensors()
        return (select_type(condition, on_true, on_false, solver),)


@irdl_op_definition
class CastOp(GraphOp, HasFolderInterface):
    """
    The elements in another type: integers toward zero, saturating, NaN to 0; floats to nearest even; `i1` is `x != 0`.

    ```mlir
    %y = graph.cast %x : tensor<4xf32> -> tensor<4xi8>
    ```
    """

    name = "graph.cast"

    input = operand_def(AnyTensor)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue, element_type: Attribute):
        super().__init__(operands=[input], result_types=[cast_type(type_of_value(input), element_type)])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The shape of the operand, the declared element type."""
        return (cast_type(type_of_value(self.input), type_of_value(self.out).element_type),)

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A cast to the type that the operand has is the operand."""
        return (self.input,) if self.input.type == self.out.type else None


@irdl_op_definition
class EwiseFmaOp(GraphOp):
    """
    `a * b + c`, a multiplication and an addition that round one after the other; the three broadcast.

    ```mlir
    %y = graph.ewise_fma %a, %b, %c : tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xf32> -> tensor<3x4xf32>
    ```
    """

    name = "graph.ewise_fma"

    a = operand_def(NumericTensor)
    b = operand_def(NumericTensor)
    c = operand_def(NumericTensor)
    out = result_def(NumericTensor)

    traits = traits_def(Pure())
    assembly_format = "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c) `->` type($out)"

    def __init__(self, a: SSAValue, b: SSAValue, c: SSAValue):
        type = ewise_fma_type(type_of_value(a), type_of_value(b), type_of_value(c))
        super().__init__(operands=[a, b, c], result_types=[type])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The broadcast shape of all three, the common element type."""
        a, b, c = self.operand_tensors()
        return (ewise_fma_type(a, b, c, solver),)
