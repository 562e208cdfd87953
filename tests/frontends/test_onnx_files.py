"""ONNX files: names, dynamic dims, weights, and what is wrong with a file."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import stepwell
from onnx import TensorProto, helper, numpy_helper
from stepwell.dialects import graph
from stepwell.dialects.graph import dims_of, type_of_value
from stepwell.dialects.graph.dims import shape_text
from stepwell.dialects.origin import origin
from stepwell.dialects.signature import input_names, output_names
from stepwell.frontends.onnx import load
from stepwell.interpreters.run import run
from stepwell.rewriting import walk
from xdsl.dialects.func import FuncOp

from .onnx_models import model, node, onnxruntime_outputs

RNG = np.random.default_rng(3)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def main_of(module: Any) -> FuncOp:
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


def shape_of(value: Any) -> str:
    return shape_text(dims_of(type_of_value(value)))


def mlp(batch: Any) -> onnx.ModelProto:
    nodes = [
        node("Gemm", "x w0 b0", "h0", transB=1),
        node("Relu", "h0", "h1"),
        node("Gemm", "h1 w1 b1", "h2", transB=1),
        node("Softmax", "h2", "y"),
    ]
    weights = {"w0": normal(16, 12), "b0": normal(16), "w1": normal(5, 16), "b1": normal(5)}
    return model(nodes, {"x": (batch, 12)}, ["y"], weights)


# -- sources -----------------------------------------------------------------------------------------------------------


def test_path_bytes_and_proto_are_one(tmp_path: Path) -> None:
    proto = mlp(2)
    path = tmp_path / "m.onnx"
    onnx.save(proto, path)
    texts = [str(load(source)) for source in (path, str(path), path.read_bytes(), proto)]
    assert len(set(texts)) == 1


def test_stepwell_opt_reads_onnx(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from stepwell.tools.opt import main

    onnx.save(mlp("batch"), tmp_path / "m.onnx")
    assert main([str(tmp_path / "m.onnx"), "-p", "infer-shapes,fuse-matmul-add"]) == 0
    assert "@fused_matmul_add1" in capsys.readouterr().out


def test_same_text_every_time() -> None:
    proto = mlp("n")
    assert str(load(proto)) == str(load(proto))


# -- names -------------------------------------------------------------------------------------------------------------


def test_b110_b134_b150_b152_any_name_is_kept_and_printed_legally() -> None:
    names = ["input.1", "input_1", "a:0", "/model/add", "1234", "%x", 'quo"te', "free"]
    nodes = [helper.make_node("Sum", names, ["sum: ü"], name="/deep/node name")]
    module = load(model(nodes, dict.fromkeys(names, (2,)), ["sum: ü"]))
    assert input_names(main_of(module)) == tuple(names)
    assert output_names(main_of(module)) == ("sum: ü",)
    again = stepwell.parse(str(module))
    assert input_names(main_of(again)) == tuple(names)
    arrays = [np.full(2, 10.0**i, np.float32) for i in range(len(names))]
    np.testing.assert_allclose(run(again, "main", dict(zip(names, arrays, strict=True)))[0], [11111111, 11111111])


def test_b149_one_tensor_twice_as_output() -> None:
    module = load(model([node("Relu", "x", "y"), node("Neg", "x", "z")], {"x": (2,)}, ["y", "y", "z"]))
    assert output_names(main_of(module)) == ("y", "y", "z")
    assert len(run(module, "main", [normal(2)])) == 3


def test_an_input_and_a_weight_as_outputs() -> None:
    module = load(model([node("Add", "x w", "y")], {"x": (2,)}, ["x", "w", "y"], {"w": np.ones(2, np.float32)}))
    x, w, y = run(module, "main", [np.array([1, 2], np.float32)])
    assert (x.tolist(), w.tolist(), y.tolist()) == ([1, 2], [1, 1], [2, 3])


def test_b112_dim_and_input_of_one_name() -> None:
    module = load(model([node("Relu", "batch", "y")], {"batch": ("batch",)}, ["y"]))
    assert shape_of(main_of(module).args[0]) == "[batch]"
    assert run(module, "main", [normal(3)])[0].shape == (3,)


def test_every_op_says_its_node() -> None:
    module = load(mlp("batch"), name="m.onnx")
    origins = {origin(op) for op in walk(module) if isinstance(op, graph.GraphOp)}
    assert "m.onnx: node 'node_y' (Softmax)" in origins
    assert all(text.startswith("m.onnx: node '") for text in origins)


# -- dims --------------------------------------------------------------------------------------------------------------


def test_names_of_dims_become_symbols_and_anonymous_ones_differ() -> None:
    shape = ["n", -1, "", "?", None, 4]
    proto = model([node("Relu", "x", "y"), node("Relu", "z", "v")], {"x": shape, "z": ["n", None]}, ["y", "v"])
    proto.graph.input[0].type.tensor_type.shape.dim[1].dim_value = -1
    first, second = main_of(load(proto)).args
    assert shape_of(first) == "[n, x_1, x_2, x_3, x_4, 4]"
    assert shape_of(second) == "[n, z_1]"


@pytest.mark.parametrize(
    "shapes", [{"batch": 3}, {"x": (3, 12)}, {"x": (3, None)}, {"batch": np.int64(3)}, {"x": np.array([3, 12])}]
)
def test_shapes_bind_by_input_and_by_dim(shapes: dict[str, Any]) -> None:
    module = load(mlp("batch"), shapes)
    assert shape_of(main_of(module).args[0]) == "[3, 12]"
    assert main_of(module).function_type.outputs.data[0].get_shape() == (3, 5)


@pytest.mark.parametrize("batch", [1, 7])
def test_dynamic_batch_agrees_with_onnxruntime(batch: int) -> None:
    proto = mlp("batch")
    x = normal(batch, 12)
    (expected,) = onnxruntime_outputs(proto, {"x": x})
    for module in (load(proto), load(proto, {"batch": batch})):
        np.testing.assert_allclose(run(module, "main", [x])[0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"z": (1, 2)}, r"shapes names 'z': the inputs and dims are 'x', 'batch'"),
        ({"x": (1, 12, 3)}, r"input 'x' has rank 2, shapes\['x'\] has 3 sizes"),
        ({"x": (1, 13)}, r"axis 1 of input 'x' is declared 12, shapes\['x'\] says 13"),
        ({"batch": -1}, r"shapes\['batch'\]: -1 is no size"),
        ({"batch": 2, "x": (3, 12)}, r"dim 'batch' is 2 and 3"),
        ({"batch": "x"}, r"shapes\['batch'\]: 'x' is no size"),
        ({"x": (2.5, 12)}, r"shapes\['x'\]: 2.5 is no size"),
        ({"x": 3}, r"the inputs and dims are 'x', 'batch'; a dim takes one size, an input a shape"),
    ],
)
def test_shapes_that_do_not_fit(shapes: dict[str, Any], message: str) -> None:
    with pytest.raises(stepwell.ModelError, match=message):
        load(mlp("batch"), shapes)


@pytest.mark.parametrize("name", ["batch-size", "lambda", "9 %", "size_t", "`", "a`b", "_quoted0", "ﬁ", "𝔵"])
def test_a_dim_may_have_any_name(name: str) -> None:
    """Also where a size is computed from it: it does not have to be a name of Python or C."""
    proto = model([node("Concat", "x x", "y", axis=0), node("Relu", "x", "z")], {"x": (name, 4)}, ["y", "z"])
    compiled = stepwell.compile(proto)
    x = normal(3, 4)
    doubled, positive = compiled(x)
    np.testing.assert_array_equal(doubled, np.concatenate([x, x]))
    np.testing.assert_array_equal(positive, np.maximum(x, 0))


def test_shape_arithmetic_leaves_nothing_behind() -> None:
    """What exporters write for `x.view(x.size(0), -1, 4)`, with the batch left dynamic."""
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n"),
        node("Unsqueeze", "n axis", "n1"),
        node("Concat", "n1 rest", "target", axis=0),
        node("Reshape", "x target", "y"),
    ]
    weights = {"zero": np.array(0), "axis": np.array([0]), "rest": np.array([-1, 4])}
    module = load(model(nodes, {"x": ("n", 2, 6)}, ["y"], weights))
    (op,) = (op for op in walk(module) if isinstance(op, graph.GraphOp))
    assert isinstance(op, graph.ReshapeOp)
    assert str(op.shape) == "#graph.dims<d0, ?, 4>"
    assert run(module, "main", [normal(5, 2, 6)])[0].shape == (5, 3, 4)


def test_sizes_are_computed_with_names() -> None:
    """`expand` to a shape of products, with the mask of -1 that PyTorch writes."""
    nodes = [
        node("Shape", "x", "s"),
        node("Slice", "s zero one", "n"),
        node("Mul", "n two", "nn"),
        node("Cast", "nn", "nn32", to=TensorProto.INT32),
        node("Cast", "nn32", "nn64", to=TensorProto.INT64),
        node("Concat", "nn64 three", "target", axis=0),
        node("Equal", "target minus", "is_minus"),
        node("Where", "is_minus ones target", "safe"),
        node("Concat", "n two_one", "halves", axis=0),
        node("Reshape", "x halves", "r"),
        node("Tile", "r repeats", "t"),
        node("Reshape", "t safe", "y"),
    ]
    weights = {
        "zero": np.array([0]), "one": np.array([1]), "two": np.array([2]), "three": np.array([3]),
        "minus": np.array(-1),
        "ones": np.array([1, 1]), "two_one": np.array([1, 3]), "repeats": np.array([1, 2, 1]),
    }  # fmt: skip
    x = normal(4, 3)
    module = load(model(nodes, {"x": ("n", 3)}, ["y"], weights))
    (found,) = run(module, "main", [x])
    np.testing.assert_array_equal(found, np.repeat(x, 2, axis=0))


def test_a_size_as_a_value_is_refused_unless_bound() -> None:
    proto = model([node("Shape", "x", "y")], {"x": ("n", 2)}, ["y"])
    with pytest.raises(stepwell.UnsupportedError, match=r"'y' \(output\): it is computed from dynamic dims: bind them"):
        load(proto)
    np.testing.assert_array_equal(run(load(proto, {"n": 4}), "main", [normal(4, 2)])[0], [4, 2])


@pytest.mark.parametrize(
    ("shape", "target", "allowzero", "expected"),
    [
        (("n", 0, 4), (0, 4), 1, (0, 4)),
        ((2, 3, 4), (0, -1), 0, (2, 12)),
        ((2, 3, 4), (-1, 0, 2), 0, (4, 3, 2)),
        ((0, 3), (-1, 3), 0, (0, 3)),
        ((2, 0), (0, 0), 0, (2, 0)),
    ],
)
def test_b101_zero_in_a_reshape(shape: Any, target: Any, allowzero: int, expected: tuple[int, ...]) -> None:
    reshape = node("Reshape", "x t", "y", allowzero=allowzero)
    module = load(model([reshape], {"x": shape}, ["y"], {"t": np.array(target)}))
    x = np.zeros([2 if size == "n" else size for size in shape], np.float32)
    assert run(module, "main", [x])[0].shape == expected


def test_b100_squeeze_of_an_unknown_shape() -> None:
    with pytest.raises(stepwell.UnsupportedError, match=r"'node_y' \(Squeeze\): which axes have size 1 is not known"):
        load(model([node("Squeeze", "x", "y")], {"x": (5, None)}, ["y"]))


# -- weights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype",
    ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"],
)
@pytest.mark.parametrize("raw", [True, False])
def test_weights_of_every_type(dtype: str, raw: bool) -> None:
    array = np.array([[0, 1], [2, 100]]).astype(dtype)
    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    content = array.tobytes() if raw else array.reshape(-1)
    tensor = helper.make_tensor("w", number, array.shape, content, raw=raw)
    proto = model([], {}, ["w"])
    proto.graph.initializer.append(tensor)
    (found,) = run(load(proto), "main", [])
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def external(tmp_path: Path, location: str = "w.bin", length: int | None = None) -> onnx.ModelProto:
    proto = model([node("Add", "x w", "y")], {"x": (3,)}, ["y"])
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3], data_location=TensorProto.EXTERNAL)
    entries = {"location": location, "offset": "4"} | ({} if length is None else {"length": str(length)})
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    proto.graph.initializer.append(tensor)
    (tmp_path / "w.bin").write_bytes(np.array([9, 1, 2, 3], np.float32).tobytes())
    return proto


def test_b143_weights_in_another_file(tmp_path: Path) -> None:
    onnx.save(external(tmp_path), tmp_path / "m.onnx")
    (found,) = run(load(tmp_path / "m.onnx"), "main", [np.zeros(3, np.float32)])
    np.testing.assert_array_equal(found, [1, 2, 3])


@pytest.mark.parametrize(
    ("location", "length", "message"),
    [
        ("../w.bin", None, "outside the folder"),
        ("/etc/passwd", None, "outside the folder"),
        ("", None, "outside the folder"),
        ("absent.bin", None, "cannot be read"),
        ("w.bin", 13, "takes 12 bytes, and 13 are given"),
        ("link.bin", None, "outside the folder"),
    ],
)
def test_other_files_are_not_read(tmp_path: Path, location: str, length: int | None, message: str) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    onnx.save(external(folder, location, length), folder / "m.onnx")
    with pytest.raises(stepwell.ModelError, match=f"m.onnx: error: tensor 'w' cannot be read: .*{message}|{message}"):
        load(folder / "m.onnx")


def test_a_weight_that_is_an_input_too_is_a_constant_unless_its_shape_is_given() -> None:
    proto = model(
        [node("Add", "x w", "y")], {"x": (2,), "w": (2,)}, ["y"], {"w": np.array([1, 2], np.float32)}, ir_version=3
    )
    assert input_names(main_of(load(proto))) == ("x",)
    assert input_names(main_of(load(proto, {"w": (2,)}))) == ("x", "w")


# -- what is wrong -----------------------------------------------------------------------------------------------------


def test_all_that_cannot_be_said_is_listed() -> None:
    nodes = [
        node("NonZero", "x", "a"),
        node("Relu", "a", "b"),
        helper.make_node("Fancy", ["x"], ["c"], name="fancy", domain="com.example"),
        node("Relu", "x", "d", unheard_of=1),
        node("MaxPool", "x", "e indices", kernel_shape=[2, 2]),
    ]
    with pytest.raises(stepwell.UnsupportedError) as caught:
        load(model(nodes, {"x": (1, 1, 4, 4)}, ["b", "c", "d", "e"]), name="m.onnx")
    text = str(caught.value)
    assert text.startswith("m.onnx: error: 4 nodes cannot be imported\n")
    assert "  node 'node_a' (NonZero): this operator is not in the table" in text
    assert "  node 'fancy' (Fancy): operators of domain 'com.example' are not known" in text
    assert "  node 'node_d' (Relu): attribute 'unheard_of' is not known" in text
    assert "  node 'node_e' (MaxPool): output 1 ('indices') is not computed" in text
    assert "'node_b'" not in text
    assert [each.name for each in caught.value.nodes] == ["node_a", "fancy", "node_d", "node_e"]


def test_a_subgraph_is_refused() -> None:
    body = helper.make_graph([], "body", [], [])
    branch = node("If", "c", "y", then_branch=body, else_branch=body)
    proto = model([branch], {"c": ()}, ["y"], dtype="b")
    with pytest.raises(stepwell.UnsupportedError, match=r"'node_y' \(If\)"):
        load(proto)


def test_types_that_are_no_tensors_of_numbers() -> None:
    proto = model([node("Relu", "x", "y")], {"x": (2,)}, ["y"])
    proto.graph.input[0].type.tensor_type.elem_type = TensorProto.STRING
    with pytest.raises(stepwell.UnsupportedError, match=r"'x' \(input\): elements of type STRING"):
        load(proto)
    proto.graph.input[0].type.sequence_type.elem_type.tensor_type.elem_type = TensorProto.FLOAT
    with pytest.raises(stepwell.UnsupportedError, match=r"'x' \(input\): a sequence, not a tensor"):
        load(proto)


def broken(change: str) -> onnx.ModelProto:
    nodes = [node("Relu", "x", "a"), node("Relu", "a", "y")]
    proto = model(nodes, {"x": (2,)}, ["y"], {"w": np.ones(2, np.float32)})
    match change:
        case "unknown tensor":
            proto.graph.node[0].input[0] = "nowhere"
        case "cycle":
            proto.graph.node[0].input[0] = "y"
        case "written twice":
            proto.graph.node[1].output[0] = "a"
        case "writes an input":
            proto.graph.node[1].output[0] = "x"
        case "two inputs":
            proto.graph.input.append(proto.graph.input[0])
        case "two weights":
            proto.graph.initializer.append(proto.graph.initializer[0])
        case "no such output":
            proto.graph.output[0].name = "z"
        case "no opset":
            del proto.opset_import[:]
        case "wrong attribute":
            proto.graph.node[0].op_type = "Softmax"
            proto.graph.node[0].attribute.append(helper.make_attribute("axis", "one"))
        case "missing input":
            proto.graph.node[0].op_type = "Add"
        case "shapes differ":
            proto.graph.node[0].op_type = "Add"
            proto.graph.node[0].input.append("v")
            proto.graph.initializer.append(numpy_helper.from_array(np.ones(3, np.float32), "v"))
        case "types differ":
            proto.graph.node[0].op_type = "Add"
            proto.graph.node[0].input.append("v")
            proto.graph.initializer.append(numpy_helper.from_array(np.ones(2, np.int64), "v"))
        case "too little data":
            proto.graph.initializer[0].dims[0] = 3
            proto.graph.node[0].op_type = "Add"
            proto.graph.node[0].input.append("w")
        case "negative size":
            proto.graph.initializer[0].dims[0] = -2
        case _:
            raise AssertionError(change)
    return proto


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("unknown tensor", r"m: node 'node_a' \(Relu\): error: reads 'nowhere', which nothing computes"),
        ("cycle", r"m: node '.*' \(Relu\): error: waits for its own result: a cycle through '.*'"),
        ("written twice", r"m: node 'node_y' \(Relu\): error: writes 'a', which another node writes too"),
        ("writes an input", r"m: node 'node_y' \(Relu\): error: writes 'x', which is an input or initializer"),
        ("two inputs", "m: error: two inputs are called 'x'"),
        ("two weights", "m: error: two initializers are called 'w'"),
        ("no such output", "m: error: output 'z' is computed by nothing"),
        ("no opset", "m: error: this is no ONNX model"),
        ("wrong attribute", r"m: node 'node_a' \(Softmax\): error: attribute 'axis' is of type STRING, not INT"),
        ("missing input", r"m: node 'node_a' \(Add\): error: input 1 is missing"),
        ("shapes differ", r"m: node 'node_a' \(Add\): error: graph.add: .* 2 and 3"),
        ("types differ", r"m: node 'node_a' \(Add\): error: graph.add: element types differ: f32 and i64"),
        ("too little data", "m: error: tensor 'w' cannot be read"),
        ("negative size", r"m: error: tensor 'w' cannot be read: a size is negative: \[-2\]"),
    ],
)
def test_malformed_models(change: str, message: str) -> None:
    with pytest.raises(stepwell.ModelError, match=message):
        load(broken(change), name="m")


def test_nodes_in_another_order_are_sorted() -> None:
    proto = model([node("Neg", "a", "y"), node("Relu", "x", "a")], {"x": (2,)}, ["y"])
    np.testing.assert_array_equal(run(load(proto), "main", [np.array([-1, 2], np.float32)])[0], [0, -2])


@pytest.mark.parametrize("content", [b"", b"hello", b"\x08\x07", bytes(range(256))])
def test_bytes_that_are_no_model(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    with pytest.raises(stepwell.ModelError, match=r"m\.onnx: error: this is no ONNX model"):
        load(tmp_path / "m.onnx")


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    onnx.save(mlp(1), buffer)
    for length in range(1, len(buffer.getvalue()), 97):
        with pytest.raises((stepwell.ModelError, stepwell.UnsupportedError)):
            load(buffer.getvalue()[:length])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(stepwell.ModelError, match=r"absent\.onnx: error: cannot be read: No such file"):
        load(tmp_path / "absent.onnx")


@pytest.mark.parametrize("opset", [6, 99])
def test_opsets_that_are_not_read(opset: int) -> None:
    with pytest.raises(stepwell.UnsupportedError, match=rf"the model is of opset {opset}"):
        load(model([node("Relu", "x", "y")], {"x": (2,)}, ["y"], opset=opset))


def test_without_the_onnx_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(stepwell.ModelError, match=r"pip install 'stepwell\[onnx\]'"):
        load(b"")


def test_functions_of_the_model_are_inlined() -> None:
    body = helper.make_function(
        "local", "Twice", ["a"], ["b"], [node("Add", "a a", "b")], [helper.make_opsetid("", 21)]
    )
    proto = model([helper.make_node("Twice", ["x"], ["y"], domain="local")], {"x": (2,)}, ["y"])
    proto.functions.append(body)
    proto.opset_import.append(helper.make_opsetid("local", 1))
    np.testing.assert_array_equal(run(load(proto), "main", [np.array([1, 2], np.float32)])[0], [2, 4])


def test_a_deep_model_is_read_without_recursion() -> None:
    count = 3000
    nodes = [node("Relu", f"t{i}", f"t{i + 1}") for i in range(count)]
    module = load(model(nodes[::-1], {"t0": (2,)}, [f"t{count}"]))
    assert sum(isinstance(op, graph.ReluOp) for op in walk(module)) == count
