"""Loop functions as short statements, for reading: `c[i] = a[i] + b[i]` under `for i in 0..128`.

This is the simple mode of `lower`: one line for each statement, no types, no attributes. It cannot be parsed back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects.expr import Expr, Variable
from ..dialects.loop import (
    AllocOp,
    BlockOp,
    ForOp,
    GetGlobalOp,
    IfOp,
    IndexOp,
    LoadOp,
    ShapeOp,
    StoreOp,
    WhileOp,
    YieldOp,
)

INFIX = {
    "arith.addf": "+",
    "arith.addi": "+",
    "arith.subf": "-",
    "arith.subi": "-",
    "arith.mulf": "*",
    "arith.muli": "*",
    "arith.divf": "/",
    "arith.andi": "&",
    "arith.ori": "|",
    "arith.xori": "^",
}


def statements(module: ModuleOp) -> str:
    """Every function of `module` as statements."""
    writer = _Writer()
    for op in module.body.block.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            writer.function(op)
    return "\n".join(writer.lines) + "\n"


class _Writer:
    """Lines, an indent, and the text that stands for each SSA value."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.texts: dict[SSAValue, str] = {}
        self.taken: set[str] = set()

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def name(self, value: SSAValue, hint: str | None = None) -> str:
        """A name of its own for `value`."""
        base = hint or value.name_hint or "t"
        name, count = base, 0
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        self.texts[value] = name
        return name

    def text(self, value: Variable) -> str:
        known = cast(SSAValue, value)
        return self.texts[known] if known in self.texts else self.name(known)

    def expr(self, e: Expr) -> str:
        return e.text(self.text, division="//", remainder="%")

    def element(self, buffer: SSAValue, index: Sequence[Expr]) -> str:
        return f"{self.text(buffer)}[{', '.join(map(self.expr, index))}]"

    def nested(self, head: str, block: Block) -> None:
        self.line(f"{head} {{")
        self.depth += 1
        for op in block.ops:
            self.operation(op)
        self.depth -= 1
        self.line("}")

    def function(self, op: func.FuncOp) -> None:
        self.texts, self.taken = {}, set()
        args = ", ".join(self.name(arg) for arg in op.body.block.args)
        self.nested(f"fn {op.sym_name.data}({args})", op.body.block)

    def operation(self, op: Operation) -> None:
        match op:
            case ForOp():
                kind = "" if op.kind.data == "serial" else f" {op.kind.data}"
                for value, init in zip(op.carried, op.inits, strict=True):
                    self.line(f"{self.name(value)} = {self.text(init)}")
                bounds = f"{self.expr(op.lower)}..{self.expr(op.upper)}"
                self.nested(f"for {self.name(op.variable, op.label.data)} in {bounds}{kind}", op.body.block)
                for result, value in zip(op.results, op.carried, strict=True):
                    self.texts[result] = self.text(value)
            case IfOp():
                conditions = " and ".join(f"{self.expr(e)} >= 0" for e in op.condition_exprs)
                for result in op.results:
                    self.name(result)
                self.nested(f"if {conditions}", op.then_body.block)
                if op.else_body.blocks:
                    self.nested("else", op.else_body.block)
            case WhileOp():
                for value, init in zip(op.condition.block.args, op.inits, strict=True):
                    self.line(f"{self.name(value)} = {self.text(init)}")
                self.nested("while", op.condition.block)
                self.nested("do", op.body.block)
            case BlockOp():
                self.block(op)
            case LoadOp():
                self.line(f"{self.name(op.out)} = {self.guarded(self.element(op.buffer, op.index), op)}")
            case StoreOp():
                condition = self.condition(op.guard_exprs)
                self.line(f"{condition}{self.element(op.buffer, op.index)} = {self.text(op.value)}")
            case IndexOp():
                self.texts[op.out] = f"({self.expr(op.expr)})"
            case AllocOp():
                sizes = ", ".join(map(self.expr, op.shape_exprs))
                self.line(f"{self.name(op.buffer)} = alloc {op.scope.data}[{sizes}]")
            case GetGlobalOp():
                self.name(op.buffer, op.global_name.root_reference.data)
            case ShapeOp() | func.ReturnOp():
                pass
            case YieldOp():
                self.yielded(op)
            case _:
                self.general(op)

    def yielded(self, op: YieldOp) -> None:
        parent = op.parent_op()
        if isinstance(parent, ForOp):
            for target, value in zip(parent.carried, op.values, strict=True):
                self.line(f"{self.text(target)} = {self.text(value)}")
        elif isinstance(parent, IfOp):
            for target, value in zip(parent.results, op.values, strict=True):
                self.line(f"{self.text(target)} = {self.text(value)}")

    def condition(self, guard: Sequence[Expr]) -> str:
        return f"if {' and '.join(f'{self.expr(e)} >= 0' for e in guard)}: " if guard else ""

    def guarded(self, text: str, op: LoadOp) -> str:
        if not op.guard_exprs:
            return text
        return f"{text} {self.condition(op.guard_exprs)[:-2]} else {constant_text(op.pad)}"

    def block(self, op: BlockOp) -> None:
        """`T[i, j] = T[i, j] + A[i, k] * B[k, j]`, with the init before it in braces."""
        for iterator, binding in zip(op.iterators, op.bindings, strict=True):
            text = self.expr(binding)
            self.texts[iterator] = text if binding.variable is not None or binding.value is not None else f"({text})"
        for element, access in zip(op.read_elements, op.read_accesses, strict=True):
            text = self.element(access.buffer, op.over_loops(access.indices))
            self.texts[element] = text if access.pad is None else f"({text} else {constant_text(access.pad)})"
        targets = [self.element(w.buffer, op.over_loops(w.indices)) for w in op.write_accesses]
        for element, target in zip(op.old_elements, targets, strict=False):
            self.texts[element] = target
        if op.has_init:
            self.pure(op.init.block)
            last = op.init.block.last_op
            assert isinstance(last, YieldOp)
            for target, value in zip(targets, last.values, strict=True):
                self.line(f"init {target} = {self.text(value)}")
        self.pure(op.body.block)
        for target, value in zip(targets, op.yielded, strict=True):
            self.line(f"{target} = {self.text(value)}")

    def pure(self, block: Block) -> None:
        """The value of each scalar op as an expression, for the statement that uses it."""
        for op in block.ops:
            if not isinstance(op, YieldOp):
                for result in op.results:
                    self.texts[result] = self.value(op)

    def general(self, op: Operation) -> None:
        if isinstance(op, arith.ConstantOp):
            self.texts[op.result] = constant_text(op.value)
        elif op.results:
            text = self.value(op)
            self.line(f"{', '.join(self.name(r) for r in op.results)} = {text}")
        else:
            self.line(self.value(op))

    def value(self, op: Operation) -> str:
        if isinstance(op, arith.ConstantOp):
            return constant_text(op.value)
        operands = [self.text(v) for v in op.operands]
        if op.name in INFIX and len(operands) == 2:
            return f"{_wrapped(operands[0])} {INFIX[op.name]} {_wrapped(operands[1])}"
        name = op.name.split(".", 1)[1]
        if isinstance(op, func.CallOp):
            name = op.callee.root_reference.data
        return f"{name}({', '.join(operands)})"


def _wrapped(text: str) -> str:
    # spaces inside [] and () do not count: they are inside one operand already
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == " " and depth == 0:
            return f"({text})"
    return text


def constant_text(value: Attribute | None) -> str:
    """A scalar constant as a number."""
    if isinstance(value, FloatAttr):
        return repr(value.value.data)
    if isinstance(value, IntegerAttr):
        return str(value.value.data)
    return str(value)
