"""Naming loops and blocks in text: `matmul` is a block, `matmul/i` the loop `i` around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from ...dialects.expr import Expr, Variable
from ...dialects.expr_syntax import parse_expr
from ...dialects.loop import BlockOp, ForOp, enclosing_loops
from ...dialects.signature import dim_names
from ...errors import ScheduleError

_PLAIN = re.compile(r"[A-Za-z0-9_.\-]+")
_ADDRESS = re.compile(r'("(?:\\.|[^"\\])*"|[^"/\s]+)(?:/("(?:\\.|[^"\\])*"|[^"/\s]+))?')

EXTENT = "extent"
"""In an index expression of a step: the extent of the loop that the step is about."""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")
_WORDS = frozenset({EXTENT, "floordiv", "mod", "min", "max"})
"""What an identifier in an index expression means other than a value."""


def quote(label: str) -> str:
    """A label as it is written in a step."""
    return label if _PLAIN.fullmatch(label) else _quoted(label)


def _quoted(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def split_address(text: str) -> tuple[str, str | None]:
    """The block label and the loop label, if there is one, of an address."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise ScheduleError(f"'{text}' is not an address: write block/loop, and quote labels with other characters")
    block, loop = match.groups()
    return _unquote(block), None if loop is None else _unquote(loop)


def walk_nest(root: Operation) -> Iterator[Operation]:
    """Every op in `root`, itself first, in program order, without what blocks compute."""
    stack = [root]
    while stack:
        op = stack.pop()
        yield op
        if not isinstance(op, BlockOp):
            stack.extend(child for region in reversed(op.regions) for child in _backwards(region))


def _backwards(region: Region) -> Iterator[Operation]:
    for block in reversed(region.blocks):
        op = block.last_op
        while op is not None:
            yield op
            op = op.prev_op


def blocks_in(root: Operation) -> list[BlockOp]:
    """Every block in `root`, in program order."""
    return [op for op in walk_nest(root) if isinstance(op, BlockOp)]


def function_of(op: Operation) -> func.FuncOp | None:
    """The function around `op`."""
    around: Operation | None = op
    while around is not None and not isinstance(around, func.FuncOp):
        around = around.parent_op()
    return around


def find_block(function: func.FuncOp, label: str) -> BlockOp:
    """The block of `function` with this label."""
    blocks = blocks_in(function)
    found = [block for block in blocks if block.label.data == label]
    name = function.sym_name.data
    if not found:
        raise ScheduleError(f"function @{name} has no block '{label}'; {_offer('blocks', (b.label for b in blocks))}")
    if len(found) > 1:
        raise ScheduleError(f"function @{name} has {len(found)} blocks '{label}': their labels must differ")
    return found[0]


def find_loop(block: BlockOp, label: str) -> ForOp:
    """The loop with this label around a block."""
    name = block.label.data
    loops = block.loops()
    found = [loop for loop in loops if loop.label.data == label]
    if not found:
        raise ScheduleError(f"no loop '{label}' around block '{name}'; {_offer('loops', (x.label for x in loops))}")
    if len(found) > 1:
        raise ScheduleError(f"{len(found)} loops '{label}' around block '{name}': their labels must differ")
    return found[0]


def _offer(what: str, labels: Iterable[object]) -> str:
    names = [quote(getattr(label, "data", "")) for label in labels]
    return f"its {what} are {', '.join(names)}" if names else f"there are no {what}"


def block_address(block: BlockOp) -> str:
    """The address of a block."""
    return quote(block.label.data)


def loop_address(loop: ForOp) -> str:
    """The address of a loop, by the first block in it."""
    block = next((op for op in walk_nest(loop) if isinstance(op, BlockOp)), None)
    label = quote(loop.label.data)
    return label if block is None else f"{block_address(block)}/{label}"


def index_names(loop: ForOp) -> dict[str, SSAValue]:
    """
    The index values that an expression in a step about `loop` may name, with their names.

    That of a loop is its label, the innermost first, that of a dim its own; a value without a name, or whose name
    another one has, is called after its place among those that there are: `arg1`, `value3`.
    """
    names: dict[str, SSAValue] = {}
    for outer in enclosing_loops(loop):
        names.setdefault(outer.label.data, outer.variable)
    function = function_of(loop)
    arguments: Sequence[SSAValue] = () if function is None else function.args
    declared = () if function is None else dim_names(function)
    indices = [n for n, argument in enumerate(arguments) if isinstance(argument.type, IndexType)]
    for n in indices:
        name = declared[n] if n < len(declared) else arguments[n].name_hint
        names.setdefault(name or "", arguments[n])
    names = {name: value for name, value in names.items() if name and name.isprintable()}
    named = set(names.values())
    places = [(f"arg{n}", arguments[n]) for n in indices]
    places += [(f"value{n}", value) for n, value in enumerate(_computed_before(loop))]
    for place, value in places:
        if value not in named:
            while place in names:
                place += "_"
            names[place] = value
    return names


def _computed_before(loop: ForOp) -> list[SSAValue]:
    """What stands where `loop` does and is no argument of the function: the loops around, and index values computed."""
    found: list[list[SSAValue]] = []
    inner: Operation = loop
    while (block := inner.parent) is not None and not isinstance(inner, func.FuncOp):
        outer = block.parent_op()
        values: list[SSAValue] = [] if isinstance(outer, func.FuncOp) else list(block.args)
        op = block.first_op
        while op is not None and op is not inner:
            values += op.results
            op = op.next_op
        found.append(values)
        if outer is None:
            break
        inner = outer
    return [value for values in reversed(found) for value in values if isinstance(value.type, IndexType)]


def _spelled(name: str) -> str:
    """A name as it is written in an expression: in quotes where it would read as something else."""
    return name if _IDENTIFIER.fullmatch(name) and name not in _WORDS else _quoted(name)


def read_index(text: str, loop: ForOp) -> Expr:
    """The index expression that `text` says, over index values."""
    names = index_names(loop)
    parser = Parser(Context(), text, "step")

    def variable() -> Expr | None:
        name = parser.parse_optional_identifier()
        if name == EXTENT:
            return loop.extent
        if name is None:
            name = parser.parse_optional_str_literal()
        if name is None:
            return None
        if name not in names:
            raise ScheduleError(f"'{text}' names '{name}'; {_offer_names(names)}")
        return Expr.atom(names[name])

    try:
        e = parse_expr(parser, variable)
        if parser.parse_optional_identifier() is not None or parser.pos < len(text.rstrip()):
            raise ScheduleError(f"'{text}' is not one index expression")
    except ParseError as error:
        raise ScheduleError(f"'{text}' is not an index expression: {error.span.text or 'it ends too soon'}") from error
    return e


def _offer_names(names: dict[str, SSAValue]) -> str:
    return f"an expression may name {', '.join([EXTENT, *map(_spelled, names)])}"


def index_text(e: Expr, loop: ForOp) -> str:
    """What `read_index` reads back as `e`; a value that does not stand where the loop does is shown as `?`."""
    names: dict[Variable, str] = {value: _spelled(name) for name, value in index_names(loop).items()}
    return e.text(lambda variable: names.get(variable, "?"))
