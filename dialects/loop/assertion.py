"""`loop.assert`: what must hold for the function to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr
from .maps import IndexedOp, MapAttr, pack, parse_conditions, print_conditions


@irdl_op_definition
class AssertOp(IndexedOp, IRDLOperation):
    """
    Go on only where every condition is at least zero; else the function ends here, with a fault that has this message.

    ```mlir
    loop.assert (%i >= 0, 7 - %i >= 0), "an index is out of range"
    ```
    """

    name = "loop.assert"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("conditions",)

    index_operands = var_operand_def(IndexType())
    conditions = prop_def(MapAttr)
    message = prop_def(StringAttr)

    # no trait: an op that may end the function is not pure, and nothing may be moved to before it

    def __init__(self, conditions: Sequence[Expr], message: str):
        operands, (attr,) = pack(conditions)
        super().__init__(operands=[operands], properties={"conditions": attr, "message": StringAttr(message)})

    @property
    def condition_exprs(self) -> tuple[Expr, ...]:
        """The expressions that must all be at least zero."""
        return self.index_exprs("conditions")

    def verify_(self) -> None:
        """At least one condition."""
        self.verify_maps()
        if not self.conditions.exprs:
            raise VerifyException("asserts nothing: it needs a condition")

    @classmethod
    def parse(cls, parser: Parser) -> AssertOp:
        """Parse `(%i >= 0), "message"`."""
        conditions = parse_conditions(parser)
        parser.parse_punctuation(",")
        op = cls(conditions, parser.parse_str_literal(": what is wrong where a condition does not hold"))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        print_conditions(printer, self.condition_exprs)
        printer.print_string(", ")
        printer.print_string_literal(self.message.data)
        printer.print_op_attributes(self.attributes, print_keyword=True)
