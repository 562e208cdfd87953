"""The page that emitters write on: names, indentation, helpers, and the table op class -> emitter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from xdsl.ir import Attribute, Block, Operation, SSAValue, Use

from ...dialects import loop
from ...dialects.expr import Expr, Variable
from ...dialects.origin import located
from ...errors import VerifyError
from .file import File
from .names import Names
from .types import CType, c_type

OpT = TypeVar("OpT", bound=Operation)

EMITTERS: dict[type[Operation], Callable[[Any, Writer], None]] = {}
"""Op class -> what writes its statement."""


def emits(kind: type[OpT]) -> Callable[[Callable[[OpT, Writer], None]], Callable[[OpT, Writer], None]]:
    """Put the function that writes an op's statement into the table."""

    def register(emitter: Callable[[OpT, Writer], None]) -> Callable[[OpT, Writer], None]:
        EMITTERS[kind] = emitter
        return emitter

    return register


class Writer:
    """Writes the body of one function, top to bottom."""

    def __init__(self, file: File):
        self.file = file
        self.prelude = file.prelude
        self.names = Names(file.names)
        self.depth = 1
        self.lines: list[str] = []
        self.values: dict[SSAValue, str] = {}
        self.naturals: set[Variable] = set()
        """Indices that are never negative, by how they are made."""
        self.constants: set[SSAValue] = set()
        """Buffers that may only be read."""
        self.strides: dict[SSAValue, tuple[Expr, ...]] = {}
        """How many elements apart neighbours along each dim of a buffer are."""

    # -- text -----------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One line at the current depth."""
        self.lines.append(f"{'  ' * self.depth}{text}")

    def directive(self, text: str) -> None:
        """One line for the preprocessor."""
        self.lines.append(text)

    def open(self, head: str) -> None:
        """The first line of a block in braces; what follows stands one deeper."""
        self.line(head)
        self.depth += 1

    def close(self) -> None:
        """The last line of a block."""
        self.depth -= 1
        self.line("}")

    def reopen(self, middle: str) -> None:
        """The line between two parts of a block, such as `} else {`."""
        self.depth -= 1
        self.open(middle)

    # -- values ---------------------------------------------------------------------------------------------------

    def name(self, value: SSAValue) -> str:
        """The C variable that holds a value."""
        return self.values[value]

    def type(self, value: SSAValue) -> CType:
        """The C side of the type of a value; a vector's stands in the file from now on."""
        result = c_type(value.type)
        if result.lanes:
            self.prelude.vector(result)
        return result

    def bind(self, value: SSAValue, name: str) -> str:
        """Let a value be held by a variable that exists already."""
        self.values[value] = name
        return name

    def fresh(self, value: SSAValue) -> str:
        """A new name for the variable that holds a value."""
        return self.bind(value, self.names.take(value.name_hint or "v"))

    def declare(self, value: SSAValue) -> str:
        """A variable for a value that is assigned later."""
        text = self.type(value).text
        name = self.fresh(value)
        self.line(f"{text} {name};")
        return name

    def define(self, value: SSAValue, expression: str) -> None:
        """The statement that gives a value its variable; one that nothing reads is said to be meant."""
        text = self.type(value).text
        name = self.fresh(value)
        self.line(f"{text} {name} = {expression};")
        self.acknowledge(value)

    def acknowledge(self, value: SSAValue) -> None:
        """Tell the compiler that a variable may go unread."""
        if all(_is_unsaid(use) for use in value.uses):
            self.line(f"(void){self.name(value)};")

    def spelled(
        self, op: Operation, type: Attribute, *operands: str, places: Mapping[str, str] = MappingProxyType({})
    ) -> str | None:
        """
        How the target spells an op on vectors of this type, with operands and what else it names put in.

        None where it leaves that to the emitter.
        """
        template = self.file.target.spelling(op, type)
        if not template:
            return None
        for name, text in self.file.target.helpers.items():
            if f"{name}(" in template:
                self.prelude.define(name, partial(str, text))
        return template.format(type=c_type(type).text, **dict(zip("abc", operands, strict=False)), **places)

    # -- ops ------------------------------------------------------------------------------------------------------

    def emit(self, op: Operation) -> None:
        """The statement of one op."""
        emitter = EMITTERS.get(op.__class__)
        if emitter is None:
            raise VerifyError(located(op, "has no C; a pass that lowers it must run before, or an emitter be added"))
        try:
            emitter(op, self)
        except VerifyError as error:
            raise error if "error:" in str(error) else VerifyError(located(op, str(error))) from None

    def emit_block(self, block: Block) -> None:
        """The statements of a block, in order."""
        for op in block.ops:
            self.emit(op)


def _is_unsaid(use: Use) -> bool:
    """Whether C does not say what a value is used for: the size of a buffer, unless an address is computed from it."""
    match use.operation:
        case loop.ShapeOp():
            return True
        case loop.ViewOp() as view:
            return use.index - view.index_start not in {v for e in view.offset.exprs for v in e.variables()} | {-1}
        case _:
            return False
