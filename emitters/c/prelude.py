"""Helper functions that the emitted file gets only where it calls them: a table name -> text for some types."""

from __future__ import annotations

from collections.abc import Callable

from .types import CType

Maker = Callable[..., str]
"""The text of a helper: takes the prelude (for the helpers it calls itself), its own name, and types."""

HELPERS: dict[str, Maker] = {}
"""Helper -> what writes it."""


def helper(name: str) -> Callable[[Maker], Maker]:
    """Put the text of a helper into the table."""

    def register(maker: Maker) -> Maker:
        HELPERS[name] = maker
        return maker

    return register


class Prelude:
    """The helpers of one file, in the order in which they must stand, and the vector types before them."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.vectors: dict[str, str] = {}

    def call(self, name: str, *types: CType) -> str:
        """The C name of a helper for some types; its text, and what it calls, is in the file from now on."""
        symbol = "_".join(["sw", name, *(type.suffix for type in types)])
        return self.define(symbol, lambda: HELPERS[name](self, symbol, *types))

    def define(self, symbol: str, make: Callable[[], str]) -> str:
        """A helper of that C name, written by `make` where it is not in the file yet."""
        if symbol not in self.texts:
            text = make()
            self.texts[symbol] = text
        return symbol

    def vector(self, type: CType) -> str:
        """The C name of a vector type, and of the unsigned one for its bits, which are in the file from now on."""
        if type.text not in self.vectors:
            element = "int32_t" if type.is_mask else CType(type.element).text
            bits, lanes = type.bits, type.lanes
            names = {type.text: element, f"i{bits}x{lanes}": f"int{bits}_t", f"u{bits}x{lanes}": f"uint{bits}_t"}
            for name, element in names.items():
                size = f"vector_size({lanes * bits // 8})"
                self.vectors.setdefault(
                    name,
                    f"typedef {element} {name} __attribute__(({size}));\n"
                    f"typedef {element} {name}u __attribute__(({size}, aligned({bits // 8}), may_alias));",
                )
        return type.text


def function(result: str, name: str, parameters: str, *body: str) -> str:
    """The text of a static inline function."""
    return "\n".join([f"static inline {result} {name}({parameters}) {{", *(f"  {line}" for line in body), "}"])
