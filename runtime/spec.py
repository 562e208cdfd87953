"""What a compiled model takes and gives, as data: names, dtypes, and sizes over named dims."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Size = int | str
"""A size: a number, or a formula over the names of dims, `batch` or `2 * n + 1`."""

Formula = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class TensorSpec:
    """One input or output."""

    name: str
    dtype: str
    """NumPy's name of the dtype, or that of `ml_dtypes`."""
    shape: tuple[Size, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class ModelSpec:
    """The C functions of a model, and what to give them: `int run(inputs…, outputs…, dims…, [weights,] workspace)`."""

    name: str
    """The stem of its files."""
    run: str
    """The C name of the function that runs it; it returns 0 or a status."""
    workspace_size: str
    """The C name of the function from dims to the bytes of workspace that `run` needs."""
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    dims: tuple[str, ...] = ()
    takes_weights: bool = False
    requires: tuple[str, ...] = ()
    """Formulas over dims that must not be negative in a call."""
    statuses: tuple[str, ...] = ("all outputs are written",)
    """What `run` returns, by number."""


@dataclass(frozen=True)
class Program:
    """C, with all that is needed to call it."""

    spec: ModelSpec
    source: str
    header: str = ""
    """The text of `NAME.h`, which the source may include."""
    flags: tuple[str, ...] = ()
    """What the compiler must be told for the machine that the source is for."""
    weights: bytes | Path | None = field(default=None, repr=False)
    """The weights, if they are not in the source: their bytes, or the file that holds them."""


_QUOTED = r"`((?:[^`]|``)*)`"


def named(text: str) -> str:
    """The dim that a formula of just one name means, without its backquotes; any other text as it is."""
    quoted = re.fullmatch(_QUOTED, text)
    return quoted[1].replace("``", "`") if quoted else text


def formula(text: str) -> Formula:
    """
    A size over dims, ready to be computed: integers, names, `+ - * // %`, `min(…)`, `max(…)`.

    Names that are not plain stand in backquotes, a backquote in them twice. What is divided by zero is 0. `ValueError`
    for any other text.
    """
    names: list[str] = []

    def keep(match: re.Match[str]) -> str:
        names.append(match[1].replace("``", "`"))
        return f"_quoted{len(names) - 1}"

    plain = re.sub(_QUOTED, keep, text)
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"'{text}' is not a size") from error
    return _compile(tree, {f"_quoted{number}": name for number, name in enumerate(names)}, text)


def _compile(node: ast.expr, quoted: Mapping[str, str], text: str) -> Formula:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return lambda dims: value
        case ast.Name(id=identifier):
            name = quoted.get(identifier, identifier)
            return lambda dims: dims[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compile(operand, quoted, text)
            return lambda dims: -inner(dims)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            apply = _OPERATORS[type(op)]
            one, other = _compile(left, quoted, text), _compile(right, quoted, text)
            return lambda dims: apply(one(dims), other(dims))
        case ast.Call(func=ast.Name(id="min" | "max" as function), args=[_, *_] as arguments, keywords=[]):
            pick = min if function == "min" else max
            parts = [_compile(argument, quoted, text) for argument in arguments]
            return lambda dims: pick(part(dims) for part in parts)
        case _:
            raise ValueError(f"'{text}' is not a size: '{ast.unparse(node)}' is not understood")


_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else 0,
    ast.Mod: lambda a, b: a % b if b else 0,
}
