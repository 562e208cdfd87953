"""Accesses of several elements at once: loads, stores, and their masked, strided and gathered forms."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, VectorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from ..loop.access import buffer_type
from ..loop.access_op import BufferAccessOp, BufferReadOp, pack_access, parse_guard
from ..loop.maps import parse_optional_pad
from .vectors import Vector, as_vector, lanes_of, parse_vector, vector_type, verify_mask

STRIDE = "stride"


class AccessOp(BufferAccessOp, ABC):
    """An access of the lanes of one vector."""

    @property
    def vector(self) -> VectorType[Attribute]:
        """The type of what is read or written."""
        return as_vector(self.results[0].type if self.results else self.operands[len(self.OPERANDS) - 1].type)

    def verify_(self) -> None:
        """Element type, a dim to go along."""
        super().verify_()
        if not self.indices.exprs:
            raise VerifyException("a buffer of rank 0 has one element: not for a vector")
        element = buffer_type(self.buffer).element_type
        if self.vector.element_type != element:
            raise VerifyException(f"{self.vector} from or to a buffer of {element}")


class ReadOp(AccessOp, BufferReadOp, ABC):
    """An access that gives a vector; where a guard fails, the value after `else` in every lane."""

    out = result_def(Vector)

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        operands: Sequence[SSAValue],
        indices: Sequence[Expr],
        type: VectorType[Attribute],
        guard: Sequence[Expr] = (),
        pad: Attribute | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ):
        """Build a read from its leading operands and the buffer."""
        index_operands, places = pack_access(indices, guard)
        super().__init__(
            operands=[*operands, index_operands],
            properties={**places, "pad": pad, **(properties or {})},
            result_types=[type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%b[%i] if (…) else 0.0 : f32 : vector<8xf32>`."""
        operands, indices = cls.parse_place(parser)
        properties = cls.parse_properties(parser)
        guard = parse_guard(parser)
        pad = parse_optional_pad(parser)
        return cls(operands, indices, parse_vector(parser), guard, pad, properties)

    @classmethod
    def parse_properties(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse what stands behind the index."""
        return {}

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        self.print_place(printer)
        self.print_properties(printer)
        self.print_guard(printer)
        self.print_pad(printer)
        printer.print_string(" : ")
        printer.print_attribute(self.out.type)

    def print_properties(self, printer: Printer) -> None:
        """Print what stands behind the index."""


@irdl_op_definition
class LoadOp(ReadOp):
    """
    The element at an index and those behind it, one for each lane.

    ```mlir
    // %b : memref<4x16xf32>
    %v = simd.load %b[%i, %j * 8] : vector<8xf32>
    ```
    """

    name = "simd.load"


@irdl_op_definition
class StridedLoadOp(ReadOp):
    """
    Lane `l` is the element `l * stride` behind the one at an index.

    ```mlir
    // %b : memref<64xf32>
    %v = simd.strided_load %b[%i * 2] stride 2 : vector<8xf32>
    ```
    """

    name = "simd.strided_load"

    stride = prop_def(IntegerAttr)

    @classmethod
    def parse_properties(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse `stride 2`."""
        parser.parse_keyword(STRIDE)
        return {STRIDE: IntegerAttr(parser.parse_integer(allow_boolean=False), i64)}

    def print_properties(self, printer: Printer) -> None:
        """Print `stride 2`."""
        printer.print_string(f" {STRIDE} {self.stride.value.data}")

    def verify_(self) -> None:
        """A stride of at least 2."""
        super().verify_()
        if self.stride.value.data < 2:
            raise VerifyException(f"a stride of {self.stride.value.data}: must be at least 2")


@irdl_op_definition
class GatherOp(ReadOp):
    """
    Lane `l` is the element that stands `offsets[l]` behind the one at an index.

    ```mlir
    // %offsets : vector<8xi64>, %b : memref<64xf32>
    %v = simd.gather %offsets, %b[%i] : vector<8xf32>
    ```
    """

    name = "simd.gather"
    OPERANDS: ClassVar[tuple[str, ...]] = ("offsets",)

    offsets = operand_def(Vector)

    def verify_(self) -> None:
        """Integer offsets, one for each lane."""
        super().verify_()
        offsets = vector_type(self.offsets)
        if lanes_of(self.offsets) != lanes_of(self.out):
            raise VerifyException(f"{lanes_of(self.offsets)} offsets for {lanes_of(self.out)} lanes")
        if not isinstance(offsets.element_type, IntegerType | IndexType):
            raise VerifyException(f"offsets are integers, not {offsets.element_type}")


@irdl_op_definition
class MaskedLoadOp(ReadOp):
    """
    The elements at and behind an index in the lanes that are on, the value after `else` in those that are off.

    The memory of lanes that are off is not touched.

    ```mlir
    // %m : vector<8xi1>, %b : memref<64xf32>
    %v = simd.masked_load %m, %b[%i] else 0.0 : f32 : vector<8xf32>
    ```
    """

    name = "simd.masked_load"
    OPERANDS: ClassVar[tuple[str, ...]] = ("mask",)

    mask = operand_def(Vector)

    def needs_pad(self) -> bool:
        """Lanes may be off."""
        return True

    def verify_(self) -> None:
        """A mask with as many lanes."""
        super().verify_()
        verify_mask(self.mask, lanes_of(self.out))


class WriteOp(AccessOp, ABC):
    """An access that writes a vector, if every guard is at least zero."""

    OPERANDS: ClassVar[tuple[str, ...]] = ("value",)

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, operands: Sequence[SSAValue], indices: Sequence[Expr], guard: Sequence[Expr] = ()):
        """Build a write from its leading operands and the buffer."""
        index_operands, properties = pack_access(indices, guard)
        super().__init__(operands=[*operands, index_operands], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%v, %b[%i] if (…)`."""
        operands, indices = cls.parse_place(parser)
        return cls(operands, indices, parse_guard(parser))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        self.print_place(printer)
        self.print_guard(printer)


@irdl_op_definition
class StoreOp(WriteOp):
    """
    Set the element at an index and those behind it, one from each lane.

    ```mlir
    // %v : vector<8xf32>, %b : memref<4x16xf32>
    simd.store %v, %b[%i, %j * 8] if (%n - %i - 1 >= 0)
    ```
    """

    name = "simd.store"

    value = operand_def(Vector)


@irdl_op_definition
class MaskedStoreOp(WriteOp):
    """
    Set the elements at and behind an index from the lanes that are on.

    ```mlir
    // %m : vector<8xi1>, %v : vector<8xf32>, %b : memref<64xf32>
    simd.masked_store %m, %v, %b[%i]
    ```
    """

    name = "simd.masked_store"
    OPERANDS: ClassVar[tuple[str, ...]] = ("mask", "value")

    mask = operand_def(Vector)
    value = operand_def(Vector)

    def verify_(self) -> None:
        """A mask with as many lanes."""
        super().verify_()
        verify_mask(self.mask, lanes_of(self.value))
