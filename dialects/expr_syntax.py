"""Reading index expressions from MLIR text: `%i * 8 + (%j floordiv 4)`, `min(16, n - 3)`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.parser import AttrParser

from .expr import Expr, as_expr, floordiv, maximum, minimum, mod

ParseVariable = Callable[[], Expr | None]
"""Reads one variable if the next token is one; None (and nothing consumed) otherwise."""


def parse_expr(parser: AttrParser, variable: ParseVariable) -> Expr:
    """Parse `term (+ term | - term)*`; `variable` reads the leaves that are not numbers."""
    result = _parse_term(parser, variable)
    while True:
        if parser.parse_optional_punctuation("+"):
            result = result + _parse_term(parser, variable)
        elif parser.parse_optional_punctuation("-"):
            result = result - _parse_term(parser, variable)
        else:
            return result


def _parse_term(parser: AttrParser, variable: ParseVariable) -> Expr:
    result = _parse_factor(parser, variable)
    while True:
        if parser.parse_optional_punctuation("*"):
            result = result * _parse_factor(parser, variable)
        elif parser.parse_optional_keyword("floordiv"):
            result = floordiv(result, _parse_factor(parser, variable))
        elif parser.parse_optional_keyword("mod"):
            result = mod(result, _parse_factor(parser, variable))
        else:
            return result


def _parse_factor(parser: AttrParser, variable: ParseVariable) -> Expr:
    if parser.parse_optional_punctuation("-"):
        return -_parse_factor(parser, variable)
    at = parser.pos
    if (number := parser.parse_optional_integer(allow_boolean=False, allow_negative=False)) is not None:
        if number > 1 << 63:
            parser.raise_error(f"a number of {number.bit_length()} bits: an index has 64", at, parser.pos)
        return Expr.constant(number)
    for keyword, combine in (("min", minimum), ("max", maximum)):
        if parser.parse_optional_keyword(keyword):
            args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_expr(parser, variable))
            if not args:
                parser.raise_error(f"'{keyword}' needs at least one argument")
            return as_expr(combine(*args))
    if parser.parse_optional_punctuation("("):
        result = parse_expr(parser, variable)
        parser.parse_punctuation(")")
        return result
    result = variable()
    if result is None:
        parser.raise_error("index expression expected: a number, a variable, min(…), max(…) or (…)")
    return result
