"""The arrays of a model: dtypes, tensors inside the file, tensors in files beside it."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute

from ...dialects.element_types import type_of
from ...errors import ModelError
from .file import Model

Array = np.ndarray[Any, np.dtype[Any]]

_DTYPES = {
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "FLOAT16": "float16",
    "BFLOAT16": "bfloat16",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "UINT8": "uint8",
    "UINT16": "uint16",
    "UINT32": "uint32",
    "UINT64": "uint64",
    "BOOL": "bool",
}
"""ONNX's names of the element types that `graph` has -> dtypes of NumPy or `ml_dtypes`."""


@cache
def _dtype_numbers() -> dict[int, str]:
    from onnx import TensorProto

    return {TensorProto.DataType.Value(name): dtype for name, dtype in _DTYPES.items()}


def element_type_name(number: int) -> str:
    """ONNX's name of an element type, for messages."""
    from onnx import TensorProto

    return (
        str(TensorProto.DataType.Name(cast("Any", number))) if number in TensorProto.DataType.values() else str(number)
    )


@cache
def element_type_of(number: int) -> Attribute | None:
    """The element type that ONNX numbers so; None for strings, complex numbers, 4-bit elements and the like."""
    import ml_dtypes

    name = _dtype_numbers().get(number)
    return None if name is None else type_of(np.dtype(getattr(ml_dtypes, name, name)))


def array_of(tensor: Any, model: Model) -> Array | None:
    """The array that a tensor of the model holds; None if no array can hold its elements."""
    from onnx import TensorProto, numpy_helper

    if element_type_of(tensor.data_type) is None:
        return None
    shape = tuple(tensor.dims)
    try:
        if any(size < 0 for size in shape):
            raise ValueError(f"a size is negative: {list(shape)}")
        external = tensor.data_location == TensorProto.EXTERNAL
        array = _external_array(tensor, shape, model) if external else np.asarray(numpy_helper.to_array(tensor))
        # a byte that is neither 0 nor 1 is true, and no truth value for NumPy or C
        return array.view(np.uint8) != 0 if array.dtype == bool else array
    except (ValueError, TypeError, OSError) as error:
        raise ModelError(f"{model.name}: error: tensor '{tensor.name}' cannot be read: {error}") from error


def _external_array(tensor: Any, shape: tuple[int, ...], model: Model) -> Array:
    """An array that lies in a file beside the model, mapped into memory and not read."""
    import ml_dtypes

    if model.folder is None:
        raise ValueError("its data is in another file, and the model was not given as a path")
    entries = {entry.key: entry.value for entry in tensor.external_data}
    folder = model.folder.resolve()
    path = (folder / entries.get("location", "")).resolve()
    if folder not in path.parents:
        raise ValueError(f"its data lies outside the folder of the model: {entries.get('location')!r}")
    name = _dtype_numbers()[tensor.data_type]
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    count = int(np.prod(shape, dtype=np.int64))
    offset, size = int(entries.get("offset", 0)), count * dtype.itemsize
    length = int(entries.get("length", size))
    if length != size:
        raise ValueError(f"its shape {list(shape)} takes {size} bytes, and {length} are given")
    if offset < 0 or offset + size > path.stat().st_size:
        raise ValueError(f"'{path.name}' ends before byte {offset + size}")
    if count == 0:
        return np.zeros(shape, dtype)
    mapped = np.memmap(path, np.uint8, mode="r", offset=offset, shape=(size,))
    return mapped.view(np.ndarray).view(dtype).reshape(shape)
