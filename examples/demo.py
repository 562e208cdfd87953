"""Compile two models to C, run them beside onnxruntime, and leave the IR of every stage to read.

    make demo

The digits classifier was trained by `train_digits.py`; it is run on images that the training has not seen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import onnx
import onnxruntime
import stepwell
from mlp import mlp_model
from stepwell.tools.writing import write_source

HERE = Path(__file__).parent
OUTPUT = HERE.parent / "demo_output"
TOLERANCE = 1e-5
"""Of the largest output; what counts as agreement."""


def main() -> int:
    target = stepwell.native()
    print(f"target: {target.name} (the best this machine runs); IR and C of every stage: {OUTPUT.name}/")
    digits = onnx.load(HERE / "models" / "digits.onnx")
    test = np.load(HERE / "models" / "digits_test.npz")
    images, labels = test["images"], test["labels"]
    agree = [compare("digits", digits, images, labels), compare("digits, one image", digits, images[:1])]
    random = np.random.default_rng(1).standard_normal((7, 784)).astype(np.float32)
    agree.append(compare("mlp 784-128-10, batch 1", mlp_model(1), random[:1]))
    agree.append(compare("mlp 784-128-10, batch 7", mlp_model(7), random))
    agree.append(compare("mlp 784-128-10, any batch, here 7", mlp_model("batch"), random))
    for name, model in (("digits", digits), ("mlp", mlp_model(1))):
        write_stages(model, OUTPUT / name, name)
    return 0 if all(agree) else 1


def compare(title: str, model: onnx.ModelProto, x: np.ndarray, labels: np.ndarray | None = None) -> bool:
    """Print how C and onnxruntime agree, and how long a call of each takes; true if they agree."""
    start = time.perf_counter()
    compiled = stepwell.compile(model)
    seconds = time.perf_counter() - start
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    expected, found = session.run(None, {name: x})[0], compiled(x)
    difference = float(np.abs(found - expected).max() / np.abs(expected).max())
    print(f"\n{title}")
    if labels is not None:
        for who, y in (("stepwell", found), ("onnxruntime", expected)):
            print(f"  accuracy, {who:12} {float((y.argmax(1) == labels).mean()):.4f} of {len(labels)} held-out images")
    print(f"  largest difference    {difference:.1e} of the largest output")
    ours, theirs = interleaved(lambda: compiled(x), lambda: session.run(None, {name: x}))
    print(f"  one call              {ours * 1e6:.1f} µs, onnxruntime on one thread {theirs * 1e6:.1f} µs")
    print(f"  compiling             {seconds:.2f} s (less when the C is in the cache)")
    return difference <= TOLERANCE


def interleaved(first: Callable[[], object], second: Callable[[], object], rounds: int = 15) -> tuple[float, float]:
    """The median seconds of one call of each, measured in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    count = max(1, int(0.01 / once(first)))
    for _ in range(rounds):
        for call, into in zip((first, second), times, strict=True):
            start = time.perf_counter()
            for _ in range(count):
                call()
            into.append((time.perf_counter() - start) / count)
    return median(times[0]), median(times[1])


def once(call: Callable[[], object]) -> float:
    call()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def write_stages(model: onnx.ModelProto, folder: Path, name: str) -> None:
    """The IR at the end of every stage, numbered, and the C."""
    folder.mkdir(parents=True, exist_ok=True)
    target = stepwell.native()
    stages = stepwell.OPTIMISED(target)
    for number, stage in enumerate(stages):
        text = str(stepwell.lower(model, target, stop_after=stage.name))
        (folder / f"{number}_{stage.name}.mlir").write_text(f"// {stage.promise}\n{text}\n")
    write_source(stepwell.emit(model, target, name=name), folder)


if __name__ == "__main__":
    sys.exit(main())
