"""The open table op -> what writes its meaning in Python, for the dialects that work on buffers and scalars."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.ir import Operation

from ..errors import require

if TYPE_CHECKING:
    from .loop.source import Source

Interpreter: TypeAlias = "Callable[[Any, Source], None]"
"""Writes what one op does, as Python statements, into a `Source`."""

INTERPRETERS: dict[str, Interpreter] = {}
"""Op name -> its interpreter. Scalar ops need none: a formula in `interpreters/numbers` says what they compute."""

DIALECT_MODULES = {"func": "loop.functions", "loop": "loop", "simd": "simd"}
"""Dialect -> the module here that registers its ops, imported when the first of them is met."""


def register_interpreter(op_class: type[Operation], interpreter: Interpreter) -> None:
    """
    Say what the ops of a class do below the level of tensors.

    A dialect of another package does so where it is defined:

    ```python
    def double(op: DoubleOp, out: Source) -> None:
        out.assign(op.out, f"{out.name(op.value)} * 2")


    register_interpreter(DoubleOp, double)
    ```
    """
    require(op_class, type, "a class of operations")
    require(interpreter, Callable, "a function of an operation and the source it writes")
    INTERPRETERS[op_class.name] = interpreter


def interprets(*op_classes: type[Operation]) -> Callable[[Interpreter], Interpreter]:
    """`register_interpreter` as a decorator."""

    def register(interpreter: Interpreter) -> Interpreter:
        for op_class in op_classes:
            register_interpreter(op_class, interpreter)
        return interpreter

    return register


def interpreter_of(op: Operation) -> Interpreter | None:
    """The interpreter of an op, or None where the table has none."""
    found = INTERPRETERS.get(op.name)
    module = DIALECT_MODULES.get(op.name.partition(".")[0])
    if found is None and module is not None:
        import_module(f".{module}", __package__)
        found = INTERPRETERS.get(op.name)
    return found
