"""
Models against onnxruntime, both on one thread, in turns: one JSON line per model.

    python benchmarks/models.py net.onnx --target native --shape x=1,3,48,192

A model's inputs are those of `net.npz` beside it, under `in:<input name>`, or random ones: of the shape that `--shape`
says, dims that the file leaves open being 1. Outputs are compared before anything is timed; a model that disagrees is
not measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from against import Array, measure
from record import machine, report


def inputs_of(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    """Arrays to run a model on."""
    stored = path.with_suffix(".npz")
    if stored.exists():
        with np.load(stored) as arrays:
            return {name[3:]: arrays[name] for name in arrays if name.startswith("in:")}
    graph = onnx.load(path, load_external_data=False).graph
    weights = {weight.name for weight in graph.initializer}
    random = np.random.default_rng(0)
    arrays: dict[str, Array] = {}
    for value in graph.input:
        if value.name in weights:
            continue
        tensor = value.type.tensor_type
        shape = shapes.get(value.name) or tuple(max(1, dim.dim_value) for dim in tensor.shape.dim)
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        real = np.issubdtype(dtype, np.floating)
        arrays[value.name] = (random.standard_normal(shape) if real else random.integers(0, 2, shape)).astype(dtype)
    return arrays


def named_shape(text: str) -> tuple[str, tuple[int, ...]]:
    """`x=1,3,48,192`."""
    name, _, sizes = text.rpartition("=")
    return name, tuple(map(int, sizes.split(",")))


def main() -> int:
    """Measure every model given; 1 if one of them disagrees or does not compile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--target", default="native")
    parser.add_argument("--shape", action="append", default=[], type=named_shape, metavar="INPUT=1,3,48,192")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to time each model")
    options = parser.parse_args()
    about = machine() | {"onnxruntime_version": onnxruntime.__version__}
    failed = False
    for path in options.models:
        line = {"model": path.stem} | measure(
            path, inputs_of(path, dict(options.shape)), options.target, options.seconds
        )
        failed = failed or "error" in line
        report(line | about)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
