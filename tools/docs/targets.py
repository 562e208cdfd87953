"""`docs/reference/targets.md`: the machines and their instructions."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from ...targets import TARGETS, Target, target_named
from ...targets.target import NATURAL
from ...targets.vector_extension import VECTOR_EXTENSION
from .markdown import assembled, first_line, table

INTRODUCTION = """
`--target NAME`, or `target="NAME"` in Python; `native` is the best of them that runs on this machine. How targets are
asked is in the [design](../design/simd.md#targets).
"""


def page() -> str:
    """The page of all targets."""
    targets = [target_named(name) for name in TARGETS]
    return assembled(
        "Targets",
        INTRODUCTION,
        table(["", *(f"`{target.name}`" for target in targets)], _numbers(targets)),
        *("\n\n".join(_instructions(target)) for target in targets),
        "## C's vector extension",
        "What GCC and Clang compile for every machine, so that a target needs no spelling of its own for it.",
        _natural(_vector_extension()),
    )


def _numbers(targets: list[Target]) -> Iterator[list[str]]:
    yield ["bits of a vector", *(str(target.vector_bits or "none") for target in targets)]
    yield ["vector registers", *(str(target.vector_registers or "none") for target in targets)]
    yield ["L1, KiB", *(str(target.l1 >> 10) for target in targets)]
    yield ["L2, KiB", *(str(target.l2 >> 10) for target in targets)]
    yield ["flags of the C compiler", *(" ".join(f"`{flag}`" for flag in target.flags) for target in targets)]
    yield ["features needed", *(", ".join(sorted(target.needs)) for target in targets)]


def _instructions(target: Target) -> Iterator[str]:
    """What a target has: the C of its own, and what C's vector extension says on it."""
    yield f"## {target.name}"
    entry = TARGETS[target.name]
    if isinstance(entry, str):
        yield first_line(import_module(f"...{entry.partition(':')[0]}", __package__))
    spelled: list[list[str]] = []
    natural: dict[str, list[str]] = {}
    for instruction, spelling in target.instructions.items():
        op, type = (instruction, "any") if isinstance(instruction, str) else instruction
        if spelling == NATURAL:
            natural.setdefault(op, []).append(type)
        else:
            spelled.append([f"`{op}`", f"`{type}`", f"`{spelling}`"])
    if not target.instructions:
        yield "No vector instruction: vectorized loops stay scalar ones."
    if spelled:
        yield table(["op", "type", "C"], spelled)
    if target.helpers:
        yield "\n".join(["Where", "", "```c", "\n\n".join(target.helpers.values()), "```"])
    if natural == _vector_extension():
        yield "And everything of [C's vector extension](#cs-vector-extension)."
    elif natural:
        yield _natural(natural)


def _vector_extension() -> dict[str, list[str]]:
    """Op -> the element types on which the vector extension has it."""
    types: dict[str, list[str]] = {}
    for op, type in VECTOR_EXTENSION:
        types.setdefault(op, []).append(type)
    return types


def _natural(types: dict[str, list[str]]) -> str:
    rows = [[f"`{op}`", ", ".join(f"`{each}`" for each in types[op])] for op in sorted(types)]
    return table(["op", "on elements of type"], rows)
