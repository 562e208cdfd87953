"""What `simd` ops do, on arrays of one value per lane; accesses are checked lane by lane, as the scalar ones are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from ..dialects.element_types import dtype_of, is_float
from ..dialects.simd import (
    AccessOp,
    BroadcastOp,
    CompareOp,
    ConvertOp,
    FmaOp,
    GatherOp,
    IotaOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MaskOp,
    MaxOp,
    MinOp,
    ReduceOp,
    SelectOp,
    ShuffleOp,
    StoreOp,
    StridedLoadOp,
    lanes_of,
    vector_type,
)
from .loop.buffers import outside, unset
from .loop.source import Place, Source
from .numbers import casts, constant, floats, integers
from .numbers.formulas import CMPF
from .registry import interprets

DType = np.dtype[Any]

# -- accesses: what the generated Python calls --------------------------------------------------------------------


def read_lanes(op: Operation, what: str, buffer: Any, places: Sequence[int], dims: Sequence[int], dtype: DType) -> Any:
    """The elements at flat places, all of which must be in the buffer and written."""
    values: list[Any] = []
    for place in places:
        if not 0 <= place < len(buffer):
            raise outside(op, what, [place], [len(buffer)])
        value = buffer[place]
        if value is None:
            raise unset(op, what, place, dims)
        values.append(value)
    return np.array(values, dtype)


def write_lanes(op: Operation, what: str, buffer: Any, places: Sequence[int], values: Any) -> None:
    """Set the elements at flat places, all of which must be in the buffer."""
    for place, value in zip(places, values, strict=True):
        if not 0 <= place < len(buffer):
            raise outside(op, what, [place], [len(buffer)])
        buffer[place] = value


def read_masked(
    op: Operation, what: str, buffer: Any, start: int, dims: Sequence[int], mask: Any, pad: Any, dtype: DType
) -> Any:
    """The elements at and behind `start` in the lanes that are on, `pad` in the others."""
    result = np.full(len(mask), pad, dtype)
    on = np.flatnonzero(mask)
    result[on] = read_lanes(op, what, buffer, [start + int(lane) for lane in on], dims, dtype)
    return result


def write_masked(op: Operation, what: str, buffer: Any, start: int, mask: Any, values: Any) -> None:
    """Set the elements at and behind `start` from the lanes that are on."""
    on = np.flatnonzero(mask)
    write_lanes(op, what, buffer, [start + int(lane) for lane in on], list(values[on]))


def fold_lanes(combine: Callable[[Any, Any], Any], init: Any, vector: Any) -> Any:
    """All lanes, from left to right, combined with `init`."""
    for value in vector:
        init = combine(init, value)
    return init


# -- accesses -----------------------------------------------------------------------------------------------------


def _read(op: LoadOp | StridedLoadOp | GatherOp | MaskedLoadOp, out: Source, text: str, checked: Place | None) -> None:
    """Define the result as `text`, or as the pad in all lanes where the guard does not hold."""
    if op.guard is None:
        if checked is not None:
            out.check(checked, op)
        out.assign(op.out, text)
        return
    name = out.define(op.out)
    with out.under(f"if {out.conditions(op.guard_exprs)}:"):
        if checked is not None:
            out.check(checked, op)
        out.line(f"{name} = {text}")
    with out.under("else:"):
        out.line(f"{name} = {_filled(op.out.type, _pad(op, out), out)}")


def _pad(op: LoadOp | StridedLoadOp | GatherOp | MaskedLoadOp, out: Source) -> str:
    assert op.pad is not None
    return out.object(constant(op.pad), "pad")


def _filled(type: Any, value: str, out: Source) -> str:
    """An array with one value in all lanes of a vector type."""
    full = out.object(np.full, "full")
    return f"{full}({type.get_shape()[0]}, {value}, {out.object(dtype_of(type), 'dtype')})"


def _elements(op: LoadOp | StridedLoadOp | GatherOp, place: Place, places: str, out: Source) -> str:
    read = out.object(read_lanes, "read_lanes")
    dtype = out.object(dtype_of(vector_type(op.out)), "dtype")
    return f"{read}({_where(op, place, out)}, {places}, {place.dims}, {dtype})"


def _where(op: AccessOp, place: Place, out: Source) -> str:
    return f"{out.object(op, 'op')}, {place.what!r}, {place.buffer}"


@interprets(LoadOp, StridedLoadOp)
def load(op: LoadOp | StridedLoadOp, out: Source) -> None:
    """Neighbours, or every so manieth element."""
    stride = op.stride.value.data if isinstance(op, StridedLoadOp) else 1
    span = (lanes_of(op.out) - 1) * stride + 1
    place = out.place(op.buffer, op.index, op, span)
    start = out.fresh("start")
    out.line(f"{start} = {place.address}")
    _read(op, out, _elements(op, place, f"range({start}, {start} + {span}, {stride})", out), place)


@interprets(GatherOp)
def gather(op: GatherOp, out: Source) -> None:
    """Elements at offsets, each checked."""
    place = out.place(op.buffer, op.index, op)
    places = f"[{place.address} + int(offset) for offset in {out.name(op.offsets)}]"
    _read(op, out, _elements(op, place, places, out), None)


@interprets(MaskedLoadOp)
def masked_load(op: MaskedLoadOp, out: Source) -> None:
    """Lanes that are off touch no memory."""
    place = out.place(op.buffer, op.index, op)
    read = out.object(read_masked, "read_masked")
    dtype = out.object(dtype_of(vector_type(op.out)), "dtype")
    arguments = (
        f"{_where(op, place, out)}, {place.address}, {place.dims}, {out.name(op.mask)}, {_pad(op, out)}, {dtype}"
    )
    _read(op, out, f"{read}({arguments})", None)


def _write(op: StoreOp | MaskedStoreOp, out: Source, text: str, checked: Place | None) -> None:
    with out.under(f"if {out.conditions(op.guard_exprs)}:"):
        if checked is not None:
            out.check(checked, op)
        out.line(text)


@interprets(StoreOp)
def store(op: StoreOp, out: Source) -> None:
    """Neighbours set."""
    lanes = lanes_of(op.value)
    place = out.place(op.buffer, op.index, op, lanes)
    start = out.fresh("start")
    out.line(f"{start} = {place.address}")
    write = out.object(write_lanes, "write_lanes")
    places = f"range({start}, {start} + {lanes})"
    _write(op, out, f"{write}({_where(op, place, out)}, {places}, {_scalars(op.value, out)})", place)


@interprets(MaskedStoreOp)
def masked_store(op: MaskedStoreOp, out: Source) -> None:
    """Lanes that are off touch no memory."""
    place = out.place(op.buffer, op.index, op)
    write = out.object(write_masked, "write_masked")
    arguments = f"{_where(op, place, out)}, {place.address}, {out.name(op.mask)}, {out.name(op.value)}"
    _write(op, out, f"{write}({arguments})", None)


def _scalars(value: Any, out: Source) -> str:
    """The lanes as elements of a buffer; indices are plain integers there."""
    name = out.name(value)
    return f"{name}.tolist()" if isinstance(vector_type(value).element_type, IndexType) else name


# -- registers ----------------------------------------------------------------------------------------------------


@interprets(MaskOp)
def mask(op: MaskOp, out: Source) -> None:
    """The first lanes."""
    out.assign(op.out, f"{out.object(np.arange(lanes_of(op.out)), 'lanes')} < {out.index(op.count)}")


@interprets(BroadcastOp)
def broadcast(op: BroadcastOp, out: Source) -> None:
    """One value in all lanes."""
    out.assign(op.out, _filled(op.out.type, out.name(op.value), out))


@interprets(IotaOp)
def iota(op: IotaOp, out: Source) -> None:
    """The numbers of the lanes."""
    out.assign(op.out, out.object(np.arange(lanes_of(op.out)).astype(dtype_of(vector_type(op.out))), "iota"))


@interprets(FmaOp)
def fma(op: FmaOp, out: Source) -> None:
    """Rounded once."""
    out.assign(op.out, f"{out.object(floats.fma, 'fma')}({', '.join(out.names(op.operands))})")


@interprets(MaxOp, MinOp)
def cheap_extreme(op: MaxOp | MinOp, out: Source) -> None:
    """The first operand where it is strictly beyond the second."""
    a, b = out.names(op.operands)
    out.assign(op.out, f"choose({a} {'>' if isinstance(op, MaxOp) else '<'} {b}, {a}, {b})")


@interprets(SelectOp)
def select(op: SelectOp, out: Source) -> None:
    """Lane by lane one or the other."""
    out.assign(op.out, f"choose({', '.join(out.names(op.operands))})")


@interprets(CompareOp)
def compare(op: CompareOp, out: Source) -> None:
    """The predicates of `arith`."""
    a, b = out.names(op.operands)
    predicate = op.predicate.data
    of_floats = is_float(op.a.type)
    out.assign(op.out, CMPF[predicate].format(a, b) if of_floats else f"cmpi({predicate!r}, {a}, {b})")


@interprets(ConvertOp)
def convert(op: ConvertOp, out: Source) -> None:
    """The casts of `arith`."""
    cast = out.object(getattr(casts, op.cast.data), "cast")
    out.assign(op.out, f"{cast}({out.name(op.value)}, {out.object(dtype_of(vector_type(op.out)), 'dtype')})")


_COMBINATIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "add": (np.add, integers.addi),
    "mul": (np.multiply, integers.muli),
    "max": (floats.maximumf, integers.maxsi),
    "min": (floats.minimumf, integers.minsi),
    "umax": (floats.maximumf, integers.maxui),
    "umin": (floats.minimumf, integers.minui),
    "and": (np.bitwise_and, integers.andi),
    "or": (np.bitwise_or, integers.ori),
    "xor": (np.bitwise_xor, integers.xori),
}
"""Combination -> what it does to two floats, and to two integers."""


@interprets(ReduceOp)
def reduce(op: ReduceOp, out: Source) -> None:
    """All lanes from left to right."""
    combine = _COMBINATIONS[op.combination.data][0 if is_float(op.init.type) else 1]
    fold = f"{out.object(fold_lanes, 'fold_lanes')}({out.object(combine, 'combine')}"
    init, vector = out.names(op.operands)
    if isinstance(op.init.type, IndexType):
        out.assign(op.out, f"int({fold}, as_index({init}), {vector}))")
    else:
        out.assign(op.out, f"{fold}, {init}, {vector})")


@interprets(ShuffleOp)
def shuffle(op: ShuffleOp, out: Source) -> None:
    """Lanes of both, by number."""
    both = f"{out.object(np.concatenate, 'concatenate')}(({', '.join(out.names(op.operands))}))"
    out.assign(op.out, f"{both}[{out.object(np.array(op.numbers), 'numbers')}]")
