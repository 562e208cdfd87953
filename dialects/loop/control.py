"""Control: named loops, conditions, and the terminator that hands values on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..expr import Expr, as_expr
from .attributes import LOOP_KINDS
from .maps import (
    IndexedOp,
    MapAttr,
    as_defined,
    expr_list,
    pack,
    parse_conditions,
    parse_index_expr,
    print_conditions,
    resolve_defined,
)
from .segments import quick_groups, segment_sizes


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    End a region and hand its values to the op around it: the carried values of a loop, the element a block writes.

    ```mlir
    // %v : f32
    loop.yield %v
    ```
    """

    name = "loop.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        """Parse `%a, %b`, or nothing."""
        return cls(*parse_values(parser))

    def print(self, printer: Printer) -> None:
        """Print `%a, %b`."""
        print_values(printer, self.values)


def parse_values(parser: Parser) -> list[SSAValue]:
    """Parse `%a, %b`, or nothing."""
    values: list[SSAValue] = []
    # a terminator may stand without values right before the closing brace
    operand = parser.parse_optional_unresolved_operand()
    while operand is not None:
        values.append(as_defined(parser, operand, "value", operand.span.start))
        operand = parser.parse_unresolved_operand() if parser.parse_optional_punctuation(",") else None
    return values


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print ` %a, %b`, or nothing."""
    if values:
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)


@quick_groups
@irdl_op_definition
class ForOp(IndexedOp, IRDLOperation):
    """
    Run the body for each integer from the lower bound up to, not including, the upper one.

    The label names the loop in schedules and messages; the kind says what it is to become. A serial loop may carry
    values: the body yields the next ones, the results are the last.

    ```mlir
    loop.for "i" %i = 0 to min(16, %n - 3) {
    }
    ```
    """

    name = "loop.for"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("bounds",)

    inits = var_operand_def()
    index_operands = var_operand_def(IndexType())
    label = prop_def(StringAttr)
    kind = prop_def(StringAttr)
    bounds = prop_def(MapAttr)
    outs = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        label: str,
        lower: Expr | int,
        upper: Expr | int,
        body: Region | None = None,
        kind: str = "serial",
        inits: Sequence[SSAValue] = (),
    ):
        operands, (bounds,) = pack((as_expr(lower), as_expr(upper)))
        if body is None:
            body = Region(Block(arg_types=[IndexType(), *(v.type for v in inits)]))
            body.block.args[0].name_hint = label if SSAValue.is_valid_name(label) else None
        super().__init__(
            operands=[inits, operands],
            properties={"label": StringAttr(label), "kind": StringAttr(kind), "bounds": bounds},
            result_types=[[v.type for v in inits]],
            regions=[body],
        )

    @property
    def index_start(self) -> int:
        """The carried values stand first."""
        return segment_sizes(self)[0]

    @property
    def variable(self) -> BlockArgument:
        """The index value that runs from `lower` to `upper`."""
        return self.body.block.args[0]

    @property
    def carried(self) -> Sequence[BlockArgument]:
        """The values that one iteration hands to the next, inside the body."""
        return self.body.block.args[1:]

    @property
    def lower(self) -> Expr:
        """The first value of the variable."""
        return self.index_exprs("bounds")[0]

    @property
    def upper(self) -> Expr:
        """The end of the variable's range, not included."""
        return self.index_exprs("bounds")[1]

    @property
    def extent(self) -> Expr:
        """How many iterations there are (where that is not negative)."""
        lower, upper = self.index_exprs("bounds")
        return upper - lower

    def verify_(self) -> None:
        """Bounds, kind, carried values."""
        self.verify_maps()
        if len(self.bounds.exprs) != 2:
            raise VerifyException(f"bounds has {len(self.bounds.exprs)} expressions: must be lower and upper")
        if not self.label.data:
            raise VerifyException("a loop needs a label")
        kind = self.kind.data
        if kind not in LOOP_KINDS:
            raise VerifyException(f"loop kind '{kind}': must be one of {', '.join(LOOP_KINDS)}")
        if kind in ("vectorized", "unrolled", "tensorized") and self.extent.value is None:
            raise VerifyException(f"loop '{self.label.data}' is {kind}, so its extent must be constant")
        if self.inits and kind != "serial":
            raise VerifyException(f"loop '{self.label.data}' carries values, so it must be serial, not {kind}")
        args = self.body.block.args
        if len(args) != 1 + len(self.inits) or not isinstance(args[0].type, IndexType):
            raise VerifyException("the body takes the index and the carried values")
        if [a.type for a in args[1:]] != [v.type for v in self.inits]:
            raise VerifyException("the carried values of the body must have the types of the initial ones")
        verify_yield(self.body.block, [r.type for r in self.results], "the loop's results")
        if self.result_types != tuple(v.type for v in self.inits):
            raise VerifyException("the results must have the types of the initial values")

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        """Parse `"i" %i = 0 to %n vectorized iter(%a = %init) { … }`."""
        label = parser.parse_str_literal(": the label of a loop")
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        lower = parse_index_expr(parser)
        parser.parse_keyword("to")
        upper = parse_index_expr(parser)
        kind = parser.parse_optional_keyword_in(LOOP_KINDS) or "serial"
        arguments = [argument.resolve(IndexType())]
        inits: list[SSAValue] = []

        def parse_carried() -> None:
            name = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            init = resolve_defined(parser, "initial value")
            inits.append(init)
            arguments.append(name.resolve(init.type))

        if parser.parse_optional_keyword("iter"):
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_carried)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region(arguments)
        op = cls(label, lower, upper, body, kind, inits)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        printer.print_string_literal(self.label.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.variable)
        printer.print_string(f" = {expr_list(printer, [self.lower])} to {expr_list(printer, [self.upper])}")
        if self.kind.data != "serial":
            printer.print_string(f" {self.kind.data}")
        if self.inits:
            printer.print_string(" iter(")
            printer.print_list(zip(self.carried, self.inits, strict=True), lambda pair: print_binding(printer, *pair))
            printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


