"""A module as one C file, its header and its weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.loop import AssertOp, GetGlobalOp, GlobalOp
from ...dialects.origin import located
from ...errors import VerifyError
from ...targets import Target
from . import arith_cast, arith_float, arith_integer, loop, math, prelude_casts, prelude_scalar, simd
from .constants import inline_limit_of, place_globals
from .entry import entry_of, is_entry, run_text
from .file import Callee, File
from .func import Writing, calls, function_text
from .header import header_text
from .names import comment, prefix_of
from .sizes import size_texts
from .source import ENTRY_WORDS, Entry, Source

TABLES = (arith_cast, arith_float, arith_integer, loop, math, prelude_casts, prelude_scalar, simd)
"""The modules whose import fills `EMITTERS` and `HELPERS`."""

_HEADERS = ("math.h", "stddef.h", "stdint.h", "string.h")

_LITTLE_ENDIAN = """\
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "{}.weights is little-endian: for this machine, have all constants written into the C"
#endif"""
"""Constants in the C are right on every machine; a file is read as it lies."""


def _is_private(function: FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _callees_first(functions: dict[str, FuncOp]) -> list[FuncOp]:
    """The functions in an order in which each stands behind those that it calls."""
    done: dict[str, FuncOp] = {}
    begun: set[str] = set()

    def visit(name: str) -> None:
        if name in done or name not in functions:
            return
        if name in begun:
            raise VerifyError(located(functions[name], f"function '{name}' calls itself"))
        begun.add(name)
        for callee in calls(functions[name]):
            visit(callee)
        done[name] = functions[name]

    for name in functions:
        visit(name)
    return list(done.values())


def _with(functions: list[FuncOp], is_one: Callable[[Operation], bool]) -> set[str]:
    """The functions in which something is one, or that call such a function; `functions` has callees first."""
    found: set[str] = set()
    for function in functions:
        if any(map(is_one, function.walk())) or any(callee in found for callee in calls(function)):
            found.add(function.sym_name.data)
    return found


def _reads_weights(file: File) -> Callable[[Operation], bool]:
    """Whether an op reads the weights file."""
    in_file = {name for name, place in file.globals.items() if place.startswith("(")}
    return lambda op: isinstance(op, GetGlobalOp) and op.global_name.root_reference.data in in_file


def _functions(module: ModuleOp) -> Iterator[FuncOp]:
    for op in module.body.block.ops:
        if isinstance(op, FuncOp):
            if op.is_declaration:
                raise VerifyError(located(op, f"function '{op.sym_name.data}' has no body"))
            yield op
        elif not isinstance(op, GlobalOp):
            raise VerifyError(located(op, "has no C at the level of the module"))


def emit_module(
    module: ModuleOp, target: Target, name: str = "model", *, origin: str = "", inline_limit: int | None = None
) -> Source:
    """
    The C of a module at the end of stage `clean`.

    `origin` is named in the first comment. Globals of more than `inline_limit` bytes go to the weights file; by
    default all stand in the C if they are small together, else those that are small by themselves.
    """
    functions = {function.sym_name.data: function for function in _functions(module)}
    ordered = _callees_first(functions)
    public = [function for function in functions.values() if not _is_private(function)]
    runnable = [function for function in public if is_entry(function)]
    main = next((f for f in runnable if len(runnable) == 1 or f.sym_name.data == "main"), None)

    file = File(target, prefix_of(name))
    file.reserve(file.prefix, ENTRY_WORDS)
    globals = [op for op in module.body.block.ops if isinstance(op, GlobalOp)]
    limit = inline_limit_of(globals) if inline_limit is None else inline_limit
    definitions, weights = place_globals(globals, file, limit)
    needing = _with(ordered, _reads_weights(file))
    failing = _with(ordered, lambda op: isinstance(op, AssertOp))
    # Entries first, short names first: `f` reserves `f_run` before another function can be called so.
    for function in sorted(ordered, key=lambda f: (f not in runnable, len(f.sym_name.data))):
        symbol = function.sym_name.data
        callee = Callee(file.symbol(symbol), symbol in needing, symbol in failing)
        file.functions[symbol] = callee
        if function in runnable:
            file.reserve(callee.symbol, ENTRY_WORDS)

    entries: list[Entry] = []
    for function in runnable:
        symbol = file.functions[function.sym_name.data].symbol
        entries.append(
            entry_of(function, file.prefix if function is main else symbol, function.sym_name.data in needing)
        )

    writing = Writing(functions)
    bodies: list[str] = []
    exported: list[str] = []
    for function in ordered:
        head, body = function_text(function, file, writing.parameters(function))
        if function in public and function not in runnable:
            exported.append(head)
        else:
            head = f"static {head}"
        bodies.append(f"{head} {{\n{body}\n}}" if body else f"{head} {{\n}}")
    for entry in entries:
        function = functions[entry.function]
        bodies += [*size_texts(entry, function, file), run_text(entry, function, file)]

    banner = f"{file.prefix}: written by Stepwell{f' from {origin}' if origin else ''} for target {target.name}"
    includes = [f"#include <{header}>" for header in (*_HEADERS, *target.headers)]
    head = "\n".join([f"/* {comment(banner)} */", f'#include "{file.prefix}.h"', "", *includes])
    if weights:
        head += f"\n\n{_LITTLE_ENDIAN.format(file.prefix)}"
    parts = [head, *file.prelude.vectors.values(), *file.prelude.texts.values(), *definitions, *bodies]
    return Source(
        name=file.prefix,
        code="\n\n".join(parts) + "\n",
        header=header_text(file.prefix, banner, entries, exported, len(weights)),
        weights=weights or None,
        entries=tuple(entries),
        flags=target.flags,
    )
