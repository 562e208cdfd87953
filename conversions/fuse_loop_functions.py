"""Primitive functions of calls -> one loop function each, with the callees' nests in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects import graph
from ..dialects.expr import Expr
from ..dialects.graph.dims import as_tensor
from ..dialects.loop import BlockOp, ShapeOp, substitute
from ..dialects.origin import has_origin, located
from ..dialects.signature import is_loop_function, is_primitive, parameters
from ..errors import UnsupportedError
from ..rewriting import rewrite, walk
from ..rewriting.naming import Names, module_symbols
from .destinations import Constants, Destinations, refusal
from .graph_to_loop import Buffer, LoopFunction


def inline_loop_function(
    f: LoopFunction, call: graph.CallTirOp, callee: FuncOp, inputs: Sequence[Buffer], outputs: Sequence[Buffer]
) -> None:
    """Put the body of a loop function at the end of `f`, on these buffers."""
    copy = callee.clone()
    given = parameters(copy)
    arguments, buffers = (*given.inputs, *given.outputs), (*inputs, *outputs)
    for argument, size in zip(given.dims, call.dims.data, strict=True):
        substitute(argument, f.dim(0 if size is None else size))
    for argument, buffer in zip(arguments, buffers, strict=True):
        for use in tuple(argument.uses):
            if isinstance(use.operation, ShapeOp):
                use.operation.detach()
                use.operation.erase()
        argument.replace_all_uses_with(buffer.value)
    for op in tuple(copy.body.block.ops):
        op.detach()
        if isinstance(op, ReturnOp):
            continue
        for inner in walk(op):
            if has_origin(call):
                inner.location = call.location
            if isinstance(inner, BlockOp):
                inner.label = StringAttr(f.label(inner.label.data))
        f.block.add_op(op)


def fused(function: FuncOp, constants: Constants, functions: Mapping[str, FuncOp]) -> tuple[str, ...]:
    """Put the loop function of a primitive function in its place; the symbols that it takes."""
    count = len(function.function_type.outputs)
    outputs = ["output"] if count == 1 else [f"output{n}" for n in range(count)]
    values = Destinations(function, constants, outputs)
    for op in values.operations():
        callee = functions.get(op.callee.root_reference.data) if isinstance(op, graph.CallTirOp) else None
        if not isinstance(op, graph.CallTirOp) or callee is None or not is_loop_function(callee):
            raise refusal(op)
        inputs = [values.buffer(value) for value in op.arguments]
        inline_loop_function(values.f, op, callee, inputs, [values.destination(value) for value in op.outs])
    values.done("private")
    return values.f.symbols


class CallFusedFunction(RewritePattern):
    """`func.call @fused(%x)` -> `graph.call_tir @fused(%x)`"""

    def __init__(self, symbols: Mapping[str, tuple[str, ...]]):
        self.symbols = symbols

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CallOp, rewriter: PatternRewriter) -> None:
        """Types of a call are those of the function, so its symbols are called the same."""
        callee = op.callee.root_reference.data
        if callee in self.symbols:
            dims = [Expr.atom(symbol) for symbol in self.symbols[callee]]
            types = [as_tensor(value.type) for value in op.res]
            rewriter.replace(op, graph.CallTirOp(callee, op.arguments, types, dims))


def callees(op: Operation) -> set[str]:
    """The functions that anything in `op` refers to."""
    attributes = (a for inner in walk(op) for a in (*inner.properties.values(), *inner.attributes.values()))
    return {a.root_reference.data for a in attributes if isinstance(a, SymbolRefAttr)}


def remove_unused(module: ModuleOp, candidates: set[str]) -> None:
    """Remove the private loop functions among `candidates` that nothing refers to."""
    unused = candidates - callees(module)
    for op in tuple(module.body.block.ops):
        if isinstance(op, FuncOp) and op.sym_name.data in unused and is_loop_function(op) and op.sym_visibility:
            op.detach()
            op.erase()


@dataclass(frozen=True)
class FuseLoopFunctionsPass(ModulePass):
    """
    Turn each primitive function into one loop function of the same name; the nests of its callees follow each other.

    Values between the nests become temporaries; nests are not merged. Loop functions that nobody calls any more go.

    Expects: primitive functions that hold `graph.call_tir` of loop functions, and constants.
    Leaves:  no primitive function; their callers use `graph.call_tir`.
    """

    name = "fuse-loop-functions"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse every primitive function, one after those that it calls."""
        functions = {f.sym_name.data: f for f in op.body.block.ops if isinstance(f, FuncOp)}
        pending = {name: f for name, f in functions.items() if is_primitive(f)}
        constants = Constants(op, Names(module_symbols(op)))
        inlined: set[str] = set()
        while pending:
            ready = {name: f for name, f in pending.items() if not callees(f) & pending.keys()}
            if not ready:
                raise UnsupportedError(located(next(iter(pending.values())), "primitive functions call each other"))
            for function in ready.values():
                inlined |= callees(function)
            symbols = {name: fused(f, constants, functions) for name, f in ready.items()}
            rewrite(op, [CallFusedFunction(symbols)], name=self.name, recursively=False)
            functions = {f.sym_name.data: f for f in op.body.block.ops if isinstance(f, FuncOp)}
            pending = {name: f for name, f in pending.items() if name not in ready}
        remove_unused(op, inlined)
