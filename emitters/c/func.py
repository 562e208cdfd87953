"""The C of functions: their parameters, their bodies, calls and returns."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import loop
from ...dialects.origin import has_origin, origin
from ...dialects.signature import NOALIAS, dim_names
from ...errors import VerifyError
from .file import Callee, File
from .indices import condition_text
from .names import comment
from .types import c_type, element_text, is_buffer
from .writer import Writer, emits

WEIGHTS = "sw_weights"
"""The parameter that points to the weights, where they are in a file of their own."""


def calls(function: FuncOp) -> Iterator[str]:
    """The functions that a function calls."""
    for op in function.walk():
        if isinstance(op, CallOp):
            yield op.callee.root_reference.data


class Writing:
    """Which buffers of which functions are written, through views and calls too."""

    def __init__(self, functions: dict[str, FuncOp]):
        self.functions = functions
        self.known: dict[str, frozenset[int]] = {}

    def parameters(self, function: FuncOp) -> frozenset[int]:
        """The numbers of the arguments whose buffers are written."""
        name = function.sym_name.data
        if name not in self.known:
            self.known[name] = frozenset()
            self.known[name] = frozenset(a.index for op in function.walk() for a in self._written_by(op))
        return self.known[name]

    def _written_by(self, op: Operation) -> Iterator[BlockArgument]:
        targets: list[SSAValue] = []
        if isinstance(op, CallOp):
            callee = self.functions.get(op.callee.root_reference.data)
            written = frozenset[int]() if callee is None else self.parameters(callee)
            targets = [op.operands[number] for number in written]
        elif op.name.endswith("store"):
            targets = [operand for operand in op.operands if is_buffer(operand.type)]
        for target in targets:
            while isinstance(target.owner, loop.ViewOp):
                target = target.owner.workspace
            if isinstance(target, BlockArgument):
                yield target


def parameter(argument: BlockArgument, name: str, written: bool, noalias: bool) -> str:
    """The declaration of a parameter."""
    if not is_buffer(argument.type):
        return f"{c_type(argument.type).text} {name}"
    element = element_text(loop.buffer_type(argument).element_type)
    return f"{'' if written else 'const '}{element} *{'restrict ' if noalias else ''}{name}"


def result_text(function: FuncOp, callee: Callee) -> str:
    """The C type that a function returns."""
    types = list(function.function_type.outputs)
    if len(types) > 1:
        raise VerifyError(f"function '{function.sym_name.data}' returns {len(types)} values: C returns one at most")
    if types and callee.may_fail:
        raise VerifyError(
            f"function '{function.sym_name.data}' returns a value, and asserts something: C has no place for both;"
            " give its accesses guards, or hand the value on in a buffer"
        )
    return c_type(types[0]).text if types else "int" if callee.may_fail else "void"


def head_of(function: FuncOp, callee: Callee, out: Writer, written: frozenset[int]) -> str:
    """The first line of a function; names its arguments."""
    noalias = NOALIAS in function.attributes
    declarations = [f"const unsigned char *{WEIGHTS}"] if callee.takes_weights else []
    for argument in function.args:
        if not is_buffer(argument.type):
            out.type(argument)
        elif argument.index not in written:
            out.constants.add(argument)
        declarations.append(parameter(argument, out.fresh(argument), argument.index in written, noalias))
    out.naturals.update(function.args[: len(dim_names(function))])
    return f"{result_text(function, callee)} {callee.symbol}({', '.join(declarations) or 'void'})"


def function_text(function: FuncOp, file: File, written: frozenset[int]) -> tuple[str, str]:
    """The head and the body of a function."""
    out = Writer(file)
    head = head_of(function, file.functions[function.sym_name.data], out, written)
    for argument in function.args:
        out.acknowledge(argument)
    said = ""
    for op in function.body.block.ops:
        if has_origin(op) and op.regions and (place := origin(op)) != said:
            out.line(f"/* {comment(place)} */")
            said = place
        out.emit(op)
    return head, "\n".join(out.lines)


@emits(CallOp)
def _call(op: CallOp, out: Writer) -> None:
    callee = out.file.functions.get(op.callee.root_reference.data)
    if callee is None:
        raise VerifyError(f"calls '{op.callee.root_reference.data}', which the module does not define")
    arguments = [WEIGHTS] if callee.takes_weights else []
    text = f"{callee.symbol}({', '.join([*arguments, *map(out.name, op.arguments)])})"
    if op.results:
        out.define(op.results[0], text)
    elif callee.may_fail:
        leave_where(text, op, out)
    else:
        out.line(f"{text};")


def leave_where(condition: str, op: Operation, out: Writer) -> None:
    """End the function with a fault where a condition holds."""
    if any(around.kind.data == "parallel" for around in loop.enclosing_loops(op)):
        raise VerifyError("may end the function, which no iteration of a parallel loop can: make the loop serial")
    out.line(f"if ({condition}) return 1;")


@emits(loop.AssertOp)
def _assert(op: loop.AssertOp, out: Writer) -> None:
    leave_where(f"!({condition_text(op.condition_exprs, out)})", op, out)


@emits(ReturnOp)
def _return(op: ReturnOp, out: Writer) -> None:
    function = op.parent_op()
    assert isinstance(function, FuncOp)
    if out.file.functions[function.sym_name.data].may_fail:
        out.line("return 0;")
    elif op.arguments:
        out.line(f"return {out.name(op.arguments[0])};")
