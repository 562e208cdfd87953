"""What a primitive is called, takes and promises: declared once, for its step, its pass, its errors and its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Any, Literal, NoReturn, TypeAlias, cast

from xdsl.dialects import func

from ...dialects.expr import Expr, as_expr
from ...dialects.loop import BlockOp, ForOp
from ...errors import ScheduleError, require
from .addresses import block_address, find_block, find_loop, index_text, loop_address, quote, read_index, split_address

ParameterKind: TypeAlias = Literal["loop", "loops", "block", "integer", "index", "word", "number", "names", "flag"]
"""`loops` and `names` take several words, `index` the rest of the step, `flag` is there or not."""


_KINDS: dict[ParameterKind, Any] = {
    "loop": ForOp,
    "loops": tuple,
    "block": BlockOp,
    "integer": int,
    "index": (Expr, int),
    "word": str,
    "number": Real,
    "names": tuple,
    "flag": bool,
}
"""The kind of a parameter -> the classes of an argument in Python."""

_WHAT: dict[ParameterKind, str] = {
    "loop": "a loop.for",
    "loops": "loops",
    "block": "a loop.block",
    "integer": "an int",
    "index": "an index expression or an int",
    "word": "a word",
    "number": "a number",
    "names": "names",
    "flag": "True or False",
}


@dataclass(frozen=True)
class Parameter:
    """One thing that a step names; `choices` for a `word`, `default` for what may be left out."""

    name: str
    kind: ParameterKind
    choices: tuple[str, ...] = ()
    optional: bool = False
    default: str = ""


@dataclass(frozen=True)
class Step:
    """One step about to be done, to refuse it by; nothing has changed then, so its text is made when it is refused."""

    declaration: Declaration
    arguments: tuple[object, ...]

    @property
    def text(self) -> str:
        """The step as it is written."""
        return self.declaration.text(self.arguments)

    def refuse(self, reason: str) -> NoReturn:
        """Stop: the step is not legal."""
        raise ScheduleError(f"step '{self.text}': {reason}")

    def require(self, condition: bool, reason: str) -> None:
        """Stop unless `condition` holds."""
        if not condition:
            self.refuse(reason)


@dataclass(frozen=True)
class Declaration:
    """A primitive: the word of its step, the name of its pass, its parameters, and its documentation."""

    word: str
    pass_name: str
    parameters: tuple[Parameter, ...]
    does: str
    expects: str
    leaves: str
    licence: frozenset[str] = frozenset()

    def step(self, *arguments: object) -> Step:
        """The step with these arguments. `ScheduleError` for one of another kind than its parameter."""
        for parameter, argument in zip(self.parameters, arguments, strict=False):
            if not (argument is None and parameter.optional):
                require(argument, _KINDS[parameter.kind], f"{_WHAT[parameter.kind]} as {parameter.name}", ScheduleError)
            if parameter.kind == "loops":
                for each in cast("tuple[object, ...]", argument):
                    require(each, ForOp, f"loops as {parameter.name}", ScheduleError)
        return Step(self, arguments)

    def text(self, arguments: tuple[object, ...]) -> str:
        """The step with these arguments, as text that reads back."""
        words = [self.word]
        loop = next((a for a in arguments if isinstance(a, ForOp)), None)
        given = list(zip(self.parameters, arguments, strict=False))
        # a word that must be there reads best first: `kind vectorized b/l`
        given.sort(key=lambda pair: pair[0].kind != "word" or pair[0].optional)
        for parameter, argument in given:
            words += _write(parameter, argument, loop)
        return " ".join(words)

    def usage(self) -> str:
        """How the step is written: `split loop factor [names…]`."""
        ordered = sorted(self.parameters, key=lambda p: p.kind != "word" or p.optional)
        return " ".join([self.word, *map(_usage, ordered)])

    def read(self, words: list[str], function: func.FuncOp) -> tuple[object, ...]:
        """The arguments that the words after the first say, looked up in `function`."""
        rest = list(words)
        arguments: list[object] = []

        @cache  # several loops of one step are around one block
        def find(label: str) -> BlockOp:
            return find_block(function, label)

        fixed = {
            p: _take_anywhere(p, rest, len(self.parameters)) for p in self.parameters if p.kind in ("word", "flag")
        }
        loop: ForOp | None = None
        for parameter in self.parameters:
            if parameter in fixed:
                arguments.append(fixed[parameter])
                continue
            argument = _read(parameter, rest, find, loop)
            loop = argument if loop is None and isinstance(argument, ForOp) else loop
            arguments.append(argument)
        if rest:
            raise ScheduleError(f"'{' '.join(rest)}' is too much: the step is written '{self.usage()}'")
        return tuple(arguments)


@dataclass(frozen=True)
class Primitive:
    """A declaration with the function that does it; `every` says for which blocks a pass without a block does it."""

    declaration: Declaration
    function: Callable[..., object]
    every: Callable[[BlockOp], bool] | None = None


def _usage(parameter: Parameter) -> str:
    text = {
        "loop": f"<block/{parameter.name}>",
        "loops": "<block/loop>…",
        "names": f"<{parameter.name}…>",
        "word": "|".join(parameter.choices),
        "flag": parameter.name,
    }.get(parameter.kind, f"<{parameter.name}>")
    return f"[{text}]" if parameter.optional or parameter.kind == "flag" else text


def _write(parameter: Parameter, argument: object, loop: ForOp | None) -> list[str]:
    if argument is None or argument is False:
        return []
    match parameter.kind:
        case "loop":
            return [loop_address(cast(ForOp, argument))]
        case "loops":
            return [loop_address(each) for each in cast("tuple[ForOp, ...]", argument)]
        case "block":
            return [block_address(cast(BlockOp, argument))]
        case "index":
            assert loop is not None
            return [index_text(as_expr(cast("Expr | int", argument)), loop)]
        case "names":
            return [quote(name) for name in cast("tuple[str, ...]", argument)]
        case "word":
            return [] if argument == parameter.default else [str(argument)]
        case "flag":
            return [parameter.name]
        case "integer" | "number":
            return [str(argument)]


def _take_anywhere(parameter: Parameter, words: list[str], wanted: int) -> object:
    """A word of a fixed set may stand anywhere: `kind vectorized b/l` and `kind b/l vectorized` are one step."""
    choices = parameter.choices or (parameter.name,)
    for word in words:
        if word in choices:
            words.remove(word)
            return True if parameter.kind == "flag" else word
    if parameter.kind == "flag":
        return False
    if parameter.optional:
        return parameter.default
    if len(words) >= wanted:
        wrong = next((word for word in words if "/" not in word), words[0])
        raise ScheduleError(f"'{wrong}' is no {parameter.name}: it is one of {', '.join(choices)}")
    raise ScheduleError(f"the {parameter.name} is missing: one of {', '.join(choices)}")


def _read(parameter: Parameter, words: list[str], find: Callable[[str], BlockOp], loop: ForOp | None) -> object:
    if not words:
        if parameter.optional:
            return None
        raise ScheduleError(f"the {parameter.name} is missing")
    match parameter.kind:
        case "loop":
            return _loop_at(words.pop(0), find)
        case "loops":
            taken, words[:] = tuple(words), []
            return tuple(_loop_at(word, find) for word in taken)
        case "block":
            block, extra = split_address(words.pop(0))
            if extra is not None:
                raise ScheduleError(f"the {parameter.name} is a block, not a loop: leave out '/{extra}'")
            return find(block)
        case "index":
            assert loop is not None
            text, words[:] = " ".join(words), []
            return read_index(text, loop)
        case "names":
            taken, words[:] = tuple(words), []
            return tuple(split_address(word)[0] for word in taken)
        case "integer":
            word = words.pop(0)
            if not word.lstrip("-").isdecimal():
                raise ScheduleError(f"the {parameter.name} is an integer, not '{word}'")
            return int(word)
        case "number":
            return _number(parameter, words.pop(0))
        case "word" | "flag":
            raise AssertionError(parameter)


def _loop_at(word: str, find: Callable[[str], BlockOp]) -> ForOp:
    block, loop = split_address(word)
    if loop is None:
        raise ScheduleError(f"'{word}' names no loop: write block/loop")
    return find_loop(find(block), loop)


def _number(parameter: Parameter, word: str) -> int | float:
    try:
        return int(word)
    except ValueError:
        try:
            return float(word)
        except ValueError:
            raise ScheduleError(f"the {parameter.name} is a number, not '{word}'") from None
