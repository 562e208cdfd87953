"""A file of arrays beside a module: the elements of constants that the text names by key.

The layout is that of safetensors: the length of the header, a JSON header, the bytes. Names are the keys.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from ..errors import ModelError
from .array import ConstantArrayAttr, FrozenArray, bytes_view, resolving

if TYPE_CHECKING:
    import numpy as np

_ALIGNMENT = 64

_NAMES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "BOOL",
}
"""Names of dtypes in safetensors; any other dtype keeps its NumPy name."""

_DTYPES = {name: dtype for dtype, name in _NAMES.items()}


def large_arrays(root: Operation) -> dict[str, FrozenArray]:
    """The arrays inside an op that are printed as keys, by key, in order of first appearance."""
    found: dict[str, FrozenArray] = {}
    for op in root.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            if isinstance(attribute, ConstantArrayAttr) and not attribute.is_inline:
                found.setdefault(attribute.data.key, attribute.data)
    return found


def save_arrays(path: str | Path, root: Operation) -> None:
    """Write the arrays that the text of an op names by key; the file appears as a whole or not at all."""
    path = Path(path)
    header: dict[str, dict[str, Any]] = {}
    offset = 0
    arrays = large_arrays(root)
    for key, frozen in arrays.items():
        array = frozen.array
        dtype = _NAMES.get(array.dtype.name, array.dtype.name)
        header[key] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % _ALIGNMENT)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(len(text).to_bytes(8, "little"))
            file.write(text)
            for frozen in arrays.values():
                file.write(bytes_view(frozen.array))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def read_arrays(path: str | Path) -> dict[str, FrozenArray]:
    """The arrays of a side file by key; their bytes stay in the file until they are read."""
    import numpy as np

    path = Path(path)
    try:
        content = np.memmap(path, np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot read arrays: {error}") from None
    try:
        start = 8 + int.from_bytes(content[:8].tobytes(), "little")
        header = cast(dict[str, Any], json.loads(content[8:start].tobytes()))
        return {
            key: FrozenArray(_entry(content[start:], cast(Mapping[str, Any], entry)))
            for key, entry in header.items()
            if key != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: not a file of arrays: {error}") from None


def _entry(content: np.ndarray[Any, np.dtype[Any]], entry: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[Any]]:
    import ml_dtypes
    import numpy as np

    name = str(_DTYPES.get(entry["dtype"], entry["dtype"]))
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    begin, end = entry["data_offsets"]
    return content[begin:end].view(np.ndarray).view(dtype).reshape(entry["shape"])


@contextmanager
def loaded_arrays(path: str | Path) -> Generator[None]:
    """Let the parser find the arrays of a side file for as long as the context lasts."""
    with resolving(read_arrays(path)):
        yield
