"""The check between passes: xDSL's verifier, that values are defined before they are used, and that symbols exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import NoReturn, Protocol, cast, runtime_checkable

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, ErasedSSAValue, Operation, OpTraits, Region, SSAValue
from xdsl.irdl import OpDef
from xdsl.irdl.dominance import DominanceInfo
from xdsl.parser.core import ForwardDeclaredValue
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.symbol_table import SymbolTable, SymbolTableCollection

from ..dialects.origin import located
from ..dialects.signature_rules import verify_signature
from ..errors import VerifyError
from .visit import walk

LookUp = Callable[[SymbolRefAttr], Operation | None]
"""Finds what a symbol names, from where the operation stands."""


@runtime_checkable
class VerifiesSymbols(Protocol):
    """
    An operation with something to check about the symbols it names.

    Use this in place of a look-up in `verify_`: xDSL's is a scan of the whole module for each call.
    """

    def verify_symbols(self, look_up: LookUp) -> None:
        """Raise `VerifyException` where a symbol names the wrong kind of thing; that it exists is checked already."""
        ...


def verify(root: Operation) -> None:
    """Raise `VerifyError`, with operation and location, if `root` breaks a rule. Linear, and without recursion."""
    _verify_each(root, _verify_structure)
    verify_dominance(root)
    _verify_each(root, _verify_definition)
    symbols = SymbolTableCollection()
    _verify_each(root, lambda op: _verify_symbols(op, symbols))


def _verify_each(root: Operation, check: Callable[[Operation], None]) -> None:
    for op in walk(root):
        try:
            check(op)
        except VerifyException as error:
            raise VerifyError(located(op, str(error))) from error
        except VerifyError:
            raise
        except Exception as error:
            raise VerifyError(located(op, f"the verifier stopped: {type(error).__name__}: {error}")) from error


def _verify_structure(op: Operation) -> None:
    """The shape of blocks and regions, as `Operation.verify` asks for it, without going into what `op` contains."""
    if any(isinstance(operand, ErasedSSAValue) for operand in op.operands):
        raise VerifyException("an operand was erased")
    block = op.parent
    region = None if block is None else block.parent
    if op.successors:
        if block is None or block.last_op is not op:
            raise VerifyException("an operation with successors must end its block")
        if any(successor.parent is not region for successor in op.successors):
            raise VerifyException("a branch to a block of another region")
    for inner in op.regions:
        _verify_terminators(op, inner)


def _verify_terminators(op: Operation, region: Region) -> None:
    single = region.first_block is region.last_block
    if single and op.has_trait(NoTerminator):
        return
    for block in region.blocks:
        last = block.last_op
        if last is None:
            if single:
                raise VerifyException("an empty block, where at least a terminator is expected")
        elif not last.has_trait(IsTerminator):
            raise VerifyError(located(last, f"ends a block of '{op.name}' but is not a terminator"))


def _verify_definition(op: Operation) -> None:
    if isinstance(op, func.CallOp):
        _call_definition().verify(op)
    else:
        op.verify_()
    if isinstance(op, func.FuncOp):
        verify_signature(op)


@cache
def _call_definition() -> OpDef:
    """What `func.call` must satisfy, less the look-up of its callee, which xDSL does by scanning the module."""
    definition = func.CallOp.get_irdl_definition()
    kept = tuple(trait for trait in definition.traits if not isinstance(trait, SymbolUserOpInterface))
    return replace(definition, traits=OpTraits(lambda: kept))


def _verify_symbols(op: Operation, symbols: SymbolTableCollection) -> None:
    references = [*_references(op.properties.values()), *_references(op.attributes.values())]
    if not references:
        return
    table = SymbolTable.get_nearest_symbol_table(op)
    if table is None or table is op:
        return

    def look_up(symbol: SymbolRefAttr) -> Operation | None:
        return symbols.lookup_symbol_in(table, symbol)

    for reference in references:
        if look_up(reference) is None:
            raise VerifyException(f"no symbol {reference} in this module")
    if isinstance(op, func.CallOp):
        _verify_call(op, look_up(op.callee))
    elif isinstance(op, VerifiesSymbols):
        op.verify_symbols(look_up)


def _references(attributes: Iterable[Attribute]) -> Iterable[SymbolRefAttr]:
    for attribute in attributes:
        if isinstance(attribute, SymbolRefAttr):
            yield attribute
        elif isinstance(attribute, ArrayAttr):
            yield from _references(cast(ArrayAttr[Attribute], attribute))


def _verify_call(call: func.CallOp, callee: Operation | None) -> None:
    if not isinstance(callee, func.FuncOp):
        raise VerifyException(f"{call.callee} is not a function")
    _verify_types("argument", callee.function_type.inputs.data, call.arguments.types)
    _verify_types("result", callee.function_type.outputs.data, call.result_types)


def _verify_types(what: str, expected: Iterable[Attribute], found: Iterable[Attribute]) -> None:
    expected, found = tuple(expected), tuple(found)
    if len(expected) != len(found):
        raise VerifyException(f"the callee has {len(expected)} {what}s, the call {len(found)}")
    for position, (one, other) in enumerate(zip(expected, found, strict=True)):
        if one != other:
            raise VerifyException(f"{what} {position} of the callee is {one}, of the call {other}")


@dataclass(frozen=True)
class _After:
    """What is to be done once everything before it on the stack is: define results, or close a block."""

    node: Operation | Block


def verify_dominance(root: Operation) -> None:
    """
    Raise `VerifyError` where an operation in `root` uses a value that is not defined before it, in its block or around.

    One pass with the set of visible values. In a region of several blocks, the blocks that dominate count as before.
    """
    visible: set[SSAValue] = set()
    isolated = root.has_trait(IsolatedFromAbove)
    stack: list[Operation | Block | _After] = [root]
    while stack:
        match stack.pop():
            case Operation() as op:
                for operand in op.operands:
                    if operand not in visible and (isolated or _is_inside(operand, root)):
                        _raise_undefined(op, operand)
                stack.append(_After(op))
                stack.extend(block for region in reversed(op.regions) for block in reversed(region.blocks))
            case Block() as block:
                visible.update(_inherited(block))
                visible.update(block.args)
                stack.append(_After(block))
                stack.extend(reversed(block.ops))
            case _After(node):
                if isinstance(node, Operation):
                    visible.update(node.results)
                else:
                    visible.difference_update(_inherited(node))
                    visible.difference_update(_values(node))


def _values(block: Block) -> Iterable[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def _inherited(block: Block) -> Iterable[SSAValue]:
    """The values of the other blocks of the region that run before `block` whatever the way to it."""
    region = block.parent
    if region is None or region.first_block is region.last_block:
        return
    dominance = DominanceInfo(region)
    for other in region.blocks:
        if dominance.strictly_dominates(other, block):
            yield from _values(other)


def _is_inside(value: SSAValue, root: Operation) -> bool:
    """Whether `value` is defined in `root`, and not around it: what is around was checked with what is around."""
    owner = value.owner
    return root.is_ancestor(owner) and owner is not root


def _raise_undefined(op: Operation, operand: SSAValue) -> NoReturn:
    name = f"%{operand.name_hint}" if operand.name_hint else "a value"
    if isinstance(operand, ForwardDeclaredValue):
        # read by the parser in a place that its definition does not reach
        raise VerifyError(located(op, f"uses {name} before it is defined"))
    if isinstance(operand.owner, Operation):
        raise VerifyError(located(op, f"uses {name} of '{operand.owner.name}', which is not defined before it"))
    raise VerifyError(located(op, f"uses {name}, an argument of a block that does not enclose it"))
