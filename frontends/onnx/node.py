"""One node of a model, as the functions of the operator table see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

import numpy as np
from xdsl.ir import Attribute, SSAValue

from ...dialects import graph
from ...dialects.element_types import dtype_of
from ...dialects.expr import Expr
from ...dialects.graph.dims import shape_text
from ...errors import ModelError
from ..operations import Operations
from .file import Model
from .structure import node_error
from .weights import Array, array_of


@dataclass(frozen=True)
class Sizes:
    """An integer tensor computed from dynamic dims: an array of objects, each a number, an expression or None."""

    array: Array
    dtype: str = "int64"
    natural: frozenset[Expr] = frozenset()
    """Sizes of tensors that it was computed from: in no run negative, whatever the expression says."""


Content: TypeAlias = SSAValue | Array | Sizes
"""What a tensor of the model is: a value of the graph, an array that is known, or sizes that are expressions."""

Result: TypeAlias = Content | list[Content] | list[SSAValue]
"""What an operator gives: one output, or several."""

Operator: TypeAlias = "Callable[[Node], Result]"
"""The meaning of an ONNX operator: makes the ops of `graph` that a node stands for."""


class NotSaidError(Exception):
    """Why a node cannot be said in `graph`."""


@dataclass
class Node:
    """
    One node: its attributes and inputs by kind, and `ops`, the functions that add ops to the graph.

    Whatever an operator does not ask for is refused afterwards, so that no attribute is lost silently.
    """

    proto: Any
    model: Model
    contents: Sequence[SSAValue | Sizes | None]
    """One for each input; None for one that is left out."""
    ops: Operations
    known: Callable[[SSAValue], Array | None]
    """The array that a value is, if it depends on constants only."""
    asked: set[str | int] = field(default_factory=set["str | int"])

    @property
    def opset(self) -> int:
        """The version of the standard operators."""
        return self.model.opset

    @property
    def outputs(self) -> int:
        """How many outputs the node has, up to the last one with a name."""
        return max((number for number, name in enumerate(self.proto.output, 1) if name), default=0)

    def refuse(self, reason: str) -> NoReturn:
        """Give up on this node; other nodes are still looked at, and all reasons are reported together."""
        raise NotSaidError(reason)

    # -- attributes -----------------------------------------------------------------------------------------------

    def _attribute(self, name: str, kind: str) -> Any:
        """The value of an attribute in the named field; None if it is absent."""
        self.asked.add(name)
        for attribute in self.proto.attribute:
            if attribute.name == name:
                if attribute.ref_attr_name:
                    self.refuse(f"attribute '{name}' refers to one of a function")
                found = attribute.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number[attribute.type].name
                if found != kind:
                    raise node_error(self.model, self.proto, f"attribute '{name}' is of type {found}, not {kind}")
                return attribute
        return None

    def has(self, name: str) -> bool:
        """Whether the node has this attribute, whatever its type."""
        return any(attribute.name == name for attribute in self.proto.attribute)

    def integer(self, name: str, default: int) -> int:
        """An integer attribute."""
        attribute = self._attribute(name, "INT")
        return default if attribute is None else int(attribute.i)

    def flag(self, name: str, default: bool = False) -> bool:
        """An integer attribute that is 0 or 1."""
        return self.integer(name, default) != 0

    def real(self, name: str, default: float) -> float:
        """A float attribute, which the file holds as an f32."""
        attribute = self._attribute(name, "FLOAT")
        return default if attribute is None else float(attribute.f)

    def string(self, name: str, default: str) -> str:
        """A string attribute."""
        attribute = self._attribute(name, "STRING")
        return default if attribute is None else bytes(attribute.s).decode("utf-8", "replace")

    def ints(self, name: str) -> list[int] | None:
        """A list of integers; None if it is absent."""
        attribute = self._attribute(name, "INTS")
        return None if attribute is None else list(attribute.ints)

    def floats(self, name: str) -> list[float] | None:
        """A list of floats; None if it is absent."""
        attribute = self._attribute(name, "FLOATS")
        return None if attribute is None else list(attribute.floats)

    def tensor(self, name: str) -> Array | None:
        """An attribute that is an array; None if it is absent."""
        attribute = self._attribute(name, "TENSOR")
        if attribute is None:
            return None
        array = array_of(attribute.t, self.model)
        return self.refuse(f"attribute '{name}' holds no numbers") if array is None else array

    def ignore(self, *names: str) -> None:
        """Attributes that say nothing about the values computed here."""
        self.asked.update(names)

    # -- inputs ---------------------------------------------------------------------------------------------------

    def content(self, index: int) -> SSAValue | Sizes | None:
        """Whatever an input is; None if it is left out."""
        self.asked.add(index)
        return self.contents[index] if index < len(self.contents) else None

    def optional(self, index: int) -> SSAValue | None:
        """An input as a value of the graph; None if it is left out."""
        content = self.content(index)
        if isinstance(content, Sizes):
            self.refuse(f"input {index} is computed from dynamic dims: bind them with shapes=")
        return content

    def input(self, index: int) -> SSAValue:
        """An input as a value of the graph."""
        value = self.optional(index)
        if value is None:
            raise node_error(self.model, self.proto, f"input {index} is missing")
        return value

    def inputs(self) -> list[SSAValue]:
        """All inputs, for an operator that takes any number."""
        if not self.contents:
            raise node_error(self.model, self.proto, "there are no inputs")
        return [self.input(index) for index in range(len(self.contents))]

    def array(self, index: int) -> Array | None:
        """An input whose elements must be known now; None if it is left out."""
        value = self.optional(index)
        known = None if value is None else self.known(value)
        if value is not None and known is None:
            self.refuse(f"input {index} is not a constant")
        return known

    def integers(self, index: int, attribute: str, since: int) -> list[int] | None:
        """A list of integers that is an attribute, and from opset `since` on an input; None if it is left out."""
        return self.ints(attribute) if self.opset < since else self.whole_numbers(index)

    def whole_numbers(self, index: int) -> list[int] | None:
        """An input that is a list of known integers; None if it is left out."""
        array = self.array(index)
        if array is not None and array.dtype.kind not in "iu":
            raise node_error(self.model, self.proto, f"input {index} is a list of integers, found {array.dtype}")
        return None if array is None else [int(each) for each in array.reshape(-1)]

    def number(self, index: int) -> Any:
        """An input that is one known number; None if it is left out."""
        array = self.array(index)
        if array is not None and array.size != 1:
            raise node_error(self.model, self.proto, f"input {index} is one number, found {array.size}")
        return None if array is None else array.reshape(())[()]

    def given_number(self, index: int) -> Any:
        """An input that is one known number, and cannot be left out."""
        number = self.number(index)
        if number is None or not np.isfinite(number):
            raise node_error(self.model, self.proto, f"input {index} is a finite number, found {number}")
        return number

    def sizes(self, index: int) -> list[graph.Dim]:
        """An input that is a list of sizes, some of which may be dynamic."""
        content = self.content(index)
        if isinstance(content, Sizes):
            return list(content.array.reshape(-1))
        sizes = self.whole_numbers(index)
        if sizes is None:
            raise node_error(self.model, self.proto, f"input {index} is missing")
        return [*sizes]

    # -- types ----------------------------------------------------------------------------------------------------

    def shape(self, value: SSAValue) -> tuple[graph.Dim, ...]:
        """The sizes of a value."""
        return graph.dims_of(graph.type_of_value(value))

    def static_shape(self, value: SSAValue, why: str) -> tuple[int, ...]:
        """The sizes of a value, which must be numbers here."""
        sizes = tuple(size for size in self.shape(value) if isinstance(size, int))
        if len(sizes) != len(self.shape(value)):
            self.refuse(f"{why} of a dynamic size: bind it with shapes=")
        return sizes

    def rank(self, value: SSAValue) -> int:
        """The number of axes of a value."""
        return graph.type_of_value(value).get_num_dims()

    def element(self, value: SSAValue) -> Attribute:
        """The element type of a value."""
        return graph.type_of_value(value).element_type

    def dtype(self, value: SSAValue) -> np.dtype[Any]:
        """The dtype of the elements of a value."""
        return dtype_of(self.element(value))

    def axis(self, axis: int, rank: int) -> int:
        """An axis counted from the front; refuses one that there is not."""
        if not -rank <= axis < rank:
            raise self.error(f"axis {axis} is out of range for rank {rank}")
        return axis % rank

    def of_shape(self, shape: Sequence[graph.Dim], value: SSAValue) -> SSAValue:
        """The value; refuses one of another shape: an operand has broadcast the first one, and not only itself."""
        pairs = list(zip(self.shape(value), shape, strict=False))
        differ = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
        if differ or self.rank(value) != len(shape):
            raise self.error(f"an input does not broadcast to {shape_text(shape)}: it would be {self.text(value)}")
        return value

    def text(self, value: SSAValue) -> str:
        """The shape of a value, for messages."""
        return shape_text(self.shape(value))

    def error(self, message: str) -> ModelError:
        """What is wrong with this node, as an error that names it."""
        return node_error(self.model, self.proto, message)
