"""`#graph.array`: what is equal, what is printed, what reads back, and the file of arrays beside a module."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects.array import ConstantArrayAttr, arrays_in_full
from stepwell.dialects.array_file import loaded_arrays, read_arrays, save_arrays
from stepwell.dialects.graph import ConstantOp, Graph
from stepwell.errors import ModelError
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

FLOATS = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"]


def dtype(name: str) -> np.dtype:
    """A dtype of NumPy or ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, name, name))


def parse(text: str) -> ConstantArrayAttr:
    """The attribute that a text says."""
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Graph)
    attribute = Parser(ctx, text).parse_attribute()
    assert isinstance(attribute, ConstantArrayAttr)
    return attribute


def bits(array: np.ndarray) -> bytes:
    """What distinguishes arrays: the bytes, so that NaN equals itself and -0 is not 0."""
    return array.tobytes()


@pytest.mark.parametrize("name", FLOATS)
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), max_size=20))
def test_any_bits_of_a_float_read_back(name, patterns):
    element = dtype(name)
    array = np.array(patterns, np.uint64).astype(f"uint{element.itemsize * 8}").view(element)
    read = parse(str(ConstantArrayAttr(array)))
    assert read.array.dtype == element
    assert bits(read.array) == bits(array)
    assert read == ConstantArrayAttr(array)


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array([1, -0.0, np.nan], np.float32), "[1.0, -0.0, nan] : tensor<3xf32>"),
        (np.array([np.inf, -np.inf], np.float64), "[inf, -inf] : tensor<2xf64>"),
        (np.array([0.1, 1e-5, 1e20], np.float32), "[0.1, 1.0e-05, 1.0e+20] : tensor<3xf32>"),
        (np.array([0.1], ml_dtypes.bfloat16), "[0.1] : tensor<1xbf16>"),
        (np.array(-7, np.int16), "-7 : tensor<i16>"),
        (np.array([2**64 - 1], np.uint64), "[18446744073709551615] : tensor<1xui64>"),
        (np.array([[True], [False]]), "[[true], [false]] : tensor<2x1xi1>"),
        (np.zeros((2, 0), np.int8), "[[], []] : tensor<2x0xi8>"),
        (np.zeros((0, 2), np.int8), "[] : tensor<0x2xi8>"),
    ],
)
def test_text(array, text):
    assert str(ConstantArrayAttr(array)) == f"#graph.array<{text}>"
    assert bits(parse(f"#graph.array<{text}>").array) == bits(array)


def test_an_unusual_nan_keeps_its_bits():
    array = np.array([0xFFC00001], np.uint32).view(np.float32)
    text = str(ConstantArrayAttr(array))
    assert "nan(0xffc00001)" in text
    assert bits(parse(text).array) == bits(array)


def test_equal_by_content_type_and_shape():
    array = np.arange(6, dtype=np.int32)
    one = ConstantArrayAttr(array)
    assert one == ConstantArrayAttr(array.copy())
    assert hash(one) == hash(ConstantArrayAttr(array.copy()))
    assert one != ConstantArrayAttr(array.reshape(2, 3))
    assert one != ConstantArrayAttr(array.view(np.float32))
    assert ConstantArrayAttr(np.array([0.0])) != ConstantArrayAttr(np.array([-0.0]))
    nan = np.array([np.nan])
    assert ConstantArrayAttr(nan) == ConstantArrayAttr(nan.copy())


