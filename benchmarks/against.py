"""One model in ours and in onnxruntime, each on one thread: compiled, compared, then timed in turns."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import stepwell
from record import interleaved
from stepwell import runtime
from stepwell.compiler import program_of

Array = np.ndarray[Any, Any]

RTOL, ATOL = 1e-3, 2e-4
"""Of each element, and of the largest of an output."""


def single_threaded(model: Path | bytes) -> onnxruntime.InferenceSession:
    """The model in onnxruntime, on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def largest_difference(ours: Array, theirs: Array) -> float:
    """In units of what is allowed: up to 1 the two agree."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return float("inf")
    if not theirs.size:
        return 0.0
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    allowed = RTOL * np.abs(b) + ATOL * np.abs(b).max() + np.finfo(np.float64).tiny
    return float(np.nan_to_num(np.abs(a - b) / allowed, nan=np.inf).max())


def measure(model: Path | bytes, arrays: Mapping[str, Array], target: str, seconds: float) -> dict[str, Any]:
    """Compile a model for the shapes of `arrays`, compare it on them, and time it for so many seconds."""
    session = single_threaded(model)
    start = time.process_time()
    try:
        source = stepwell.emit(model, target, shapes={name: array.shape for name, array in arrays.items()})
    except stepwell.Error as error:
        return {"target": target, "error": str(error)}
    python_seconds = time.process_time() - start
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STEPWELL_CACHE"] = folder  # nothing compiled before is found
        compiled = runtime.load(program_of(source))
    after = os.times()
    line: dict[str, Any] = {
        "target": target,
        "python_seconds": round(python_seconds, 2),
        "cc_seconds": round(sum(after[2:4]) - sum(before[2:4]), 2),
        "c_kilobytes": len(source.code) // 1000,
    }
    given = [arrays[tensor.name] for tensor in compiled.inputs]
    expected = session.run([tensor.name for tensor in compiled.outputs], dict(arrays))
    difference = max(largest_difference(a, b) for a, b in zip(compiled.call(given), expected, strict=True))
    line["difference"] = round(difference, 4)
    if difference > 1:
        return line | {"error": "the outputs differ by more than the tolerance"}
    ours, theirs, ratio = interleaved(lambda: compiled.call(given), lambda: session.run(None, dict(arrays)), seconds)
    return line | {"milliseconds": round(ours, 4), "onnxruntime": round(theirs, 4), "ratio": round(ratio, 3)}
