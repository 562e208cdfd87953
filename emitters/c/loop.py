"""The C of `loop` below the block level: loops, conditions, buffers and their elements."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import loop
from ...dialects.element_types import bytes_of
from ...errors import VerifyError
from .indices import condition_text, element, index_text, is_natural
from .literals import literal
from .names import comment
from .types import element_text
from .writer import Writer, emits

STACK_LIMIT = 64 << 10
"""Bytes that a `local` buffer may take on the stack; a larger one belongs into the workspace."""


def number(attribute: Attribute) -> str:
    """The literal of a typed number."""
    match attribute:
        case IntegerAttr():
            return literal(attribute.value.data, attribute.type)
        case FloatAttr():
            return literal(attribute.value.data, attribute.type)
        case _:
            raise VerifyError(f"no C for a constant {attribute}")


def hold(value: SSAValue, init: SSAValue, block: Block, out: Writer) -> str:
    """
    The variable that holds a carried value, set to its init.

    It is the init's own variable where nothing else reads that; a copy otherwise, and of a constant.
    """
    # An init from further out would be changed by the first of several rounds of the loops in between.
    home = init.owner if isinstance(init.owner, Block) else init.owner.parent_block()
    if init.has_one_use() and home is block and not isinstance(init.owner, ConstantOp):
        return out.bind(value, out.name(init))
    text = out.type(value).text
    name = out.fresh(value)
    out.line(f"{text} {name} = {out.name(init)};")
    return name


def assign(targets: Sequence[str], values: Sequence[SSAValue], out: Writer) -> None:
    """Set variables to values, all at once: what a later assignment still reads is kept in a temporary."""
    pairs = [(target, value) for target, value in zip(targets, values, strict=True) if target != out.name(value)]
    assigned: set[str] = set()
    sources: list[str] = []
    for target, value in pairs:
        source = out.name(value)
        if source in assigned:
            kept = out.names.take(f"{source}_old")
            out.line(f"{out.type(value).text} {kept} = {source};")
            source = kept
        sources.append(source)
        assigned.add(target)
    for (target, _), source in zip(pairs, sources, strict=True):
        out.line(f"{target} = {source};")


@emits(loop.ForOp)
def _for(op: loop.ForOp, out: Writer) -> None:
    block = op.parent_block()
    assert block is not None
    carried = [hold(value, init, block, out) for value, init in zip(op.carried, op.inits, strict=True)]
    lower, upper = op.lower, op.upper
    if is_natural(lower, out):
        out.naturals.add(op.variable)
    name = out.fresh(op.variable)
    label, kind = op.label.data, op.kind.data
    notes = ([label] if label != name else []) + ([kind] if kind != "serial" else [])
    if kind == "parallel":
        out.directive("#ifdef _OPENMP")
        out.directive("#pragma omp parallel for")
        out.directive("#endif")
    head = f"for (int64_t {name} = {index_text(lower, out)}; {name} < {index_text(upper, out)}; {name}++)"
    out.open(f"{head} {{ /* {comment(', '.join(notes))} */" if notes else f"{head} {{")
    out.emit_block(op.body.block)
    if isinstance(last := op.body.block.last_op, loop.YieldOp):
        assign(carried, last.values, out)
    out.close()
    for result, name in zip(op.results, carried, strict=True):
        out.bind(result, name)
        out.acknowledge(result)


@emits(loop.IfOp)
def _if(op: loop.IfOp, out: Writer) -> None:
    results = [out.declare(result) for result in op.results]
    out.open(f"if ({condition_text(op.condition_exprs, out)}) {{")
    _branch(op.then_body.block, results, out)
    if op.else_body.blocks:
        out.reopen("} else {")
        _branch(op.else_body.block, results, out)
    out.close()
    for result in op.results:
        out.acknowledge(result)


def _branch(block: Block, results: Sequence[str], out: Writer) -> None:
    out.emit_block(block)
    if isinstance(last := block.last_op, loop.YieldOp):
        assign(results, last.values, out)


@emits(loop.WhileOp)
def _while(op: loop.WhileOp, out: Writer) -> None:
    block = op.parent_block()
    condition = op.condition.block.last_op
    assert block is not None
    assert isinstance(condition, loop.ConditionOp)
    carried = [hold(value, init, block, out) for value, init in zip(op.condition.block.args, op.inits, strict=True)]
    results = [out.declare(result) for result in op.results]
    for argument, name in zip(op.body.block.args, results, strict=True):
        out.bind(argument, name)
    out.open("for (;;) {")
    out.emit_block(op.condition.block)
    assign(results, condition.values, out)
    out.line(f"if (!{out.name(condition.condition)}) break;")
    out.emit_block(op.body.block)
    last = op.body.block.last_op
    assert isinstance(last, loop.YieldOp)
    assign(carried, last.values, out)
    out.close()
    for result in op.results:
        out.acknowledge(result)


@emits(loop.YieldOp)
def _yield(op: loop.YieldOp, out: Writer) -> None:
    """The op around it assigns the values."""


@emits(loop.ConditionOp)
def _condition(op: loop.ConditionOp, out: Writer) -> None:
    """The loop around it assigns the values and leaves."""


@emits(loop.ShapeOp)
def _shape(op: loop.ShapeOp, out: Writer) -> None:
    """Addresses contain what it says."""


@emits(loop.LoadOp)
def _load(op: loop.LoadOp, out: Writer) -> None:
    value = element(op.buffer, op.index, out)
    if op.pad is not None:
        value = f"{condition_text(op.guard_exprs, out)} ? {value} : {number(op.pad)}"
    out.define(op.out, value)


@emits(loop.StoreOp)
def _store(op: loop.StoreOp, out: Writer) -> None:
    guard = f"if ({condition_text(op.guard_exprs, out)}) " if op.guard is not None else ""
    out.line(f"{guard}{element(op.buffer, op.index, out)} = {out.name(op.value)};")


@emits(loop.IndexOp)
def _index(op: loop.IndexOp, out: Writer) -> None:
    if is_natural(op.expr, out):
        out.naturals.add(op.out)
    out.define(op.out, index_text(op.expr, out))


@emits(loop.AllocOp)
def _alloc(op: loop.AllocOp, out: Writer) -> None:
    type = loop.buffer_type(op.buffer)
    if op.scope.data == "global" or loop.dynamic_dims(type):
        raise VerifyError("is a buffer without a place: plan-buffers must run before C is written")
    count = 1
    for size in type.get_shape():
        count *= size
    if count * bytes_of(type.element_type) > STACK_LIMIT:
        raise VerifyError(f"takes {count * bytes_of(type.element_type)} bytes of the stack: the most is {STACK_LIMIT}")
    out.line(f"_Alignas(64) {element_text(type.element_type)} {out.fresh(op.buffer)}[{max(count, 1)}];")
    out.acknowledge(op.buffer)


@emits(loop.ViewOp)
def _view(op: loop.ViewOp, out: Writer) -> None:
    constant = "const " if op.workspace in out.constants else ""
    pointer = f"{constant}{element_text(loop.buffer_type(op.buffer).element_type)} *"
    place = f"({out.name(op.workspace)} + {index_text(op.offset_expr, out)})"
    if constant:
        out.constants.add(op.buffer)
    out.line(f"{pointer}{out.fresh(op.buffer)} = ({pointer})({constant}void *){place};")
    out.acknowledge(op.buffer)


@emits(loop.GetGlobalOp)
def _get_global(op: loop.GetGlobalOp, out: Writer) -> None:
    out.constants.add(op.buffer)
    text = element_text(loop.buffer_type(op.buffer).element_type)
    out.line(f"const {text} *{out.fresh(op.buffer)} = {out.file.globals[op.global_name.root_reference.data]};")
    out.acknowledge(op.buffer)
