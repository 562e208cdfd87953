"""Constant buffers of a module, by name."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FlatSymbolRefAttrConstr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..array import ConstantArrayAttr
from ..element_types import bits_of


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """
    A constant buffer of the module, by name.

    ```mlir
    loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>
    ```
    """

    name = "loop.global"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(MemRefType)
    value = prop_def(Attribute)

    traits = traits_def(SymbolOpInterface())

    assembly_format = "$sym_name `:` $type `=` $value attr-dict"

    def __init__(self, sym_name: str, type: MemRefType[Attribute], value: Attribute):
        super().__init__(properties={"sym_name": StringAttr(sym_name), "type": type, "value": value})

    def verify_(self) -> None:
        """The array has as many elements as the buffer, and as wide ones: unsigned ones are stored by their bits."""
        if not isinstance(self.value, ConstantArrayAttr):
            raise VerifyException(f"the value of a global is an array, not {self.value}")
        buffer, found = self.type, self.value.type
        if DYNAMIC_INDEX in buffer.get_shape():
            raise VerifyException(f"a global has constant dims, not {buffer}")
        if (prod(buffer.get_shape()), bits_of(buffer)) != (prod(found.get_shape()), bits_of(found)):
            raise VerifyException(f"holds {prod(found.get_shape())} elements of {found.element_type}, not {buffer}")


@irdl_op_definition
class GetGlobalOp(IRDLOperation):
    """
    The buffer of a `loop.global`.

    ```mlir
    %w = loop.get_global @w : memref<2xf32>
    ```
    """

    name = "loop.get_global"

    global_name = prop_def(FlatSymbolRefAttrConstr)
    buffer = result_def(MemRefType)

    traits = traits_def(Pure())

    assembly_format = "$global_name attr-dict `:` type($buffer)"

    def __init__(self, global_name: str, type: MemRefType[Attribute]):
        super().__init__(properties={"global_name": SymbolRefAttr(global_name)}, result_types=[type])

    def verify_symbols(self, look_up: Callable[[SymbolRefAttr], Operation | None]) -> None:
        """Refuse a symbol that is no global, or one of another type."""
        found = look_up(self.global_name)
        if not isinstance(found, GlobalOp):
            raise VerifyException(f"{self.global_name} is no loop.global")
        if found.type != self.buffer.type:
            raise VerifyException(f"{self.global_name} is {found.type}, not {self.buffer.type}")


def defining_global(get: GetGlobalOp) -> GlobalOp | None:
    """The `loop.global` that `get` names in its module, or None."""
    root: Operation = get
    while (parent := root.parent_op()) is not None:
        root = parent
    name = get.global_name.root_reference.data
    for op in root.regions[0].block.ops:
        if isinstance(op, GlobalOp) and op.sym_name.data == name:
            return op
    return None
