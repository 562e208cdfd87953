"""Arrays for the arguments of a function over buffers: which is which, what the dims are, what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, IndexType, MemRefType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.traits import MemoryWriteEffect

from ..dialects.element_types import dtype_of, is_element
from ..dialects.expr import Expr, Variable
from ..dialects.loop import BlockOp, MapAttr, ShapeOp, buffer_shape, buffer_type
from ..dialects.origin import located
from ..dialects.signature import (
    ELEMENTS,
    OUTPUTS_COUNT,
    SHAPES,
    WORKSPACE,
    dim_names,
    element_types,
    names_of,
    outputs_count,
    requirements,
)
from ..errors import RunError, VerifyError

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

Inputs: TypeAlias = "Mapping[str, Any] | Sequence[Any]"
"""Arrays by name, or in order."""


@dataclass(frozen=True)
class Parameter:
    """A buffer or a scalar that a function takes: its name, its argument, and its dims over the dims arguments."""

    name: str
    argument: BlockArgument
    dtype: np.dtype[Any]
    shape: tuple[Expr, ...]

    @property
    def is_buffer(self) -> bool:
        """Whether this is a buffer, not a scalar."""
        return isinstance(self.argument.type, MemRefType)

    @property
    def element(self) -> Attribute:
        """The type of the elements in the buffer, or of the scalar."""
        return buffer_type(self.argument).element_type if self.is_buffer else self.argument.type

    @property
    def stored(self) -> np.dtype[Any]:
        """The dtype of the elements in the buffer, where integers are signless."""
        return dtype_of(self.element)

    def array(self, value: Any, what: str) -> Array:
        """`value` as an array of the right dtype and rank."""
        array = as_array(value, self.dtype)
        if array.dtype != self.dtype:
            raise RunError(f"{what} '{self.name}' must be {self.dtype}, not {array.dtype}")
        if array.ndim != len(self.shape):
            raise RunError(f"{what} '{self.name}' must have rank {len(self.shape)}, not shape {array.shape}")
        return array


def as_array(value: Any, dtype: np.dtype[Any]) -> Array:
    """An array or NumPy scalar as it is; a number or a list as an array of that dtype."""
    try:
        return np.asarray(value, None if hasattr(value, "dtype") else dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise RunError(f"this is no array of {dtype}: {error}") from error


def check_names(given: Iterable[str], known: Sequence[str], needed: Sequence[str]) -> None:
    """Refuse a name that is not known, and the lack of one that is needed."""
    given = list(given)
    for name in given:
        if name not in known:
            raise RunError(f"no input '{name}'; there is {', '.join(known) or 'none'}")
    for name in needed:
        if name not in given:
            raise RunError(f"input '{name}' is missing")


class Interface:
    """
    What a function over buffers takes and gives.

    The last `outputs` buffers are written, by default as many as the attribute `outputs_count` says; without it, those
    that the ops of the function write.
    """

    def __init__(self, function: FuncOp, outputs: int | None = None):
        self.function = function
        arguments = tuple(function.args)
        self.workspace = arguments[-1] if WORKSPACE in function.attributes else None
        arguments = arguments[: len(arguments) - (self.workspace is not None)]
        names = dim_names(function)
        sizes = [a for a in arguments if isinstance(a.type, IndexType)]
        self.dims: dict[BlockArgument, str] = dict(
            zip(sizes, names, strict=False) if names else ((a, a.name_hint or f"dim{n}") for n, a in enumerate(sizes))
        )
        rest = [a for a in arguments if a not in self.dims]
        if outputs is None and OUTPUTS_COUNT in function.attributes:
            outputs = outputs_count(function)
        written = written_arguments(function) if outputs is None else set(rest[len(rest) - outputs :])
        buffers = [a for a in rest if a not in written], [a for a in rest if a in written]
        described = dict(zip(rest, self._types_and_shapes(rest), strict=True))
        self.inputs, self.outputs = (
            tuple(
                Parameter(name, a, *described[a])
                for name, a in zip(self._names(group, attribute, default), group, strict=True)
            )
            for group, attribute, default in zip(buffers, ("inputs", "outputs"), ("input", "output"), strict=True)
        )

    def _names(self, arguments: Sequence[BlockArgument], attribute: str, default: str) -> Sequence[str]:
        declared = names_of(self.function, attribute)
        if len(declared) == len(arguments):
            return declared
        return [a.name_hint or f"{default}{n}" for n, a in enumerate(arguments)]

    def _types_and_shapes(self, arguments: Sequence[BlockArgument]) -> list[tuple[np.dtype[Any], tuple[Expr, ...]]]:
        function = self.function
        buffers = [a for a in arguments if isinstance(a.type, MemRefType)]
        elements = {a: buffer_type(a).element_type for a in buffers}
        if ELEMENTS in function.attributes:
            elements = dict(zip(buffers, element_types(function), strict=True))
        shapes: dict[BlockArgument, tuple[Expr, ...]] = {}
        if SHAPES in function.attributes:
            maps = cast("ArrayAttr[MapAttr]", function.attributes[SHAPES])
            shapes = {a: m.over(tuple(self.dims)) for a, m in zip(buffers, maps, strict=True)}
        types = [elements.get(a, a.type) for a in arguments]
        for a, type in zip(arguments, types, strict=True):
            if not is_element(type):
                raise VerifyError(located(function, f"no array can hold argument {a.index}, {a.type}"))
        return [(dtype_of(type), shapes.get(a) or self._shape(a)) for a, type in zip(arguments, types, strict=True)]

    def _shape(self, argument: BlockArgument) -> tuple[Expr, ...]:
        if not isinstance(argument.type, MemRefType):
            return ()
        shape = buffer_shape(argument)
        if shape is None:
            name = argument.name_hint or f"argument {argument.index}"
            what = f"function '{self.function.sym_name.data}' does not say the dims of '{name}': add loop.shape"
            raise RunError(located(self.function, what))
        return shape

    # -- binding --------------------------------------------------------------------------------------------------

    def bind(self, inputs: Inputs) -> tuple[dict[BlockArgument, int], dict[Parameter, Array]]:
        """
        The dims, and the arrays of the inputs; also of the outputs where a call gives their first contents.

        The dims follow from the shapes; a mapping may also say them by name.
        """
        sizes: dict[BlockArgument, int] = {}
        if isinstance(inputs, Mapping):
            known = {p.name: p for p in (*self.outputs, *self.inputs)}
            dims = {name: a for a, name in self.dims.items()}
            check_names(inputs, [*known, *dims], [p.name for p in self.inputs])
            sizes = {a: int(inputs[name]) for name, a in dims.items() if name in inputs and name not in known}
            given = [(p, inputs[name]) for name, p in known.items() if name in inputs]
        else:
            parameters = self.inputs if len(inputs) == len(self.inputs) else self._all()
            if len(inputs) != len(parameters):
                names = ", ".join(p.name for p in self.inputs)
                raise RunError(f"{len(inputs)} inputs given, {len(self.inputs)} needed: {names or 'none'}")
            given = list(zip(parameters, inputs, strict=True))
        arrays = {p: p.array(value, "output" if p in self.outputs else "input") for p, value in given}
        return self.solve(arrays, sizes), arrays

    def _all(self) -> tuple[Parameter, ...]:
        return tuple(sorted((*self.inputs, *self.outputs), key=lambda p: p.argument.index))

    def solve(self, arrays: Mapping[Parameter, Array], sizes: Mapping[BlockArgument, int]) -> dict[BlockArgument, int]:
        """The dims that make every declared shape the shape of its array; `RunError` where there are none."""
        found = dict(sizes)
        equations = [
            (e, size, f"'{p.name}' has {size} elements on axis {axis}")
            for p, array in arrays.items()
            for axis, (e, size) in enumerate(zip(p.shape, array.shape, strict=True))
        ]
        progress = True
        while progress:
            progress = False
            for e, size, what in equations:
                e = e.substitute(_constants(found))
                variable = e.variables()[0] if len(e.variables()) == 1 else None
                factor = None if variable is None else e.coefficient(variable)
                if variable is None or factor is None or factor.value is None:
                    continue
                found[cast(BlockArgument, variable)] = (size - e.offset) // factor.value
                if (size - e.offset) % factor.value:
                    raise RunError(f"{what}, which is not {e.text(self._dim_text)} for any {self._dim_text(variable)}")
                progress = True
        for argument, name in self.dims.items():
            if argument not in found:
                raise RunError(f"no input says the dim '{name}': give it by name")
            if found[argument] < 0:
                raise RunError(f"dim '{name}' is {found[argument]}")
        for e, size, what in equations:
            if e.evaluate(cast("Mapping[Variable, int]", found)) != size:
                dims = ", ".join(f"{self.dims[a]} = {n}" for a, n in found.items())
                where = f" with {dims}" if e.value is None else ""
                expected = e.evaluate(cast("Mapping[Variable, int]", found))
                raise RunError(f"{what}, but must have {expected}: {e.text(self._dim_text)}{where}")
        self._check_requirements(found)
        return found

    def _check_requirements(self, dims: Mapping[BlockArgument, int]) -> None:
        check_requirements(
            f"'{self.function.sym_name.data}'",
            requirements(self.function),
            cast("Mapping[Variable, int]", dims),
            self._dim_text,
        )

    def _dim_text(self, variable: Variable) -> str:
        return self.dims.get(cast(BlockArgument, variable), "a value that is not a dim")

    def shape_of(self, parameter: Parameter, dims: Mapping[BlockArgument, int]) -> tuple[int, ...]:
        """The shape of a buffer for given dims."""
        shape = tuple(e.evaluate(cast("Mapping[Variable, int]", dims)) for e in parameter.shape)
        if any(size < 0 for size in shape):
            raise RunError(f"'{parameter.name}' would have shape {shape}")
        return shape

    def workspace_size(self, dims: Mapping[BlockArgument, int]) -> int:
        """How many bytes the workspace has."""
        (size,) = cast(MapAttr, self.function.attributes[WORKSPACE]).over(tuple(self.dims))
        count = size.evaluate(cast("Mapping[Variable, int]", dims))
        if count < 0:
            raise RunError(located(self.function, f"a workspace of {count} bytes"))
        return count


def check_requirements(
    subject: str, required: Sequence[Expr], sizes: Mapping[Variable, int], name: Callable[[Variable], str]
) -> None:
    """Refuse sizes for which something is negative that must not be; `name` is how a size is called."""
    for e in required:
        if unknown := [v for v in e.variables() if v not in sizes]:
            raise RunError(f"{subject} needs {e.text(name)} >= 0, and no argument says {name(unknown[0])}")
        value = e.evaluate(sizes)
        if value < 0:
            given = ", ".join(f"{name(v)} = {sizes[v]}" for v in e.variables())
            raise RunError(f"{subject} needs {e.text(name)} >= 0, but it is {value} with {given}")


def _constants(values: Mapping[BlockArgument, int]) -> dict[Variable, Expr]:
    return {variable: Expr.constant(value) for variable, value in values.items()}


def written_arguments(function: FuncOp) -> set[BlockArgument]:
    """The buffer arguments that ops of a function write; a callee that does not say so is taken to write all."""
    written: set[BlockArgument] = set()
    for op in function.walk():
        for value in _written(op):
            if isinstance(value, BlockArgument) and value.owner is function.body.block:
                written.add(value)
    return written


def _written(op: Operation) -> Sequence[SSAValue]:
    if isinstance(op, BlockOp):
        return op.writes
    if isinstance(op, CallOp) or (op.has_trait(MemoryWriteEffect) and not isinstance(op, ShapeOp)):
        return [v for v in op.operands if isinstance(v.type, MemRefType)]
    return ()
