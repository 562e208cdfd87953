"""
The C of `simd`: what the target spells, and else GCC's and Clang's vector extensions.

A target's spelling has the operands that are values as `{a}`, `{b}`, `{c}` and the vector type as `{type}`; an access
has its place as `{address}`, a masked one its mask as `{mask}` and with lanes as wide as the elements as `{wide}`, and
what stands in lanes that are off as the vector `{pad}`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ...dialects import simd
from .arith_float import LANE_PREDICATES, as_mask, blend, lanes_of
from .arith_integer import COMPARISONS, compared
from .elementwise import SCALAR, VECTOR, Terms, by_lanes, lane, scalar, vector
from .indices import condition_text, element, index_text
from .loop import number
from .prelude import HELPERS, Maker, Prelude, function, helper
from .types import CType, element_text
from .writer import Writer, emits


def _memory(t: CType) -> str:
    """The C type of an element in memory."""
    return element_text(t.element)


def _lanes(t: CType, value: str) -> list[str]:
    """The body of a helper that computes `r` lane by lane."""
    return [f"{t.text} r;", f"for (int lane = 0; lane < {t.lanes}; lane++) r[lane] = {value};", "return r;"]


def _from_memory(t: CType, place: str) -> str:
    """An element in memory as a lane: a truth value is 0 or -1 there."""
    return f"-({place} != 0)" if t.is_mask else place


@helper("splat")
def _splat(prelude: Prelude, name: str, t: CType) -> str:
    x = "-(int32_t)x" if t.is_mask else "x"
    return function(t.text, name, f"{t.scalar.text} x", f"return ({t.text}){{{', '.join([x] * t.lanes)}}};")


@helper("load")
def _load_helper(prelude: Prelude, name: str, t: CType) -> str:
    return function(t.text, name, f"const {_memory(t)} *p", *_lanes(t, _from_memory(t, "p[lane]")))


@helper("store")
def _store_helper(prelude: Prelude, name: str, t: CType) -> str:
    return function(
        "void",
        name,
        f"{_memory(t)} *p, {t.text} v",
        f"for (int lane = 0; lane < {t.lanes}; lane++) p[lane] = {lane('v', t)};",
    )


@helper("strided_load")
def _strided_helper(prelude: Prelude, name: str, t: CType) -> str:
    return function(
        t.text, name, f"const {_memory(t)} *p, int64_t stride", *_lanes(t, _from_memory(t, "p[lane * stride]"))
    )


@helper("gather")
def _gather_helper(prelude: Prelude, name: str, t: CType, offsets: CType) -> str:
    return function(
        t.text, name, f"const {_memory(t)} *p, {offsets.text} offsets", *_lanes(t, _from_memory(t, "p[offsets[lane]]"))
    )


@helper("masked_load")
def _masked_load_helper(prelude: Prelude, name: str, t: CType, mask: CType) -> str:
    return function(
        t.text,
        name,
        f"const {_memory(t)} *p, {mask.text} mask, {t.text} other",
        *_lanes(t, f"mask[lane] ? {_from_memory(t, 'p[lane]')} : other[lane]"),
    )


@helper("masked_store")
def _masked_store_helper(prelude: Prelude, name: str, t: CType, mask: CType) -> str:
    return function(
        "void",
        name,
        f"{_memory(t)} *p, {mask.text} mask, {t.text} v",
        f"for (int lane = 0; lane < {t.lanes}; lane++) {{",
        f"  if (mask[lane]) p[lane] = {lane('v', t)};",
        "}",
    )


@helper("mask")
def _mask_helper(prelude: Prelude, name: str, t: CType) -> str:
    numbers = ", ".join(map(str, range(t.lanes)))
    return function(
        t.text,
        name,
        "int64_t count",
        f"int32_t on = count < 0 ? 0 : count > {t.lanes} ? {t.lanes} : (int32_t)count;",
        f"return ({t.text}){{{numbers}}} < on;",
    )


def _address(op: simd.AccessOp, out: Writer) -> str:
    return f"&{element(op.buffer, op.index, out)}"


def _read(op: simd.ReadOp, out: Writer, text: str, other: str) -> None:
    """The statement of a read: where a guard fails, memory is not touched."""
    if op.guard is not None:
        # cast: what is read may have the unaligned type
        text = f"{condition_text(op.guard_exprs, out)} ? ({out.type(op.out).text}){text} : {other}"
    out.define(op.out, text)


def _pad(op: simd.ReadOp, out: Writer) -> str:
    """The vector that stands where nothing is read."""
    return "" if op.pad is None else f"{out.prelude.call('splat', out.type(op.out))}({number(op.pad)})"


@emits(simd.LoadOp)
def _load(op: simd.LoadOp, out: Writer) -> None:
    t, address = out.type(op.out), _address(op, out)
    text = out.spelled(op, op.out.type, places={"address": address})
    if text is None:
        text = f"{out.prelude.call('load', t)}({address})" if t.is_mask else f"*(const {t.text}u *){address}"
    _read(op, out, text, _pad(op, out))


@emits(simd.StridedLoadOp)
def _strided_load(op: simd.StridedLoadOp, out: Writer) -> None:
    t, address, stride = out.type(op.out), _address(op, out), str(op.stride.value.data)
    text = out.spelled(op, op.out.type, stride, places={"address": address})
    _read(op, out, text or f"{out.prelude.call('strided_load', t)}({address}, {stride})", _pad(op, out))


@emits(simd.GatherOp)
def _gather(op: simd.GatherOp, out: Writer) -> None:
    address, offsets = _address(op, out), out.name(op.offsets)
    text = out.spelled(op, op.out.type, offsets, places={"address": address})
    if text is None:
        text = f"{out.prelude.call('gather', out.type(op.out), out.type(op.offsets))}({address}, {offsets})"
    _read(op, out, text, _pad(op, out))


def _masked(mask: SSAValue, t: CType, address: str, out: Writer) -> dict[str, str]:
    """What a spelling of a masked access may name, beside the pad."""
    name = out.name(mask)
    return {"address": address, "mask": name, "wide": lanes_of(name, out.type(mask), t)}


@emits(simd.MaskedLoadOp)
def _masked_load(op: simd.MaskedLoadOp, out: Writer) -> None:
    t, address, pad = out.type(op.out), _address(op, out), _pad(op, out)
    places = _masked(op.mask, t, address, out)
    text = out.spelled(op, op.out.type, places=places | {"pad": pad})
    if text is None:
        mask = out.type(op.mask)
        text = f"{out.prelude.call('masked_load', t, mask)}({address}, {places['mask']}, {pad})"
    elif "{pad}" not in (out.file.target.spelling(op, op.out.type) or "") and not _is_zero(op):
        # the machine leaves zeros in lanes that are off
        integers = f"i{t.bits}x{t.lanes}"
        text = f"({t.text})((({integers}){text} & {places['wide']}) | (({integers}){pad} & ~{places['wide']}))"
    _read(op, out, text, pad)


def _is_zero(op: simd.MaskedLoadOp) -> bool:
    """Whether all bits of what stands in lanes that are off are 0."""
    return op.pad is not None and number(op.pad) in ("0", "0x0p+0", "0x0p+0f")


def _write(op: simd.WriteOp, out: Writer, text: str) -> None:
    guard = f"if ({condition_text(op.guard_exprs, out)}) " if op.guard is not None else ""
    out.line(f"{guard}{text};")


@emits(simd.StoreOp)
def _store(op: simd.StoreOp, out: Writer) -> None:
    t, address, value = out.type(op.value), _address(op, out), out.name(op.value)
    text = out.spelled(op, op.value.type, value, places={"address": address})
    if text is None:
        plain = f"*({t.text}u *){address} = {value}"
        text = f"{out.prelude.call('store', t)}({address}, {value})" if t.is_mask else plain
    _write(op, out, text)


@emits(simd.MaskedStoreOp)
def _masked_store(op: simd.MaskedStoreOp, out: Writer) -> None:
    t, address, value = out.type(op.value), _address(op, out), out.name(op.value)
    places = _masked(op.mask, t, address, out)
    text = out.spelled(op, op.value.type, value, places=places)
    if text is None:
        text = f"{out.prelude.call('masked_store', t, out.type(op.mask))}({address}, {places['mask']}, {value})"
    _write(op, out, text)


@emits(simd.MaskOp)
def _mask(op: simd.MaskOp, out: Writer) -> None:
    count = index_text(op.count, out)
    out.define(op.out, out.spelled(op, op.out.type, count) or f"{out.prelude.call('mask', out.type(op.out))}({count})")


@emits(simd.BroadcastOp)
def _broadcast(op: simd.BroadcastOp, out: Writer) -> None:
    value = out.name(op.value)
    out.define(op.out, out.spelled(op, op.out.type, value) or f"{out.prelude.call('splat', out.type(op.out))}({value})")


@emits(simd.IotaOp)
def _iota(op: simd.IotaOp, out: Writer) -> None:
    out.define(op.out, f"{{{', '.join(map(str, range(out.type(op.out).lanes)))}}}")


@scalar(simd.FmaOp)
def _fma(t: Terms) -> str:
    return f"fma{'f' if t.types[0].bits == 32 else ''}({', '.join(t.names)})"


@vector(simd.MaxOp)
def _max(t: Terms) -> str:
    return t.call("greater", t.result)


@vector(simd.MinOp)
def _min(t: Terms) -> str:
    return t.call("less", t.result)


def _cheap_extreme(operator: str) -> Maker:
    """The first operand where the comparison holds, else the second."""

    def make(prelude: Prelude, name: str, t: CType) -> str:
        integers = f"i{t.bits}x{t.lanes}"
        return function(
            t.text,
            name,
            f"{t.text} a, {t.text} b",
            f"{integers} first = a {operator} b;",
            f"return ({t.text})((({integers})a & first) | (({integers})b & ~first));",
        )

    return make


HELPERS.update(greater=_cheap_extreme(">"), less=_cheap_extreme("<"))


@vector(simd.SelectOp)
def _select(t: Terms) -> str:
    return blend(t)


@vector(simd.CompareOp)
def _compare(t: Terms) -> str:
    assert isinstance(t.op, simd.CompareOp)
    name, operand = t.op.predicate.data, t.types[0]
    text = LANE_PREDICATES[name].format(*t.names) if operand.is_float else compared(t, *COMPARISONS[name])
    return as_mask(text, operand, t.result)


_CASTS: dict[str, type[Operation]] = {
    "extsi": arith.ExtSIOp,
    "extui": arith.ExtUIOp,
    "trunci": arith.TruncIOp,
    "sitofp": arith.SIToFPOp,
    "uitofp": arith.UIToFPOp,
    "fptosi": arith.FPToSIOp,
    "fptoui": arith.FPToUIOp,
}
"""What `simd.convert` does in every lane -> the op on scalars."""


@vector(simd.ConvertOp)
def _convert(t: Terms) -> str:
    assert isinstance(t.op, simd.ConvertOp)
    kind = _CASTS[t.op.cast.data]
    return VECTOR.get(kind, by_lanes)(replace(t, kind=kind))


_COMBINATIONS: dict[str, tuple[type[Operation], type[Operation]]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "mul": (arith.MulfOp, arith.MuliOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "umax": (arith.MaxUIOp, arith.MaxUIOp),
    "umin": (arith.MinUIOp, arith.MinUIOp),
    "and": (arith.AndIOp, arith.AndIOp),
    "or": (arith.OrIOp, arith.OrIOp),
    "xor": (arith.XOrIOp, arith.XOrIOp),
}
"""What `simd.reduce` combines with -> the op on two floats, and on two integers."""


@emits(simd.ReduceOp)
def _reduce(op: simd.ReduceOp, out: Writer) -> None:
    combination, t, scalar_type = op.combination.data, out.type(op.vector), out.type(op.init)
    init, value = out.name(op.init), out.name(op.vector)

    def make() -> str:
        kind = _COMBINATIONS[combination][0 if t.is_float else 1]
        terms = Terms(kind, op, out.prelude, scalar_type, (scalar_type, scalar_type), ("r", lane("v", t)))
        body = f"for (int lane = 0; lane < {t.lanes}; lane++) r = {SCALAR[kind](terms)};"
        return function(scalar_type.text, symbol, f"{scalar_type.text} r, {t.text} v", body, "return r;")

    symbol = f"sw_reduce_{combination}_{t.suffix}"
    text = out.spelled(op, op.vector.type, init, value)
    out.define(op.out, text or f"{out.prelude.define(symbol, make)}({init}, {value})")


@emits(simd.ShuffleOp)
def _shuffle(op: simd.ShuffleOp, out: Writer) -> None:
    a, b, t = out.name(op.a), out.name(op.b), out.type(op.a)
    text = out.spelled(op, op.out.type, a, b)
    if text is None:
        lanes = (f"{a if number < t.lanes else b}[{number % t.lanes}]" for number in op.numbers)
        text = f"({out.type(op.out).text}){{{', '.join(lanes)}}}"
    out.define(op.out, text)
