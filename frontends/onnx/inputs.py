"""The types of a model's inputs: names of dynamic dims, and the sizes that the caller binds them to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...dialects import graph
from ...dialects.expr import Expr
from ...errors import ModelError, UnsupportedError, UnsupportedNode
from ..shapes import KINDS, Given, GivenSize
from .file import Model
from .weights import element_type_name, element_type_of


@dataclass
class _Sizes:
    """Names of dims, and what they are bound to."""

    model: Model
    bound: dict[str, int] = field(default_factory=dict[str, int])

    def bind(self, symbol: str, size: int, what: str) -> None:
        """The dim called `symbol` is `size`; refuses a second, other size."""
        if self.bound.setdefault(symbol, size) != size:
            raise ModelError(f"{self.model.name}: error: {what}: dim '{symbol}' is {self.bound[symbol]} and {size}")


def is_anonymous(name: str) -> bool:
    """Whether a name of a dim in a file says nothing: exporters write `?`, `-1` or nothing for an unknown size."""
    return not name.strip(" ?") or name.lstrip("-").isdigit()


def input_types(model: Model, values: Sequence[Any], shapes: Given) -> dict[str, graph.Tensor]:
    """The tensor type of each input of the model; refuses `shapes` that contradict what the file declares."""
    unsupported: list[UnsupportedNode] = []
    declared: dict[str, list[int | str | None]] = {}
    for value in values:
        reason = _why_not(value, shapes)
        if reason:
            unsupported.append(UnsupportedNode(value.name, "input", reason))
        else:
            declared[value.name] = _declared_sizes(model, value, shapes)
    if unsupported:
        raise UnsupportedError(f"{model.name}: error: inputs that cannot be read", unsupported)
    sizes = _Sizes(model)
    names = {size for dims in declared.values() for size in dims if isinstance(size, str)}
    for key, given in shapes.items():
        if isinstance(given, int) and key in names:
            sizes.bind(key, given, f"shapes['{key}']")
        elif not isinstance(given, int) and key in declared:
            declared[key] = _agreed(sizes, key, declared[key], given)
        else:
            known = ", ".join(f"'{name}'" for name in (*declared, *sorted(names)))
            raise ModelError(f"{model.name}: error: shapes names '{key}': the inputs and dims are {known}; {KINDS}")
    return {value.name: _tensor_type(value, declared[value.name], sizes.bound, names) for value in values}


def _why_not(value: Any, shapes: Given) -> str | None:
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        return f"a {(kind or 'value of no type').removesuffix('_type')}, not a tensor"
    number = value.type.tensor_type.elem_type
    if element_type_of(number) is None:
        return f"elements of type {element_type_name(number)}"
    if not value.type.tensor_type.HasField("shape") and isinstance(shapes.get(value.name), (int, type(None))):
        return f"its rank is not declared: give shapes={{'{value.name}': (…)}}"
    return None


def _declared_sizes(model: Model, value: Any, shapes: Given) -> list[int | str | None]:
    if not value.type.tensor_type.HasField("shape"):
        given = shapes[value.name]
        return [] if isinstance(given, int) else [None] * len(given)
    sizes: list[int | str | None] = []
    for dim in value.type.tensor_type.shape.dim:
        kind = dim.WhichOneof("value")
        if kind == "dim_value":
            sizes.append(dim.dim_value if dim.dim_value >= 0 else None)
        else:
            sizes.append(dim.dim_param if kind == "dim_param" and not is_anonymous(dim.dim_param) else None)
    return sizes


def _agreed(
    sizes: _Sizes, name: str, declared: list[int | str | None], given: Sequence[GivenSize]
) -> list[int | str | None]:
    """The sizes of one input as declared and as given; a number given for a name binds the name everywhere."""
    model = sizes.model
    if len(given) != len(declared):
        raise ModelError(
            f"{model.name}: error: input '{name}' has rank {len(declared)}, shapes['{name}'] has {len(given)} sizes"
        )
    agreed: list[int | str | None] = []
    for axis, (size, new) in enumerate(zip(declared, given, strict=True)):
        if new is None:
            agreed.append(size)
            continue
        if isinstance(size, int) and new != size:
            raise ModelError(
                f"{model.name}: error: axis {axis} of input '{name}' is declared {size}, shapes['{name}'] says {new}"
            )
        if isinstance(size, str) and isinstance(new, int):
            sizes.bind(size, new, f"axis {axis} of shapes['{name}']")
        agreed.append(size if isinstance(size, str) else new)
    return agreed


def _tensor_type(
    value: Any, sizes: Sequence[int | str | None], bound: Mapping[str, int], taken: set[str]
) -> graph.Tensor:
    dims: list[graph.Dim] = []
    for axis, size in enumerate(sizes):
        if size is None:
            size = _fresh(f"{value.name}_{axis}", taken)
        if isinstance(size, str):
            size = bound.get(size, size)
        dims.append(Expr.atom(size) if isinstance(size, str) else size)
    element = element_type_of(value.type.tensor_type.elem_type)
    assert element is not None, "inputs of other types were refused"
    return graph.tensor_of(element, dims)


def _fresh(name: str, taken: set[str]) -> str:
    """A name for a dim that the file leaves without one."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
