"""Buffers and their elements: alloc, shape, view, globals, and the scalar accesses below the block level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FlatSymbolRefAttrConstr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from .attributes import SCOPES
from .block import buffer_type
from .maps import (
    IndexedOp,
    MapAttr,
    expr_list,
    pack,
    parse_conditions,
    parse_index_expr,
    parse_index_exprs,
    parse_optional_pad,
    print_conditions,
    print_index_exprs,
    resolve_defined,
)


def dynamic_dims(type: MemRefType[Attribute]) -> int:
    """How many dims of a memref are known at run time only."""
    return sum(d == DYNAMIC_INDEX for d in type.get_shape())


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
    def index_start(self) -> int:
        """All operands are index values."""
        return 0

    @property
    def shape_exprs(self) -> tuple[Expr, ...]:
        """The size of every dim, constants included."""
        return full_shape(buffer_type(self.buffer), self.index_exprs("sizes"))

    def verify_(self) -> None:
        """Scope and number of sizes."""
        self.verify_maps()
        if self.scope.data not in SCOPES:
            raise VerifyException(f"scope '{self.scope.data}': must be one of {', '.join(SCOPES)}")
        dynamic = dynamic_dims(buffer_type(self.buffer))
        if len(self.sizes.exprs) != dynamic:
            raise VerifyException(f"{len(self.sizes.exprs)} sizes for {dynamic} dynamic dims")
        if dynamic and self.scope.data == "register":
            raise VerifyException("a register buffer must have constant dims")

    @classmethod
    def parse(cls, parser: Parser) -> AllocOp:
        """Parse `"global" [%n] : memref<?xf32>`."""
        scope = parser.parse_str_literal("scope")
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
        buffer = resolve_defined(parser, "buffer")
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
class LoadOp(IndexedOp, IRDLOperation):
    """
    The element at an index; where a guard is below zero, the value after `else`, and memory is not touched.

    ```mlir
    // %b : memref<8xf32>
    %v = loop.load %b[%i - 1] if (%i - 1 >= 0) else 0.0 : f32
    ```
    """

    name = "loop.load"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("indices", "guard")

    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    indices = prop_def(MapAttr)
    guard = opt_prop_def(MapAttr)
    pad = opt_prop_def()
    out = result_def()

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        buffer: SSAValue,
        indices: Sequence[Expr],
        guard: Sequence[Expr] = (),
        pad: Attribute | None = None,
    ):
        operands, (index_map, guard_map) = pack(indices, guard)
        super().__init__(
            operands=[buffer, operands],
            properties={"indices": index_map, "guard": guard_map if guard else None, "pad": pad},
            result_types=[buffer_type(buffer).element_type],
        )

    @property
    def index_start(self) -> int:
        """The buffer stands first."""
        return 1

    @property
    def index(self) -> tuple[Expr, ...]:
        """Where the element is."""
        return self.index_exprs("indices")

    @property
    def guard_exprs(self) -> tuple[Expr, ...]:
        """Expressions that must all be at least zero for memory to be read."""
        return self.index_exprs("guard")

    def verify_(self) -> None:
        """Rank, type, guard with value."""
        self.verify_maps()
        verify_rank(self.buffer, self.indices)
        if self.out.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"loads {self.out.type} from a buffer of {buffer_type(self.buffer).element_type}")
        if (self.guard is None) != (self.pad is None):
            raise VerifyException("a guard and a value after else come together")
        if self.pad is not None and getattr(self.pad, "type", None) != self.out.type:
            raise VerifyException(f"the value after else, {self.pad}, has not the element type {self.out.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        """Parse `%b[%i] if (…) else v : f32`."""
        buffer = resolve_defined(parser, "buffer")
        indices = parse_index_exprs(parser)
        guard: list[Expr] = []
        pad = None
        if parser.parse_optional_keyword("if"):
            guard = parse_conditions(parser)
            pad = parse_optional_pad(parser)
        position = parser.pos
        if pad is None:
            parser.parse_punctuation(":")
            type = parser.parse_type()
        else:
            type = getattr(pad, "type", None)
        if isinstance(buffer.type, MemRefType) and buffer_type(buffer).element_type != type:
            parser.raise_error(f"the buffer holds {buffer_type(buffer).element_type}, not {type}", position, parser.pos)
        return cls(buffer, indices, guard, pad)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.index)
        if self.guard is not None:
            printer.print_string(" if ")
            print_conditions(printer, self.guard_exprs)
        if self.pad is not None:
            printer.print_string(" else ")
            printer.print_attribute(self.pad)
        else:
            printer.print_string(" : ")
            printer.print_attribute(self.out.type)


@irdl_op_definition
class StoreOp(IndexedOp, IRDLOperation):
    """
    Set the element at an index, if every guard is at least zero.

    ```mlir
    // %v : f32, %b : memref<8xf32>
    loop.store %v, %b[%i] if (%n - %i - 1 >= 0)
    ```
    """

    name = "loop.store"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("indices", "guard")

    value = operand_def()
    buffer = operand_def(MemRefType)
    index_operands = var_operand_def(IndexType())
    indices = prop_def(MapAttr)
    guard = opt_prop_def(MapAttr)

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, value: SSAValue, buffer: SSAValue, indices: Sequence[Expr], guard: Sequence[Expr] = ()):
        operands, (index_map, guard_map) = pack(indices, guard)
        super().__init__(
            operands=[value, buffer, operands],
            properties={"indices": index_map, "guard": guard_map if guard else None},
        )

    @property
    def index_start(self) -> int:
        """The value and the buffer stand first."""
        return 2

    @property
    def index(self) -> tuple[Expr, ...]:
        """Where the element goes."""
        return self.index_exprs("indices")

    @property
    def guard_exprs(self) -> tuple[Expr, ...]:
        """Expressions that must all be at least zero for memory to be written."""
        return self.index_exprs("guard")

    def verify_(self) -> None:
        """Rank and type."""
        self.verify_maps()
        verify_rank(self.buffer, self.indices)
        if self.value.type != buffer_type(self.buffer).element_type:
            raise VerifyException(f"stores {self.value.type} to a buffer of {buffer_type(self.buffer).element_type}")

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        """Parse `%v, %b[%i] if (…)`."""
        value = resolve_defined(parser, "value")
        parser.parse_punctuation(",")
        buffer = resolve_defined(parser, "buffer")
        indices = parse_index_exprs(parser)
        guard = parse_conditions(parser) if parser.parse_optional_keyword("if") else []
        return cls(value, buffer, indices, guard)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.buffer)
        print_index_exprs(printer, self.index)
        if self.guard is not None:
            printer.print_string(" if ")
            print_conditions(printer, self.guard_exprs)


def verify_rank(buffer: SSAValue, indices: MapAttr) -> None:
    """As many indices as the buffer has dims."""
    rank = buffer_type(buffer).get_num_dims()
    if len(indices.exprs) != rank:
        raise VerifyException(f"{len(indices.exprs)} indices for a buffer of rank {rank}")


@irdl_op_definition
class IndexOp(IndexedOp, IRDLOperation):
    """
    The value of an index expression, for where an op needs it as an operand.

    ```mlir
    %e = loop.index %i * 2 + 1
    ```
    """

    name = "loop.index"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("map",)

    index_operands = var_operand_def(IndexType())
    map = prop_def(MapAttr)
    out = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, e: Expr):
        operands, (attr,) = pack((e,))
        super().__init__(operands=[operands], properties={"map": attr}, result_types=[IndexType()])

    @property
    def index_start(self) -> int:
        """All operands are index values."""
        return 0

    @property
    def expr(self) -> Expr:
        """The expression."""
        return self.index_exprs("map")[0]

    def verify_(self) -> None:
        """One expression."""
        self.verify_maps()
        if len(self.map.exprs) != 1:
            raise VerifyException(f"{len(self.map.exprs)} expressions: must be one")

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        """Parse `%i * 2 + 1`."""
        return cls(parse_index_expr(parser))

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(f" {expr_list(printer, [self.expr])}")


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
        dynamic = dynamic_dims(buffer_type(self.buffer))
        if len(self.sizes.exprs) != dynamic:
            raise VerifyException(f"{len(self.sizes.exprs)} sizes for {dynamic} dynamic dims")

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        """Parse `%ws[%n * 64] sizes [%n] : memref<?xf32>`."""
        workspace = resolve_defined(parser, "workspace")
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
