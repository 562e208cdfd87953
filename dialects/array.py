"""`#graph.array`: a read-only NumPy array as an attribute, equal by content, printed inline or as a key.

Small arrays are printed in full and read back bit for bit. A large one is printed as a key of its content; reading the
key needs the array itself, which this process may still hold, or which a side file holds (`dialects/array_file.py`).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, Signedness, TensorType
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from .element_types import bits_of, dtype_of, integer_type, is_float, type_of

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

INLINE_ELEMENTS = 32
"""An array of fewer elements is printed inline."""


class FrozenArray:
    """A read-only, contiguous array; equal to another of the same dtype, shape and bytes."""

    def __init__(self, array: Array):
        import numpy as np

        if array.flags.writeable or not array.flags.c_contiguous or not array.dtype.isnative:
            array = np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True)
            array.flags.writeable = False
        self.array: Array = array

    @cached_property
    def element_type(self) -> Attribute:
        """The type of the elements."""
        return type_of(self.array.dtype)

    @cached_property
    def key(self) -> str:
        """A name made from dtype, shape and bytes."""
        content = sha256(f"{self.array.dtype.name} {self.array.shape} ".encode())
        content.update(bytes_view(self.array))
        return f"sha256:{content.hexdigest()[:32]}"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, FrozenArray)
            and self.array.dtype == other.array.dtype
            and self.array.shape == other.array.shape
            and self.key == other.key
        )

    def __hash__(self) -> int:
        return hash(self.key)


def bytes_view(array: Array) -> memoryview:
    """The bytes of a contiguous array, without a copy."""
    import numpy as np

    return array.reshape(-1).view(np.uint8).data


_known: WeakValueDictionary[str, FrozenArray] = WeakValueDictionary()
"""Arrays whose key has been printed and that something in this process still holds."""

_loaded: ContextVar[tuple[Mapping[str, FrozenArray], ...]] = ContextVar("loaded arrays", default=())
_in_full: ContextVar[bool] = ContextVar("arrays in full", default=False)


@contextmanager
def arrays_in_full() -> Generator[None]:
    """Print every array inline, however large, for as long as the context lasts."""
    token = _in_full.set(True)
    try:
        yield
    finally:
        _in_full.reset(token)


@contextmanager
def resolving(arrays: Mapping[str, FrozenArray]) -> Generator[None]:
    """Let the parser find these arrays by their keys for as long as the context lasts."""
    token = _loaded.set((*_loaded.get(), arrays))
    try:
        yield
    finally:
        _loaded.reset(token)


def resolve(key: str) -> FrozenArray | None:
    """The array of that key, from the side files that are open or from this process."""
    for arrays in reversed(_loaded.get()):
        if (found := arrays.get(key)) is not None:
            return found
    return _known.get(key)


@irdl_attr_definition
class ConstantArrayAttr(Data[FrozenArray]):
    """
    A constant array.

    ```mlir
    #graph.array<[1.0, -0.0, nan] : tensor<3xf32>>
    ```
    """

    name = "graph.array"

    def __init__(self, array: Array | FrozenArray):
        super().__init__(array if isinstance(array, FrozenArray) else FrozenArray(array))

    @property
    def array(self) -> Array:
        """The array; it cannot be written to."""
        return self.data.array

    @property
    def type(self) -> TensorType[Attribute]:
        """The tensor type of the array."""
        return TensorType(self.data.element_type, self.data.array.shape)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> FrozenArray:
        """Parse `<elements : type>` or `<"key" : type>`."""
        with parser.in_angle_brackets():
            start = parser.pos
            key = parser.parse_optional_str_literal()
            elements = None if key is not None else _parse_elements(parser)
            end = parser.pos
            parser.parse_punctuation(":")
            type = _parse_array_type(parser)
            if key is None:
                try:
                    return FrozenArray(_array_of(elements, type))
                except ValueError as error:
                    parser.raise_error(str(error), start, end)
            found = resolve(key)
            if found is None:
                parser.raise_error(
                    f"no array {key} is at hand: it was printed as a key, and neither this process nor a loaded "
                    "side file holds its elements",
                    start,
                    end,
                )
            if (found.element_type, found.array.shape) != (type.element_type, type.get_shape()):
                parser.raise_error(f"array {key} is {TensorType(found.element_type, found.array.shape)}", start, end)
            return found

    def print_parameter(self, printer: Printer) -> None:
        """Print the elements if they are few, else the key."""
        with printer.in_angle_brackets():
            if self.is_inline or _in_full.get():
                printer.print_string(_elements_text(self.array, self.data.element_type))
            else:
                _known[self.data.key] = self.data
                printer.print_string_literal(self.data.key)
            printer.print_string(" : ")
            printer.print_attribute(self.type)

    @property
    def is_inline(self) -> bool:
        """Whether the elements are few enough to be printed."""
        return self.array.size < INLINE_ELEMENTS


# -- elements as text ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NanBits:
    """A NaN that is not the usual one, by its bits."""

    bits: int


Scalar: TypeAlias = float | bool | NanBits
Elements: TypeAlias = "Scalar | list[Elements]"


def _parse_array_type(parser: AttrParser) -> TensorType[Attribute]:
    start = parser.pos
    type = parser.parse_type()
    if not isa(type, TensorType) or type.encoding != NoneAttr() or DYNAMIC_INDEX in type.get_shape():
        parser.raise_error("the type of an array is a tensor with a static shape", start, parser.pos)
    element = type.element_type
    try:
        holds = type_of(dtype_of(element)) == element
    except ValueError:
        holds = False
    if not holds:
        parser.raise_error(f"no array can hold elements of type {element}", start, parser.pos)
    return TensorType(element, type.get_shape())


def _parse_elements(parser: AttrParser) -> Elements:
    nested = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_elements(parser))
    return _parse_scalar(parser) if nested is None else nested


def _parse_scalar(parser: AttrParser) -> Scalar:
    if (truth := parser.parse_optional_boolean()) is not None:
        return truth
    negative = parser.parse_optional_punctuation("-") is not None
    if not negative and parser.parse_optional_keyword("nan"):
        if not parser.parse_optional_punctuation("("):
            return float("nan")
        bits = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(")")
        return NanBits(bits)
    magnitude = float("inf") if parser.parse_optional_keyword("inf") else parser.parse_optional_number()
    if magnitude is None:
        parser.raise_error("an element expected: a number, true, false, nan, inf or a list")
    return -magnitude if negative else magnitude


def _flatten(elements: Elements, shape: Sequence[int], axis: int, flat: list[Scalar]) -> None:
    if axis == len(shape):
        if isinstance(elements, list):
            raise ValueError(f"elements are nested deeper than the {len(shape)} axes of the type")
        flat.append(elements)
        return
    if not isinstance(elements, list) or len(elements) != shape[axis]:
        found = f"{len(elements)} elements" if isinstance(elements, list) else "a number"
        raise ValueError(f"{shape[axis]} elements expected on axis {axis}, found {found}")
    for element in elements:
        _flatten(element, shape, axis + 1, flat)


def _array_of(elements: Elements | None, type: TensorType[Attribute]) -> Array:
    import numpy as np

    assert elements is not None
    element, shape = type.element_type, type.get_shape()
    dtype = dtype_of(element)
    flat: list[Scalar] = []
    _flatten(elements, shape, 0, flat)
    array = np.zeros(len(flat), dtype)
    for index, scalar in enumerate(flat):
        if is_float(element):
            if isinstance(scalar, NanBits):
                _write_bits(array[index : index + 1], scalar.bits)
            elif isinstance(scalar, bool) or not isinstance(scalar, float):
                raise ValueError(f"elements of {element} are written with a point, found {str(scalar).lower()}")
            else:
                array[index] = scalar
        else:
            _check_integer(scalar, element)
            array[index] = scalar
    return array.reshape(shape)


def _write_bits(place: Array, bits: int) -> None:
    import numpy as np

    unsigned = np.dtype(f"uint{place.dtype.itemsize * 8}")
    if bits >= 2 ** (unsigned.itemsize * 8):
        raise ValueError(f"nan({bits:#x}) has more bits than an element")
    place.view(unsigned)[0] = bits
    if not np.isnan(place[0]):
        raise ValueError(f"{bits:#x} are not the bits of a NaN")


def _check_integer(scalar: Scalar, element: Attribute) -> None:
    integer = integer_type(element)
    assert integer is not None
    width = bits_of(element)
    if (width == 1) != isinstance(scalar, bool):
        raise ValueError(f"elements of {element} are {'true or false' if width == 1 else 'integers'}, found {scalar}")
    if isinstance(scalar, bool):
        return
    unsigned = integer.signedness.data is Signedness.UNSIGNED
    low, high = (0, 2**width) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1))
    if not isinstance(scalar, int) or not low <= scalar < high:
        raise ValueError(f"{scalar} is no {element}")


def _elements_text(array: Array, element: Attribute) -> str:
    if array.ndim:
        return f"[{', '.join(_elements_text(part, element) for part in array)}]"
    if not is_float(element):
        return str(bool(array)).lower() if array.dtype.name == "bool" else str(int(array))
    return _float_text(array)


def _float_text(scalar: Array) -> str:
    """The shortest text that reads back as the same element of a rank 0 array."""
    import numpy as np

    value = float(scalar)
    if value != value:
        bits = int(scalar.reshape(1).view(f"uint{scalar.dtype.itemsize * 8}")[0])
        usual = int(np.array([np.nan], scalar.dtype).view(f"uint{scalar.dtype.itemsize * 8}")[0])
        return "nan" if bits == usual else f"nan({bits:#x})"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    # numpy prints its own floats shortest; the small ones of ml_dtypes have few digits to try
    candidates = (str(scalar),) if scalar.dtype.kind == "f" else tuple(f"{value:.{n}g}" for n in range(1, 9))
    for text in (*candidates, repr(value)):
        if np.array(float(text), scalar.dtype) == scalar:
            return _with_point(text)
    raise AssertionError(f"{value!r} does not read back")


def _with_point(text: str) -> str:
    mantissa, mark, exponent = text.partition("e")
    return (mantissa if "." in mantissa else f"{mantissa}.0") + mark + exponent
