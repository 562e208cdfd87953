"""Ops that move elements and compute none: permuting, reshaping, repeating, joining."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from typing_extensions import override
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, Variable, as_expr, floordiv, mod
from .dims import Dim, DimsAttr, Tensor, as_dim, dims_of, product, shape_text, type_of_value, with_dims
from .inference import LOCAL, Solver, check_from_front, normal_axis, same_element_type
from .op import AnyTensor, GraphOp, Integer, Integers, integer, integers


def permute_dims_type(input: Tensor, permutation: Sequence[int]) -> Tensor:
    """The type of a permutation: axis `i` of the result is axis `permutation[i]` of the operand."""
    sizes = dims_of(input)
    if sorted(permutation) != list(range(len(sizes))):
        raise VerifyException(f"{list(permutation)} is no permutation of {len(sizes)} axes")
    return with_dims(input, [sizes[axis] for axis in permutation])


def sizes_by_axis(type: Tensor) -> tuple[Dim, ...]:
    """The sizes of a tensor, with `d<i>` for one that is unknown: still equal to itself."""
    return tuple(Expr.atom(axis) if size is None else size for axis, size in enumerate(dims_of(type)))


def known(size: Dim) -> Dim:
    """A size that does not depend on an unknown one; else None."""
    unknown = isinstance(size, Expr) and any(isinstance(variable, int) for variable in size.variables())
    return None if unknown else size


def resolve_dims(target: DimsAttr, sizes: Sequence[Dim]) -> tuple[Dim, ...]:
    """The target of a reshape or broadcast with `d<i>` replaced by the sizes of the operand."""
    by_axis: dict[Variable, Expr] = {axis: as_expr(size) for axis, size in enumerate(sizes) if size is not None}
    for variable in target.variables():
        if isinstance(variable, int) and variable >= len(sizes):
            raise VerifyException(f"d{variable} is out of range for an operand of rank {len(sizes)}")
    resolved = target.substitute(by_axis).data
    for size in resolved:
        if isinstance(size, int) and size < 0:
            raise VerifyException(f"a size is never negative, found {size}")
    return resolved


def remaining_factors(sizes: Sequence[Dim], others: Sequence[Dim]) -> tuple[Dim, Dim]:
    """The number of elements of a shape and what all `others` make of it; equal factors cancel."""
    left, right = list(sizes), list(others)
    for size in others:
        if size in left:
            left.remove(size)
            right.remove(size)
    return product(left), product(right)


def remaining_size(sizes: Sequence[Dim], others: Sequence[Dim]) -> Dim:
    """The size that times all `others` makes as many elements as `sizes`."""
    total, divisor = remaining_factors(sizes, others)
    if total is None or divisor is None:
        return None
    if divisor == 0:
        raise VerifyException(f"the remaining size of {shape_text(sizes)} is not known beside a size 0")
    if isinstance(total, int) and isinstance(divisor, int) and total % divisor:
        raise VerifyException(f"{total} elements do not fill a shape with {divisor} in the other axes")
    return as_dim(floordiv(as_expr(total), as_expr(divisor)))


def reshape_type(input: Tensor, target: DimsAttr, solver: Solver = LOCAL) -> Tensor:
    """The type of a reshape to `target`, whose one `?` is the size that remains; the number of elements stays."""
    sizes = sizes_by_axis(input)
    resolved = list(resolve_dims(target, sizes))
    if target.data.count(None) > 1:
        raise VerifyException(f"at most one size of a reshape is inferred, found {shape_text(target.data)}")
    if None in target.data:
        axis = target.data.index(None)
        resolved[axis] = remaining_size(sizes, resolved[:axis] + resolved[axis + 1 :])
    else:
        solver.same_count(known(product(sizes)), known(product(resolved)), "numbers of elements before and after")
    return with_dims(input, list(map(known, resolved)))


def reshape_requirements(input: Tensor, target: DimsAttr) -> tuple[Expr, ...]:
    """That a reshape keeps the number of elements, where that does not follow from the types."""
    sizes = sizes_by_axis(input)
    resolved = list(map(known, resolve_dims(target, sizes)))
    if None in target.data:
        axis = target.data.index(None)
        total, divisor = remaining_factors(list(map(known, sizes)), resolved[:axis] + resolved[axis + 1 :])
        if total is None or divisor is None:
            return ()
        # what remains is rounded down, so that at most elements would be lost; 0 divides nothing but 0
        if isinstance(divisor, int):
            return (-mod(as_expr(total), divisor),)
        return (floordiv(as_expr(total), divisor) * divisor - total,)
    before, after = product(list(map(known, sizes))), product(resolved)
    if before is None or after is None:
        return ()
    difference = as_expr(before) - after
    return (difference, -difference)


def broadcast_to_type(input: Tensor, target: DimsAttr, solver: Solver = LOCAL) -> Tensor:
    """The type of a broadcast to `target`: every axis of the operand is 1 or the size there."""
    sizes = dims_of(input)
    if None in target.data:
        raise VerifyException(f"every size of a broadcast is given, found {shape_text(target.data)}")
    resolved = list(map(known, resolve_dims(target, sizes_by_axis(input))))
    if len(resolved) < len(sizes):
        raise VerifyException(f"{shape_text(sizes)} does not broadcast to {shape_text(resolved)}")
    for axis, size in enumerate(sizes, len(resolved) - len(sizes)):
        if size == 1:
            continue
        what = f"sizes on axis {axis} of {shape_text(sizes)} and {shape_text(resolved)}"
        certain = isinstance(size, int) or resolved[axis] == 1
        merged = (solver.same if certain else solver.broadcast)(resolved[axis], size, what)
        resolved[axis] = resolved[axis] if merged is None else merged
    return with_dims(input, resolved)


def concat_type(inputs: Sequence[Tensor], axis: int, solver: Solver = LOCAL) -> Tensor:
    """The type of a concatenation: sizes add up along the axis and agree elsewhere."""
    if not inputs:
        raise VerifyException("nothing to concatenate")
    same_element_type(inputs)
    result = list(dims_of(inputs[0]))
    axis = normal_axis(axis, len(result))
    for other in inputs[1:]:
        sizes = dims_of(other)
        if len(sizes) != len(result):
            raise VerifyException(f"ranks differ: {shape_text(result)} and {shape_text(sizes)}")
        for i, size in enumerate(sizes):
            here = result[i]
            if i == axis:
                result[i] = None if here is None or size is None else as_dim(as_expr(here) + size)
            else:
                result[i] = solver.same(here, size, f"sizes on axis {i}")
    return with_dims(inputs[0], result)


@irdl_op_definition
class PermuteDimsOp(GraphOp, HasFolderInterface):
    """
    Reorder axes: axis `i` of the result is axis `permutation[i]` of the operand.

    ```mlir
    %y = graph.permute_dims %x [1, 0] : tensor<128x784xf32> -> tensor<784x128xf32>
    ```
    """

    name = "graph.permute_dims"

    input = operand_def(AnyTensor)
    permutation = prop_def(Integers)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = "$input $permutation attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue, permutation: Sequence[int] | None = None):
        if permutation is None:
            permutation = tuple(reversed(range(type_of_value(input).get_num_dims())))
        super().__init__(
            operands=[input],
            result_types=[permute_dims_type(type_of_value(input), permutation)],
            properties={"permutation": integers(permutation)},
        )

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The sizes of the operand, reordered."""
        return (permute_dims_type(type_of_value(self.input), self.permutation.get_values()),)

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """Axes in the order that they have: the operand itself."""
        axes = self.permutation.get_values()
        return (self.input,) if list(axes) == sorted(axes) and self.input.type == self.out.type else None


