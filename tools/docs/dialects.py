"""`docs/reference/dialects/`: every op of a dialect, as its class declares it and as the tables take it down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import cast

from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OptionalDef,
    SingleBlockRegionDef,
    VariadicDef,
)

from ...conversions.graph_to_loop import LOWERINGS
from ...dialects import DIALECTS
from ...emitters.c import EMITTERS
from ...emitters.c.elementwise import SCALAR, VECTOR
from ...universe import load
from .constraints import constraint_name, meaning, named_constraints
from .markdown import assembled, code, documentation, first_line, place, table

LOWERED_BY = {
    "graph.constant": "convert-calls-to-buffers",
    "graph.call_tir": "convert-calls-to-buffers",
    "graph.dataflow": "convert-graph-to-loop",
    "graph.output": "convert-graph-to-loop",
    "loop.block": "convert-loop-to-simd",
    "loop.global": "the C of a module, which begins with its constants",
}
"""Ops that neither the table of lowerings nor that of emitters holds, and what takes them away."""

Named = Sequence[tuple[str, AttrConstraint[Attribute]]]


def page(name: str) -> str:
    """The page of one dialect."""
    dialect = cast(Dialect, load(DIALECTS[name]))
    operations = [cast("type[IRDLOperation]", op) for op in dialect.operations]
    named = named_constraints()
    families: dict[str, list[str]] = {}
    for op in operations:
        families.setdefault(op.__module__, []).append(_operation(op, named))
    sections: list[str] = []
    for module, texts in families.items():
        sections += [f"## {_title(first_line(import_module(module)))}", *texts]
    rows = [[f"[`{op.name}`](#{_anchor(op.name)})", _meaning(op)] for op in operations]
    return assembled(
        f"The `{name}` dialect",
        first_line(import_module(f"...dialects.{name}", __package__)),
        f"How it is meant to be used: [design](../../design/{name}.md).",
        table(["op", "meaning"], rows),
        *sections,
        *_attributes(dialect),
        *_syntax(operations),
        *_legend(operations, named),
    )


def _title(sentence: str) -> str:
    """The heading that the first sentence of a module makes."""
    return sentence.rstrip(".")


def _anchor(heading: str) -> str:
    """How Markdown links to a heading of one word."""
    return re.sub(r"[^a-z0-9_-]", "", heading.lower())


def _meaning(op: type[IRDLOperation]) -> str:
    """The first paragraph of an op's docstring."""
    return documentation(op).partition("\n\n")[0]


def _operation(op: type[IRDLOperation], named: Named) -> str:
    """The section of one op."""
    definition = op.get_irdl_definition()
    rows = list(_rows(definition, op, named))
    parts = [f"### `{op.name}`", documentation(op)]
    if definition.assembly_format is not None:
        parts.append(code(f"{op.name} {_format(definition.assembly_format)}", "text"))
    if rows:
        parts.append(table(["", "name", "constraint"], rows))
    parts.append("  \n".join(_facts(op, definition)))
    return "\n\n".join(parts)


def _format(text: object) -> str:
    return re.sub(r"\s+", " ", str(text)).strip()


def _rows(definition: OpDef, op: type[IRDLOperation], named: Named) -> Iterator[list[str]]:
    """Operands, attributes, results and regions, as rows."""
    for name, operand in definition.operands:
        yield ["operand", f"`{name}`", _how_many(operand) + constraint_name(operand.constr, named)]
    for name, attribute in (*definition.properties.items(), *definition.attributes.items()):
        if name in ("operandSegmentSizes", "resultSegmentSizes"):
            continue
        default = attribute.default_value
        optional = "optional " if isinstance(attribute, OptionalDef) and default is None else ""
        said = f", default `{default}`" if default is not None else ""
        yield ["attribute", f"`{name}`", f"{optional}{constraint_name(attribute.constr, named)}{said}"]
    for name, result in definition.results:
        yield ["result", f"`{name}`", _how_many(result) + constraint_name(result.constr, named)]
    for name, region in definition.regions:
        blocks = "one block" if isinstance(region, SingleBlockRegionDef) else "blocks"
        yield ["region", f"`{name}`", f"{_how_many(region)}{blocks}"]


def _how_many(definition: object) -> str:
    """`optional`, `any number of`, or nothing for exactly one."""
    if isinstance(definition, OptionalDef):
        return "optional "
    return "any number of " if isinstance(definition, VariadicDef) else ""


def _facts(op: type[IRDLOperation], definition: OpDef) -> Iterator[str]:
    """Traits, and what takes the op down."""
    traits = sorted(re.sub(r"^_|Trait$", "", type(trait).__name__) for trait in definition.traits.traits)
    if traits:
        yield f"Traits: {', '.join(f'`{trait}`' for trait in traits)}"
    if (lowering := LOWERINGS.get(op.name)) is not None:
        yield f"Lowered by: `{place(lowering)}`"
    elif op.name in LOWERED_BY:
        yield f"Lowered by: {LOWERED_BY[op.name]}"
    if (emitter := SCALAR.get(op) or VECTOR.get(op) or EMITTERS.get(op)) is not None:
        yield f"C: `{place(emitter)}`"


def _attributes(dialect: Dialect) -> Iterator[str]:
    """The sections of the attributes and types of a dialect."""
    attributes = list(dialect.attributes)
    if attributes:
        yield "## Attributes and types"
    for attribute in attributes:
        yield f"### `#{attribute.name}`\n\n{documentation(attribute)}"


def _syntax(operations: Sequence[type[IRDLOperation]]) -> Iterator[str]:
    """What the pieces of syntax of our own on this page read and print."""
    directives = {directive.__name__: directive for op in operations for directive in op.custom_directives}
    if directives:
        yield "## Pieces of syntax"
        rows = [[f"`custom<{name}>`", documentation(directives[name])] for name in sorted(directives)]
        yield table(["written", "is"], rows)


def _legend(operations: Sequence[type[IRDLOperation]], named: Named) -> Iterator[str]:
    """What the names of constraints on this page mean."""
    used: set[str] = set()
    for op in operations:
        definition = op.get_irdl_definition()
        parts = [*definition.operands, *definition.results, *definition.properties.items()]
        used.update(constraint_name(part.constr, named) for _, part in parts)
    rows = [[f"`{name}`", meaning(constraint, named)] for name, constraint in named if f"`{name}`" in used]
    if rows:
        yield "## Constraints"
        yield table(["name", "accepts"], rows)
