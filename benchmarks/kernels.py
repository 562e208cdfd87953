"""
Single operators against onnxruntime, both on one thread, in turns: one JSON line per kernel.

    python benchmarks/kernels.py matmul-512 softmax-1024x1024
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
import onnx
import onnxruntime
from against import Array, measure
from onnx import TensorProto, helper
from record import machine, report

Node = tuple[str, tuple[str, ...], dict[str, Any]]
Kernel = tuple[tuple[Node, ...], dict[str, tuple[int, ...]]]
"""ONNX nodes, each the operator, its inputs and its attributes, the result of node n being `tn`; and the inputs."""


def matmul(m: int, k: int, n: int) -> Kernel:
    """A product of two inputs."""
    return (("MatMul", ("a", "b"), {}),), {"a": (m, k), "b": (k, n)}


def dense(m: int, k: int, n: int) -> Kernel:
    """`relu(a @ b + bias)`."""
    nodes: tuple[Node, ...] = (
        ("MatMul", ("a", "b"), {}),
        ("Add", ("t0", "bias"), {}),
        ("Relu", ("t1",), {}),
    )
    return nodes, {"a": (m, k), "b": (k, n), "bias": (n,)}


def conv(channels: int, outputs: int, size: int, kernel: int, stride: int = 1, groups: int = 1) -> Kernel:
    """A convolution that keeps its extent (over the stride), bias and relu."""
    pads = [kernel // 2] * 4
    nodes: tuple[Node, ...] = (
        ("Conv", ("x", "w", "bias"), {"pads": pads, "strides": [stride, stride], "group": groups}),
        ("Relu", ("t0",), {}),
    )
    filter = (outputs, channels // groups, kernel, kernel)
    return nodes, {"x": (1, channels, size, size), "w": filter, "bias": (outputs,)}


KERNELS: dict[str, Kernel] = {
    **{f"matmul-{n}": matmul(n, n, n) for n in (16, 37, 64, 128, 256, 512, 1024)},
    "matmul-1x784x128": matmul(1, 784, 128),
    "matmul-100x1000x64": matmul(100, 1000, 64),
    "dense-64x784x128": dense(64, 784, 128),
    "dense-512": dense(512, 512, 512),
    "conv3x3-64-56": conv(64, 64, 56, 3),
    "conv3x3-256-14": conv(256, 256, 14, 3),
    "conv3x3-64-56-stride2": conv(64, 128, 56, 3, stride=2),
    "conv1x1-256-28": conv(256, 128, 28, 1),
    "conv7x7-3-224-stride2": conv(3, 64, 224, 7, stride=2),
    "depthwise3x3-128-56": conv(128, 128, 56, 3, groups=128),
    "multiply-add-relu-1048576": (
        (("Mul", ("a", "b"), {}), ("Add", ("t0", "c"), {}), ("Relu", ("t1",), {})),
        {"a": (1 << 20,), "b": (1 << 20,), "c": (1 << 20,)},
    ),
    "sigmoid-1048576": ((("Sigmoid", ("x",), {}),), {"x": (1 << 20,)}),
    "softmax-1024x1024": ((("Softmax", ("x",), {}),), {"x": (1024, 1024)}),
    "softmax-128x1021": ((("Softmax", ("x",), {}),), {"x": (128, 1021)}),
    "sum-1024x1024": ((("ReduceSum", ("x",), {"keepdims": 0}),), {"x": (1024, 1024)}),
    "maxpool3x3-64-112": (
        (("MaxPool", ("x",), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),),
        {"x": (1, 64, 112, 112)},
    ),
}


def model_of(kernel: Kernel) -> bytes:
    """A kernel as an ONNX file."""
    nodes, shapes = kernel
    made = [
        helper.make_node(operator, inputs, [f"t{n}"], **attributes)
        for n, (operator, inputs, attributes) in enumerate(nodes)
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    output = helper.make_empty_tensor_value_info(f"t{len(nodes) - 1}")
    graph = helper.make_graph(made, "kernel", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model, strict_mode=True).SerializeToString()


def main() -> int:
    """Measure the kernels named, or all; 1 if one of them disagrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="kernel", help=f"of {', '.join(KERNELS)}")
    parser.add_argument("--target", default="native")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to time each kernel")
    options = parser.parse_args()
    if unknown := [name for name in options.kernels if name not in KERNELS]:
        parser.error(f"no kernel '{unknown[0]}': there are {', '.join(KERNELS)}")
    about = machine() | {"onnxruntime_version": onnxruntime.__version__}
    failed = False
    for name in options.kernels or KERNELS:
        kernel = KERNELS[name]
        random = np.random.default_rng(0)
        arrays: dict[str, Array] = {
            name: random.standard_normal(shape, dtype=np.float32) for name, shape in kernel[1].items()
        }
        line = {"kernel": name} | measure(model_of(kernel), arrays, options.target, options.seconds)
        failed = failed or "error" in line
        report(line | about)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
