"""The pass: every buffer of a function that is too large for the stack gets its place in the workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType, ModuleOp, i8
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.element_types import bytes_of
from ...dialects.expr import Expr
from ...dialects.loop import AllocOp, ForOp, MapAttr, ViewOp, buffer_type, dynamic_dims
from ...dialects.origin import located
from ...dialects.signature import WORKSPACE
from ...errors import VerifyError
from .arena import Item, place
from .lifetimes import Order
from .sizes import Sizes, aligned, over_positions

STACK_BYTES = 4096
"""The most that a `local` buffer may take and stay on the stack."""

BYTES = MemRefType(i8, [DYNAMIC_INDEX])
"""The type of a workspace."""


@dataclass(frozen=True)
class PlanBuffersPass(ModulePass):
    """
    Put the buffers of every function into one workspace that its caller hands in, and leave no allocation.

    All `global` buffers get a place, and `local` ones above 4 KiB or of a size known at run time; those that are never
    alive together may share it. A function that needs bytes gets a last argument `memref<?xi8>`, and says how many in
    its attribute `workspace`, over its leading index arguments. Bytes of a callee are part of those of its caller.
    In a parallel loop every iteration has a place of its own. With `report`, the bytes are printed.

    Expects: functions over buffers, none of which calls itself; sizes that follow from the dims and the loops.
    Leaves:  no `global` buffer.
    """

    name = "plan-buffers"

    report: bool = False

    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Plan every function in place, callees before their callers."""
        functions = {f.sym_name.data: f for f in op.body.block.ops if isinstance(f, func.FuncOp)}
        for function in _callees_first(functions):
            lines = _Plan(function, functions).carry_out()
            if self.report and lines:
                print("\n".join(lines), file=sys.stderr)


def _callees_first(functions: Mapping[str, func.FuncOp]) -> list[func.FuncOp]:
    """The functions with a body, in an order in which no call comes before what it calls."""
    order: dict[str, func.FuncOp] = {}
    open_: set[str] = set()

    def visit(function: func.FuncOp) -> None:
        name = function.sym_name.data
        if name in order:
            return
        open_.add(name)
        for op in function.walk():
            if not isinstance(op, func.CallOp):
                continue
            callee = functions.get(op.callee.root_reference.data)
            if callee is None:
                continue
            if callee.sym_name.data in open_:
                raise VerifyError(located(op, f"function @{callee.sym_name.data} calls itself: it has no workspace"))
            visit(callee)
        open_.discard(name)
        order[name] = function

    for function in functions.values():
        visit(function)
    return [function for function in order.values() if function.body.blocks]


@dataclass(slots=True)
class _Scope:
    """What shares one arena: a function, or one iteration of a parallel loop."""

    loop: ForOp | None
    items: list[tuple[Item, Operation]] = field(default_factory=list[tuple[Item, Operation]])
    """Each with the alloc, the call or the parallel loop that needs it."""
    start: Expr = field(default_factory=lambda: Expr.constant(0))
    """Where the arena begins, over index values inside the scope."""


