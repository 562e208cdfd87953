"""Pipelines as text, `split{factor=8},dce`: read with errors that name the pass and the option, and written back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches

from xdsl.passes import ModulePass, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from ..errors import PipelineError

Passes = Mapping[str, Callable[[], type[ModulePass]]]
"""Pass name -> what loads its class."""


def available_passes() -> Passes:
    """Every pass of the environment: xDSL's, ours, and those of other installed packages."""
    from xdsl.universe import Universe

    return Universe.get_multiverse().all_passes


def parse_passes(text: str, available: Passes) -> tuple[ModulePass, ...]:
    """The passes that a pipeline text names, with their options. `PipelineError` says which name or option is wrong."""
    try:
        specs = list(parse_pipeline(_without_empty_values(text.strip())))
    except ArgSpecParseError as error:
        raise PipelineError(f"pipeline '{text}': {_without_heading(str(error))}") from error
    return tuple(_build(spec, available) for spec in specs)


def print_passes(passes: Sequence[ModulePass]) -> str:
    """A text that `parse_passes` reads back as the same passes."""
    return ",".join(_print_spec(pass_.spec()) for pass_ in passes)


def _without_empty_values(text: str) -> str:
    """`a{sizes= n=1}` as xDSL wants it, `a{sizes n=1}`: an empty list. What stands in quotes stays as it is."""
    return re.sub(r'("(?:\\.|[^"\\])*")|=(?=[ }])', lambda match: match[1] or "", text)


def _without_heading(message: str) -> str:
    return message.partition("\n")[2].strip() or message


def _build(spec: ArgSpec, available: Passes) -> ModulePass:
    if spec.name not in available:
        close = get_close_matches(spec.name, available, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise PipelineError(f"no pass is called '{spec.name}'{hint}")
    try:
        pass_class = available[spec.name]()
    except ImportError as error:
        raise PipelineError(f"pass '{spec.name}' cannot be loaded: {error}") from error
    known = {field.name for field in fields(pass_class) if field.init}
    for option in spec.normalize_parameter_names().parameters:
        if option not in known:
            raise PipelineError(f"pass '{spec.name}' has no option '{option}'; {_describe_options(pass_class)}")
    try:
        return pass_class.from_spec(_with_floats(spec, pass_class))
    except (ValueError, TypeError) as error:
        raise PipelineError(f"pass '{spec.name}': {error}; {_describe_options(pass_class)}") from error


def _with_floats(spec: ArgSpec, pass_class: type[ModulePass]) -> ArgSpec:
    """`spec` with `1` read as `1.0`, and `1e-05` as a number, where the option is a float."""
    floats = {field.name for field in fields(pass_class) if str(field.type) in ("float", "<class 'float'>")}
    values = dict(spec.normalize_parameter_names().parameters)
    for name in floats & values.keys():
        values[name] = tuple(_as_float(value) for value in values[name])
    return ArgSpec(spec.name, values)


def _as_float(value: str | int | float | bool) -> str | int | float | bool:
    if isinstance(value, bool):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _describe_options(pass_class: type[ModulePass]) -> str:
    options = get_pass_option_infos(pass_class)
    if not options:
        return "it takes none"
    return "its options are " + ", ".join(
        f"{name}: {kind}" + (f" = {default}" if default is not None else "") for name, kind, default in options
    )


def _print_spec(spec: ArgSpec) -> str:
    if not spec.parameters:
        return spec.name
    options = (
        f"{name}={','.join(map(_print_value, values))}" if values else name for name, values in spec.parameters.items()
    )
    return f"{spec.name}{{{' '.join(options)}}}"


def _print_value(value: str | int | float | bool) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return _print_float(value)
        case int():
            return str(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
            return f'"{escaped}"'


def _print_float(value: float) -> str:
    """With a point in it: without one xDSL's lexer takes `1e-05` for a word."""
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text
