"""Sizes of tensors: numbers, expressions over named symbols, or unknown; and the attribute that names them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, Variable, as_expr
from ..expr_syntax import parse_expr

Dim: TypeAlias = int | Expr | None
"""One size: a number, an expression over symbols (`str`), or None where nothing is known."""

Tensor: TypeAlias = TensorType[Attribute]
"""A ranked tensor type; dynamic dims may be named by its encoding."""

_OPERAND_DIM = re.compile(r"d\d+")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_WORDS_OF_EXPRESSIONS = frozenset({"floordiv", "mod", "min", "max"})


def as_dim(size: Dim) -> Dim:
    """The same size, as a number where the expression is one."""
    if isinstance(size, Expr) and size.value is not None:
        return size.value
    return size


def variable_text(variable: Variable) -> str:
    """How a variable of a dim is written: `d2` for a dim of the operand, `batch`, or a quoted symbol."""
    if isinstance(variable, int):
        return f"d{variable}"
    symbol = str(variable)
    if _IDENTIFIER.fullmatch(symbol) and not _OPERAND_DIM.fullmatch(symbol) and symbol not in _WORDS_OF_EXPRESSIONS:
        return symbol
    escaped = symbol.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def dim_text(size: Dim) -> str:
    """A size as it is printed: `784`, `2 * n + 1`, `?`."""
    if size is None:
        return "?"
    return str(size) if isinstance(size, int) else size.text(variable_text)


def shape_text(sizes: Sequence[Dim]) -> str:
    """A shape for a message: `[batch, 784]`."""
    return f"[{', '.join(map(dim_text, sizes))}]"


def parse_dim(parser: AttrParser) -> Dim:
    """Parse one size: `?` or an expression over symbols and operand dims."""
    if parser.parse_optional_punctuation("?"):
        return None

    def variable() -> Expr | None:
        name = parser.parse_optional_identifier()
        if name is not None:
            return Expr.atom(int(name[1:]) if _OPERAND_DIM.fullmatch(name) else name)
        quoted = parser.parse_optional_str_literal()
        return None if quoted is None else Expr.atom(quoted)

    return as_dim(parse_expr(parser, variable))


@irdl_attr_definition
class DimsAttr(Data[tuple[Dim, ...]]):
    """
    Sizes, one per axis: the encoding of a tensor type with named dims, or the target of a reshape.

    ```mlir
    #graph.dims<batch, 2 * n + 1, ?, 784>
    ```
    """

    name = "graph.dims"

    def __init__(self, sizes: Sequence[Dim]):
        super().__init__(tuple(map(as_dim, sizes)))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Dim, ...]:
        """Parse `<size, size, …>`."""
        return tuple(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: parse_dim(parser)))

    def print_parameter(self, printer: Printer) -> None:
        """Print `<size, size, …>`."""
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda size: printer.print_string(dim_text(size)))

    def variables(self) -> tuple[Variable, ...]:
        """The symbols and operand dims that occur, in order of first appearance."""
        return tuple(dict.fromkeys(v for size in self.data if isinstance(size, Expr) for v in size.variables()))

    def substitute(self, mapping: Mapping[Variable, Expr]) -> DimsAttr:
        """The same sizes with variables replaced."""
        return DimsAttr([substitute(size, mapping) for size in self.data])


def substitute(size: Dim, mapping: Mapping[Variable, Expr]) -> Dim:
    """One size with variables replaced."""
    return as_dim(size.substitute(mapping)) if isinstance(size, Expr) else size


def tensor_of(element_type: Attribute, sizes: Sequence[Dim]) -> Tensor:
    """The tensor type of these sizes; only expressions need an encoding."""
    return _tensor_of(element_type, tuple(map(as_dim, sizes)))


@lru_cache(maxsize=4096)
def _tensor_of(element_type: Attribute, sizes: tuple[Dim, ...]) -> Tensor:
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    named = any(isinstance(size, Expr) for size in sizes)
    return TensorType(element_type, shape, DimsAttr(sizes) if named else NoneAttr())


def dims_of(type: Tensor) -> tuple[Dim, ...]:
    """The sizes of a tensor type; refuses an encoding that contradicts the shape."""
    shape = tuple(None if size == DYNAMIC_INDEX else size for size in type.get_shape())
    if isinstance(type.encoding, NoneAttr):
        return shape
    if not isinstance(type.encoding, DimsAttr):
        raise VerifyException(f"the encoding of a tensor is #graph.dims<…> or nothing, found {type.encoding}")
    named = type.encoding.data
    if len(named) != len(shape):
        raise VerifyException(f"{len(named)} dims are named for a tensor of rank {len(shape)}")
    for axis, (size, name) in enumerate(zip(shape, named, strict=True)):
        if size != (name if isinstance(name, int) else None):
            raise VerifyException(f"axis {axis} is {dim_text(size)} in the shape and {dim_text(name)} in #graph.dims")
        if isinstance(name, Expr) and any(isinstance(v, int) for v in name.variables()):
            raise VerifyException(f"axis {axis}: {dim_text(name)} names a dim of an operand; a type has symbols only")
    return named


def as_tensor(type: Attribute) -> Tensor:
    """The type as a ranked tensor type."""
    if not isinstance(type, TensorType):
        raise VerifyException(f"a ranked tensor expected, found {type}")
    return type  # pyright: ignore[reportUnknownVariableType]


def type_of_value(value: SSAValue) -> Tensor:
    """The tensor type of a value."""
    return as_tensor(value.type)


def with_dims(type: Tensor, sizes: Sequence[Dim]) -> Tensor:
    """The tensor type of the same element type and these sizes."""
    return tensor_of(type.element_type, sizes)


def product(sizes: Sequence[Dim]) -> Dim:
    """The number of elements of a shape; 0 if any size is 0, else unknown if any size is."""
    if 0 in sizes:
        return 0
    result = Expr.constant(1)
    for size in sizes:
        if size is None:
            return None
        result = result * as_expr(size)
    return as_dim(result)
