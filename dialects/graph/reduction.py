"""Ops that combine the elements along axes: reductions, softmax, layer normalisation."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import Float64Type, FloatAttr, UnitAttr, f64
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .dims import Dim, Tensor, dims_of, shape_text, tensor_of, type_of_value
from .inference import LOCAL, Solver, broadcast_dims, check_from_front, normal_axes, normal_axis, same_element_type
from .op import AnyTensor, FloatTensor, GraphOp, Integer, Integers, LikeInput, NumericTensor, flag, integer, integers


def reduction_type(input: Tensor, axes: Sequence[int], keepdims: bool) -> Tensor:
    """The type of a reduction: the reduced axes are gone, or 1 with `keepdims`."""
    sizes = dims_of(input)
    reduced = set(normal_axes(axes, len(sizes)))
    kept: list[Dim] = [
        1 if axis in reduced else size for axis, size in enumerate(sizes) if keepdims or axis not in reduced
    ]
    return tensor_of(input.element_type, kept)


def softmax_type(input: Tensor, axis: int) -> Tensor:
    """The type of a softmax: that of its operand, which has the axis."""
    normal_axis(axis, len(dims_of(input)))
    return input


def layer_norm_type(input: Tensor, scale: Tensor, bias: Tensor | None, axis: int, solver: Solver = LOCAL) -> Tensor:
    """The type of a layer normalisation: that of its operand, to which scale and bias must broadcast."""
    sizes = dims_of(input)
    normal_axis(axis, len(sizes))
    others = (scale,) if bias is None else (scale, bias)
    same_element_type((input, *others))
    for what, other in zip(("scale", "bias"), others, strict=False):
        factor = dims_of(other)
        if len(factor) > len(sizes) or any(f != 1 and s == 1 for f, s in zip(factor[::-1], sizes[::-1], strict=False)):
            raise VerifyException(f"the {what} {shape_text(factor)} does not broadcast to {shape_text(sizes)}")
        sizes = broadcast_dims((sizes, factor), solver)
    return tensor_of(input.element_type, sizes)


class ReductionOp(GraphOp, HasFolderInterface, ABC):
    """Combines the elements along `axes` (ascending, counted from the front) into one."""

    input = operand_def(NumericTensor)
    axes = prop_def(Integers)
    keepdims = opt_prop_def(UnitAttr)
    out = result_def(NumericTensor)

    traits = traits_def(Pure())
    assembly_format = "$input $axes (`keepdims` $keepdims^)? attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue, axes: Sequence[int], *, keepdims: bool = False):
        type = reduction_type(type_of_value(input), axes, keepdims)
        normal = normal_axes(axes, type_of_value(input).get_num_dims())
        super().__init__(
            operands=[input],
            result_types=[type],
            properties={"axes": integers(normal), "keepdims": flag(keepdims)},
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The shape of the operand without the reduced axes, or with 1 in their place."""
        return (reduction_type(type_of_value(self.input), self.axes.get_values(), self.keepdims is not None),)

    @override
    def verify_(self) -> None:
        super().verify_()
        check_from_front(self.axes.get_values())

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """Over no axes nothing is combined: the operand itself."""
        return (self.input,) if not self.axes.get_values() and self.input.type == self.out.type else None


@irdl_op_definition
class SumOp(ReductionOp):
    """
    The sum along axes; 0 over none. f16 and bf16 are added up in f32.

    ```mlir
    %s = graph.sum %x [1] keepdims : tensor<2x3xf32> -> tensor<2x1xf32>
    ```
    """

    name = "graph.sum"


@irdl_op_definition
class MaxOp(ReductionOp):
    """
    The largest along axes; NaN if there is one, -inf or the least integer over no elements.

    ```mlir
    %s = graph.max %x [1] keepdims : tensor<2x3xf32> -> tensor<2x1xf32>
    ```
    """

    name = "graph.max"

    input = operand_def(AnyTensor)
    out = result_def(AnyTensor)


