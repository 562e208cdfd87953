"""Elementwise ops of two operands, which broadcast as NumPy does: arithmetic, bits, logic, comparisons."""

from __future__ import annotations

from abc import ABC

from typing_extensions import override
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import is_float
from .dims import Tensor, dims_of, tensor_of, type_of_value
from .inference import LOCAL, Solver, broadcast_dims, same_element_type
from .op import AnyTensor, BoolTensor, GraphOp, IntegerTensor, NumericTensor, flag


def binary_type(lhs: Tensor, rhs: Tensor, solver: Solver = LOCAL) -> Tensor:
    """The type of a binary op's result: the broadcast shape, the common element type."""
    same_element_type((lhs, rhs))
    return tensor_of(lhs.element_type, broadcast_dims((dims_of(lhs), dims_of(rhs)), solver))


class BroadcastingOp(GraphOp, ABC):
    """An op of two operands of one element type, whose shapes broadcast."""

    lhs = operand_def(AnyTensor)
    rhs = operand_def(AnyTensor)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($out)"


class BinaryOp(BroadcastingOp, ABC):
    """`out[i] = f(lhs[i], rhs[i])`."""

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[binary_type(type_of_value(lhs), type_of_value(rhs))])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The broadcast shape, the common element type."""
        return (binary_type(type_of_value(self.lhs), type_of_value(self.rhs), solver),)


class ArithmeticOp(BinaryOp, ABC):
    """A binary op on floats or integers."""

    lhs = operand_def(NumericTensor)
    rhs = operand_def(NumericTensor)
    out = result_def(NumericTensor)


class BitwiseOp(BinaryOp, ABC):
    """A binary op on the bits of integers."""

    lhs = operand_def(IntegerTensor)
    rhs = operand_def(IntegerTensor)
    out = result_def(IntegerTensor)


class LogicalOp(BinaryOp, ABC):
    """A binary op on truth values."""

    lhs = operand_def(BoolTensor)
    rhs = operand_def(BoolTensor)
    out = result_def(BoolTensor)


@irdl_op_definition
class AddOp(ArithmeticOp):
    """
    The sum; integers wrap.

    ```mlir
    %c = graph.add %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.add"

    traits = traits_def(Commutative())


@irdl_op_definition
class SubtractOp(ArithmeticOp):
    """
    The difference; integers wrap.

    ```mlir
    %c = graph.subtract %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.subtract"


@irdl_op_definition
class MultiplyOp(ArithmeticOp):
    """
    The product; integers wrap.

    ```mlir
    %c = graph.multiply %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.multiply"

    traits = traits_def(Commutative())


@irdl_op_definition
class DivideOp(ArithmeticOp):
    """
    The quotient; integers truncate toward zero, and `x / 0` is 0.

    ```mlir
    %c = graph.divide %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.divide"


@irdl_op_definition
class PowerOp(ArithmeticOp):
    """
    `lhs` to the power `rhs`; a negative integer exponent truncates the true power toward zero.

    ```mlir
    %c = graph.power %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.power"


@irdl_op_definition
class MaximumOp(ArithmeticOp):
    """
    The larger; NaN if either is NaN, +0 of two zeros of different sign.

    ```mlir
    %c = graph.maximum %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.maximum"

    traits = traits_def(Commutative())


@irdl_op_definition
class MinimumOp(ArithmeticOp):
    """
    The smaller; NaN if either is NaN, -0 of two zeros of different sign.

    ```mlir
    %c = graph.minimum %a, %b : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.minimum"

    traits = traits_def(Commutative())


@irdl_op_definition
class ModuloOp(ArithmeticOp):
    """
    The remainder, with the sign of `rhs`, or with `fmod` that of `lhs`; floats need `fmod`; an integer modulo 0 is 0.

    ```mlir
    %c = graph.modulo %a, %b fmod : tensor<1x128xf32>, tensor<128xf32> -> tensor<1x128xf32>
    ```
    """

    name = "graph.modulo"

    fmod = opt_prop_def(UnitAttr)

    assembly_format = "$lhs `,` $rhs (`fmod` $fmod^)? attr-dict `:` type($lhs) `,` type($rhs) `->` type($out)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue, *, fmod: bool = False):
        type = binary_type(type_of_value(lhs), type_of_value(rhs))
        GraphOp.__init__(self, operands=[lhs, rhs], result_types=[type], properties={"fmod": flag(fmod)})

    @override
    def verify_(self) -> None:
        super().verify_()
        if self.fmod is None and is_float(self.lhs.type):
            raise VerifyException("a remainder of floats has the sign of the dividend: `fmod` is missing")


@irdl_op_definition
class BitwiseAndOp(BitwiseOp):
    """
    The bits set in both.

    ```mlir
    %c = graph.bitwise_and %a, %b : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
    ```
    """

    name = "graph.bitwise_and"

    traits = traits_def(Commutative())


@irdl_op_definition
class BitwiseOrOp(BitwiseOp):
    """
    The bits set in either.

    ```mlir
    %c = graph.bitwise_or %a, %b : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
    ```
    """

    name = "graph.bitwise_or"

    traits = traits_def(Commutative())


@irdl_op_definition
class BitwiseXorOp(BitwiseOp):
    """
    The bits set in exactly one.

    ```mlir
    %c = graph.bitwise_xor %a, %b : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
    ```
    """

    name = "graph.bitwise_xor"

    traits = traits_def(Commutative())


@irdl_op_definition
class ShiftLeftOp(BitwiseOp):
    """
    `lhs` shifted left by `rhs` bits; 0 if that is the width or more.

    ```mlir
    %c = graph.shift_left %a, %b : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
    ```
    """

    name = "graph.shift_left"


@irdl_op_definition
class ShiftRightOp(BitwiseOp):
    """
    `lhs` shifted right by `rhs` bits, signed integers with their sign; 0 if that is the width or more.

    ```mlir
    %c = graph.shift_right %a, %b : tensor<4xi32>, tensor<i32> -> tensor<4xi32>
    ```
    """

    name = "graph.shift_right"


@irdl_op_definition
class LogicalAndOp(LogicalOp):
    """
    Whether both are true.

    ```mlir
    %c = graph.logical_and %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
    ```
    """

    name = "graph.logical_and"

    traits = traits_def(Commutative())


@irdl_op_definition
class LogicalOrOp(LogicalOp):
    """
    Whether either is true.

    ```mlir
    %c = graph.logical_or %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
    ```
    """

    name = "graph.logical_or"

    traits = traits_def(Commutative())


@irdl_op_definition
class LogicalXorOp(LogicalOp):
    """
    Whether exactly one is true.

    ```mlir
    %c = graph.logical_xor %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
    ```
    """

    name = "graph.logical_xor"

    traits = traits_def(Commutative())
