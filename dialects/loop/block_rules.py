"""When a `loop.block` is well formed: section "a block" in docs/design/loop.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from .access import Access, buffer_type
from .attributes import ITERATOR_KINDS
from .control import YieldOp

if TYPE_CHECKING:
    from .block import BlockOp


def verify_block(op: BlockOp) -> None:
    """Raise `VerifyException` where a block breaks a rule."""
    op.verify_maps()
    count, kinds = len(op.kinds), op.iterator_kinds
    for kind in kinds:
        if kind not in ITERATOR_KINDS:
            raise VerifyException(f"iterator kind '{kind}': must be one of {', '.join(ITERATOR_KINDS)}")
    if len(op.bind.exprs) != count:
        raise VerifyException(f"{count} iterators, but {len(op.bind.exprs)} bindings")
    if not (len(op.read_maps) == len(op.reads) == len(op.pads)) or len(op.write_maps) != len(op.writes):
        raise VerifyException("each access needs one map, and each read one pad (unit where it has none)")
    for guards, accesses in ((op.read_guards, op.reads), (op.write_guards, op.writes)):
        if guards is not None and len(guards) != len(accesses):
            raise VerifyException("guards are given for each read, or each write, or not at all")
    if not op.writes:
        raise VerifyException("a block must write something")
    if len(set(op.writes)) != len(op.writes):
        raise VerifyException("a buffer is written twice: use one block for each write")
    _verify_arguments(op)
    for n, access in enumerate(op.read_accesses):
        _verify_access(op, access, "read", count + n)
        if access.pad is not None and getattr(access.pad, "type", None) != buffer_type(access.buffer).element_type:
            raise VerifyException(f"the value outside the bounds, {access.pad}, has not the element type")
        if access.guard and access.pad is None:
            raise VerifyException("a guarded read needs a value after else")
    for access in op.write_accesses:
        _verify_access(op, access, "write", count + len(op.reads))
        for e in access.indices:
            for position in e.variables():
                if isinstance(position, int) and position < count and kinds[position] == "reduce":
                    raise VerifyException("a write is indexed by a reduce iterator")
                if isinstance(position, int) and position >= count and "ordered" not in kinds:
                    raise VerifyException(
                        "a write indexed by an element read may meet itself: needs an ordered iterator"
                    )
    _verify_regions(op)


def _verify_arguments(op: BlockOp) -> None:
    count = len(op.kinds)
    args = op.body.block.args
    expected = op.argument_types(count, op.read_accesses, op.write_accesses)
    without_old = expected[: count + len(op.reads)]
    found = [a.type for a in args]
    if found not in (expected, without_old):
        raise VerifyException(
            f"the body takes ({', '.join(map(str, found))}): must be the iterators, the elements read"
            f" and possibly the old elements, ({', '.join(map(str, expected))})"
        )
    if "reduce" in op.iterator_kinds and not op.updates:
        raise VerifyException("a block that reduces must name the old element: writes(%old = …)")


def _verify_access(op: BlockOp, access: Access, what: str, limit: int) -> None:
    rank = buffer_type(access.buffer).get_num_dims()
    if len(access.indices) != rank:
        raise VerifyException(f"a {what} has {len(access.indices)} indices for a buffer of rank {rank}")
    count = len(op.kinds)
    for e in (*access.indices, *access.guard):
        for position in e.variables():
            if not isinstance(position, int) or position >= limit:
                raise VerifyException(f"a {what} uses d{position}: only iterators and reads to its left are there")
            if position >= count:
                element = op.read_elements[position - count].type
                if not isinstance(element, IntegerType | IndexType):
                    raise VerifyException(f"a {what} is indexed by a read of {element}: must be an integer")


def _verify_regions(op: BlockOp) -> None:
    types = [buffer_type(w).element_type for w in op.writes]
    reduces = "reduce" in op.iterator_kinds
    if op.has_init:
        if not reduces:
            raise VerifyException("an init, but no reduce iterator")
        if op.init.block.args:
            raise VerifyException("the init takes no arguments")
    for region, what in ((op.init, "init"), (op.body, "body")):
        for block in region.blocks:
            last = block.last_op
            if not isinstance(last, YieldOp):
                raise VerifyException(f"the {what} must end with loop.yield of one element for each write")
            if [v.type for v in last.values] != types:
                raise VerifyException(
                    f"the {what} yields ({', '.join(str(v.type) for v in last.values)}), "
                    f"but the writes hold ({', '.join(map(str, types))})"
                )
            for inner in block.ops:
                if inner is not last and not is_scalar_op(inner):
                    raise VerifyException(f"'{inner.name}' in the {what}: only pure scalar ops may stand there")


def is_scalar_op(op: Operation) -> bool:
    """Whether `op` may stand in the body of a block: no regions, no effects (`arith`, `math`, and their like)."""
    # xDSL leaves the trait out of some: arith.remui, arith.extsi
    return not op.regions and (is_side_effect_free(op) or op.name.startswith(("arith.", "math.")))