class _Plan:
    """One function."""

    def __init__(self, function: func.FuncOp, functions: Mapping[str, func.FuncOp]):
        self.function = function
        self.functions = functions
        self.sizes = Sizes(function)
        self.order = Order.of(function)
        self.scopes: dict[ForOp | None, _Scope] = {None: _Scope(None)}
        self.calls: dict[Operation, Expr] = {}
        """Call -> the bytes that its callee needs, over index values there."""

    def carry_out(self) -> list[str]:
        """Plan and rewrite; what there is to report."""
        for op in tuple(self.function.walk()):
            if isinstance(op, AllocOp) and _needs_place(op):
                span = self.order.lifetime(op.buffer)
                if span is None:
                    Rewriter.erase_op(op)
                else:
                    self.scope(op).items.append((Item(self.sizes.of(op), span), op))
            elif isinstance(op, func.CallOp) and (needed := self.bytes_of_callee(op)) is not None:
                self.calls[op] = needed
                self.scope(op).items.append((Item(self.sizes.most(needed, op), self.order.spans[op]), op))
        if not any(scope.items for scope in self.scopes.values()):
            return []
        total = self.place_all()
        self.rewrite(total)
        return self.lines(total)

    def scope(self, op: Operation) -> _Scope:
        """The innermost scope around an op; those of all parallel loops around are made."""
        outer = op.parent_op()
        while outer is not None and not (isinstance(outer, ForOp) and outer.kind.data == "parallel"):
            outer = outer.parent_op()
        if outer not in self.scopes:
            assert isinstance(outer, ForOp)
            self.scopes[outer] = _Scope(outer)
            self.scope(outer)
        return self.scopes[outer]

    def bytes_of_callee(self, call: func.CallOp) -> Expr | None:
        """The bytes that a call needs, over index values at the call; None if it needs none."""
        callee = self.functions.get(call.callee.root_reference.data)
        attr = None if callee is None else callee.attributes.get(WORKSPACE)
        if not isinstance(attr, MapAttr):
            return None
        (needed,) = attr.exprs
        return needed.substitute({n: Expr.atom(operand) for n, operand in enumerate(call.operands)})

    def place_all(self) -> Expr:
        """Place the items of every scope, inner ones first: a parallel loop is an item of the scope around it."""
        inner_first = sorted(
            (loop for loop in self.scopes if loop is not None), key=lambda p: self.order.spans[p].first, reverse=True
        )
        for loop in inner_first:
            each = aligned(place([item for item, _ in self.scopes[loop].items]))
            count = self.sizes.most(loop.extent, loop)
            outer = self.scope(loop)
            item = Item(self.sizes.most(each * count, loop), self.order.spans[loop])
            outer.items.append((item, loop))
            self.scopes[loop].start = each * (Expr.atom(loop.variable) - loop.lower)
        total = place([item for item, _ in self.scopes[None].items])
        for loop in reversed(inner_first):
            item = next(item for item, op in self.scope(loop).items if op is loop)
            self.scopes[loop].start = self.scope(loop).start + item.offset + self.scopes[loop].start
        return total

    def rewrite(self, total: Expr) -> None:
        """Put views in the place of allocs, hand bytes to callees, and take them as the last argument."""
        function = self.function
        block = function.body.block
        workspace = block.insert_arg(BYTES, len(block.args))
        workspace.name_hint = "workspace"
        inputs = [*function.function_type.inputs, BYTES]
        function.properties["function_type"] = FunctionType.from_lists(inputs, list(function.function_type.outputs))
        function.attributes[WORKSPACE] = MapAttr((over_positions(total, self.sizes.dims),))
        for scope in self.scopes.values():
            for item, op in scope.items:
                if isinstance(op, AllocOp):
                    self.replace_alloc(op, scope.start + item.offset, workspace)
                elif isinstance(op, func.CallOp):
                    self.extend_call(op, scope.start + item.offset, workspace)

    def replace_alloc(self, op: AllocOp, offset: Expr, workspace: BlockArgument) -> None:
        """The view that an alloc becomes."""
        view = ViewOp(workspace, offset, buffer_type(op.buffer), op.index_exprs("sizes"))
        view.location = op.location
        view.buffer.name_hint = op.buffer.name_hint
        Rewriter.replace_op(op, view)

    def extend_call(self, call: func.CallOp, offset: Expr, workspace: BlockArgument) -> None:
        """A call with the bytes of its callee as its last operand."""
        view = ViewOp(workspace, offset, BYTES, [self.calls[call]])
        view.location = call.location
        new = func.CallOp(call.callee, [*call.operands, view.buffer], call.result_types)
        new.location = call.location
        new.attributes |= call.attributes
        for old, result in zip(call.results, new.results, strict=True):
            result.name_hint = old.name_hint
        Rewriter.insert_op(view, InsertPoint.before(call))
        Rewriter.replace_op(call, new)

    def lines(self, total: Expr) -> list[str]:
        """The bytes of the function, and of each of its buffers."""

        def name(variable: object) -> str:
            assert isinstance(variable, SSAValue)
            return variable.name_hint or "?"

        items = [(item, op) for scope in self.scopes.values() for item, op in scope.items if not isinstance(op, ForOp)]
        text = f"@{self.function.sym_name.data}: {total.text(name)} bytes for {len(items)} buffers"
        return [text, *(f"  {item.size.text(name)} at {item.offset.text(name)}" for item, _ in items)]


def _needs_place(op: AllocOp) -> bool:
    type = buffer_type(op.buffer)
    if op.scope.data == "global":
        return True
    if op.scope.data != "local":
        return False
    size = bytes_of(type.element_type)
    for dim in type.get_shape():
        size *= dim
    return bool(dynamic_dims(type)) or size > STACK_BYTES
