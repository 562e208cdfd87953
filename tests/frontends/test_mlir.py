"""Reading MLIR text: where each operation stands, what is refused and how, and what xDSL's own parser gets wrong."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stepwell import ModelError
from stepwell.dialects.origin import origin
from stepwell.frontends.mlir import MAX_DEPTH, parse
from stepwell.pipelines import new_context
from stepwell.tools.reporting import deep_recursion
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, f16, f32, f64

CONTEXT = new_context()


def read(text):
    return parse(text, "a.mlir", CONTEXT)


def refused(text, message):
    with pytest.raises(ModelError, match=message) as caught:
        read(text)
    return str(caught.value)


def test_every_operation_knows_its_line():
    module = read("\n\nfunc.func @f(%x : i32) {\n  %y = arith.addi %x, %x : i32\n\n  func.return\n}\n")
    assert [origin(op) for op in module.walk()] == ["a.mlir:1", "a.mlir:3", "a.mlir:4", "a.mlir:6"]
    add = list(module.walk())[2]
    assert (add.location.line.data, add.location.column.data) == (4, 3)


def test_a_location_that_is_written_stays():
    module = read('"test.op"() : () -> () loc("net.onnx":3:4)\n"test.op"() ({ "test.op"() : () -> () }) : () -> ()')
    assert [origin(op) for op in module.walk()] == ["a.mlir:1", "net.onnx:3", "a.mlir:2", "a.mlir:2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a\.mlir:1: error: the file is empty"),
        (" \n// nothing\n", r"a\.mlir:\d: error: Could not parse"),
        ("\n\nfoo.bar", r"a\.mlir:3: error: Operation foo.bar is not registered\nfoo.bar\n\^"),
        ('"test.op"(%x) : (i32) -> ()\n\n', r"a\.mlir:1: error: values used but not defined: \[%x\]"),
        ("module {\n", r"a\.mlir:\d: error: "),
        ("func.func @f(%x : i33q) {}", r"a\.mlir:1: error: "),
        ("%x = arith.constant 1 : i32\n%x = arith.constant 1 : i32", r"a\.mlir:2: error: .*%x is already defined"),
        ("\0", r"a\.mlir:1: error: Unexpected character"),
        ('"test.op"() {a = "unterminated} : () -> ()', r"a\.mlir:1: error: "),
        ("#a = #nowhere.attr<1>", r"a\.mlir:1: error: "),
        ('"test.op"() {a = dense<[[1], [2, 3]]> : tensor<2x2xi32>} : () -> ()', r"inconsistent ranks"),
        ('"test.op"() : () -> !builtin.nowhere', r"a\.mlir:1: error: "),
    ],
)
def test_malformed_text_is_one_error_with_its_line(text, message):
    refused(text, message)


def test_the_place_is_shown():
    text = refused("func.func @f() {\n\tfunc.return %nowhere : i32\n}", "not defined")
    assert text.splitlines() == [
        "a.mlir:2: error: values used but not defined: [%nowhere]",
        "\tfunc.return %nowhere : i32",
        "\t            ^",
    ]


def test_bytes_that_are_not_utf8_are_refused_by_line():
    refused(b"func.func @f()\n// caf\xe9\n", r"a\.mlir:2: error: not UTF-8 text: byte 0xe9")
    assert read("// café\nbuiltin.module {}".encode()).body.block.is_empty


@pytest.mark.parametrize(
    "type",
    [
        "tensor<99999999999999999999xf32>",
        "memref<4611686018427387904x3xi8>",
        "vector<9223372036854775807x2xf32>",
        f"memref<{'x'.join(map(str, range(1, 155)))}xf32>",
    ],
)
def test_b124_sizes_beyond_64_bits_are_refused(type):
    refused(f'%x = "test.op"() : () -> {type}', "a size does not fit 64 bits")
    refused(f'"test.op"() ({{ ^a(%x : {type}): "test.termop"() : () -> () }}) : () -> ()', "does not fit 64 bits")


def test_a_size_that_fits_is_taken():
    read('%x = "test.op"() : () -> tensor<9223372036854775807x?x0xf32>')


def test_b126_dense_of_vectors_is_refused():
    refused('"test.op"() {a = dense<22> : tensor<vector<4xi8>>} : () -> ()', r"a\.mlir:1: error: Expected .*integer")


def test_a_dense_literal_that_would_not_fit_memory_is_refused():
    refused("%c = arith.constant dense<0.0> : tensor<10000000000000xf32>", "a dense literal of more than")


def dense(text, type):
    module = read(f'"test.op"() {{a = dense<{text}> : tensor<{type}>}} : () -> ()')
    attribute = module.body.block.first_op.attributes["a"]
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    return list(attribute.get_values())


def test_b130_hexadecimal_floats_in_dense_literals_are_bits():
    assert dense("[0x7F800000, 0xFF800000, 1.0, 0x80000000]", "4xf32") == [math.inf, -math.inf, 1.0, 0.0]
    assert math.isnan(dense("0x7FC00000", "2xf32")[1])
    assert dense("0x7C00", "1xf16") == [math.inf]
    assert dense("0x10", "2xi32") == [16, 16]
    refused('"test.op"() {a = dense<0x7F80000000> : tensor<2xf32>} : () -> ()', "more digits than f32 has")


@pytest.mark.parametrize("type", [f16, f32, f64])
@given(data=st.data())
def test_floats_in_dense_literals_read_back_as_they_were(type, data):
    width = {f16: 16, f32: 32, f64: 64}[type]
    values = data.draw(st.lists(st.floats(width=width).map(lambda x: x or 1.0), min_size=1, max_size=4))
    attribute = DenseIntOrFPElementsAttr.from_list(TensorType(type, [len(values)]), values)
    module = read(f'"test.op"() {{a = {attribute}}} : () -> ()')
    assert repr(list(module.body.block.first_op.attributes["a"].get_values())) == repr(list(attribute.get_values()))


@given(st.binary(max_size=40))
def test_b131_b133_strings_of_any_bytes_read_back_as_they_were(content):
    escaped = "".join(f"\\{byte:02X}" for byte in content)
    module = read(f'"test.op"() {{a = "{escaped}"}} : () -> ()')
    assert str(read(str(module))) == str(module)
    assert read(str(module)).body.block.first_op.attributes["a"] == module.body.block.first_op.attributes["a"]


def nested(depth):
    return (
        '"test.op"() ({\n' * depth
        + '"test.termop"() : () -> ()\n'
        + '}) : () -> () "test.termop"() : () -> ()\n' * depth
    )


def test_b140_deep_nesting_works_up_to_a_limit_and_is_refused_beyond():
    with deep_recursion():
        assert len(list(read(nested(MAX_DEPTH - 1)).walk())) == 2 * MAX_DEPTH
        refused(nested(MAX_DEPTH), rf"a\.mlir:{MAX_DEPTH + 1}: error: nested too deeply: more than {MAX_DEPTH}")
        refused(nested(10_000), "nested too deeply")


def test_deep_nesting_is_an_error_where_python_has_no_room_for_it():
    refused(nested(MAX_DEPTH - 1), r"a\.mlir:\d+: error: nested too deeply")


def test_a_string_that_is_not_closed_is_refused_at_once():
    refused('"test.op"() {a = "' + "long " * 2000 + "} : () -> ()", r"a\.mlir:1: error: End of file reached")


def said_of(text):
    """What is said of a text that is not a module; of a module, nothing."""
    try:
        read(text)
    except ModelError as error:
        return str(error)
    return "a.mlir:0: error: "


@given(st.text(max_size=60))
def test_any_text_is_a_module_or_a_model_error(text):
    assert ": error: " in said_of(text)


WHOLE = """func.func @f(%x : tensor<2xf32>) -> i32 {
  %y = arith.constant dense<[1, 2]> : tensor<2xi8>
  "a.b"() {c = "d"} : () -> ()
}"""


@given(st.integers(0, len(WHOLE)), st.integers(0, 8), st.text('%@#!<>(){}[]-+:,="\\ \n0aé', max_size=4))
def test_any_damage_to_a_module_is_a_module_or_a_model_error(start, cut, put):
    assert ": error: " in said_of(WHOLE[:start] + put + WHOLE[start + cut :])
