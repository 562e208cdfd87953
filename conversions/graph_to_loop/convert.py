"""`graph` -> calls of plain loop functions, by a table of lowerings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import graph
from ...dialects.expr import Expr, Variable
from ...dialects.graph.dims import Tensor, as_tensor, dims_of
from ...dialects.origin import give_origin, located, name_of, origin
from ...errors import UnsupportedError, UnsupportedNode
from ...rewriting import rewrite, walk
from ...rewriting.dataflow import DissolveDataflow
from ...rewriting.naming import Names, module_symbols
from .function import LoopFunction, Parameter, symbols_of
from .lowerings import LOWERINGS
from .table import Lowering, function_name

Key: TypeAlias = tuple[object, ...]
"""What two ops have in common that one loop function can serve: op, types and attributes."""


def operand_names(op: Operation) -> tuple[str, ...]:
    """What the definition of an op calls each of its operands; a number makes those of a list different."""
    if not isinstance(op, IRDLOperation):
        return tuple(f"x{n}" for n in range(len(op.operands)))
    names: list[str] = []
    for name, _ in op.get_irdl_definition().operands:
        group = cast("SSAValue | Sequence[SSAValue] | None", getattr(op, name))
        if isinstance(group, Sequence):
            names.extend(f"{name}{n}" for n in range(len(group)))
        elif group is not None:
            names.append(name)
    return tuple(names)


def result_names(op: Operation) -> tuple[str, ...]:
    """`out`, or `out0`, `out1`, …"""
    count = len(op.results)
    return ("out",) if count == 1 else tuple(f"out{n}" for n in range(count))


def key_of(op: Operation) -> Key:
    """Everything about an op that its loop function depends on; symbols by their order, not by their names."""
    types = [as_tensor(v.type) for v in (*op.operands, *op.results)]
    symbols: dict[Variable, Expr] = {s: Expr.atom(n) for n, s in enumerate(symbols_of(types))}

    def anonymous(attribute: Attribute) -> Attribute:
        return attribute.substitute(symbols) if isinstance(attribute, graph.DimsAttr) else attribute

    shapes = tuple((t.element_type, graph.DimsAttr(dims_of(t)).substitute(symbols)) for t in types)
    attributes = {name: anonymous(a) for name, a in (op.properties | op.attributes).items()}
    return (op.name, len(op.operands), shapes, frozenset(attributes.items()))


class Lower(RewritePattern):
    """`%y = op %x` -> `%y = graph.call_tir @op(%x)`, where `@op` is the plain nest that the table gives"""

    def __init__(self, module: ModuleOp, lowerings: Mapping[str, Lowering]):
        self.module = module
        self.lowerings = lowerings
        self.names = Names(module_symbols(module))
        self.functions: dict[Key, str] = {}

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        """Call the loop function of an op that the table has."""
        lowering = self.lowerings.get(op.name)
        if lowering is None:
            return
        types = [as_tensor(v.type) for v in (*op.operands, *op.results)]
        key = key_of(op)
        if key not in self.functions:
            self.functions[key] = self.lower(op, types, lowering)
        results = types[len(op.operands) :]
        dims = [Expr.atom(symbol) for symbol in symbols_of(types)]
        rewriter.replace(op, graph.CallTirOp(self.functions[key], op.operands, results, dims))

    def lower(self, op: Operation, types: Sequence[Tensor], lowering: Lowering) -> str:
        """Make the loop function of an op; its name."""
        names = (*operand_names(op), *result_names(op))
        parameters = [Parameter(name, type) for name, type in zip(names, types, strict=True)]
        inputs = len(op.operands)
        function = LoopFunction(parameters[:inputs], parameters[inputs:], op)
        lowering(function, op)
        name = self.names.unique(function_name(op.name))
        made = function.done(name)
        give_origin(made, op.location)
        self.module.body.block.add_op(made)
        return name


REMAINING = (graph.ConstantOp, graph.CallTirOp, FuncOp, CallOp, ReturnOp)
"""Ops on tensors that the next conversions take."""


def unmapped(module: ModuleOp) -> Iterator[Operation]:
    """The ops on tensors that no lowering took."""
    for op in walk(module):
        if not isinstance(op, REMAINING) and any(isinstance(v.type, TensorType) for v in (*op.operands, *op.results)):
            yield op


def unsupported(module: ModuleOp) -> UnsupportedError | None:
    """The error that lists the ops which no lowering took, if there are any."""
    ops = list(unmapped(module))
    if not ops:
        return None
    nodes = [UnsupportedNode(origin(op), name_of(op), "no lowering") for op in ops]
    hint = "no lowering: add one to LOWERINGS of conversions/graph_to_loop/lowerings.py, or pass it in `lowerings`"
    return UnsupportedError(located(ops[0], hint), nodes)


@dataclass(frozen=True)
class ConvertGraphToLoopPass(ModulePass):
    """
    Turn each tensor op into a call of a plain loop function, one function per op, shapes, element types and attributes.

    In Python, `lowerings` is the table to use: op name -> function.

    Expects: shapes inferred (dims may be dynamic, but have names); every `graph` op inside a function.
    Leaves:  `graph.call_tir` of loop functions over buffers, constants, and calls of fused functions; with `partial`,
             also the ops that no lowering maps.
    """

    name = "convert-graph-to-loop"
    opt_level: ClassVar[int] = 0
    # a tensor op does not say in which order it adds up, or how often a function of several steps rounds; a nest does
    licence: ClassVar[frozenset[str]] = frozenset({"reassociates", "approximates"})

    partial: bool = False
    lowerings: Mapping[str, Lowering] | None = field(default=None, repr=False)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Dissolve dataflow scopes, then lower what the table has."""
        rewrite(op, [DissolveDataflow()], name=self.name)
        table = LOWERINGS if self.lowerings is None else self.lowerings
        rewrite(op, [Lower(op, table)], name=self.name, recursively=False)
        if not self.partial and (error := unsupported(op)) is not None:
            raise error
