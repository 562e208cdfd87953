"""Modules as a person reads them: large constants are numbered, not written out."""

from __future__ import annotations

from io import StringIO

from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer

from ..dialects.array import ConstantArrayAttr, arrays_in_full
from ..errors import ModelError, require


class _Reader(Printer):
    """A printer that writes `#array[0] : tensor<784x128xf32>` for a large constant, and counts those it met."""

    def __init__(self, stream: StringIO):
        super().__init__(stream=stream)
        self.numbers: dict[ConstantArrayAttr, int] = {}

    def print_attribute(self, attribute: Attribute) -> None:
        if not isinstance(attribute, ConstantArrayAttr) or attribute.is_inline:
            super().print_attribute(attribute)
            return
        number = self.numbers.setdefault(attribute, len(self.numbers))
        self.print_string(f"#array[{number}] : ")
        self.print_attribute(attribute.type)


def text(module: Operation, *, constants: bool = False) -> str:
    """The text of a module or of one op in it; with `constants`, every array is written out."""
    stream = StringIO()
    if constants:
        with arrays_in_full():
            Printer(stream=stream).print_op(module)
        return stream.getvalue()
    reader = _Reader(stream)
    reader.print_op(module)
    if reader.numbers:
        count = len(reader.numbers)
        what = "1 constant is" if count == 1 else f"{count} constants are"
        stream.write(f"\n// {what} not written out: show(module, constants=True) does.")
    return stream.getvalue()


def show(module: Operation, *, constants: bool = False) -> None:
    """Print a module; with `constants`, every array is written out."""
    require(module, Operation, "a module to print", ModelError)
    print(text(module, constants=constants))