def test_later_changes_do_not_reach_in():
    array = np.zeros(3)
    attribute = ConstantArrayAttr(array)
    array[0] = 1
    assert attribute.array[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        attribute.array[0] = 1


def test_any_layout_is_taken():
    array = np.arange(6, dtype=">i4").reshape(2, 3).T
    attribute = ConstantArrayAttr(array)
    assert attribute.array.flags.c_contiguous
    np.testing.assert_array_equal(attribute.array, array)
    assert str(attribute) == "#graph.array<[[0, 3], [1, 4], [2, 5]] : tensor<3x2xi32>>"


def test_large_arrays_print_as_keys_and_resolve_while_they_live():
    attribute = ConstantArrayAttr(np.arange(32, dtype=np.float32))
    text = str(attribute)
    assert text == f'#graph.array<"{attribute.data.key}" : tensor<32xf32>>'
    assert parse(text).data is attribute.data
    del attribute
    gc.collect()
    with pytest.raises(ParseError, match="neither this process nor a loaded"):
        parse(text)


def test_a_key_with_the_wrong_type_is_refused():
    attribute = ConstantArrayAttr(np.arange(32, dtype=np.float32))
    with pytest.raises(ParseError, match="is tensor<32xf32>"):
        parse(str(attribute).replace("32xf32", "16x2xf32"))


def test_arrays_in_full():
    attribute = ConstantArrayAttr(np.arange(40, dtype=np.int8))
    with arrays_in_full():
        text = str(attribute)
    assert text.startswith("#graph.array<[0, 1, 2")
    assert parse(text) == attribute
    assert "sha256" in str(attribute)


def module_of(*arrays: np.ndarray) -> ModuleOp:
    """A module of constants."""
    return ModuleOp([ConstantOp(array) for array in arrays])


def test_file_of_arrays(tmp_path: Path):
    rng = np.random.default_rng(0)
    names = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fnuz", "int8", "uint16", "int64", "bool"]
    arrays = [rng.integers(0, 2, (5, 8)).astype(dtype(name)) for name in names]
    module = module_of(*arrays, np.arange(3))
    text = str(module)
    save_arrays(tmp_path / "m.weights", module)
    del module
    gc.collect()
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.load_dialect(Graph)
    with pytest.raises(ParseError):
        Parser(ctx, text).parse_module()
    with loaded_arrays(tmp_path / "m.weights"):
        read = Parser(ctx, text).parse_module()
    values = [op.value.array for op in read.walk() if isinstance(op, ConstantOp)]
    for array, value in zip(arrays, values, strict=False):
        assert value.dtype == array.dtype
        np.testing.assert_array_equal(value, array)
    assert [path.name for path in tmp_path.iterdir()] == ["m.weights"]


def test_file_of_arrays_is_safetensors(tmp_path: Path):
    array = np.arange(64, dtype=np.float32).reshape(8, 8)
    save_arrays(tmp_path / "w", module_of(array))
    content = (tmp_path / "w").read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert (8 + length) % 64 == 0
    assert b'"dtype":"F32","shape":[8,8],"data_offsets":[0,256]' in content[8 : 8 + length]
    assert content[8 + length :] == array.tobytes()


@pytest.mark.parametrize("content", [b"", b"short", b"\x10\0\0\0\0\0\0\0not json at all!", b"\xff" * 64])
def test_file_that_is_none(tmp_path: Path, content: bytes):
    (tmp_path / "w").write_bytes(content)
    with pytest.raises(ModelError, match="w: "):
        read_arrays(tmp_path / "w")


def test_file_cut_short(tmp_path: Path):
    save_arrays(tmp_path / "w", module_of(np.arange(64)))
    content = (tmp_path / "w").read_bytes()
    (tmp_path / "w").write_bytes(content[:-8])
    with pytest.raises(ModelError, match="not a file of arrays"):
        read_arrays(tmp_path / "w")


def test_missing_file(tmp_path: Path):
    with pytest.raises(ModelError, match="cannot read arrays"):
        read_arrays(tmp_path / "nowhere")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path):
    (tmp_path / "w").mkdir()
    with pytest.raises(OSError, match="w"):
        save_arrays(tmp_path / "w", module_of(np.arange(64)))
    assert [path.name for path in tmp_path.iterdir()] == ["w"]


def test_dialects_load_without_numpy():
    code = "import sys, stepwell.dialects.graph; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