class TargetShapeOp(GraphOp, HasFolderInterface, ABC):
    """An op that says the shape of its result, in sizes of the operand and symbols."""

    input = operand_def(AnyTensor)
    shape = prop_def(DimsAttr)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = "$input `to` $shape attr-dict `:` type($input) `->` type($out)"

    def __init__(self, input: SSAValue, shape: Sequence[Dim] | DimsAttr):
        target = shape if isinstance(shape, DimsAttr) else DimsAttr(shape)
        type = self.target_type(type_of_value(input), target)
        super().__init__(operands=[input], result_types=[type], properties={"shape": target})

    @staticmethod
    @abstractmethod
    def target_type(input: Tensor, target: DimsAttr, solver: Solver = LOCAL) -> Tensor:
        """The type of the result."""

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """The target shape, resolved."""
        return (self.target_type(type_of_value(self.input), self.shape, solver),)

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """The shape that the operand has, all of it known: the operand itself."""
        unchanged = self.input.type == self.out.type and None not in dims_of(type_of_value(self.out))
        return (self.input,) if unchanged else None


@irdl_op_definition
class ReshapeOp(TargetShapeOp):
    """
    The same elements in the same order in another shape; `d<i>` is a size of the operand, `?` the size that remains.

    ```mlir
    %y = graph.reshape %x to <d0, ?> : tensor<2x3x4xf32> -> tensor<2x12xf32>
    ```
    """

    name = "graph.reshape"

    target_type = staticmethod(reshape_type)

    @override
    def requirements(self) -> tuple[Expr, ...]:
        """As many elements after as before."""
        return reshape_requirements(type_of_value(self.input), self.shape)


@irdl_op_definition
class BroadcastToOp(TargetShapeOp):
    """
    Repeat the operand along axes where it has size 1 or none; `d<i>` is a size of the operand.

    ```mlir
    %y = graph.broadcast_to %x to <4, d1> : tensor<1x3xf32> -> tensor<4x3xf32>
    ```
    """

    name = "graph.broadcast_to"

    target_type = staticmethod(broadcast_to_type)


@irdl_op_definition
class ConcatOp(GraphOp, HasFolderInterface):
    """
    Put tensors one after the other along an axis.

    ```mlir
    %y = graph.concat %a, %b axis 1 : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x7xf32>
    ```
    """

    name = "graph.concat"

    inputs = var_operand_def(AnyTensor)
    axis = prop_def(Integer)
    out = result_def(AnyTensor)

    traits = traits_def(Pure())
    assembly_format = "$inputs `axis` $axis attr-dict `:` type($inputs) `->` type($out)"

    def __init__(self, inputs: Sequence[SSAValue], axis: int):
        type = concat_type([type_of_value(value) for value in inputs], axis)
        normal = normal_axis(axis, type.get_num_dims())
        super().__init__(operands=[inputs], result_types=[type], properties={"axis": integer(normal)})

    def infer_result_types(self, solver: Solver = LOCAL) -> tuple[Tensor, ...]:
        """Sizes added up along the axis, the same elsewhere."""
        return (concat_type(self.operand_tensors(), self.axis.value.data, solver),)

    @override
    def verify_(self) -> None:
        super().verify_()
        check_from_front((self.axis.value.data,))

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """One tensor alone is itself."""
        return tuple(self.inputs) if len(self.inputs) == 1 and self.inputs[0].type == self.out.type else None
