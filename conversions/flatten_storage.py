"""Buffers of any rank to buffers of rank 1: row-major addresses, and padding as conditions that stand by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ..analysis.bounds import Bounds
from ..dialects.array import ConstantArrayAttr
from ..dialects.expr import Expr, Variable
from ..dialects.loop import (
    Access,
    AllocOp,
    BlockOp,
    GetGlobalOp,
    GlobalOp,
    IfOp,
    LoadOp,
    MapAttr,
    ShapeOp,
    StoreOp,
    ViewOp,
    WhileOp,
    YieldOp,
    buffer_shape,
    buffer_type,
)
from ..dialects.loop import ForOp as LoopForOp
from ..dialects.origin import located
from ..dialects.signature import SHAPES
from ..dialects.simd import AccessOp
from ..errors import VerifyError

KNOWN = (AllocOp, BlockOp, GetGlobalOp, LoadOp, StoreOp, ShapeOp, ViewOp, AccessOp, func.CallOp, func.ReturnOp, YieldOp)
"""Ops that use or make buffers and mean the same on flat ones, once their indices are rewritten."""

CARRIERS = (LoopForOp, IfOp, WhileOp)
"""Ops that hand buffers on as they are."""


@dataclass(frozen=True)
class FlattenStoragePass(ModulePass):
    """
    Give every buffer of rank 2 or more rank 1, with row-major addresses in all accesses.

    A read with `else v` and a block with `clip` get the conditions that their bounds were, in the original indices,
    but for those that always hold. Strides of dynamic dims come from `loop.shape`; blocks take them as `param`
    iterators. The dims of buffer arguments are kept in the function's attribute `shapes`.

    Expects: functions over buffers, no tensor left; a `loop.shape` for each dynamic argument.
    Leaves:  accesses of rank 1 (or 0), and no bounds that an access relies on.
    """

    name = "flatten-storage"

    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Flatten functions and globals in place."""
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp)]
        for function in functions:
            _refuse_what_is_unknown(function)
        for function in functions:
            if function.body.blocks:
                _flatten_function(function)
            inputs, outputs = function.function_type.inputs, function.function_type.outputs
            function.properties["function_type"] = FunctionType.from_lists(
                [_flat_type(t) for t in inputs], [_flat_type(t) for t in outputs]
            )
        for global_ in op.body.block.ops:
            if isinstance(global_, GlobalOp):
                _flatten_global(global_)


# -- types --------------------------------------------------------------------------------------------------------


def _flat_type(type: Attribute) -> Attribute:
    """A memref of rank 2 or more as one of rank 1; anything else as it is."""
    if not isinstance(type, MemRefType):
        return type
    memref = cast("MemRefType[Attribute]", type)
    shape = memref.get_shape()
    if len(shape) < 2:
        return memref
    # a size of 0 decides, whatever the others turn out to be
    size = 0 if 0 in shape else DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)
    return MemRefType(memref.element_type, [size], memref.layout, memref.memory_space)


def _flatten_global(op: GlobalOp) -> None:
    type = _flat_type(op.type)
    if type == op.type:
        return
    op.properties["type"] = type
    if isinstance(op.value, ConstantArrayAttr):
        op.properties["value"] = ConstantArrayAttr(op.value.array.reshape(-1))


def _refuse_what_is_unknown(function: func.FuncOp) -> None:
    """Say which op cannot be flattened before anything is changed."""
    for op in function.walk():
        for value in (*op.operands, *op.results):
            type: Attribute = value.type
            if isinstance(type, TensorType):
                raise VerifyError(located(op, "has tensors: convert-calls-to-buffers must run before flatten-storage"))
            if not isinstance(type, MemRefType):
                continue
            if not isinstance(type.layout, NoneAttr):
                raise VerifyError(located(op, f"a buffer with a layout, {type}, cannot be flattened"))
            if not isinstance(op, KNOWN + CARRIERS) and type.get_num_dims() > 1:
                raise VerifyError(located(op, f"uses a buffer {type} in a way that flatten-storage does not know"))


# -- functions ----------------------------------------------------------------------------------------------------


