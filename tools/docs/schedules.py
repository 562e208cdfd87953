"""`docs/reference/schedules.md`: the primitives, as the table declares them."""

from __future__ import annotations

from collections.abc import Iterator

from ...schedules.rules import RULES
from ...transforms.primitives import PRIMITIVES
from ...transforms.primitives.declaration import Parameter, Primitive
from .markdown import assembled, code, documentation, first_line, place, table

KINDS = {
    "loop": "a loop, `block/loop`",
    "loops": "loops, `block/loop` each",
    "block": "a block",
    "integer": "an integer",
    "index": "an index expression",
    "word": "one of the words",
    "number": "a number",
    "names": "names",
    "flag": "the word itself, or not",
}


INTRODUCTION = """
A schedule is a list of steps, the attribute `schedule` of a loop function: a rule writes it, `apply-schedule` does and
removes it. Each primitive is a step, a pass, and a function of `stepwell.transforms.primitives`. What addresses look
like is in the [design](../design/schedules.md).
"""


def page() -> str:
    """The page of the primitives and rules."""
    rows = [
        [f"[`{word}`](#{word})", f"[`{d.pass_name}`](passes.md#{d.pass_name})", d.does]
        for word, d in ((word, primitive.declaration) for word, primitive in PRIMITIVES.items())
    ]
    return assembled(
        "Schedules",
        INTRODUCTION,
        table(["step", "pass", "does"], rows),
        *("\n\n".join(_primitive(word, primitive)) for word, primitive in PRIMITIVES.items()),
        "## Rules",
        "What `assign-schedules` decides for each loop nest: the first rule that fits. Other nests stay as they are.",
        table(["rule", "file", "does"], [[rule.name, f"`{place(rule.fits)}`", _sentence(rule.fits)] for rule in RULES]),
    )


def _primitive(word: str, primitive: Primitive) -> Iterator[str]:
    declaration = primitive.declaration
    yield f"## {word}"
    yield declaration.does
    yield code(declaration.usage(), "text")
    yield table(["parameter", "is", "default"], [_parameter(parameter) for parameter in declaration.parameters])
    yield f"- **Expects** {declaration.expects}\n- **Leaves** {declaration.leaves}"
    licence = ", ".join(sorted(declaration.licence)) or "exact"
    yield f"Python: `{primitive.function.__name__}` of `{place(primitive.function)}` · licence: {licence}"


def _parameter(parameter: Parameter) -> list[str]:
    words = f": {', '.join(f'`{choice}`' for choice in parameter.choices)}" if parameter.choices else ""
    if parameter.default:
        default = f"`{parameter.default}`"
    else:
        default = "may be left out" if parameter.optional or parameter.kind == "flag" else ""
    return [f"`{parameter.name}`", KINDS[parameter.kind] + words, default]


def _sentence(function: object) -> str:
    return first_line(function) or documentation(function)
