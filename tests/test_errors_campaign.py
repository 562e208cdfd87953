"""Malformed input of all kinds, made from good input by chance: one clear error each, and never a traceback."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

import numpy as np
import onnx
import pytest
import stepwell
from frontends.onnx_models import model, node
from stepwell.compiler import load, parse
from stepwell.errors import Error
from stepwell.interpreters.run import entry, run
from stepwell.pipelines.inputs import input_sets
from stepwell.tools.main import main as stepwell_main
from stepwell.tools.opt import main as opt_main
from stepwell.tools.reporting import deep_recursion

ROOT = Path(__file__).parents[1]

UNCLEAR = re.compile(r"this should not happen| failed \(|the verifier stopped|Traceback")
"""How an error reads that nobody thought of."""


def check_clear(error: Error, what: object) -> None:
    assert str(error).strip(), what
    assert not UNCLEAR.search(str(error)), f"{error}\n{what}"


# -- text --------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r'%[\w#.]+|@[\w.$]+|"[^"]*"|-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+|[\w.]+|\S')
TOKENS = """
0 -1 1 9223372036854775807 -9223372036854775808 99999999999999999999999 3.5 nan inf ? x f32 i1 i8 index ui8 f16
tensor<2x3xf32> memref<?xf32> vector<4xf32> tensor<*xf32> tensor<2xi3> tensor<99999999999x99999999xf32> complex<f32>
%x %nope @nope to { } ( ) [ ] < > , : -> = unrolled vectorized register global reduce spatial ordered none
#graph.dims<n> #loop.map<(d0)>
"""
WORDS = (
    *TOKENS.split(),
    "attributes {outputs_count = 1 : i64}",
    "attributes {dims = 3, requires = [1]}",
)
PASSES = (
    "infer-shapes,convert-graph-to-loop,fuse-loop-functions,convert-calls-to-buffers",
    "canonicalize-graph,fold-constants,reorder-concat-relu,fuse-elementwise,fuse-matmul-add,cse,dce",
    "verify-loops,simplify-indices,flatten-storage,convert-loop-to-simd{target=avx2},hoist-invariants,plan-buffers",
    "assign-schedules{target=avx2},apply-schedule,canonicalize",
)


def functions() -> list[str]:
    """Single functions out of lit files, without their comments."""
    files = [*ROOT.glob("lit_tests/dialects/*/ops.mlir"), *ROOT.glob("lit_tests/run/*.mlir")]
    texts = ["\n".join(x for x in f.read_text().splitlines() if not x.strip().startswith("//")) for f in sorted(files)]
    return [part for text in texts for part in re.split(r"\n(?=func\.func|loop\.global)", text) if part.strip()]


def spoiled(random: Random, text: str, others: Sequence[str]) -> str:
    """The text with one token gone, another in its place, a line twice, or the end missing."""
    places = [match.span() for match in TOKEN.finditer(text)]
    if not places:
        return text
    start, end = random.choice(places)
    match random.randrange(6):
        case 0:
            return text[: random.randrange(len(text))]
        case 1:
            return text[:start] + text[end:]
        case 2 | 3:
            return f"{text[:start]} {random.choice(WORDS)} {text[end:]}"
        case 4:
            other = random.choice(others)
            return text[:start] + random.choice(TOKEN.findall(other)) + text[end:]
        case _:
            lines = text.split("\n")
            lines.insert(random.randrange(len(lines)), lines.pop(random.randrange(len(lines))))
            return "\n".join(lines)


def use(random: Random, text: str) -> None:
    """Parse, then run, lower or compile it, as chance has it."""
    module = parse(text)
    match random.randrange(3):
        case 0:
            stepwell.apply(random.choice(PASSES), module)
        case 1:
            stepwell.emit(module, random.choice(["generic", "avx2"]), stages=stepwell.REFERENCE)
        case _:
            function = entry(module, None)
            for inputs in input_sets(function, 0):
                run(module, function.sym_name.data, inputs.arrays)


@pytest.mark.parametrize("seed", range(4))
def test_text_that_is_almost_right(seed: int):
    random, texts = Random(seed), functions()
    refused = 0
    for _ in range(200):
        text = random.choice(texts)
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            text = spoiled(random, text, texts)
        try:
            with deep_recursion():
                use(random, text)
        except Error as error:
            check_clear(error, text)
            refused += 1
    assert refused > 60


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('loop.for "i" %i = 0 to %i {\n  }', "'loop.for': uses a value before it is defined"),
        ("loop.if (%q >= 0) {\n    %q = loop.index 3\n  }", "'loop.if': uses a value before it is defined"),
    ],
)
def test_values_that_only_the_inside_defines(text: str, error: str):
    with pytest.raises(Error, match=re.escape(error)):
        parse(f"func.func @f() {{\n  {text}\n  func.return\n}}")


# -- models ------------------------------------------------------------------------------------------------------------


def models() -> list[bytes]:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    small = [
        model([node("MatMul", "x w", "t"), node("Relu", "t", "y")], {"x": ("n", 2)}, ["y"], {"w": x}),
        model([node("Conv", "x w", "y", pads=[1, 1, 1, 1])], {"x": (1, 1, 4, 4)}, ["y"], {"w": x[None, None]}),
        model([node("Reshape", "x s", "y")], {"x": (2, 3)}, ["y"], {"s": [3, -1]}),
        model([node("Concat", "x x", "t", axis=1), node("Softmax", "t", "y", axis=-1)], {"x": (2, 3)}, ["y"]),
        model([node("Slice", "x a b", "t"), node("Transpose", "t", "y", perm=[1, 0])], {"x": (4, 3)}, ["y"],
              {"a": [1], "b": [3]}),
        model([node("ReduceSum", "x a", "y")], {"x": (2, 3)}, ["y"], {"a": [0]}),
    ]  # fmt: skip
    return [proto.SerializeToString() for proto in small] + [(ROOT / "examples/models/digits.onnx").read_bytes()]


def spoiled_bytes(random: Random, data: bytes) -> bytes:
    content = bytearray(data)
    if random.random() < 0.2:
        return data[: random.randrange(len(data))]
    for _ in range(random.choice([1, 1, 2, 5, 20])):
        place = random.randrange(len(content))
        match random.randrange(3):
            case 0:
                content[place] = random.randrange(256)
            case 1:
                del content[place]
            case _:
                content.insert(place, random.randrange(256))
    return bytes(content)


def spoiled_model(random: Random, data: bytes) -> bytes:
    """One thing in the model changed that a file may say, but that means nothing."""
    proto = onnx.load_from_string(data)
    graph = proto.graph
    some = random.choice(list(graph.node))
    one = random.choice(list(graph.input))
    number = random.choice([-1, 0, 1, 7, 2**40, 2**63 - 1, -(2**63)])
    changes: list[Callable[[], object]] = [
        lambda: graph.node.remove(some),
        lambda: some.input.__setitem__(0, random.choice(["", "nope", some.output[0]])),
        lambda: some.output.append(some.output[0]),
        lambda: setattr(some, "op_type", random.choice(["", "Nope", "Relu", "Conv", "Reshape", "Concat", "Loop"])),
        lambda: some.input.extend(["", "nope"]),
        lambda: some.attribute.append(onnx.helper.make_attribute(random.choice(["axis", "perm", "pads"]), number)),
        lambda: setattr(one, "name", ""),
        lambda: one.type.Clear(),
        lambda: one.type.tensor_type.shape.dim.add().__setattr__("dim_value", number),
        lambda: setattr(one.type.tensor_type.shape.dim[0], "dim_value", number),
        lambda: setattr(one.type.tensor_type.shape.dim[0], "dim_param", random.choice(["", "?", "-1", "a b", "d0"])),
        lambda: setattr(one.type.tensor_type, "elem_type", random.randrange(25)),
        lambda: setattr(graph.output[0], "name", "nope"),
        lambda: setattr(proto.opset_import[0], "version", random.choice([-1, 0, 1, 6, 999])),
        lambda: setattr(proto.opset_import[0], "domain", "nope"),
        lambda: [setattr(t, "data_type", random.randrange(25)) for t in graph.initializer],
        lambda: [t.dims.append(number) for t in graph.initializer],
        lambda: [setattr(t, "raw_data", t.raw_data[:-1]) for t in graph.initializer],
    ]
    random.choice(changes)()
    return proto.SerializeToString()


@pytest.mark.parametrize("seed", range(3))
def test_models_that_are_almost_right(seed: int):
    random, contents = Random(seed), models()
    refused = 0
    for _ in range(120):
        data = random.choice([spoiled_bytes, spoiled_model])(random, random.choice(contents))
        try:
            module = load(data)
            if random.random() < 0.2:
                stepwell.emit(module, "generic")
        except Error as error:
            check_clear(error, data)
            refused += 1
    assert refused > 50


# -- command lines -----------------------------------------------------------------------------------------------------

FILES = """
good.mlir good.mlir good.mlir empty.mlir none.mlir latin.mlir folder folder.mlir no.mlir no.onnx a.npy -
"""
VALUES = """
0 -1 3 999999999999999999999999 n n= =3 n=0 n=-1 n=1.5 x=2,3 x=a x=,, x= n=3,4 generic avx2 z80 native graph loop nope
main a.npy x=a.npy garbage.npy bad.npy q=a.npy folder no.npy /dev/null 0.5 nan c c{target=z80}
"""
PIPELINES = """
dce cse,dce nonsense dce{ dce} dce{a=1} dce,,cse , {} split-loop{factor=0} dce{a=1}{a=1} é cse{x={y=1}} dce{a="
convert-loop-to-simd{target=z80} assign-schedules{target=} convert-graph-to-loop{partial=3} lower{target=z80}
reorder-concat-relu{steps=-1} reorder-concat-relu{steps=99999999999999999999} reorder-concat-relu{steps=a}
apply-schedule plan-buffers flatten-storage builtin.module(dce)
"""
SPACED = ["split-loop{block=b loop=i factor=x}", "set-loop-kind{kind=nope block=b loop=i}", "a" * 5000, ""]
OPTIONS = {
    "stepwell": "--target --pipeline -O --shape --name --stop-after --print-stages --input --random --function --stage "
    "--interpret --values --seed -p --inline-weights --nope",
    "stepwell-opt": "-p -t -f --check --split-input-file --verify-diagnostics --print-op-generic --seed --nope",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    np.save(tmp_path / "a.npy", np.zeros((2, 3), np.float32))
    np.save(tmp_path / "bad.npy", np.array([object()], dtype=object), allow_pickle=True)
    (tmp_path / "garbage.npy").write_bytes(b"nope")
    (tmp_path / "good.mlir").write_text(
        "func.func @main(%x : tensor<?x3xf32, #graph.dims<n, 3>>) -> tensor<?x3xf32, #graph.dims<n, 3>> {\n"
        "  %y = graph.relu %x : tensor<?x3xf32, #graph.dims<n, 3>>\n"
        "  func.return %y : tensor<?x3xf32, #graph.dims<n, 3>>\n}\n"
    )
    (tmp_path / "empty.mlir").write_text("")
    (tmp_path / "none.mlir").write_text("builtin.module {\n}\n")
    (tmp_path / "latin.mlir").write_bytes(b"// caf\xe9")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.mlir").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command_lines(random: Random, count: int) -> Iterator[tuple[str, list[str]]]:
    for _ in range(count):
        tool = random.choice(list(OPTIONS))
        words = [random.choice(["compile", "run", "check", "nope"])] if tool == "stepwell" else []
        words.append(random.choice(FILES.split()))
        for _ in range(random.choice([0, 1, 1, 2, 3])):
            option = random.choice(OPTIONS[tool].split())
            words.append(option)
            if random.random() < 0.85:
                words.append(random.choice([*PIPELINES.split(), *SPACED] if option == "-p" else [*VALUES.split(), ""]))
        yield tool, words


@pytest.mark.parametrize("seed", range(2))
def test_command_lines_that_are_almost_right(seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch):
    codes: set[int] = set()
    for tool, words in command_lines(Random(seed), 250):
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = {"stepwell": stepwell_main, "stepwell-opt": opt_main}[tool](words)
            except SystemExit as end:
                code = end.code
        said = err.getvalue()
        what = f"{tool} {words}\n{said}"
        assert code in (0, 1, 2), what
        assert not UNCLEAR.search(said), what
        if code:
            codes.add(code)
            assert len(re.findall(r"error: ", said + out.getvalue())) == 1, what
    assert codes == {1, 2}


def test_a_name_that_no_file_has():
    for name in ("a\0b.mlir", "a\0b.onnx"):
        with pytest.raises(Error, match="no file can have this name"):
            load(name)


def test_more_memory_than_there_is():
    module = parse("""
func.func @main(%x : memref<1xf32>, %y : memref<9000000000000000xf32>) attributes {outputs_count = 1 : i64} {
  func.return
}""")
    with pytest.raises(Error, match="no memory for what 'main' computes"):
        run(module, "main", [np.zeros(1, np.float32)])
