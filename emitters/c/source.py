"""What is written: the texts, the weights, and a description of the functions that can be called."""

from __future__ import annotations

from dataclasses import dataclass

Size = int | str
"""A size: a number, or a formula over the names of dims, such as `2 * n + 1`."""


@dataclass(frozen=True)
class Tensor:
    """An input or output of an entry."""

    name: str
    """As the model has it."""
    parameter: str
    """The C parameter."""
    dtype: str
    """NumPy's name of the element type, or `ml_dtypes`'."""
    element: str
    """The C type of an element."""
    shape: tuple[Size, ...]
    """Formulas have `+ - * // %`, `min(…)` and `max(…)`; other names stand in backquotes, a backquote twice."""


@dataclass(frozen=True)
class Entry:
    """A function that runs a model: `int run(inputs…, outputs…, dims…, [weights,] workspace)`."""

    function: str
    """Its symbol in the module."""
    prefix: str
    """What its C names start with."""
    dims: tuple[str, ...]
    """The names of the dynamic sizes."""
    dim_parameters: tuple[str, ...]
    """Their C parameters."""
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    takes_weights: bool
    """Whether `run` takes a pointer to the weights."""
    requires: tuple[str, ...] = ()
    """Formulas over dims that must not be negative; else `run` refuses the dims."""

    @property
    def run(self) -> str:
        """The C function; it returns 0 or a status."""
        return f"{self.prefix}_run"

    @property
    def workspace_size(self) -> str:
        """The C function from dims to the bytes that `run` needs as its workspace."""
        return f"{self.prefix}_workspace_size"

    @property
    def input_size(self) -> str:
        """The C function from the number of an input, and dims, to its bytes."""
        return f"{self.prefix}_input_size"

    @property
    def output_size(self) -> str:
        """The C function from the number of an output, and dims, to its bytes."""
        return f"{self.prefix}_output_size"

    @property
    def constant(self) -> str:
        """What the C constants that describe the entry start with."""
        return self.prefix.upper()


@dataclass(frozen=True)
class Source:
    """One model as C."""

    name: str
    """The prefix of its symbols and the stem of its files."""
    code: str
    """The text of `NAME.c`."""
    header: str
    """The text of `NAME.h`."""
    weights: bytes | None
    """The content of `NAME.weights`; None where all constants are in the C."""
    entries: tuple[Entry, ...]
    """The functions that run a model; `main`, or the only one, is `NAME_run`."""
    flags: tuple[str, ...]
    """What the compiler must be told, for this target."""


ENTRY_WORDS = ("run", "workspace_size", "input_size", "output_size", "status")
"""What stands behind the prefix of an entry in the names of its C."""

STATUSES: tuple[tuple[str, str], ...] = (
    ("OK", "all outputs are written"),
    ("NULL_BUFFER", "an input, an output or the weights are a null pointer"),
    ("BAD_DIM", "a dim is negative, or the dims are not ones that the model can run with"),
    ("NO_WORKSPACE", "the workspace is a null pointer, but one is needed"),
    ("OUT_OF_RANGE", "an index that was read or computed is out of range; outputs may be written in part"),
)
"""What `run` returns: name and meaning, numbered from 0."""