@irdl_op_definition
class MinOp(ReductionOp):
    """
    The smallest along axes; NaN if there is one, +inf or the greatest integer over no elements.

    ```mlir
    %s = graph.min %x [1] keepdims : tensor<2x3xf32> -> tensor<2x1xf32>
    ```
    """

    name = "graph.min"

    input = operand_def(AnyTensor)
    out = result_def(AnyTensor)


@irdl_op_definition
class MeanOp(ReductionOp):
    """
    The sum along axes divided by the number of elements; NaN over no elements, integers truncate.

    ```mlir
    %s = graph.mean %x [1] keepdims : tensor<2x3xf32> -> tensor<2x1xf32>
    ```
    """

    name = "graph.mean"


@irdl_op_definition
class ProdOp(ReductionOp):
    """
    The product along axes; 1 over no elements.

    ```mlir
    %s = graph.prod %x [1] keepdims : tensor<2x3xf32> -> tensor<2x1xf32>
    ```
    """

    name = "graph.prod"


@irdl_op_definition
class SoftmaxOp(GraphOp):
    """
    `exp(x - max) / sum(exp(x - max))` along one axis.

    ```mlir
    %y = graph.softmax %x axis 1 : tensor<2x3xf32>
    ```
    """

    name = "graph.softmax"

    input = operand_def(FloatTensor)
    axis = prop_def(Integer)
    out = result_def(FloatTensor)

    traits = traits_def(Pure())
    custom_directives = (LikeInput,)
    assembly_format = "$input `axis` $axis attr-dict `:` custom<LikeInput>(type($input), type($out))"

    def __init__(self, input: SSAValue, axis: int = -1):
        type = softmax_type(type_of_value(input), axis)
        normal = normal_axis(axis, type.get_num_dims())
        super().__init__(operands=[input], result_types=[type], properties={"axis": integer(normal)})

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The type of the operand."""
        return (softmax_type(type_of_value(self.input), self.axis.value.data),)

    @override
    def verify_(self) -> None:
        super().verify_()
        check_from_front((self.axis.value.data,))


@irdl_op_definition
class LayerNormOp(GraphOp):
    """
    `(x - mean) / sqrt(variance + epsilon) * scale + bias`, with mean and variance over all axes from `axis` on.

    ```mlir
    %y = graph.layer_norm %x, %s axis 1 epsilon 1.000000e-05 : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
    ```
    """

    name = "graph.layer_norm"

    input = operand_def(FloatTensor)
    scale = operand_def(FloatTensor)
    bias = opt_operand_def(FloatTensor)
    axis = prop_def(Integer)
    epsilon = prop_def(FloatAttr[Float64Type].constr(f64))
    out = result_def(FloatTensor)

    traits = traits_def(Pure())
    assembly_format = (
        "$input `,` $scale (`,` $bias^)? `axis` $axis `epsilon` $epsilon attr-dict "
        "`:` type($input) `,` type($scale) (`,` type($bias)^)? `->` type($out)"
    )

    def __init__(
        self, input: SSAValue, scale: SSAValue, bias: SSAValue | None = None, *, axis: int = -1, epsilon: float = 1e-5
    ):
        bias_type = None if bias is None else type_of_value(bias)
        type = layer_norm_type(type_of_value(input), type_of_value(scale), bias_type, axis)
        super().__init__(
            operands=[input, scale, bias],
            result_types=[type],
            properties={
                "axis": integer(normal_axis(axis, type.get_num_dims())),
                "epsilon": FloatAttr(epsilon, f64),
            },
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The type of the operand."""
        bias = None if self.bias is None else type_of_value(self.bias)
        input, scale = type_of_value(self.input), type_of_value(self.scale)
        return (layer_norm_type(input, scale, bias, self.axis.value.data, solver),)

    @override
    def verify_(self) -> None:
        super().verify_()
        check_from_front((self.axis.value.data,))
