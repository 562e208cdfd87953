"""Steps as text: read, done, and recorded."""

from __future__ import annotations

import re

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from ...dialects.loop import ScheduleAttr
from ...errors import ScheduleError, require
from .declaration import Primitive
from .table import PRIMITIVES

_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+')


def read_step(text: str, function: func.FuncOp) -> tuple[Primitive, tuple[object, ...]]:
    """The primitive that a step names, and its arguments in `function`. `ScheduleError` says what is wrong with it."""
    words = _WORD.findall(text)
    if not words or words[0] not in PRIMITIVES:
        word = words[0] if words else ""
        raise ScheduleError(f"step '{text}': no primitive is called '{word}'; there are {', '.join(PRIMITIVES)}")
    primitive = PRIMITIVES[words[0]]
    try:
        return primitive, primitive.declaration.read(words[1:], function)
    except ScheduleError as error:
        raise ScheduleError(f"step '{text}': {error}") from None


def licence_of(text: str) -> frozenset[str]:
    """What a step may do to a float result: nothing, unless it says so with the word of its primitive's licence."""
    word, *rest = _WORD.findall(text) or [""]
    return PRIMITIVES[word].declaration.licence.intersection(rest) if word in PRIMITIVES else frozenset()


class Schedule:
    """Steps done on one function, recorded: `trace` is what `apply-schedule` would replay."""

    def __init__(self, function: func.FuncOp):
        require(function, func.FuncOp, "a function to schedule", ScheduleError)
        self.function = function
        self.trace: list[str] = []

    def apply(self, *texts: str) -> None:
        """Do steps given as text."""
        for text in texts:
            primitive, arguments = read_step(text, self.function)
            self._run(primitive, arguments)

    def run(self, word: str, *arguments: object) -> object:
        """Do one step on operations, `schedule.run("split", loop, 8)`, and return what the primitive returns."""
        if word not in PRIMITIVES:
            raise ScheduleError(f"no primitive is called '{word}'; there are {', '.join(PRIMITIVES)}")
        return self._run(PRIMITIVES[word], arguments)

    def attribute(self) -> ScheduleAttr:
        """The trace as the attribute of a function."""
        return ScheduleAttr(ArrayAttr([StringAttr(text) for text in self.trace]))

    def _run(self, primitive: Primitive, arguments: tuple[object, ...]) -> object:
        text = primitive.declaration.step(*arguments).text
        result = primitive.function(*arguments)
        self.trace.append(text)
        return result