class _Layout:
    """The dims and strides of a buffer before it is flattened."""

    def __init__(self, dims: Sequence[Expr]):
        self.dims = tuple(dims)
        strides = [Expr.constant(1)]
        for dim in self.dims[:0:-1]:
            # without elements any stride will do, but 0 would lose the index
            strides.append(strides[-1] * dim if dim.value != 0 else strides[-1])
        self.strides = tuple(strides[len(self.dims) - 1 :: -1])
        self.size = prod(self.dims, start=Expr.constant(1))

    def address(self, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        """The index into the flat buffer; of a buffer of rank 0 or 1, the index as it is."""
        if len(self.dims) < 2:
            return tuple(indices)
        total = Expr.constant(0)
        for index, stride in zip(indices, self.strides, strict=True):
            total = total + index * stride
        return (total,)

    def inside(self, indices: Sequence[Expr]) -> list[Expr]:
        """What is at least zero exactly where the indices are in bounds."""
        return [e for index, dim in zip(indices, self.dims, strict=True) for e in (index, dim - index - 1)]

    def over(self, positions: Mapping[Variable, Expr]) -> _Layout:
        """The same with index values replaced by positions."""
        return _Layout([dim.substitute(positions) for dim in self.dims])


def _layout_of(buffer: SSAValue, at: Operation) -> _Layout:
    shape = buffer_shape(buffer)
    if shape is None:
        raise VerifyError(located(at, f"buffer of type {buffer.type} has dynamic dims and no loop.shape"))
    return _Layout(shape)


def _flatten_function(function: func.FuncOp) -> None:
    buffers = [v for v in _values(function) if isinstance(v.type, MemRefType)]
    layouts: dict[SSAValue, _Layout] = {}

    def look_at(buffer: SSAValue, at: Operation) -> None:
        if buffer not in layouts:
            layouts[buffer] = _layout_of(buffer, at)

    ops = [op for op in function.walk() if isinstance(op, KNOWN)]
    # all questions first: they are about the buffers as they were
    for op in ops:
        match op:
            case BlockOp():
                for access in (*op.read_accesses, *op.write_accesses):
                    bounded = access.pad is not None or op.clip is not None
                    if bounded or buffer_type(access.buffer).get_num_dims() > 1:
                        look_at(access.buffer, op)
            case LoadOp() | StoreOp() | AccessOp() | AllocOp() | ViewOp():
                if buffer_type(op.buffer).get_num_dims() > 1:
                    look_at(op.buffer, op)
            case _:
                pass
    _keep_shapes(function)
    for op in ops:
        match op:
            case BlockOp():
                _Block(op, layouts).flatten()
            case LoadOp() | StoreOp() | AccessOp() if op.buffer in layouts:
                op.set_index_exprs({"indices": layouts[op.buffer].address(op.index)})
            case AllocOp() | ViewOp() if op.buffer in layouts:
                size = layouts[op.buffer].size
                op.set_index_exprs({"sizes": () if size.value is not None else (size,)})
            case ShapeOp() if len(op.dims.exprs) > 1:
                op.set_index_exprs({"dims": (_Layout(op.dim_exprs).size,)})
            case _:
                pass
    for buffer in buffers:
        type = _flat_type(buffer.type)
        if type != buffer.type:
            Rewriter.replace_value_with_new_type(buffer, type)


def _values(function: func.FuncOp) -> list[SSAValue]:
    """Every value in a function."""
    return [
        value
        for op in function.walk()
        for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args))
    ]


def _keep_shapes(function: func.FuncOp) -> None:
    """Note the shapes of the buffer arguments, over the leading index arguments, before they are lost."""
    buffers = [arg for arg in function.args if isinstance(arg.type, MemRefType)]
    if SHAPES in function.attributes or all(buffer_type(b).get_num_dims() < 2 for b in buffers):
        return
    positions: dict[Variable, Expr] = {}
    for n, arg in enumerate(function.args):
        if not isinstance(arg.type, IndexType):
            break
        positions[arg] = Expr.atom(n)
    shapes: list[MapAttr] = []
    for buffer in buffers:
        shape = buffer_shape(buffer)
        if shape is None or any(v not in positions for e in shape for v in e.variables()):
            return
        shapes.append(MapAttr(tuple(e.substitute(positions) for e in shape)))
    function.attributes[SHAPES] = ArrayAttr(shapes)


