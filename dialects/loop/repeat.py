"""`loop.while`: repetition with a condition that is computed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .control import print_binding, print_values, verify_yield
from .maps import resolve_defined


@irdl_op_definition
class ConditionOp(IRDLOperation):
    """
    End the condition of a `loop.while`: go on while `condition` is true, with these values.

    ```mlir
    // %c : i1, %v : i64
    loop.condition %c, %v
    ```
    """

    name = "loop.condition"

    condition = operand_def(IntegerType(1))
    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, condition: SSAValue, *values: SSAValue):
        super().__init__(operands=[condition, values])

    @classmethod
    def parse(cls, parser: Parser) -> ConditionOp:
        """Parse `%c, %a, %b`."""
        condition = resolve_defined(parser, "condition")
        values: list[SSAValue] = []
        while parser.parse_optional_punctuation(","):
            values.append(resolve_defined(parser, "value"))
        return cls(condition, *values)

    def print(self, printer: Printer) -> None:
        """Print `%c, %a, %b`."""
        print_values(printer, self.operands)


@irdl_op_definition
class WhileOp(IRDLOperation):
    """
    Run the condition on the carried values; while it holds, run the body on what it hands on, and begin again.

    Opaque to every primitive: for irregular code outside blocks.

    ```mlir
    // %v : i64, %c : i1
    %r = loop.while (%a = %v) {
      loop.condition %c, %a
    } do (%b) {
      loop.yield %b
    }
    ```
    """

    name = "loop.while"

    inits = var_operand_def()
    outs = var_result_def()
    condition = region_def("single_block")
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, inits: Sequence[SSAValue], condition: Region, body: Region):
        last = condition.block.last_op
        types = [v.type for v in last.values] if isinstance(last, ConditionOp) else [v.type for v in inits]
        super().__init__(operands=[inits], result_types=[types], regions=[condition, body])

    def verify_(self) -> None:
        """The types go round."""
        init_types = [v.type for v in self.inits]
        last = self.condition.block.last_op
        if not isinstance(last, ConditionOp):
            raise VerifyException("the condition must end with loop.condition")
        if [a.type for a in self.condition.block.args] != init_types:
            raise VerifyException("the condition takes the carried values")
        types = [v.type for v in last.values]
        if [a.type for a in self.body.block.args] != types or list(self.result_types) != types:
            raise VerifyException("the body takes, and the results are, what the condition hands on")
        verify_yield(self.body.block, init_types, "the carried values")

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        """Parse `(%a = %init) { … } do (%b) { … }`."""
        arguments: list[Parser.Argument] = []
        inits: list[SSAValue] = []

        def parse_carried() -> None:
            name = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            inits.append(resolve_defined(parser, "initial value"))
            arguments.append(name.resolve(inits[-1].type))

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_carried)
        condition = parser.parse_region(arguments)
        parser.parse_keyword("do")
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        last = condition.block.last_op
        types = [v.type for v in last.values] if isinstance(last, ConditionOp) else []
        if len(types) != len(names):
            parser.raise_error(f"{len(names)} names for the {len(types)} values of loop.condition")
        body = parser.parse_region([n.resolve(t) for n, t in zip(names, types, strict=True)])
        return cls(inits, condition, body)

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" (")
        pairs = zip(self.condition.block.args, self.inits, strict=True)
        printer.print_list(pairs, lambda pair: print_binding(printer, *pair))
        printer.print_string(") ")
        printer.print_region(self.condition, print_entry_block_args=False, print_empty_block=False)
        printer.print_string(" do (")
        printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(") ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
