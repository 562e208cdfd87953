"""`#loop.map`: index expressions over positions in an op's own index operands, and the ops that carry them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerType, MemRefType, i32
from xdsl.ir import Attribute, Data, Operation, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, Variable
from ..expr_syntax import ParseVariable, parse_expr


@irdl_attr_definition
class MapAttr(Data[tuple[Expr, ...]]):
    """A tuple of index expressions whose variables are operand positions: `#loop.map<(d0 * 8 + d1, d2)>`."""

    name = "loop.map"

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expressions; every variable is an `int` position."""
        return self.data

    def positions(self) -> tuple[int, ...]:
        """The positions that occur, in order of first appearance."""
        seen: dict[int, None] = {}
        for e in self.data:
            for position in e.variables():
                seen.setdefault(cast(int, position))
        return tuple(seen)

    def verify_numbers(self) -> None:
        """Indices have 64 bits, and so have the numbers that they are made with."""
        for e in self.data:
            if (number := next((n for n in e.numbers() if not -(1 << 63) <= n < 1 << 63), None)) is not None:
                raise VerifyException(f"a number of {number.bit_length()} bits: an index has 64")

    def over(self, values: Sequence[Variable]) -> tuple[Expr, ...]:
        """The expressions with position `n` replaced by `values[n]`."""
        names: dict[Variable, Variable] = dict(enumerate(values))
        if len(set(values)) == len(values):
            return tuple(e.renamed(names) for e in self.data)
        mapping = {n: Expr.atom(value) for n, value in names.items()}
        return tuple(e.substitute(mapping) for e in self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Expr, ...]:
        """Parse `<(d0 * 8 + d1, d2)>`."""

        def variable() -> Expr | None:
            name = parser.parse_optional_identifier()
            if name is None:
                return None
            if not (name[0] == "d" and name[1:].isdecimal()):
                parser.raise_error(f"'{name}' is not a position: d0, d1, …")
            return Expr.atom(int(name[1:]))

        with parser.in_angle_brackets():
            return tuple(
                parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_expr(parser, variable))
            )

    def print_parameter(self, printer: Printer) -> None:
        """Print `<(d0 * 8 + d1, d2)>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"({', '.join(e.text(lambda v: f'd{v}') for e in self.data)})")


def pack(*groups: Sequence[Expr]) -> tuple[tuple[SSAValue, ...], tuple[MapAttr, ...]]:
    """Expressions over SSA values as index operands (each once, in order of first appearance) and maps over them."""
    positions: dict[Variable, int] = {}
    for group in groups:
        for e in group:
            for variable in e.variables():
                positions.setdefault(variable, len(positions))
    maps = tuple(MapAttr(tuple(e.renamed(positions) for e in group)) for group in groups)
    return cast(tuple[SSAValue, ...], tuple(positions)), maps


class _Known(NamedTuple):
    """What `index_exprs` was asked last, and its answer."""

    attr: MapAttr
    operands: Sequence[SSAValue]
    exprs: tuple[Expr, ...]


class IndexedOp(Operation):
    """
    An op whose last operand segment is index values, and whose `INDEX_MAPS` properties are maps over that segment.

    Splitting, fusing and unrolling loops only ever rewrites these maps.
    """

    INDEX_MAPS: ClassVar[tuple[str, ...]]

    @property
    def index_start(self) -> int:
        """How many operands stand before the index operands."""
        return 0

    @property
    def index_values(self) -> tuple[SSAValue, ...]:
        """The index operands."""
        return self._operands[self.index_start :]

    def index_map(self, name: str) -> MapAttr | None:
        """The map property `name`, or None where the op leaves it out."""
        return cast("MapAttr | None", self.properties.get(name))

    def index_exprs(self, name: str) -> tuple[Expr, ...]:
        """The map `name` as expressions over SSA values; empty where the op leaves it out."""
        attr = self.index_map(name)
        if attr is None:
            return ()
        # both are replaced as a whole when something changes, so the last answer holds as long as they are the same
        operands = self._operands
        known: _Known | None = vars(self).get(f"known {name}")
        if known is None or known.attr is not attr or known.operands is not operands:
            known = _Known(attr, operands, attr.over(operands[self.index_start :]))
            vars(self)[f"known {name}"] = known
        return known.exprs

    def set_index_exprs(self, exprs: Mapping[str, Sequence[Expr]]) -> None:
        """Replace the maps named in `exprs`, given over SSA values, and pack the index operands anew."""
        names = [name for name in self.INDEX_MAPS if name in exprs or self.index_map(name) is not None]
        operands, maps = pack(*(exprs[name] if name in exprs else self.index_exprs(name) for name in names))
        start = self.index_start
        self.operands = [*self.operands[:start], *operands]
        segments = self.properties.get("operandSegmentSizes")
        if segments is not None:
            sizes = cast("DenseArrayBase[IntegerType]", segments).get_values()
            self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [*sizes[:-1], len(operands)])
        for name, attr in zip(names, maps, strict=True):
            self.properties[name] = attr

    def replace_index(self, mapping: Mapping[Variable, Expr]) -> None:
        """Substitute index values by expressions over other index values in every map of this op."""
        self.set_index_exprs(
            {
                name: [e.substitute(mapping) for e in self.index_exprs(name)]
                for name in self.INDEX_MAPS
                if self.index_map(name) is not None
            }
        )

    def verify_maps(self) -> None:
        """Every position exists, every index operand is used, and is an `index`."""
        values = self.index_values
        used: set[int] = set()
        for name in self.INDEX_MAPS:
            attr = self.index_map(name)
            if attr is None:
                continue
            attr.verify_numbers()
            for position in attr.positions():
                if position >= len(values):
                    raise VerifyException(f"'{name}' uses d{position}, but there are {len(values)} index operands")
                used.add(position)
        if len(used) != len(values):
            unused = next(n for n in range(len(values)) if n not in used)
            raise VerifyException(f"index operand {unused} is used by no map")
        for value in values:
            if not isinstance(value.type, IndexType):
                raise VerifyException(f"index operand of type {value.type}: must be index")


def resolve_defined(parser: Parser, what: str) -> SSAValue:
    """Parse `%name` of a value that is already defined, so that its type need not be written."""
    position = parser.pos
    return as_defined(parser, parser.parse_unresolved_operand(f"{what} expected"), what, position)


def as_defined(parser: Parser, operand: UnresolvedOperand, what: str, position: int) -> SSAValue:
    """The value of the name that was read at `position`."""
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error(f"{what} %{operand.operand_name} is not defined before this use", position, parser.pos)
    return values[operand.index]


def resolve_buffer(parser: Parser) -> SSAValue:
    """Parse `%name` of a buffer that is already defined."""
    position = parser.pos
    return as_buffer(parser, resolve_defined(parser, "buffer"), position)


def as_buffer(parser: Parser, value: SSAValue, position: int) -> SSAValue:
    """The value that was read at `position`, if it is a buffer."""
    if not isinstance(value.type, MemRefType):
        parser.raise_error(f"a buffer is a memref, not {value.type}", position, parser.pos)
    return value


def parse_index_expr(parser: Parser) -> Expr:
    """Parse one expression over `%names` of index values."""

    def variable() -> Expr | None:
        operand = parser.parse_optional_unresolved_operand()
        return None if operand is None else Expr.atom(parser.resolve_operand(operand, IndexType()))

    return parse_expr(parser, variable)


def parse_index_exprs(parser: Parser, delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE) -> list[Expr]:
    """Parse `[%i * 8 + %j, %k]`."""
    return parser.parse_comma_separated_list(delimiter, lambda: parse_index_expr(parser))


def parse_conditions(parser: Parser, variable: ParseVariable | None = None) -> list[Expr]:
    """Parse `(%i - 1 >= 0, …)`: expressions that must all be at least zero, over whatever `variable` reads."""

    def condition() -> Expr:
        e = parse_index_expr(parser) if variable is None else parse_expr(parser, variable)
        parser.parse_punctuation(">")
        parser.parse_punctuation("=")
        if parser.parse_integer() != 0:
            parser.raise_error("a condition is written '… >= 0'")
        return e

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, condition)


def ssa_name(printer: Printer, value: Variable) -> str:
    """The name under which `printer` knows an SSA value, `%` included."""
    assert isinstance(value, SSAValue)
    names = printer._ssa_values  # pyright: ignore[reportPrivateUsage]
    if value not in names:
        # a value that is printed before its definition (a detached op): let the printer name it
        names[value] = f"{value.name_hint or 'v'}_{len(names)}"
    return f"%{names[value]}"


def print_index_exprs(printer: Printer, exprs: Sequence[Expr]) -> None:
    """Print `[%i * 8 + %j, %k]`."""
    printer.print_string(f"[{expr_list(printer, exprs)}]")


def print_conditions(printer: Printer, exprs: Sequence[Expr]) -> None:
    """Print `(%i - 1 >= 0, …)`."""
    printer.print_string(f"({', '.join(f'{e.text(lambda v: ssa_name(printer, v))} >= 0' for e in exprs)})")


def expr_list(printer: Printer, exprs: Sequence[Expr]) -> str:
    """Expressions over SSA values, separated by commas."""
    return ", ".join(e.text(lambda v: ssa_name(printer, v)) for e in exprs)


def parse_optional_pad(parser: Parser) -> Attribute | None:
    """Parse `else <typed constant>`, the value of an access that is out of bounds."""
    return parser.parse_attribute() if parser.parse_optional_keyword("else") else None
