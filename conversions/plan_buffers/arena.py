"""Places for buffers in one stretch of bytes: those that are never alive together may share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...dialects.expr import Expr
from .lifetimes import Span
from .sizes import ALIGNMENT, aligned, never_negative


@dataclass(slots=True)
class Item:
    """Something that needs bytes for a while."""

    size: Expr
    span: Span
    offset: Expr = field(default_factory=lambda: Expr.constant(0))
    """Where it is put, in bytes from the start of its arena."""


@dataclass(slots=True)
class _Slot:
    """Bytes of a symbolic size that items use one after the other."""

    size: Expr
    items: list[Item]

    def takes(self, item: Item) -> bool:
        """Whether an item may use the slot too, which grows to its size if need be."""
        if any(item.span.meets(other.span) for other in self.items):
            return False
        return never_negative(self.size - item.size) or never_negative(item.size - self.size)


def place(items: Sequence[Item]) -> Expr:
    """Give every item its offset; the bytes of the arena."""
    fixed = [item for item in items if item.size.value is not None]
    end = _place_fixed(fixed)
    slots: list[_Slot] = []
    for item in sorted((i for i in items if i.size.value is None), key=lambda i: (i.span.first, i.span.last)):
        slot = next((slot for slot in slots if slot.takes(item)), None)
        if slot is None:
            slots.append(_Slot(item.size, [item]))
            continue
        slot.items.append(item)
        if never_negative(item.size - slot.size):
            slot.size = item.size
    total = Expr.constant(end)
    for slot in slots:
        for item in slot.items:
            item.offset = total
        total = total + aligned(slot.size)
    return total


def _place_fixed(items: Sequence[Item]) -> int:
    """First fit, the largest first; the end of the last one, aligned."""
    placed: list[tuple[int, int, Item]] = []
    for item in sorted(items, key=lambda i: (-_bytes(i), i.span.first, i.span.last)):
        size, offset = _bytes(item), 0
        for start, end, other in sorted(placed, key=lambda p: p[:2]):
            if item.span.meets(other.span) and start < offset + size and offset < end:
                offset = end
        item.offset = Expr.constant(offset)
        placed.append((offset, offset + size, item))
    return max((end for _, end, _ in placed), default=0)


def _bytes(item: Item) -> int:
    size = item.size.value
    assert size is not None
    return -(-size // ALIGNMENT) * ALIGNMENT
