"""Sums of products: matrix multiplication and convolution."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, mod
from .dims import Dim, Tensor, dim_text, dims_of, shape_text, tensor_of, type_of_value
from .inference import LOCAL, Solver, broadcast_dims, dims_with_rank, same_element_type, window_size
from .op import GraphOp, Integer, Integers, NumericTensor, integer, integers
from .window import check_window, window_requirements


def matmul_type(lhs: Tensor, rhs: Tensor, solver: Solver = LOCAL) -> Tensor:
    """The type of a product, as NumPy's `matmul`: leading axes broadcast, a rank 1 operand is a row or a column."""
    same_element_type((lhs, rhs))
    left, right = dims_of(lhs), dims_of(rhs)
    if not left or not right:
        raise VerifyException(f"a matrix product has no scalar operands, found {shape_text(left)}, {shape_text(right)}")
    *left_batch, rows, depth = left if len(left) > 1 else (1, *left)
    *right_batch, other_depth, columns = right if len(right) > 1 else (*right, 1)
    solver.same(depth, other_depth, "inner sizes")
    batch = broadcast_dims((left_batch, right_batch), solver)
    kept = ((rows,) if len(left) > 1 else ()) + ((columns,) if len(right) > 1 else ())
    return tensor_of(lhs.element_type, (*batch, *kept))


def conv2d_type(
    input: Tensor,
    filter: Tensor,
    bias: Tensor | None,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    solver: Solver = LOCAL,
) -> Tensor:
    """The type of a convolution of NCHW by OIHW, where I is the number of channels of one group."""
    same_element_type([type for type in (input, filter, bias) if type is not None])
    batch, channels, *extents = dims_with_rank(input, 4, "the input")
    outputs, group_channels, *kernel = dims_with_rank(filter, 4, "the filter")
    sizes = known_kernel(kernel)
    check_window(sizes, strides, pads, dilations)
    if groups < 1 or (isinstance(outputs, int) and outputs % groups):
        raise VerifyException(f"{dim_text(outputs)} output channels do not split into {groups} groups")
    expected = None if group_channels is None else group_channels * groups
    solver.same(channels, expected, "input channels and filter channels times groups")
    if bias is not None:
        (bias_size,) = dims_with_rank(bias, 1, "the bias")
        outputs = solver.same(outputs, bias_size, "output channels and bias")
    windows = [
        window_size(extent, kernel, stride, pads[axis], pads[axis + 2], dilation)
        for axis, (extent, kernel, stride, dilation) in enumerate(zip(extents, sizes, strides, dilations, strict=True))
    ]
    return tensor_of(input.element_type, (batch, outputs, *windows))


def known_kernel(kernel: Sequence[Dim]) -> tuple[int, ...]:
    """The sizes of a filter's window, which must be numbers."""
    sizes = tuple(size for size in kernel if isinstance(size, int))
    if len(sizes) != len(kernel):
        raise VerifyException(f"the window of a filter has a known size, found {shape_text(kernel)}")
    return sizes


@irdl_op_definition
class MatmulOp(GraphOp):
    """
    Multiply two matrices: `out[i, j] = sum over k of lhs[i, k] * rhs[k, j]`; leading axes broadcast, as in NumPy.

    ```mlir
    %c = graph.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
    ```
    """

    name = "graph.matmul"

    lhs = operand_def(NumericTensor)
    rhs = operand_def(NumericTensor)
    out = result_def(NumericTensor)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($out)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[matmul_type(type_of_value(lhs), type_of_value(rhs))])

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The leading axes broadcast, then the rows of one and the columns of the other."""
        return (matmul_type(type_of_value(self.lhs), type_of_value(self.rhs), solver),)


@irdl_op_definition
class Conv2dOp(GraphOp):
    """
    Convolve images: `out[n, o, y, x] = bias[o] + sum of input[n, i, y * sy + ky * dy - top, …] * filter[o, i, ky, kx]`.

    Layouts are NCHW and OIHW; `pads` is top, left, bottom, right, and reads 0; `groups` split both kinds of channels.

    ```mlir
    %y = graph.conv2d %x, %w pads [1, 1, 1, 1] : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<1x4x8x8xf32>
    ```
    """

    name = "graph.conv2d"

    input = operand_def(NumericTensor)
    filter = operand_def(NumericTensor)
    bias = opt_operand_def(NumericTensor)
    strides = prop_def(Integers, default_value=integers((1, 1)))
    pads = prop_def(Integers, default_value=integers((0, 0, 0, 0)))
    dilations = prop_def(Integers, default_value=integers((1, 1)))
    groups = prop_def(Integer, default_value=IntegerAttr(1, i64))
    out = result_def(NumericTensor)

    traits = traits_def(Pure())
    assembly_format = (
        "$input `,` $filter (`,` $bias^)? (`strides` $strides^)? (`pads` $pads^)? (`dilations` $dilations^)? "
        "(`groups` $groups^)? attr-dict `:` type($input) `,` type($filter) (`,` type($bias)^)? `->` type($out)"
    )

    def __init__(
        self,
        input: SSAValue,
        filter: SSAValue,
        bias: SSAValue | None = None,
        *,
        strides: Sequence[int] = (1, 1),
        pads: Sequence[int] = (0, 0, 0, 0),
        dilations: Sequence[int] = (1, 1),
        groups: int = 1,
    ):
        bias_type = None if bias is None else type_of_value(bias)
        type = conv2d_type(type_of_value(input), type_of_value(filter), bias_type, strides, pads, dilations, groups)
        super().__init__(
            operands=[input, filter, bias],
            result_types=[type],
            properties={
                "strides": integers(strides),
                "pads": integers(pads),
                "dilations": integers(dilations),
                "groups": integer(groups),
            },
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The batch, the filter's output channels, and the number of windows."""
        return (
            conv2d_type(
                type_of_value(self.input),
                type_of_value(self.filter),
                None if self.bias is None else type_of_value(self.bias),
                self.strides.get_values(),
                self.pads.get_values(),
                self.dilations.get_values(),
                self.groups.value.data,
                solver,
            ),
        )

    @override
    def requirements(self) -> tuple[Expr, ...]:
        """A window fits, and the output channels split into groups."""
        outputs, _, *kernel = dims_of(type_of_value(self.filter))
        extents = dims_of(type_of_value(self.input))[2:]
        split = () if outputs is None else (-mod(outputs, self.groups.value.data),)
        window = known_kernel(kernel), self.pads.get_values(), self.dilations.get_values()
        return (*window_requirements(extents, *window), *split)
