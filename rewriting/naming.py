"""Names that are not taken."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ModuleOp, StringAttr


class Names:
    """Names that are taken, and new ones beside them."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """`name`, or with the first number that makes it new: `add`, `add1`, `add2`; it is taken from now on."""
        result, number = name, self._numbers.get(name, 0)
        while result in self._taken:
            number += 1
            result = f"{name}{number}"
        self._numbers[name] = number
        self._taken.add(result)
        return result


def module_symbols(module: ModuleOp) -> set[str]:
    """The names of everything in a module that has a name."""
    names = (op.properties.get("sym_name") for op in module.body.block.ops)
    return {name.data for name in names if isinstance(name, StringAttr)}
