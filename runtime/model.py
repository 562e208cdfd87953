"""A compiled model as a callable: NumPy arrays in, NumPy arrays out."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import RunError
from .arrays import Array, Input, Output, aligned_bytes, pointer_to
from .spec import ModelSpec, TensorSpec, formula

MOST_ARGUMENTS = 1024
"""With how many `ctypes` can call a function."""


class _Workspace(threading.local):
    """A thread's memory for intermediate values, kept between calls; only ever grown."""

    size: int = -1
    memory: Array
    pointer: ctypes.c_ubyte


class Model:
    """
    A compiled model.

    `model(x, …)` takes arrays in the order of `inputs` and returns an array, or a tuple if there are several outputs;
    `model.run({"x": x})` goes by name. Calls from several threads run at the same time.
    """

    def __init__(self, spec: ModelSpec, library: ctypes.CDLL, weights: Array | None):
        if spec.takes_weights != (weights is not None):
            raise RunError(f"model '{spec.name}' {'needs' if spec.takes_weights else 'does not take'} weights")
        self.spec = spec
        self._library = library
        self._weights = weights
        self._inputs = [Input(tensor, spec.dims) for tensor in spec.inputs]
        self._outputs = [Output(tensor, spec.dims) for tensor in spec.outputs]
        self._requires = [(text, formula(text)) for text in spec.requires]
        self._bound = any(one.names or one.formulas for one in self._inputs)
        shown = {name for one in self._inputs for _, name in one.names}
        if hidden := [name for name in spec.dims if name not in shown]:
            raise RunError(f"model '{spec.name}': no input has dim '{hidden[0]}' as a size, so a call cannot tell it")
        count = len(spec.inputs) + len(spec.outputs) + len(spec.dims) + spec.takes_weights + 1
        if count > MOST_ARGUMENTS:
            raise RunError(
                f"model '{spec.name}': {count} arguments, and Python calls C with {MOST_ARGUMENTS} at most:"
                " join inputs or outputs, call the C from C, or interpret the model with stepwell.run"
            )
        bytes_ = ctypes.POINTER(ctypes.c_ubyte)
        dims = [ctypes.c_int64] * len(spec.dims)
        self._size = getattr(library, spec.workspace_size)
        self._size.restype, self._size.argtypes = ctypes.c_size_t, dims
        self._run = getattr(library, spec.run)
        self._run.restype = ctypes.c_int
        self._run.argtypes = [
            *[bytes_] * (len(spec.inputs) + len(spec.outputs)),
            *dims,
            *([bytes_] if spec.takes_weights else []),
            bytes_,
        ]
        self._tail = () if weights is None else (pointer_to(weights),)
        self._static_size: int | None = None if spec.dims else self._size()
        self._workspace = _Workspace()

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Name, dtype and shape of each input."""
        return self.spec.inputs

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Name, dtype and shape of each output."""
        return self.spec.outputs

    def __call__(self, *arrays: object) -> Any:
        """Run on arrays in input order. Raises `RunError` for a shape, dtype or number of arrays that does not fit."""
        results = self.call(arrays)
        return results[0] if len(results) == 1 else results

    def run(self, arrays: Mapping[str, object]) -> dict[str, Array]:
        """Run on arrays by name; returns the outputs by name."""
        names = [tensor.name for tensor in self.spec.inputs]
        if not isinstance(arrays, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise RunError(f"run takes arrays by name ({', '.join(names) or 'none'}); in order, call the model itself")
        unknown = [name for name in arrays if name not in names]
        missing = [name for name in names if name not in arrays]
        if unknown or missing:
            problem = f"no input is called '{unknown[0]}'" if unknown else f"input '{missing[0]}' is missing"
            raise RunError(f"{problem}: the inputs are {', '.join(names) or 'none'}")
        results = self.call([arrays[name] for name in names])
        return {tensor.name: result for tensor, result in zip(self.spec.outputs, results, strict=True)}

    def __repr__(self) -> str:
        return f"<Model {self.spec.name}({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.outputs))})>"

    def call(self, values: Sequence[object]) -> tuple[Array, ...]:
        """Run on arrays in input order; the outputs as a tuple, however many there are."""
        inputs = self._inputs
        if len(values) != len(inputs):
            expected = ", ".join(map(str, self.spec.inputs))
            raise RunError(f"model '{self.spec.name}' takes {len(inputs)} arrays, got {len(values)}: {expected}")
        arrays = [one.accept(value) for one, value in zip(inputs, values, strict=True)]
        dims: dict[str, int] = {}
        if self._bound:
            dims = self._bind(arrays)
        sizes = [dims[name] for name in self.spec.dims]
        results = tuple([output.allocate(dims) for output in self._outputs])
        status = self._run(
            *[pointer_to(array) for array in arrays],
            *[pointer_to(array) for array in results],
            *sizes,
            *self._tail,
            self._workspace_for(sizes),
        )
        if status:
            raise RunError(f"model '{self.spec.name}' stopped with status {status}: {self._meaning(status)}")
        return results

    def _meaning(self, status: int) -> str:
        meanings = self.spec.statuses
        return meanings[status] if 0 <= status < len(meanings) else "which is not one that it documents"

    def _bind(self, arrays: list[Array]) -> dict[str, int]:
        dims: dict[str, int] = {}
        origins: dict[str, str] = {}
        for one, array in zip(self._inputs, arrays, strict=True):
            one.bind(array, dims, origins)
        for one, array in zip(self._inputs, arrays, strict=True):
            one.check(array, dims)
        for text, needed in self._requires:
            if needed(dims) < 0:
                given = ", ".join(f"{name} = {size}" for name, size in dims.items())
                raise RunError(f"model '{self.spec.name}' needs {text} >= 0, but it is {needed(dims)} with {given}")
        return dims

    def _workspace_for(self, sizes: list[int]) -> ctypes.c_ubyte:
        size: int = self._size(*sizes) if self._static_size is None else self._static_size
        workspace = self._workspace
        if size > workspace.size:
            if size > np.iinfo(np.int64).max // 2:
                raise RunError(f"model '{self.spec.name}' would need a larger workspace than there can be")
            workspace.memory = aligned_bytes(max(size, 1))
            workspace.pointer = pointer_to(workspace.memory)
            workspace.size = size
        return workspace.pointer
