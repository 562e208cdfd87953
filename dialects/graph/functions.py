"""Elementwise functions of real numbers: roots, exponentials, logarithms, angles."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition

from .unary import FloatUnaryOp


@irdl_op_definition
class ExpOp(FloatUnaryOp):
    """
    The exponential, `e` to the element.

    ```mlir
    %y = graph.exp %x : tensor<4xf32>
    ```
    """

    name = "graph.exp"


@irdl_op_definition
class LogOp(FloatUnaryOp):
    """
    The natural logarithm; -inf at zero, NaN below it.

    ```mlir
    %y = graph.log %x : tensor<4xf32>
    ```
    """

    name = "graph.log"


@irdl_op_definition
class SqrtOp(FloatUnaryOp):
    """
    The square root; NaN below zero, -0 at -0.

    ```mlir
    %y = graph.sqrt %x : tensor<4xf32>
    ```
    """

    name = "graph.sqrt"


@irdl_op_definition
class ReciprocalOp(FloatUnaryOp):
    """
    One divided by the element.

    ```mlir
    %y = graph.reciprocal %x : tensor<4xf32>
    ```
    """

    name = "graph.reciprocal"


@irdl_op_definition
class SinOp(FloatUnaryOp):
    """
    The sine.

    ```mlir
    %y = graph.sin %x : tensor<4xf32>
    ```
    """

    name = "graph.sin"


@irdl_op_definition
class CosOp(FloatUnaryOp):
    """
    The cosine.

    ```mlir
    %y = graph.cos %x : tensor<4xf32>
    ```
    """

    name = "graph.cos"


@irdl_op_definition
class TanOp(FloatUnaryOp):
    """
    The tangent.

    ```mlir
    %y = graph.tan %x : tensor<4xf32>
    ```
    """

    name = "graph.tan"


@irdl_op_definition
class AsinOp(FloatUnaryOp):
    """
    The inverse sine; NaN outside [-1, 1].

    ```mlir
    %y = graph.asin %x : tensor<4xf32>
    ```
    """

    name = "graph.asin"


@irdl_op_definition
class AcosOp(FloatUnaryOp):
    """
    The inverse cosine; NaN outside [-1, 1].

    ```mlir
    %y = graph.acos %x : tensor<4xf32>
    ```
    """

    name = "graph.acos"


@irdl_op_definition
class AtanOp(FloatUnaryOp):
    """
    The inverse tangent.

    ```mlir
    %y = graph.atan %x : tensor<4xf32>
    ```
    """

    name = "graph.atan"


@irdl_op_definition
class SinhOp(FloatUnaryOp):
    """
    The hyperbolic sine.

    ```mlir
    %y = graph.sinh %x : tensor<4xf32>
    ```
    """

    name = "graph.sinh"


@irdl_op_definition
class CoshOp(FloatUnaryOp):
    """
    The hyperbolic cosine.

    ```mlir
    %y = graph.cosh %x : tensor<4xf32>
    ```
    """

    name = "graph.cosh"


@irdl_op_definition
class TanhOp(FloatUnaryOp):
    """
    The hyperbolic tangent.

    ```mlir
    %y = graph.tanh %x : tensor<4xf32>
    ```
    """

    name = "graph.tanh"


@irdl_op_definition
class AsinhOp(FloatUnaryOp):
    """
    The inverse hyperbolic sine.

    ```mlir
    %y = graph.asinh %x : tensor<4xf32>
    ```
    """

    name = "graph.asinh"


@irdl_op_definition
class AcoshOp(FloatUnaryOp):
    """
    The inverse hyperbolic cosine; NaN below 1.

    ```mlir
    %y = graph.acosh %x : tensor<4xf32>
    ```
    """

    name = "graph.acosh"


@irdl_op_definition
class AtanhOp(FloatUnaryOp):
    """
    The inverse hyperbolic tangent; NaN outside [-1, 1].

    ```mlir
    %y = graph.atanh %x : tensor<4xf32>
    ```
    """

    name = "graph.atanh"


@irdl_op_definition
class SigmoidOp(FloatUnaryOp):
    """
    The logistic function, `1 / (1 + exp(-x))`, without overflow.

    ```mlir
    %y = graph.sigmoid %x : tensor<4xf32>
    ```
    """

    name = "graph.sigmoid"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """
    The error function.

    ```mlir
    %y = graph.erf %x : tensor<4xf32>
    ```
    """

    name = "graph.erf"
