"""What can go wrong, as exceptions: each says what, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class Error(Exception):
    """Base of every error that Stepwell raises for something a user can mend."""


def require(value: object, kinds: Any, what: str, error: type[Error] | None = None) -> None:
    """
    Refuse an argument of a public function that is of another kind: `what` says what is expected.

    `kinds` is what `isinstance` takes, which is more than its type can say. The error is a `PipelineError` by default.
    """
    if not isinstance(value, kinds):
        text = repr(value)
        shown = text if len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"
        raise (error or PipelineError)(f"expected {what}, not {shown}")


class ModelError(Error):
    """A model file is missing, malformed, or says something that its format does not allow."""


@dataclass(frozen=True)
class UnsupportedNode:
    """One node that cannot be imported or lowered: its `name`, its operator and the reason."""

    name: str
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"node '{self.name}' ({self.operator}): {self.reason}"


class UnsupportedError(Error):
    """Parts of a model that Stepwell cannot say; `nodes` lists each with its reason."""

    def __init__(self, message: str, nodes: Sequence[UnsupportedNode] = ()):
        self.nodes = tuple(nodes)
        super().__init__("\n".join([message, *(f"  {node}" for node in self.nodes)]))


class VerifyError(Error):
    """IR that breaks a rule of its dialect: names the operation and its location."""


class PipelineError(Error):
    """A pipeline text, a pass name, an option or a stage that does not exist or does not fit."""


class ScheduleError(Error):
    """A schedule step that is not legal: names the step, the loop, the block and the reason."""


class CompilerError(Error):
    """The host C compiler is missing or refused: holds its command and the first lines it printed."""


class RunError(Error):
    """A call with the wrong shapes, dtypes or names, or a nonzero status from a compiled model."""
