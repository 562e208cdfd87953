"""Elementwise ops of one operand: the result has its shape."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.irdl.declarative_assembly_format import CustomDirective
from xdsl.traits import Pure

from .dims import Tensor, as_tensor, dims_of, tensor_of, type_of_value
from .inference import LOCAL, Solver
from .op import AnyTensor, BoolTensor, FloatTensor, GraphOp, IntegerTensor, LikeInput, NumericTensor


def unary_type(input: Tensor) -> Tensor:
    """The type of a unary op's result: that of its operand."""
    dims_of(input)
    return input


def test_type(input: Tensor) -> Tensor:
    """The type of a test's result: truth values in the shape of the operand."""
    return tensor_of(IntegerType(1), dims_of(input))


class UnaryOp(GraphOp, ABC):
    """`out[i] = f(input[i])`."""

    input = operand_def(AnyTensor)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    custom_directives: ClassVar[tuple[type[CustomDirective], ...]] = (LikeInput,)
    assembly_format = "$input attr-dict `:` custom<LikeInput>(type($input), type($out))"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[unary_type(type_of_value(input))])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The type of the operand."""
        return (unary_type(type_of_value(self.input)),)


class FloatUnaryOp(UnaryOp, ABC):
    """A unary op on floats."""

    input = operand_def(FloatTensor)
    out = result_def(FloatTensor)


class NumericUnaryOp(UnaryOp, ABC):
    """A unary op on floats or integers."""

    input = operand_def(NumericTensor)
    out = result_def(NumericTensor)


class TestOp(GraphOp, ABC):
    """`out[i]` says whether something is true of the float `input[i]`."""

    input = operand_def(FloatTensor)
    out = result_def(BoolTensor)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[test_type(as_tensor(input.type))])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """Truth values in the shape of the operand."""
        return (test_type(type_of_value(self.input)),)


@irdl_op_definition
class ReluOp(NumericUnaryOp):
    """
    The larger of the element and zero; NaN stays NaN.

    ```mlir
    %y = graph.relu %x : tensor<4xf32>
    ```
    """

    name = "graph.relu"


@irdl_op_definition
class NegateOp(NumericUnaryOp):
    """
    The element with its sign changed; integers wrap.

    ```mlir
    %y = graph.negate %x : tensor<4xf32>
    ```
    """

    name = "graph.negate"


@irdl_op_definition
class AbsOp(NumericUnaryOp):
    """
    The magnitude; the least signed integer stays itself.

    ```mlir
    %y = graph.abs %x : tensor<4xi8>
    ```
    """

    name = "graph.abs"


@irdl_op_definition
class SignOp(NumericUnaryOp):
    """
    -1, 0 or 1 by the sign of the element; NaN stays NaN.

    ```mlir
    %y = graph.sign %x : tensor<4xf32>
    ```
    """

    name = "graph.sign"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """
    The least whole number that is not below the element.

    ```mlir
    %y = graph.ceil %x : tensor<4xf32>
    ```
    """

    name = "graph.ceil"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """
    The greatest whole number that is not above the element.

    ```mlir
    %y = graph.floor %x : tensor<4xf32>
    ```
    """

    name = "graph.floor"


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """
    The nearest whole number; of two equally near, the even one.

    ```mlir
    %y = graph.round %x : tensor<4xf32>
    ```
    """

    name = "graph.round"


@irdl_op_definition
class LogicalNotOp(UnaryOp):
    """
    The other truth value.

    ```mlir
    %y = graph.logical_not %x : tensor<4xi1>
    ```
    """

    name = "graph.logical_not"

    input = operand_def(BoolTensor)
    out = result_def(BoolTensor)


@irdl_op_definition
class BitwiseNotOp(UnaryOp):
    """
    Every bit of the integer inverted.

    ```mlir
    %y = graph.bitwise_not %x : tensor<4xi32>
    ```
    """

    name = "graph.bitwise_not"

    input = operand_def(IntegerTensor)
    out = result_def(IntegerTensor)


@irdl_op_definition
class IsNanOp(TestOp):
    """
    Whether the element is NaN.

    ```mlir
    %y = graph.is_nan %x : tensor<4xf32> -> tensor<4xi1>
    ```
    """

    name = "graph.is_nan"


@irdl_op_definition
class IsInfOp(TestOp):
    """
    Whether the element is infinite, of either sign.

    ```mlir
    %y = graph.is_inf %x : tensor<4xf32> -> tensor<4xi1>
    ```
    """

    name = "graph.is_inf"
