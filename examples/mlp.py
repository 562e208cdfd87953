"""The multi-layer perceptron 784-128-10, as an ONNX model with seeded weights.

    python examples/mlp.py mlp.onnx [batch]

`batch` is a number, or a name for a dim known at run time only; by default 1.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def mlp_model(batch: int | str = 1, seed: int = 0) -> onnx.ModelProto:
    """`relu(x @ w0.T + b0) @ w1.T + b1` for `x` of shape `[batch, 784]`."""
    random = np.random.default_rng(seed)
    weights = {
        "w0": random.standard_normal((128, 784)) / 28,
        "b0": random.standard_normal(128),
        "w1": random.standard_normal((10, 128)) / 11,
        "b1": random.standard_normal(10),
    }
    nodes = [
        helper.make_node("Transpose", ["w0"], ["w0_t"], name="transpose0"),
        helper.make_node("MatMul", ["x", "w0_t"], ["product0"], name="matmul0"),
        helper.make_node("Add", ["product0", "b0"], ["sum0"], name="add0"),
        helper.make_node("Relu", ["sum0"], ["hidden"], name="relu"),
        helper.make_node("Transpose", ["w1"], ["w1_t"], name="transpose1"),
        helper.make_node("MatMul", ["hidden", "w1_t"], ["product1"], name="matmul1"),
        helper.make_node("Add", ["product1", "b1"], ["y"], name="add1"),
    ]
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 784])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 10])],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    path, batch = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1"
    onnx.save(mlp_model(int(batch) if batch.isdecimal() else batch), path)
