"""What all functions of one emitted file share."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...targets import Target
from .names import Names
from .prelude import Prelude


@dataclass(frozen=True)
class Callee:
    """How a function of the file is called: its C name, and whether it takes the weights first."""

    symbol: str
    takes_weights: bool


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
