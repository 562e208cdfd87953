"""What all functions of one emitted file share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...targets import Target
from .names import Names, is_reserved, spelled
from .prelude import Prelude


@dataclass(frozen=True)
class Callee:
    """How a function of the file is called: its C name, and whether it takes the weights first and may end early."""

    symbol: str
    takes_weights: bool
    may_fail: bool
    """Whether something in it is asserted: then it returns 0, or 1 where that did not hold."""


@dataclass(frozen=True)
class File:
    """The names, helpers, globals and functions of one emitted file."""

    target: Target
    prefix: str
    """What every external name starts with."""
    names: Names = field(default_factory=Names)
    prelude: Prelude = field(default_factory=Prelude)
    globals: dict[str, str] = field(default_factory=dict[str, str])
    """Symbol of a `loop.global` -> the C expression that points to its first element."""
    functions: dict[str, Callee] = field(default_factory=dict[str, Callee])
    """Symbol of a function -> how C calls it."""

    def symbol(self, text: str) -> str:
        """A new name at the level of the file: the prefix, and something like `text`."""
        name = f"{self.prefix}_{spelled(text, 'f')}"
        # Capitals alone are for constants.
        return self.names.take(f"{self.prefix}_f_{text.lower()}" if is_reserved(name) else name)

    def reserve(self, stem: str, words: Iterable[str]) -> None:
        """Keep the names that start with `stem` and end in one of the words."""
        self.names.taken.update(f"{stem}_{word}" for word in words)
