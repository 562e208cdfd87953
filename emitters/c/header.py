"""The header: status codes, constants that describe each entry, and the declarations."""

from __future__ import annotations

from collections.abc import Sequence

from .constants import ALIGNMENT
from .entry import run_head
from .names import comment, string_literal
from .sizes import size_heads
from .source import STATUSES, Entry, Tensor


def _describe(tensor: Tensor, place: str) -> list[str]:
    shape = ", ".join(str(size) if isinstance(size, int) else "-1" for size in tensor.shape)
    lines = [
        f"#define {place}_NAME {string_literal(tensor.name)}",
        f"#define {place}_DTYPE {string_literal(tensor.dtype)}",
        f"#define {place}_RANK {len(tensor.shape)}",
    ]
    return [*lines, f"#define {place}_SHAPE {{{shape}}}"] if tensor.shape else lines


def _parameter_notes(entry: Entry) -> list[str]:
    notes: list[str] = []
    for what, tensors in (("input", entry.inputs), ("output", entry.outputs)):
        for tensor in tensors:
            shape = ", ".join(map(str, tensor.shape))
            notes.append(
                f"{tensor.parameter}: {what} {string_literal(tensor.name)}, {tensor.dtype}[{shape}], row-major"
            )
    notes += [
        f"{parameter}: dim {string_literal(dim)}"
        for dim, parameter in zip(entry.dims, entry.dim_parameters, strict=True)
    ]
    notes += [f"only where {text} >= 0" for text in entry.requires]
    if entry.takes_weights:
        notes.append(f"weights: the content of the weights file, aligned to {ALIGNMENT} bytes")
    notes.append(f"workspace: {entry.workspace_size} bytes, aligned to {ALIGNMENT}; one for each call at a time")
    return notes


def _entry_lines(entry: Entry, weights_size: int) -> list[str]:
    constant = entry.constant
    lines = ["", f"enum {entry.prefix}_status {{"]
    for number, (name, meaning) in enumerate(STATUSES):
        lines.append(f"  {constant}_{name} = {number}, /* {meaning} */")
    lines += ["};", ""]
    for what, tensors in (("INPUT", entry.inputs), ("OUTPUT", entry.outputs)):
        lines.append(f"#define {constant}_{what}S {len(tensors)}")
        for number, tensor in enumerate(tensors):
            lines += _describe(tensor, f"{constant}_{what}_{number}")
    lines.append(f"#define {constant}_DIMS {len(entry.dims)}")
    lines += [f"#define {constant}_DIM_{n}_NAME {string_literal(dim)}" for n, dim in enumerate(entry.dims)]
    if entry.takes_weights:
        lines.append(f"#define {constant}_WEIGHTS_SIZE {weights_size}")
    lines += ["", "/*", *(f" * {comment(note)}" for note in _parameter_notes(entry)), " */"]
    return [*lines, f"{run_head(entry)};", *(f"{head};" for head in size_heads(entry))]


def header_text(name: str, banner: str, entries: Sequence[Entry], exported: Sequence[str], weights_size: int) -> str:
    """The text of the header; `exported` are the heads of functions on scalars."""
    guard = f"{name.upper()}_H"
    lines = [
        f"/* {comment(banner)} */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
    ]
    for entry in entries:
        lines += _entry_lines(entry, weights_size)
    if exported:
        lines += ["", *(f"{head};" for head in exported)]
    return "\n".join([*lines, "", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""])
