"""Visitors in the way of statement passes: look at every operation, or build a changed copy of a function or loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from ..errors import PipelineError, require

Replacement = Operation | Sequence[Operation] | None
"""What a callback of `transform` returns: None keeps the operation, anything else takes its place."""


def walk(root: Operation) -> Iterator[Operation]:
    """Every operation in `root`, itself first, in program order; without recursion, whatever the nesting."""
    stack = [root]
    while stack:
        op = stack.pop()
        yield op
        stack.extend(reversed(_children(op)))


def post_order_visit(root: Operation, visit: Callable[[Operation], object]) -> None:
    """
    Call `visit` on every operation in `root`, on each after all that it contains; what it returns is ignored.

    Results come out through whatever the callback closes over.
    """
    require(root, Operation, "an operation to visit")
    require(visit, Callable, "a function of an operation")
    stack = [(root, False)]
    while stack:
        op, seen = stack.pop()
        if seen:
            visit(op)
        else:
            stack.append((op, True))
            stack.extend((child, False) for child in reversed(_children(op)))


def transform(
    root: Operation,
    pre_order: Callable[[Operation], Replacement] | None = None,
    post_order: Callable[[Operation], Replacement] | None = None,
    kinds: Sequence[type[Operation]] | None = None,
) -> Operation:
    """
    Rebuild `root` with operations replaced, and leave `root` itself as it was.

    `pre_order` is called on an operation before its contents, `post_order` after them. Either returns None to keep the
    operation, or a replacement: an operation, or a list of which the last gives the results. Where `pre_order` returns
    a replacement, that is final: its contents are not visited and `post_order` is not called. With `kinds`, only
    operations of these classes reach the callbacks.

    Callbacks never change what they are given; they build the replacement from clones, free to use values from around
    the operation. An operation that contains something replaced is a new object when `post_order` sees it, and one that
    contains nothing replaced is the very object of `root`. Where nothing is replaced at all, `root` comes back.
    """
    require(root, Operation, "an operation to transform")
    for callback in (pre_order, post_order):
        require(callback, (Callable, type(None)), "a function of an operation, or None")
    wanted = _classes(kinds)
    replaced: dict[Operation, tuple[Operation, ...]] = {}
    stack = [(root, False)]
    while stack:
        op, seen = stack.pop()
        if not seen:
            if pre_order is not None and isinstance(op, wanted) and (new := _ask(pre_order, op)) is not None:
                replaced[op] = new
                continue
            stack.append((op, True))
            stack.extend((child, False) for child in reversed(_children(op)))
            continue
        current = op
        if any(child in replaced for child in _children(op)):
            current = _rebuild(op, replaced)
            replaced[op] = (current,)
        if post_order is not None and isinstance(op, wanted) and (new := _ask(post_order, current)) is not None:
            replaced[op] = new
    new = replaced.get(root, (root,))
    if len(new) != 1:
        raise PipelineError(
            f"'{root.name}' is the root of the transform: it is replaced by one operation, not {len(new)}"
        )
    return new[0]


def _classes(kinds: Sequence[type[Operation]] | None) -> tuple[type[Operation], ...]:
    """The classes that reach the callbacks of `transform`; `PipelineError` for what is no class of operations."""
    if kinds is None:
        return (Operation,)
    what = "kinds as a list of classes of operations, such as [ForOp]"
    require(kinds, Sequence, what)
    for kind in kinds:
        require(kind, type, what)
    return tuple(kinds)


def _children(op: Operation) -> list[Operation]:
    return [child for region in op.regions for block in region.blocks for child in block.ops]


def _ask(callback: Callable[[Operation], Replacement], op: Operation) -> tuple[Operation, ...] | None:
    """The replacement that `callback` gives for `op`, as a tuple; None for the operation itself."""
    before = (op.parent, [len(region.blocks) for region in op.regions])
    answer = callback(op)
    if (op.parent, [len(region.blocks) for region in op.regions]) != before:
        raise PipelineError(
            f"a transform callback changed the '{op.name}' it was given: build the replacement from clones"
        )
    if answer is None or answer is op:
        return None
    what = f"None, an operation or a list of them for '{op.name}' from a transform callback"
    require(answer, (Operation, Sequence), what)
    new = (answer,) if isinstance(answer, Operation) else tuple(answer)
    for part in new:
        require(part, Operation, what)
    if op.results and (not new or len(new[-1].results) != len(op.results)):
        raise PipelineError(f"the replacement of '{op.name}' must end in an operation with {len(op.results)} results")
    return new


def _rebuild(op: Operation, replaced: dict[Operation, tuple[Operation, ...]]) -> Operation:
    """A copy of `op` with the replacements moved into it."""
    values: dict[SSAValue, SSAValue] = {}
    blocks: dict[Block, Block] = {}
    copy = op.clone_without_regions(values, blocks)
    for old, new in zip(op.regions, copy.regions, strict=True):
        _fill(old, new, replaced, values, blocks)
    return copy


def _fill(
    old: Region,
    new: Region,
    replaced: dict[Operation, tuple[Operation, ...]],
    values: dict[SSAValue, SSAValue],
    blocks: dict[Block, Block],
) -> None:
    for block in old.blocks:
        copy = Block(arg_types=block.arg_types)
        for argument, argument_copy in zip(block.args, copy.args, strict=True):
            argument_copy.name_hint = argument.name_hint
            argument_copy.location = argument.location
            values[argument] = argument_copy
        blocks[block] = copy
        new.add_block(copy)
    for block in old.blocks:
        for child in block.ops:
            if child not in replaced:
                blocks[block].add_op(child.clone(values, blocks))
                continue
            replacement = replaced.pop(child)
            for part in replacement:
                for inner in walk(part):
                    inner.operands = [values.get(operand, operand) for operand in inner.operands]
                blocks[block].add_op(part)
            if child.results:
                for result, new_result in zip(child.results, replacement[-1].results, strict=True):
                    new_result.name_hint = new_result.name_hint or result.name_hint
                    values[result] = new_result
