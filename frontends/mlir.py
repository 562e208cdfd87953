"""Text in MLIR's syntax -> a module in which every operation knows its line; one clear error for any other text."""

from __future__ import annotations

import math
import re
import struct
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    RankedStructure,
    ShapedType,
    UnknownLoc,
)
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue, TypeAttribute
from xdsl.parser import AttrParser, Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.frontend import Frontend
from xdsl.utils.lexer import Input, Position
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

from ..dialects.origin import text_location
from ..errors import ModelError

MAX_DEPTH = 200
"""Operations nested in one another. xDSL parses, prints and clones by recursion, which ends at a few hundred."""

MAX_DENSE = 1 << 26
"""Elements of a `dense<…>` literal, which xDSL unfolds into a list even when it is written as one value."""

MAX_DIGITS = 1000
"""Digits of one number. Python turns no more than 4300 into an integer, or an integer into text."""

MAX_WIDTH = (1 << 24) - 1
"""Bits of an integer type, as in MLIR."""

MAX_BYTES = (1 << 63) - 1
"""Sizes of static shapes, in elements: what indices and byte counts of 64 bits can hold."""


def parse(source: str | bytes, name: str, ctx: Context, *, implicit_module: bool = True) -> ModuleOp:
    """The module that `source` says, or `ModelError`. `name` is the file that locations and errors speak of."""
    if isinstance(source, bytes):
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
            raise ModelError(f"{name}:{line}: error: not UTF-8 text: byte 0x{source[error.start]:02x}") from error
    if not source.strip():
        raise ModelError(f"{name}:1: error: the file is empty")
    parser = None
    try:
        parser = _Parser(ctx, source, name)
        module = parser.parse_module(implicit_module)
    except ParseError as error:
        place = parser.undefined() if parser else None
        raise ModelError(_with_context(source, name, place or error.span.start, error.msg)) from error
    except Exception as error:
        match error:
            case VerifyException() | _Refused():
                what = str(error)
            case RecursionError():
                what = "nested too deeply"
            case _:
                what = f"this cannot be read ({type(error).__name__}: {error})"
        raise ModelError(_with_context(source, name, parser.pos if parser else 0, what)) from error
    if isinstance(module.location, UnknownLoc):
        module.location = text_location(name, 1, 1)
    return module


@dataclass(frozen=True)
class MlirFrontend(Frontend):
    """The reader of `.mlir` files that keeps locations."""

    name = "mlir"

    no_implicit_module: bool = False

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """The module in an open file."""
        return parse(input.read(), input_name, ctx, implicit_module=not self.no_implicit_module)


def _with_context(source: str, name: str, position: int, message: str) -> str:
    """`file:line: error: message`, then the line with a mark below the place."""
    position = min(position, len(source))
    start = source.rfind("\n", 0, position) + 1
    end = source.find("\n", position)
    text = source[start : end if end >= 0 else len(source)]
    line = source.count("\n", 0, position) + 1
    mark = re.sub(r"[^\t]", " ", text[: position - start]) + "^"
    return f"{name}:{line}: error: {message.strip()}\n{text}\n{mark}"


class _Refused(Exception):
    """Text that xDSL would take, and that nothing below could work with."""


class _Lexer(MLIRLexer):
    """xDSL's lexer, whose strings take time exponential in the length of one that is not closed, and numbers any."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_number(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if (digits := len(token.text)) > MAX_DIGITS:
            raise ParseError(token.span, f"a number of {digits} digits: at most {MAX_DIGITS} are read")
        return token


class _Parser(Parser):
    """xDSL's parser, giving each operation the line and column where it begins."""

    def __init__(self, ctx: Context, source: str, name: str):
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(_Lexer(Input(source, name)))
        self._name = name
        self._lines = [0, *(match.end() for match in re.finditer("\n", source))]
        self._starts: list[int] = []
        self._known_types: set[Attribute] = set()
        self._forward_uses: dict[str, int] = {}

    def undefined(self) -> int | None:
        """Where the first value stands that, at the end of the text, is used but not defined. xDSL shows the end."""
        if self._current_token.kind != MLIRTokenKind.EOF:
            return None
        return min((self._forward_uses[name] for name in self.forward_ssa_references), default=None)

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values and operand.operand_name not in self.forward_ssa_references:
            self._forward_uses[operand.operand_name] = operand.span.start
        return super().resolve_operand(operand, type)

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        self._starts.append(start)
        if len(self._starts) > MAX_DEPTH:
            raise _Refused(f"nested too deeply: more than {MAX_DEPTH} operations in one another")
        op = super().parse_operation()
        self._starts.pop()
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._lines, start)
            op.location = text_location(self._name, line, start - self._lines[line - 1] + 1)
        self._check_sizes(op.result_types)
        for region in op.regions:
            for block in region.blocks:
                self._check_sizes(block.arg_types)
        return op

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            # xDSL points at what follows the name, which may be on another line.
            self.raise_error(error.msg, self._starts[-1], self._starts[-1] + 1)

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        if match := self._builtin_integer_type_regex.match(self._current_token.text):
            width = match.group(1)
            # the values of wider ones would not fit into memory
            if len(width) > len(str(MAX_WIDTH)) or int(width) > MAX_WIDTH:
                self.raise_error(f"an integer type has at most {MAX_WIDTH} bits")
        return super()._parse_optional_integer_or_float_type()

    def _check_sizes(self, types: Iterable[Attribute]) -> None:
        for type in types:
            if type in self._known_types or not isinstance(type, ShapedType):
                continue
            if math.prod(size for size in type.get_shape() if size >= 0) > MAX_BYTES:
                raise _Refused(f"a size does not fit 64 bits: {type}")
            self._known_types.add(type)

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        if type is not None:
            self._check_dense(type)
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _parse_dense_literal_type(self) -> RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType]:
        type = super()._parse_dense_literal_type()
        self._check_dense(type)
        return type

    def _check_dense(self, type: ShapedType) -> None:
        if math.prod(type.get_shape()) > MAX_DENSE:
            raise _Refused(f"a dense literal of more than {MAX_DENSE} elements")

    def _parse_tensor_literal_element(self) -> _Element:
        element = super()._parse_tensor_literal_element()
        return _Element(element.is_negative, element.value, element.span)


class _Element(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """An element of a dense literal, of which `0x7F800000` means the bits of a float and not its value."""

    def to_type(self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType):
        text = self.span.text
        if isinstance(type, AnyFloat) and text.lower().startswith("0x"):
            try:
                return type.unpack(int(text, 16).to_bytes(type.compile_time_size, "little"), 1)[0]
            except (OverflowError, struct.error):
                parser.raise_error(f"more digits than {type} has", at_position=self.span)
        return super().to_type(parser, type)
