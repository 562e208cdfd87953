"""Two models against onnxruntime: at every stage through the interpreters, and as C on every target."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import onnx
import onnxruntime
import pytest
import stepwell
from programs.machines import can_run
from programs.machines import compiled as compiled_for
from stepwell.interpreters.run import run
from stepwell.pipelines import Stage, run_stages
from stepwell.targets import TARGETS, target_named
from xdsl.dialects.builtin import ModuleOp

EXAMPLES = Path(__file__).parents[2] / "examples"
PIPELINES = {"reference": stepwell.REFERENCE, "optimised": stepwell.OPTIMISED}


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digits() -> tuple[onnx.ModelProto, np.ndarray]:
    return onnx.load(EXAMPLES / "models" / "digits.onnx"), np.load(EXAMPLES / "models" / "digits_test.npz")["images"][
        :9
    ]


def mlp(batch: int | str, rows: int) -> tuple[onnx.ModelProto, np.ndarray]:
    x = np.random.default_rng(rows).standard_normal((rows, 784)).astype(np.float32)
    return example("mlp").mlp_model(batch), x


MODELS = {
    "digits": digits,
    "mlp, batch 1": lambda: mlp(1, 1),
    "mlp, batch 7": lambda: mlp(7, 7),
    "mlp, any batch": lambda: mlp("batch", 3),
}


def expected(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def agree(found: np.ndarray, wanted: np.ndarray, level: str) -> None:
    difference = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert found.shape == wanted.shape
    assert difference <= 1e-5, f"{level}: {difference:.1e} of the largest output"


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_model_agrees_with_onnxruntime_at_every_stage(name: str, target: str, pipeline: str):
    model, x = MODELS[name]()
    wanted = expected(model, x)
    seen: list[str] = []

    def after_stage(stage: Stage, module: ModuleOp) -> None:
        seen.append(stage.name)
        agree(run(module, "main", [x])[0], wanted, f"stage {stage.name}")

    run_stages(stepwell.load(model), PIPELINES[pipeline](target_named(target)), after_stage=after_stage)
    assert seen == ["graph", "fused", "loop", "buffers", "scheduled", "flat", "simd", "clean"]


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_model_agrees_with_onnxruntime_as_c(name: str, target: str, pipeline: str):
    if not can_run(target_named(target)):
        pytest.skip(f"this machine has not what the code for {target} needs, and nothing to emulate it")
    model, x = MODELS[name]()
    compiled = compiled_for(model, target_named(target), PIPELINES[pipeline])
    agree(compiled(x), expected(model, x), f"C for {target}")
    agree(compiled.run({compiled.inputs[0].name: x})[compiled.outputs[0].name], expected(model, x), "by name")
    if "any" in name:
        for rows in (1, 7, 40):
            x = mlp("batch", rows)[1]
            agree(compiled(x), expected(model, x), f"C for {target}, {rows} rows")


def test_classifier_is_as_accurate_as_onnxruntime_has_it():
    model, _ = digits()
    test = np.load(EXAMPLES / "models" / "digits_test.npz")
    found, wanted = stepwell.compile(model)(test["images"]), expected(model, test["images"])
    np.testing.assert_array_equal(found.argmax(1), wanted.argmax(1))
    assert (found.argmax(1) == test["labels"]).mean() > 0.97