def print_binding(printer: Printer, name: SSAValue, value: SSAValue) -> None:
    """Print `%a = %init`."""
    printer.print_ssa_value(name)
    printer.print_string(" = ")
    printer.print_ssa_value(value)


def verify_yield(block: Block, types: Sequence[Attribute], what: str) -> None:
    """A block ends with `loop.yield` of values of these types, and has no other."""
    last = block.last_op
    values = last.values if isinstance(last, YieldOp) else ()
    if types and not isinstance(last, YieldOp):
        raise VerifyException(f"the region must end with loop.yield of {what}")
    if [v.type for v in values] != list(types):
        found = ", ".join(str(v.type) for v in values) or "nothing"
        raise VerifyException(f"loop.yield of {found}: must be {', '.join(map(str, types)) or 'nothing'} ({what})")
    for op in block.ops:
        if isinstance(op, YieldOp) and op is not last:
            raise VerifyException("loop.yield must be the last op of its region")


@irdl_op_definition
class IfOp(IndexedOp, IRDLOperation):
    """
    Run the first region where every condition is at least zero, the second one otherwise.

    ```mlir
    loop.if (%n - 1 >= 0, 7 - %n >= 0) {
    } else {
    }
    ```
    """

    name = "loop.if"
    INDEX_MAPS: ClassVar[tuple[str, ...]] = ("conditions",)

    index_operands = var_operand_def(IndexType())
    conditions = prop_def(MapAttr)
    outs = var_result_def()
    then_body = region_def("single_block")
    else_body = region_def()

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        conditions: Sequence[Expr],
        then_body: Region | None = None,
        else_body: Region | None = None,
        result_types: Sequence[Attribute] = (),
    ):
        operands, (attr,) = pack(conditions)
        super().__init__(
            operands=[operands],
            properties={"conditions": attr},
            result_types=[result_types],
            regions=[then_body or Region(Block()), else_body or Region()],
        )

    @property
    def condition_exprs(self) -> tuple[Expr, ...]:
        """The expressions that must all be at least zero."""
        return self.index_exprs("conditions")

    def verify_(self) -> None:
        """Conditions and yields."""
        self.verify_maps()
        types = [r.type for r in self.results]
        verify_yield(self.then_body.block, types, "the results")
        if self.else_body.blocks:
            verify_yield(self.else_body.block, types, "the results")
        elif types:
            raise VerifyException("an if with results needs an else")

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse `(%i - 1 >= 0) -> f32 { … } else { … }`."""
        conditions = parse_conditions(parser)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            types = [*parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)]
        attributes = parser.parse_optional_attr_dict_with_keyword()
        then_body = parser.parse_region(())
        else_body = parser.parse_region(()) if parser.parse_optional_keyword("else") else Region()
        op = cls(conditions, then_body, else_body, types)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print what `parse` reads."""
        printer.print_string(" ")
        print_conditions(printer, self.condition_exprs)
        if self.results:
            printer.print_string(" -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.then_body, print_empty_block=False)
        if self.else_body.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_body, print_empty_block=False)


def enclosing_loops(op: Operation) -> Iterator[ForOp]:
    """The loops around `op`, innermost first, up to the function."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, ForOp):
            yield parent
        parent = parent.parent_op()
