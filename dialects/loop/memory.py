"""Buffers: alloc, shape, view, and the dims of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from ..element_types import is_element
from ..expr import Expr
from .access import buffer_type
from .attributes import SCOPES
from .maps import (
    IndexedOp,
    MapAttr,
    pack,
    parse_index_expr,
    parse_index_exprs,
    print_index_exprs,
    resolve_buffer,
)


def dynamic_dims(type: MemRefType[Attribute]) -> int:
    """How many dims of a memref are known at run time only."""
    return sum(d == DYNAMIC_INDEX for d in type.get_shape())


def _verify_elements(type: MemRefType[Attribute]) -> int:
    """That arrays can hold the elements of a new buffer; how many of its dims are dynamic."""
    if not is_element(type):
        raise VerifyException(f"no buffer can hold {type.element_type}, found {type}")
    return dynamic_dims(type)


@irdl_op_definition
class AllocOp(IndexedOp, IRDLOperation):
    """
    A new buffer with unknown contents; one size for each dynamic dim.

    Scopes: `global` lives as long as the function (and is given a place in the arena), `local` for one iteration of
    the enclosing loop, `register` becomes SSA values.

    ```mlir
    %t = loop.alloc "global" [%n * 4] : memref<?x16xf32>
    ```
    """

    name = "loop.alloc"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("sizes",)

    index_operands = var_operand_def(IndexType())
    scope = prop_def(StringAttr)
    sizes = prop_def(MapAttr)
    buffer = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect())

    def __init__(self, scope: str, type: MemRefType[Attribute], sizes: Sequence[Expr] = ()):
        operands, (attr,) = pack(sizes)
        super().__init__(
            operands=[operands], properties={"scope": StringAttr(scope), "sizes": attr}, result_types=[type]
        )

    @property
    def shape_exprs(self) -> tuple[Expr, ...]:
        """The size of every dim, constants included."""
        return full_shape(buffer_type(self.buffer), self.index_exprs("sizes"))

    def verify_(self) -> None:
        """Scope and number of sizes."""
        self.verify_maps()
        if self.scope.data not in SCOPES:
            raise VerifyException(f"scope '{self.scope.data}': must be one of {', '.join(SCOPES)}")
        dynamic = _verify_elements(buffer_type(self.buffer))
        if len(self.sizes.exprs) != dynamic:
            raise VerifyException(f"{len(self.sizes.exprs)} sizes for {dynamic} dynamic dims")
        if dynamic and self.scope.data == "register":
            raise VerifyException("a register buffer must have constant dims")

    @classmethod
    def parse(cls, parser: Parser) -> AllocOp:
        """Parse `"global" [%n] : memref<?xf32>`."""
        scope = parser.parse_str_literal(": the scope of a buffer")
        sizes: list[Expr] = []
        if parser.parse_optional_punctuation("["):
            sizes.append(parse_index_expr(parser))
            while parser.parse_optional_punctuation(","):
                sizes.append(parse_index_expr(parser))
            parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        op = cls(scope, _parse_memref(parser), sizes)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_string_literal(self.scope.data)
        if self.sizes.exprs:
            printer.print_string(" ")
            print_index_exprs(printer, self.index_exprs("sizes"))
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)


def _parse_memref(parser: Parser) -> MemRefType[Attribute]:
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, MemRefType):
        parser.raise_error(f"a buffer is a memref, not {type}", position, parser.pos)
    return cast("MemRefType[Attribute]", type)


def full_shape(type: MemRefType[Attribute], dynamic: Sequence[Expr]) -> tuple[Expr, ...]:
    """The dims of a memref as expressions, its dynamic ones taken from `dynamic` in order."""
    sizes = iter(dynamic)
    return tuple(next(sizes) if d == DYNAMIC_INDEX else Expr.constant(d) for d in type.get_shape())


@irdl_op_definition
class ShapeOp(IndexedOp, IRDLOperation):
    """
    Say the dims of a buffer with dynamic dims; its strides, and the bounds of its accesses, come from here.

    One per dynamic argument; checked where the function is entered.

    ```mlir
    // %x : memref<?x?xf32>
    loop.shape %x[%m, %n * 4]
    ```
    """

    name = "loop.shape"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("dims",)

    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    dims = prop_def(MapAttr)

    # writing keeps it from being dropped or moved: it is a promise about its buffer
    traits = traits_def(MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, dims: Sequence[Expr]):
        operands, (attr,) = pack(dims)
        super().__init__(operands=[buffer, operands], properties={"dims": attr})

    @property
    def index_start(self) -> int:
        """The buffer stands first."""
        return 1

    @property
    def dim_exprs(self) -> tuple[Expr, ...]:
        """The size of every dim."""
        return self.index_exprs("dims")

    def verify_(self) -> None:
        """Rank and constant dims."""
        self.verify_maps()
        shape = buffer_type(self.buffer).get_shape()
        if len(self.dims.exprs) != len(shape):
            raise VerifyException(f"{len(self.dims.exprs)} dims for a buffer of rank {len(shape)}")
        for n, (declared, e) in enumerate(zip(shape, self.dims.exprs, strict=True)):
            if declared != DYNAMIC_INDEX and e.value != declared:
                raise VerifyException(f"dim {n} of the buffer is {declared}, but the shape says otherwise")

    @classmethod
    def parse(cls, parser: Parser) -> ShapeOp:
        """Parse `%x[%m, %n * 4]`."""
        buffer = resolve_buffer(parser)
        return cls(buffer, parse_index_exprs(parser))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.dim_exprs)


def buffer_shape(buffer: SSAValue) -> tuple[Expr, ...] | None:
    """
    The dims of a buffer as expressions over index values: from its type, its alloc or view, or its `loop.shape`.

    None where a dynamic argument has no `loop.shape`.
    """
    type = buffer_type(buffer)
    if not dynamic_dims(type):
        return full_shape(type, ())
    owner = buffer.owner
    if isinstance(owner, AllocOp | ViewOp):
        return owner.shape_exprs
    for use in buffer.uses:
        if isinstance(use.operation, ShapeOp):
            return use.operation.dim_exprs
    return None


@irdl_op_definition
class ViewOp(IndexedOp, IRDLOperation):
    """
    A typed buffer at a byte offset of the workspace; one size for each dynamic dim.

    ```mlir
    // %ws : memref<?xi8>
    %t = loop.view %ws[%n * 64 + 128] sizes [%n] : memref<?x16xf32>
    ```
    """

    name = "loop.view"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("offset", "sizes")

    workspace = operand_def(MemRefType.constr(element_type=IntegerType(8)))
    index_operands = var_operand_def(IndexType())
    offset = prop_def(MapAttr)
    sizes = prop_def(MapAttr)
    buffer = result_def(MemRefType)

    traits = traits_def(Pure())

    def __init__(self, workspace: SSAValue, offset: Expr, type: MemRefType[Attribute], sizes: Sequence[Expr] = ()):
        operands, (offset_map, size_map) = pack((offset,), sizes)
        super().__init__(
            operands=[workspace, operands],
            properties={"offset": offset_map, "sizes": size_map},
            result_types=[type],
        )

    @property
    def index_start(self) -> int:
        """The workspace stands first."""
        return 1

    @property
    def offset_expr(self) -> Expr:
        """Where the buffer begins, in bytes."""
        return self.index_exprs("offset")[0]

    @property
    def shape_exprs(self) -> tuple[Expr, ...]:
        """The size of every dim, constants included."""
        return full_shape(buffer_type(self.buffer), self.index_exprs("sizes"))

    def verify_(self) -> None:
        """One offset, a size for each dynamic dim."""
        self.verify_maps()
        if len(self.offset.exprs) != 1:
            raise VerifyException(f"{len(self.offset.exprs)} offsets: must be one")
        dynamic = _verify_elements(buffer_type(self.buffer))
        if len(self.sizes.exprs) != dynamic:
            raise VerifyException(f"{len(self.sizes.exprs)} sizes for {dynamic} dynamic dims")

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        """Parse `%ws[%n * 64] sizes [%n] : memref<?xf32>`."""
        workspace = resolve_buffer(parser)
        offsets = parse_index_exprs(parser)
        if len(offsets) != 1:
            parser.raise_error("one byte offset expected")
        sizes = parse_index_exprs(parser) if parser.parse_optional_keyword("sizes") else []
        parser.parse_punctuation(":")
        return cls(workspace, offsets[0], _parse_memref(parser), sizes)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.workspace)
        print_index_exprs(printer, [self.offset_expr])
        if self.sizes.exprs:
            printer.print_string(" sizes ")
            print_index_exprs(printer, self.index_exprs("sizes"))
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
