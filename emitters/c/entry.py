"""Entries: what a caller sees of a function over buffers, and the C function that checks and calls it."""

from __future__ import annotations

from keyword import iskeyword

from xdsl.dialects.func import FuncOp

from ...dialects import loop
from ...dialects.element_types import dtype_of
from ...dialects.expr import Expr, Variable
from ...dialects.signature import (
    dim_names,
    element_types,
    input_names,
    is_loop_function,
    output_names,
    parameters,
    requirements,
)
from ...errors import VerifyError
from .file import File
from .names import Names
from .sizes import bad_dims_text, may_be_too_large, shape_exprs, workspace_bytes
from .source import Entry, Size, Tensor
from .types import element_text, is_buffer, is_index


def is_entry(function: FuncOp) -> bool:
    """Whether a function runs a model: it works on buffers, and takes nothing else but sizes."""
    return is_loop_function(function) and all(is_buffer(a.type) or is_index(a.type) for a in function.args)


def _size(e: Expr) -> Size:
    """A size as a number or a formula."""
    return e.text(_dim_text, division="//", remainder="%") if e.value is None else e.value


def _dim_text(name: Variable) -> str:
    text = str(name)
    plain = text.isascii() and text.isidentifier() and not iskeyword(text) and not text.startswith("_")
    return text if plain else "`" + text.replace("`", "``") + "`"


def entry_of(function: FuncOp, prefix: str, takes_weights: bool) -> Entry:
    """What a caller sees of a function, whose C names start with `prefix`."""
    given = parameters(function)
    inputs, outputs, dims = input_names(function), output_names(function), dim_names(function)
    sizes = sum(is_index(a.type) for a in function.args)
    if (len(inputs), len(outputs), len(dims)) != (len(given.inputs), len(given.outputs), sizes):
        raise VerifyError(f"function '{function.sym_name.data}': its attributes do not name each argument once")
    symbols: dict[Variable, Expr] = {a: Expr.atom(name) for a, name in zip(given.dims, dims, strict=True)}
    shapes = [tuple(e.substitute(symbols) for e in shape) for shape in shape_exprs(function)]
    names = Names()
    names.taken |= {"workspace", "weights", "input", "output"}
    tensors = [
        Tensor(name, names.take(name, "x"), dtype_of(type).name, element_text(type), tuple(map(_size, shape)))
        for name, type, shape in zip((*inputs, *outputs), element_types(function), shapes, strict=True)
    ]
    return Entry(
        function=function.sym_name.data,
        prefix=prefix,
        dims=dims,
        dim_parameters=tuple(names.take(dim, "n") for dim in dims),
        inputs=tuple(tensors[: len(inputs)]),
        outputs=tuple(tensors[len(inputs) :]),
        takes_weights=takes_weights,
        requires=tuple(str(_size(e.substitute(symbols))) for e in requirements(function)),
    )


def run_head(entry: Entry) -> str:
    """The declaration of the function that runs a model, without its semicolon."""
    declarations = [
        *(f"const {tensor.element} *{tensor.parameter}" for tensor in entry.inputs),
        *(f"{tensor.element} *{tensor.parameter}" for tensor in entry.outputs),
        *(f"int64_t {dim}" for dim in entry.dim_parameters),
        *(["const void *weights"] if entry.takes_weights else []),
        "void *workspace",
    ]
    return f"int {entry.run}({', '.join(declarations)})"


def run_text(entry: Entry, function: FuncOp, file: File) -> str:
    """The function that checks its arguments and calls the one that does the work."""
    status = entry.constant
    pointers = [tensor.parameter for tensor in (*entry.inputs, *entry.outputs)]
    if entry.takes_weights:
        pointers.append("weights")
    sizes = ", ".join(entry.dim_parameters)
    given = parameters(function)
    arguments = ["(const unsigned char *)weights"] if entry.takes_weights else []
    arguments += entry.dim_parameters
    for tensor, buffer in zip((*entry.inputs, *entry.outputs), (*given.inputs, *given.outputs), strict=True):
        element = element_text(loop.buffer_type(buffer).element_type)
        constant = "const " if tensor in entry.inputs else ""
        arguments.append(
            f"({constant}{element} *){tensor.parameter}" if element != tensor.element else tensor.parameter
        )
    if given.workspace is not None:
        arguments.append("(int8_t *)workspace")
    lines = [f"{run_head(entry)} {{"]
    if pointers:
        lines.append(f"  if ({' || '.join(f'{p} == NULL' for p in pointers)}) return {status}_NULL_BUFFER;")
    bad = [bad_dims_text(entry, function, file)] if entry.dims else []
    if may_be_too_large(workspace_bytes(function)):
        bad.append(f"{entry.workspace_size}({sizes}) == SIZE_MAX")
    if bad:
        lines.append(f"  if ({' || '.join(bad)}) return {status}_BAD_DIM;")
    callee = file.functions[entry.function]
    call = f"{callee.symbol}({', '.join(arguments)})"
    lines += [
        f"  if (workspace == NULL && {entry.workspace_size}({sizes}) > 0) return {status}_NO_WORKSPACE;",
        f"  if ({call}) return {status}_OUT_OF_RANGE;" if callee.may_fail else f"  {call};",
        f"  return {status}_OK;",
        "}",
    ]
    return "\n".join(lines)
