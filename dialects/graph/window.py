"""Windows that slide over images: pooling."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from typing_extensions import override
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from .dims import Dim, Tensor, dims_of, tensor_of, type_of_value
from .inference import LOCAL, Solver, dims_with_rank, window_room, window_size
from .op import FloatTensor, GraphOp, Integers, NumericTensor, flag, integers


def check_window(kernel: Sequence[int], strides: Sequence[int], pads: Sequence[int], dilations: Sequence[int]) -> None:
    """Refuse a window over two axes that has no size, does not move, or can lie in the padding as a whole."""
    if len(kernel) != 2 or len(strides) != 2 or len(dilations) != 2 or len(pads) != 4:
        raise VerifyException(
            f"a window over two axes has 2 sizes, strides and dilations and 4 pads, found "
            f"{len(kernel)}, {len(strides)}, {len(dilations)} and {len(pads)}"
        )
    for what, values in (("kernel", kernel), ("strides", strides), ("dilations", dilations)):
        if min(values) < 1:
            raise VerifyException(f"{what} {list(values)} must be positive")
    if min(pads) < 0:
        raise VerifyException(f"pads {list(pads)} must not be negative")


def window_requirements(
    extents: Sequence[Dim], kernel: Sequence[int], pads: Sequence[int], dilations: Sequence[int]
) -> tuple[Expr, ...]:
    """That a window fits both axes, where it is not known."""
    return tuple(
        window_room(extent, kernel[axis], pads[axis], pads[axis + 2], dilations[axis])
        for axis, extent in enumerate(extents)
        if extent is not None
    )


def pool2d_type(
    input: Tensor,
    kernel: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool,
) -> Tensor:
    """The type of a pooling of NCHW: the number of windows on the last two axes."""
    batch, channels, *extents = dims_with_rank(input, 4, "the input")
    check_window(kernel, strides, pads, dilations)
    for axis in range(2):
        reach = dilations[axis] * (kernel[axis] - 1) + 1
        if max(pads[axis], pads[axis + 2]) >= reach:
            raise VerifyException(f"pads {list(pads)} hold a whole window: {reach} on axis {axis + 2}")
    windows = [
        window_size(extent, kernel[i], strides[i], pads[i], pads[i + 2], dilations[i], ceil_mode)
        for i, extent in enumerate(extents)
    ]
    return tensor_of(input.element_type, (batch, channels, *windows))


class Pool2dOp(GraphOp, ABC):
    """`out[n, c, y, x]` combines a window of `input[n, c]`; `pads` is top, left, bottom, right."""

    input = operand_def(NumericTensor)
    kernel = prop_def(Integers)
    strides = prop_def(Integers, default_value=integers((1, 1)))
    pads = prop_def(Integers, default_value=integers((0, 0, 0, 0)))
    dilations = prop_def(Integers, default_value=integers((1, 1)))
    ceil_mode = opt_prop_def(UnitAttr)
    out = result_def(NumericTensor)

    traits = traits_def(Pure())
    assembly_format = (
        "$input `kernel` $kernel (`strides` $strides^)? (`pads` $pads^)? (`dilations` $dilations^)? "
        "(`ceil_mode` $ceil_mode^)? attr-dict `:` type($input) `->` type($out)"
    )

    def __init__(
        self,
        input: SSAValue,
        kernel: Sequence[int],
        *,
        strides: Sequence[int] = (1, 1),
        pads: Sequence[int] = (0, 0, 0, 0),
        dilations: Sequence[int] = (1, 1),
        ceil_mode: bool = False,
    ):
        type = pool2d_type(type_of_value(input), kernel, strides, pads, dilations, ceil_mode)
        super().__init__(
            operands=[input],
            result_types=[type],
            properties={
                "kernel": integers(kernel),
                "strides": integers(strides),
                "pads": integers(pads),
                "dilations": integers(dilations),
                "ceil_mode": flag(ceil_mode),
            },
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The batch and channels of the input, and the number of windows."""
        return (
            pool2d_type(
                type_of_value(self.input),
                self.kernel.get_values(),
                self.strides.get_values(),
                self.pads.get_values(),
                self.dilations.get_values(),
                self.ceil_mode is not None,
            ),
        )

    @override
    def requirements(self) -> tuple[Expr, ...]:
        """A window fits."""
        extents = dims_of(type_of_value(self.input))[2:]
        return window_requirements(
            extents, self.kernel.get_values(), self.pads.get_values(), self.dilations.get_values()
        )


@irdl_op_definition
class MaxPool2dOp(Pool2dOp):
    """
    The largest element of each window; NaN if the window has one. Padding is never the largest.

    ```mlir
    %y = graph.max_pool2d %x kernel [2, 2] strides [2, 2] : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
    ```
    """

    name = "graph.max_pool2d"


@irdl_op_definition
class AvgPool2dOp(Pool2dOp):
    """
    The mean of each window: of its elements inside the image, or with `count_include_pad` of those in the padding too.

    ```mlir
    %y = graph.avg_pool2d %x kernel [3, 3] strides [2, 2] count_include_pad : tensor<1x3x9x9xf32> -> tensor<1x3x4x4xf32>
    ```
    """

    name = "graph.avg_pool2d"

    input = operand_def(FloatTensor)
    count_include_pad = opt_prop_def(UnitAttr)
    out = result_def(FloatTensor)

    assembly_format = (
        "$input `kernel` $kernel (`strides` $strides^)? (`pads` $pads^)? (`dilations` $dilations^)? "
        "(`ceil_mode` $ceil_mode^)? (`count_include_pad` $count_include_pad^)? attr-dict "
        "`:` type($input) `->` type($out)"
    )

    def __init__(
        self,
        input: SSAValue,
        kernel: Sequence[int],
        *,
        strides: Sequence[int] = (1, 1),
        pads: Sequence[int] = (0, 0, 0, 0),
        dilations: Sequence[int] = (1, 1),
        ceil_mode: bool = False,
        count_include_pad: bool = False,
    ):
        super().__init__(input, kernel, strides=strides, pads=pads, dilations=dilations, ceil_mode=ceil_mode)
        if count_include_pad:
            self.count_include_pad = UnitAttr()
