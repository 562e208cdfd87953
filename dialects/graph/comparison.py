"""Comparisons: elementwise ops of two operands that say how they stand to each other."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Commutative

from .binary import BroadcastingOp, binary_type
from .dims import Tensor, dims_of, tensor_of, type_of_value
from .inference import LOCAL, Solver
from .op import AnyTensor, BoolTensor, NumericTensor


def comparison_type(lhs: Tensor, rhs: Tensor, solver: Solver = LOCAL) -> Tensor:
    """The type of a comparison's result: truth values in the broadcast shape."""
    return tensor_of(IntegerType(1), dims_of(binary_type(lhs, rhs, solver)))


class ComparisonOp(BroadcastingOp, ABC):
    """`out[i]` says how `lhs[i]` and `rhs[i]` compare."""

    lhs = operand_def(NumericTensor)
    rhs = operand_def(NumericTensor)
    out = result_def(BoolTensor)

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[comparison_type(type_of_value(lhs), type_of_value(rhs))])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """Truth values in the broadcast shape."""
        return (comparison_type(type_of_value(self.lhs), type_of_value(self.rhs), solver),)


class EqualityOp(ComparisonOp, ABC):
    """A comparison that truth values have too."""

    lhs = operand_def(AnyTensor)
    rhs = operand_def(AnyTensor)


@irdl_op_definition
class EqualOp(EqualityOp):
    """
    Whether the two are equal; NaN equals nothing.

    ```mlir
    %c = graph.equal %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.equal"

    traits = traits_def(Commutative())


@irdl_op_definition
class NotEqualOp(EqualityOp):
    """
    Whether the two differ; NaN differs from everything.

    ```mlir
    %c = graph.not_equal %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.not_equal"

    traits = traits_def(Commutative())


@irdl_op_definition
class LessOp(ComparisonOp):
    """
    Whether `lhs` is below `rhs`; false with NaN.

    ```mlir
    %c = graph.less %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.less"


@irdl_op_definition
class LessEqualOp(ComparisonOp):
    """
    Whether `lhs` is at most `rhs`; false with NaN.

    ```mlir
    %c = graph.less_equal %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.less_equal"


@irdl_op_definition
class GreaterOp(ComparisonOp):
    """
    Whether `lhs` is above `rhs`; false with NaN.

    ```mlir
    %c = graph.greater %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.greater"


@irdl_op_definition
class GreaterEqualOp(ComparisonOp):
    """
    Whether `lhs` is at least `rhs`; false with NaN.

    ```mlir
    %c = graph.greater_equal %a, %b : tensor<3x1xf32>, tensor<4xf32> -> tensor<3x4xi1>
    ```
    """

    name = "graph.greater_equal"
