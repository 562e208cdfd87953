"""Names that are not taken."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr


def unique(name: str, taken: set[str]) -> str:
    """`name`, or with the first number that makes it new: `add`, `add1`, `add2`; it is taken from now on."""
    result, count = name, 0
    while result in taken:
        count += 1
        result = f"{name}{count}"
    taken.add(result)
    return result


def module_symbols(module: ModuleOp) -> set[str]:
    """The names of everything in a module that has a name."""
    names = (op.properties.get("sym_name") for op in module.body.block.ops)
    return {name.data for name in names if isinstance(name, StringAttr)}
