"""When a buffer holds something: from the first to the last op that may meet it, by any of its names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from ...dialects.loop import ForOp, WhileOp, YieldOp
from ...dialects.origin import located
from ...errors import VerifyError


@dataclass(frozen=True, slots=True)
class Span:
    """Places in program order, both included."""

    first: int
    last: int

    def meets(self, other: Span) -> bool:
        """Whether there is a place in both."""
        return self.first <= other.last and other.first <= self.last


@dataclass(slots=True)
class Order:
    """Every op of a function by its place; an op with regions reaches to the end of them."""

    spans: dict[Operation, Span] = field(default_factory=dict[Operation, Span])

    @staticmethod
    def of(function: FuncOp) -> Order:
        """The order in which the ops stand."""
        order = Order()
        order._visit(function, 0)
        return order

    def _visit(self, op: Operation, place: int) -> int:
        last = place
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    last = self._visit(child, last + 1)
        self.spans[op] = Span(place, last)
        return last

    def lifetime(self, buffer: SSAValue) -> Span | None:
        """
        From the first use of a buffer to its last, as ops of the block that makes it; None if nothing uses it.

        A loop of that block that uses it keeps it alive from its first iteration to its last.
        """
        home = buffer.owner.parent_block() if isinstance(buffer.owner, Operation) else buffer.owner
        spans: list[Span] = []
        for user in users(buffer):
            op: Operation | None = user
            while op is not None and op.parent_block() is not home:
                op = op.parent_op()
            # an alias that leaves the block of the buffer is alive as long as the function
            spans.append(self.spans[op] if op is not None else self._all())
        if not spans:
            return None
        return Span(min(s.first for s in spans), max(s.last for s in spans))

    def _all(self) -> Span:
        return Span(0, max(span.last for span in self.spans.values()))


def users(buffer: SSAValue) -> Iterator[Operation]:
    """The ops that meet a buffer or an alias of it: what an op that takes a buffer gives may be that buffer."""
    seen: set[SSAValue] = {buffer}
    stack = [buffer]
    while stack:
        for use in stack.pop().uses:
            op = use.operation
            yield op
            if isinstance(op, ReturnOp):
                raise VerifyError(located(op, "returns a buffer of the workspace, which the caller may use again"))
            around = op.parent_op()
            if isinstance(op, YieldOp) and isinstance(around, ForOp | WhileOp) and _is_inside(buffer, around):
                raise VerifyError(located(op, "hands a buffer to an iteration that has a new one in the same place"))
            for alias in _aliases(op):
                if alias not in seen:
                    seen.add(alias)
                    stack.append(alias)


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and owner is not op and op.is_ancestor(owner)


def _aliases(op: Operation) -> Iterator[SSAValue]:
    """The buffers that may be one that `op` takes: its results, the arguments of its regions, where a yield goes."""
    around = op.parent_op() if op.has_trait(IsTerminator) else None
    for giver in (op, around):
        if giver is None:
            continue
        for value in (*giver.results, *(arg for r in giver.regions for block in r.blocks for arg in block.args)):
            if isinstance(value.type, MemRefType):
                yield value
