"""Buffers and scalar accesses as Python statements."""

from __future__ import annotations

from xdsl.dialects import arith

from ...dialects.array import ConstantArrayAttr
from ...dialects.element_types import dtype_of
from ...dialects.loop import (
    AllocOp,
    BlockOp,
    GetGlobalOp,
    IndexOp,
    LoadOp,
    ShapeOp,
    StoreOp,
    ViewOp,
    buffer_type,
    defining_global,
)
from ...dialects.origin import located
from ...errors import VerifyError
from ..numbers import constant
from ..registry import interprets
from .buffers import from_array
from .source import Source


@interprets(AllocOp)
def alloc(op: AllocOp, out: Source) -> None:
    """New elements, none written, each time it is met."""
    sizes = [out.object(op, "op"), *map(out.index, op.shape_exprs)]
    out.assign(op.buffer, f"allocate({', '.join(sizes)})")


@interprets(ShapeOp)
def shape(op: ShapeOp, out: Source) -> None:
    """The declared dims are compared with the size."""
    dims = [out.object(op, "op"), out.name(op.buffer), *map(out.index, op.dim_exprs)]
    out.line(f"check_size({', '.join(dims)})")


@interprets(ViewOp)
def view(op: ViewOp, out: Source) -> None:
    """Elements in the bytes of the workspace."""
    dtype = out.object(dtype_of(buffer_type(op.buffer).element_type), "dtype")
    arguments = [out.object(op, "op"), out.name(op.workspace), out.index(op.offset_expr), dtype]
    out.assign(op.buffer, f"view({', '.join([*arguments, *map(out.index, op.shape_exprs)])})")


@interprets(LoadOp)
def load(op: LoadOp, out: Source) -> None:
    """One element, or the value after `else`."""
    pad = None if op.pad is None else out.object(constant(op.pad), "pad")
    out.read(op.out, out.place(op.buffer, op.index, op), op, op.guard_exprs, pad)


@interprets(StoreOp)
def store(op: StoreOp, out: Source) -> None:
    """One element set."""
    out.write(out.place(op.buffer, op.index, op), out.name(op.value), op, op.guard_exprs)


@interprets(IndexOp)
def index(op: IndexOp, out: Source) -> None:
    """The value of the expression."""
    out.know(op.out, out.range(op.expr))
    out.assign(op.out, out.index(op.expr))


@interprets(GetGlobalOp)
def get_global(op: GetGlobalOp, out: Source) -> None:
    """The elements of the constant, shared by all who read it."""
    found = defining_global(op)
    if found is None or not isinstance(found.value, ConstantArrayAttr):
        raise VerifyError(located(op, f"{op.global_name} is not a constant of this module"))
    for use in op.buffer.uses:
        user = use.operation
        if (isinstance(user, BlockOp) and op.buffer in user.writes) or (isinstance(user, StoreOp) and use.index == 1):
            raise VerifyError(located(user, f"{op.global_name} is a constant, and written here"))
    array, element = found.value.array, buffer_type(op.buffer).element_type
    # unsigned elements are stored as signless ones of the same bits
    array = array.view(dtype_of(element))
    out.alias(op.buffer, out.program.constant(found, lambda: from_array(array, element)))


@interprets(arith.ConstantOp)
def constant_(op: arith.ConstantOp, out: Source) -> None:
    """The value itself."""
    value = constant(op.value)
    if isinstance(value, int):
        out.know(op.result, (value, value))
    out.alias(op.result, out.object(value, "c"))
