"""The C functions that tell a caller how much memory to bring: workspace, inputs, outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ...dialects import loop
from ...dialects.element_types import dtype_of
from ...dialects.expr import Compound, Expr, Variable
from ...dialects.signature import SHAPES, WORKSPACE, element_types, parameters, requirements
from ...errors import VerifyError
from .file import File
from .indices import index_text
from .source import Entry
from .writer import Writer


def shape_exprs(function: FuncOp) -> list[tuple[Expr, ...]]:
    """The sizes of the inputs and outputs over the dims arguments, as the model has them."""
    given = parameters(function)
    buffers = (*given.inputs, *given.outputs)
    noted = function.attributes.get(SHAPES)
    if noted is not None:
        maps = cast("ArrayAttr[loop.MapAttr]", noted)
        return [map.over(given.dims) for map in maps][: len(buffers)]
    shapes: list[tuple[Expr, ...]] = []
    for buffer in buffers:
        shape = loop.buffer_shape(buffer)
        if shape is None:
            raise VerifyError(f"function '{function.sym_name.data}': a buffer with dynamic dims has no loop.shape")
        shapes.append(shape)
    return shapes


def size_heads(entry: Entry) -> list[str]:
    """The declarations of the size functions, without their semicolons."""
    dims = [f"int64_t {dim}" for dim in entry.dim_parameters]
    return [
        f"size_t {entry.workspace_size}({', '.join(dims) or 'void'})",
        f"size_t {entry.input_size}({', '.join(['int input', *dims])})",
        f"size_t {entry.output_size}({', '.join(['int output', *dims])})",
    ]


def size_texts(entry: Entry, function: FuncOp, file: File) -> list[str]:
    """The definitions of the size functions."""
    workspace, input, output = size_heads(entry)
    given = parameters(function)
    total = workspace_bytes(function)
    shapes, types = shape_exprs(function), element_types(function)
    sizes = [_product(shape) * dtype_of(type).itemsize for shape, type in zip(shapes, types, strict=True)]
    bad = bad_dims_text(entry, function, file)
    return [
        _function(workspace, None, [total], entry, given.dims, bad, file),
        _function(input, "input", sizes[: len(entry.inputs)], entry, given.dims, bad, file),
        _function(output, "output", sizes[len(entry.inputs) :], entry, given.dims, bad, file),
    ]


def bad_dims_text(entry: Entry, function: FuncOp, file: File) -> str:
    """The condition under which a model cannot run with its dims; empty where it has none."""
    out = _writer(entry, parameters(function).dims, file)
    needed = [index_text(e, out) for e in requirements(function)]
    return " || ".join(f"{text} < 0" for text in (*entry.dim_parameters, *needed))


_SURE = 1 << 30
"""Bytes up to which a known size fits `SIZE_MAX / 4` on every machine of 32 bits or more."""


def may_be_too_large(size: Expr) -> bool:
    """Whether a number of bytes may be more than a machine can address, or wrap."""
    return size.value is None or size.value >= _SURE


def workspace_bytes(function: FuncOp) -> Expr:
    """The bytes of workspace that a function needs, over its dims."""
    bytes = cast("loop.MapAttr | None", function.attributes.get(WORKSPACE))
    return bytes.over(parameters(function).dims)[0] if bytes is not None else Expr.constant(0)


def _bound(e: Expr, out: Writer) -> str:
    """No less than what an expression, and each part of it, comes to: in floating point, which does not wrap."""
    parts = [
        " * ".join([f"{abs(coefficient)}.0", *(_atom_bound(atom, out) for atom in monomial.atoms)])
        for monomial, coefficient in e.terms.items()
    ]
    if e.offset or not parts:
        parts.append(f"{abs(e.offset)}.0")
    return " + ".join(parts)


def _atom_bound(atom: Variable, out: Writer) -> str:
    if not isinstance(atom, Compound):
        return f"(double){out.name(cast(SSAValue, atom))}"
    first, *rest = (_bound(arg, out) for arg in atom.args)
    match atom.kind:
        case "floordiv" | "mod":
            divisor = atom.args[1].value
            return f"(({first}) / {divisor}.0)" if atom.kind == "floordiv" and divisor else f"({first})"
        case "min" | "max":
            for other in rest:
                first = f"fmax({first}, {other})"
            return first


def _writer(entry: Entry, dims: Sequence[BlockArgument], file: File) -> Writer:
    out = Writer(file)
    for argument, name in zip(dims, entry.dim_parameters, strict=True):
        out.bind(argument, name)
        out.naturals.add(argument)
    return out


def _product(shape: Sequence[Expr]) -> Expr:
    result = Expr.constant(1)
    for size in shape:
        result = result * size
    return result


def _function(
    head: str,
    selector: str | None,
    sizes: Sequence[Expr],
    entry: Entry,
    dims: Sequence[BlockArgument],
    bad: str,
    file: File,
) -> str:
    """
    A function from dims to bytes, 0 for bad ones; with a selector, one case for each of several sizes.

    What would wrap, or is more than a machine addresses, is `SIZE_MAX`: a caller that asks for it gets no memory.
    """
    out = _writer(entry, dims, file)
    if bad:
        out.line(f"if ({bad}) return 0;")
    texts = [f"(size_t)({index_text(size, out)})" for size in sizes]
    for number, size in enumerate(sizes):
        if may_be_too_large(size):
            texts[number] = f"{_bound(size, out)} > (double)(SIZE_MAX / 4) ? SIZE_MAX : {texts[number]}"
    if selector is None:
        out.line(f"return {texts[0]};")
    elif not texts:
        out.line(f"(void){selector};")
        out.line("return 0;")
    else:
        out.line(f"switch ({selector}) {{")
        for number, text in enumerate(texts):
            out.line(f"  case {number}: return {text};")
        out.line("  default: return 0;")
        out.line("}")
    return "\n".join([f"{head} {{", *out.lines, "}"])
