"""`docs/reference/passes.md`: every pass with its promise, its options, and the first case of its lit file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import cast

from xdsl.passes import ModulePass, get_pass_option_infos

from ...compiler import apply, parse
from ...conversions import CONVERSIONS
from ...transforms import TRANSFORMS
from ...universe import load
from .cases import body_text, first_case
from .markdown import assembled, code, documentation, table

ROOMS = (
    ("transforms", TRANSFORMS, "Transforms: same dialect in, same dialect out, better. Each may be left out."),
    ("conversions", CONVERSIONS, "Conversions: from one dialect to the next. None may be left out."),
)


INTRODUCTION = """
`stepwell-opt FILE -p 'name{option=value},other'` runs passes, and so does `stepwell.apply("name", module)` in Python. A
pass runs in the pipeline from its opt level on; its licence says what it may do to a float result.
"""


def page(root: Path) -> str:
    """The page of all passes."""
    rows: list[list[str]] = []
    sections: list[str] = []
    for room, passes, sentence in ROOMS:
        heading, _, rest = sentence.partition(": ")
        sections += [f"## {heading}", rest[0].upper() + rest[1:]]
        for name, place in passes.items():
            pass_class = cast("type[ModulePass]", load(place))
            rows.append(
                [f"[`{name}`](#{name})", heading.lower().rstrip("s"), documentation(pass_class).partition("\n\n")[0]]
            )
            sections.append("\n\n".join(_pass(pass_class, root / "lit_tests" / room)))
    return assembled(
        "Passes",
        INTRODUCTION,
        table(["pass", "kind", "does"], rows),
        *sections,
    )


def _pass(pass_class: type[ModulePass], folder: Path) -> Iterator[str]:
    """The section of one pass."""
    yield f"### {pass_class.name}"
    yield re.sub(r"^(Expects|Leaves):\s+", r"- **\1** ", documentation(pass_class), flags=re.MULTILINE)
    yield f"Opt level {getattr(pass_class, 'opt_level', 1)} · licence: {_licence(pass_class)}"
    if options := _options(pass_class):
        yield table(["option", "type", "default"], options)
    case = first_case(folder, pass_class.name)
    if case is not None:
        yield code(case.text)
        yield f"`-p '{case.pipeline}'` gives"
        module = apply(case.pipeline, parse(case.text, case.file.name))
        yield code(body_text(module))


def _licence(pass_class: type[ModulePass]) -> str:
    """What it may do to a float result, as its options are by default."""
    licence: object = vars(pass_class).get("licence")
    if isinstance(licence, property):
        licence = licence.fget and licence.fget(pass_class())
    return ", ".join(sorted(cast("frozenset[str]", licence))) or "exact"


def _options(pass_class: type[ModulePass]) -> list[list[str]]:
    """Name, type and default of each option; a field that is not printed is for Python only."""
    kinds = {name: kind for name, kind, _ in get_pass_option_infos(pass_class)}
    declared = cast("tuple[Field[object], ...]", fields(pass_class))
    return [
        [f"`{field.name.replace('_', '-')}`", f"`{_type(kinds[field.name])}`", _default(field)]
        for field in declared
        if field.name in kinds and field.repr
    ]


def _type(kind: object) -> str:
    """A type as the pass writes it, without the option to leave it out."""
    return str(kind).strip("'").removesuffix(" | None")


def _default(field: Field[object]) -> str:
    value = field.default
    if value is MISSING:
        return "required"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "none" if value is None or value == () else f"`{value}`"