# -- blocks -------------------------------------------------------------------------------------------------------


class _Block:
    """One block while its accesses are rewritten."""

    def __init__(self, op: BlockOp, layouts: dict[SSAValue, _Layout]):
        self.op = op
        self.layouts = layouts
        self.count = len(op.kinds)
        self.params: dict[Variable, int] = {}
        """Index value around the block -> the position of the iterator that is bound to it."""
        self.bounds: Bounds | None = None
        self.moved: dict[Variable, Expr] = {}
        for n, (kind, e) in enumerate(zip(op.iterator_kinds, op.bindings, strict=True)):
            if kind == "param" and e.variable is not None:
                self.params.setdefault(e.variable, n)

    def flatten(self) -> None:
        op = self.op
        reads = [(a, a.pad is not None and not a.guard) for a in op.read_accesses]
        writes = [(a, op.clip is not None and not a.guard) for a in op.write_accesses]
        added: list[SSAValue] = []
        for access, bounded in (*reads, *writes):
            for variable in self._sizes(access, bounded):
                if variable not in self.params:
                    self.params[variable] = self.count + len(added)
                    added.append(variable)
        self.moved = {self.count + r: Expr.atom(self.count + len(added) + r) for r in range(len(reads))}
        new_reads = [self._access(a, bounded) for a, bounded in reads]
        new_writes = [self._access(a, bounded) for a, bounded in writes]
        self._add_iterators(added)
        op.properties["read_maps"] = ArrayAttr([MapAttr(a.indices) for a in new_reads])
        op.properties["write_maps"] = ArrayAttr([MapAttr(a.indices) for a in new_writes])
        op.properties["pads"] = ArrayAttr([UnitAttr() if a.pad is None else a.pad for a in new_reads])
        for name, accesses in (("read_guards", new_reads), ("write_guards", new_writes)):
            op.properties.pop(name, None)
            if any(a.guard for a in accesses):
                op.properties[name] = ArrayAttr([MapAttr(a.guard) for a in accesses])
        op.properties.pop("clip", None)

    def _sizes(self, access: Access, bounded: bool) -> list[SSAValue]:
        """The index values that the new form of an access will mention."""
        layout = self.layouts.get(access.buffer)
        if layout is None:
            return []
        sizes = (*layout.strides, *layout.dims) if bounded else layout.strides
        return [cast("SSAValue[Attribute]", v) for e in sizes for v in e.variables()]

    def _access(self, access: Access, bounded: bool) -> Access:
        guard = tuple(e.substitute(self.moved) for e in access.guard)
        indices = tuple(e.substitute(self.moved) for e in access.indices)
        layout = self.layouts.get(access.buffer)
        if layout is None:
            return Access(access.buffer, indices, access.pad, guard)
        pad = access.pad
        own = layout.over({v: Expr.atom(n) for v, n in self.params.items()})
        if bounded:
            over_loops = layout.inside(self.op.over_loops(access.indices))
            guard = tuple(
                e for e, around in zip(own.inside(indices), over_loops, strict=True) if not self._holds(around)
            )
            pad = pad if guard else None
        return Access(access.buffer, own.address(indices), pad, guard)

    def _holds(self, e: Expr) -> bool:
        """Whether a condition always holds where the block stands."""
        if self.bounds is None:
            self.bounds = Bounds(self.op)
        return self.bounds.is_nonnegative(e)

    def _add_iterators(self, values: Sequence[SSAValue]) -> None:
        op = self.op
        if not values:
            return
        for n, value in enumerate(values):
            arg = op.body.block.insert_arg(IndexType(), self.count + n)
            arg.name_hint = value.name_hint
        op.properties["kinds"] = ArrayAttr([*op.kinds, *(StringAttr("param") for _ in values)])
        op.set_index_exprs({"bind": [*op.bindings, *(Expr.atom(v) for v in values)]})
