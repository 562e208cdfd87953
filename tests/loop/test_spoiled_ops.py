"""Every op of `loop` and `simd` with one thing in its text changed for another of its kind, in both forms of text."""

import io
import re
from pathlib import Path
from random import Random

import pytest
from stepwell.compiler import parse
from stepwell.errors import Error
from stepwell.interpreters.run import entry, run
from stepwell.pipelines.inputs import input_sets
from stepwell.tools.reporting import deep_recursion
from xdsl.printer import Printer

ROOT = Path(__file__).parents[2]
KINDS = {
    r"%[\w#]+": "%nope %n %i",
    r'"[a-z. ]+"': '"" "i" "unrolled" "register" "reduce" "ordered" "add" "umax" "olt" "slt" "fptosi" "extsi"',
    r"(?:memref|vector)<[^<>]*>|\b(?:f32|i1|i32|i64|index)\b": """f64 i3 i8 ui8 index tensor<2xf32> memref<?xf32>
        memref<f32> memref<0x4xf32> memref<4xi4> vector<4xf32> vector<0xf32> vector<2x4xf32> vector<[4]xf32>
        vector<4xindex>""",
    r"(?<![\w.%#])-?\d+(?![\w.])": """0 1 -1 2 3 7 8 100 2147483648 9223372036854775807 -9223372036854775808
        10000000000000000000000""",
    r"#loop\.map<\([^<>]*\)>": """#loop.map<()> #loop.map<(d0)> #loop.map<(d7)> #loop.map<(0,0)> #loop.map<(d0*d0)>
        #loop.map<((d0)mod(d0+-2))>""",
    r"\b(?:loop|simd)\.\w+": "loop.load loop.store loop.for loop.if loop.yield loop.view simd.load simd.mask",
    r"\b(?:spatial|reduce|ordered|vectorized|parallel|floordiv|mod|min|max|clip|if)\b": "spatial mod max serial if",
    r"array<i32: [\d, ]*>": "array<i32> array<i32:-1,1> array<i32:0,99> array<i64:1,1> array<i32:1,1,1>",
}
"""What a thing looks like, and others of its kind."""

UNCLEAR = re.compile(r"cannot be read|the verifier stopped|should not happen|failed \(")


def text_of(module, generic):
    out = io.StringIO()
    Printer(stream=out, print_generic_format=generic).print_op(module)
    return out.getvalue()


def functions():
    """The functions of the lit files of the two dialects, in both forms."""
    for name in ("loop", "simd"):
        lines = (ROOT / f"lit_tests/dialects/{name}/ops.mlir").read_text().splitlines()
        text = "\n".join(line for line in lines if not line.strip().startswith("//"))
        functions = re.split(r"\n(?=func\.func)", text)
        shared = functions[0] if "loop.global" in functions[0] else ""
        for function in functions[1:]:
            yield shared + "\n" + function
            yield text_of(parse(shared + "\n" + function), generic=True)


def spoiled(random, text):
    while True:
        pattern, others = random.choice(list(KINDS.items()))
        places = list(re.finditer(pattern, text))
        if places:
            place = random.choice(places)
            same = [other.group() for other in places]
            new = random.choice(same if random.random() < 0.5 else others.split())
            return text[: place.start()] + new + text[place.end() :]


def check_clear(error, text):
    assert re.match(r"<text>:\d+: |no input says|\d+ inputs given", str(error)), f"{error}\n{text}"
    assert not UNCLEAR.search(str(error)), f"{error}\n{text}"


def parsed(text):
    """The module, or None where it is refused as it should be."""
    try:
        with deep_recursion():
            return parse(text)
    except Error as error:
        check_clear(error, text)
        return None


@pytest.mark.parametrize("seed", range(2))
def test_one_thing_changed(seed):
    random, texts = Random(seed), list(functions())
    accepted = 0
    for _ in range(120):
        text = spoiled(random, random.choice(texts))
        module = parsed(text)
        if module is None:
            continue
        accepted += 1
        assert parse(text_of(module, generic=True)).is_structurally_equivalent(module), text
        # an index operand that is given twice is written once
        custom = text_of(module, generic=False)
        assert text_of(parse(custom), generic=False) == custom, text
        function = entry(module, None)
        try:
            for inputs in list(input_sets(function, 0))[:1]:
                run(module, function.sym_name.data, inputs.arrays)
        except Error as error:
            check_clear(error, text)
    assert accepted > 20


def test_a_guard_of_no_conditions():
    """Written out it would be `if ()`, which is read as no guard at all."""
    load = (
        '"loop.load"(%x) <{indices = #loop.map<(0)>, guard = #loop.map<()>, pad = 0.0 : f32}> : (memref<4xf32>) -> f32'
    )
    with pytest.raises(Error, match=r"<text>:2: error: 'loop.load': a guard without conditions: leave it out"):
        parse(f"func.func @main(%x : memref<4xf32>) {{\n  %e = {load}\n  func.return\n}}")
