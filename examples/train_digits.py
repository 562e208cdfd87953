"""Train the classifier of the demo on scikit-learn's bundled digits, and write it as ONNX with the held-out images.

    python examples/train_digits.py

writes `examples/models/digits.onnx` (input `image`, a dynamic batch of 64 pixels of 0 to 16; output `probability`) and
`examples/models/digits_test.npz` (`images`, `labels`). Both are committed; the demo does not train.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

MODELS = Path(__file__).parent / "models"


def main() -> None:
    images, labels = load_digits(return_X_y=True)
    images = images.astype(np.float32)
    train_x, test_x, train_y, test_y = train_test_split(images, labels, test_size=0.25, random_state=7, stratify=labels)
    mean, scale = train_x.mean(axis=0), np.float32(1 / 8)
    classifier = MLPClassifier((64, 32), alpha=1e-3, max_iter=400, random_state=7)
    classifier.fit((train_x - mean) * scale, train_y)
    MODELS.mkdir(exist_ok=True)
    onnx.save(digits_model(mean, scale, classifier.coefs_, classifier.intercepts_), MODELS / "digits.onnx")
    np.savez_compressed(MODELS / "digits_test.npz", images=test_x, labels=test_y.astype(np.int64))
    print(f"accuracy on {len(test_y)} held-out images: {classifier.score((test_x - mean) * scale, test_y):.4f}")


def digits_model(
    mean: np.ndarray, scale: np.float32, weights: list[np.ndarray], biases: list[np.ndarray]
) -> onnx.ModelProto:
    """Centre, scale, dense layers with relu between them, softmax at the end."""
    constants = {"mean": mean.astype(np.float32), "scale": np.asarray(scale, np.float32)}
    nodes = [
        helper.make_node("Sub", ["image", "mean"], ["centred"], name="centre"),
        helper.make_node("Mul", ["centred", "scale"], ["hidden0"], name="scale"),
    ]
    for n, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        constants[f"weight{n}"] = weight.astype(np.float32)
        constants[f"bias{n}"] = bias.astype(np.float32)
        last = n == len(weights) - 1
        dense = "logits" if last else f"dense{n}"
        nodes.append(helper.make_node("Gemm", [f"hidden{n}", f"weight{n}", f"bias{n}"], [dense], name=f"layer{n}"))
        if last:
            nodes.append(helper.make_node("Softmax", [dense], ["probability"], name="softmax", axis=1))
        else:
            nodes.append(helper.make_node("Relu", [dense], [f"hidden{n + 1}"], name=f"relu{n}"))
    graph = helper.make_graph(
        nodes,
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 64])],
        [helper.make_tensor_value_info("probability", TensorProto.FLOAT, ["batch", 10])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    main()
