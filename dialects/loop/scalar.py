"""Scalar arithmetic that `arith` of xDSL does not have."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, container_of
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    MessageConstraint,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

FloatLike = MessageConstraint(container_of(AnyFloat), "a float, or a vector of floats, expected")


@irdl_op_definition
class RemfOp(IRDLOperation):
    """
    The remainder of a division that truncates: exact, with the sign of `lhs`, as `fmod` in C.

    ```mlir
    %r = loop.remf %a, %b : f32
    ```
    """

    name = "loop.remf"

    T: ClassVar = VarConstraint("T", FloatLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    out = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($out)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])
