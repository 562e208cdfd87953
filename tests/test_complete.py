"""
What every op and every pass must have, asked of each by name; the list of what is missing is the failure.

An op: an example in its docstring that is parsed, verified and printed back, a meaning, a way down, and lines in
`ops.mlir` and `invalid.mlir`. A pass: its promise in words, its licence and level, a lit file that starts with a case.
"""

import inspect
import re
from io import StringIO
from pathlib import Path

import pytest
from stepwell.conversions import CONVERSIONS
from stepwell.conversions.graph_to_loop import LOWERINGS
from stepwell.dialects import DIALECTS
from stepwell.emitters.c import EMITTERS
from stepwell.interpreters.graph import EVALUATORS
from stepwell.interpreters.numbers import ARITH
from stepwell.interpreters.registry import INTERPRETERS, interpreter_of
from stepwell.pipelines import new_context
from stepwell.rewriting import verify
from stepwell.tools.docs.dialects import LOWERED_BY
from stepwell.transforms import TRANSFORMS
from stepwell.universe import load
from xdsl.dialects.test import TestOp, TestTermOp
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.mlir_lexer import MLIRTokenKind

LIT = Path(__file__).resolve().parent.parent / "lit_tests"

OPS = [op for place in DIALECTS.values() for op in load(place).operations]

MEANT_BY = {
    "graph.constant": "the walk over a function: a value, not an operation on one",
    "graph.dataflow": "the walk over a function: its body is evaluated in place",
    "graph.output": "the end of `graph.dataflow`",
    "graph.call_tir": "the walk over a function: the loop function is run",
    "loop.yield": "the end of the region of another op",
    "loop.global": "`loop.get_global`, which reads it",
}
"""Ops without an entry in the table of meanings, and what gives them theirs."""


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_is_complete(op):
    missing = [*problems_of_example(op)]
    if not has_meaning(op):
        missing.append("interpreter")
    if not goes_down(op):
        missing.append("lowering or emitter")
    dialect = op.name.partition(".")[0]
    if not mentioned([op], LIT / "dialects" / dialect, "ops"):
        missing.append(f"line in lit_tests/dialects/{dialect}/ops.mlir")
    if not mentioned(family(op), LIT / "dialects" / dialect, "invalid"):
        missing.append(f"line in lit_tests/dialects/{dialect}/invalid.mlir, nor has one of its family")
    assert missing == [], f"{op.name} has no {', no '.join(missing)}"


def has_meaning(op):
    if op.name in MEANT_BY:
        return True
    if op.name.startswith("graph."):
        return op in EVALUATORS
    return op in ARITH or op.name in INTERPRETERS or interpreter_of(op) is not None


def goes_down(op):
    return op.name in LOWERED_BY or op.name in LOWERINGS or op in EMITTERS


def family(op):
    """The ops that share the rules of `op`: those made from the same base class, or itself."""
    base = op.__mro__[1]
    return [op] if base is IRDLOperation else [other for other in OPS if issubclass(other, base)]


def mentioned(ops, folder, kind):
    """Whether a file of this kind has one of the ops in a line that is not a comment."""
    texts = [path.read_text() for path in (*folder.glob(f"{kind}*.mlir"), *folder.glob(f"{kind}/*.mlir"))]
    code = re.sub(r"//.*", "", "\n".join(texts))
    return any(re.search(rf"(?<![\w.]){re.escape(op.name)}(?![\w.])", code) for op in ops)


def problems_of_example(op):
    doc = inspect.getdoc(op) or ""
    if not doc or op.__doc__ in {base.__doc__ for base in op.__mro__[1:]}:
        return ["docstring"]
    examples = re.findall(r"```mlir\n(.*?)```", doc, re.DOTALL)
    if len(examples) != 1:
        return [f"docstring with one example (it has {len(examples)})"]
    first, _, _ = doc.partition("```")
    if not re.search(r"\w.*[.…]", first):
        return ["sentence of meaning before its example"]
    try:
        example = parse_example(examples[0])
        verify(example)
        text = printed(example)
        if printed(Parser(new_context(), text).parse_op()) != text:
            return ["example that reads back as it was printed"]
    except Exception as error:
        return [f"example that can be parsed, verified and printed: {error}"]
    if not any(isinstance(inner, op) for inner in example.walk()):
        return ["example that shows it"]
    return []


def parse_example(text):
    """
    The region that an example is a part of; not of a module, so that it may name symbols.

    Values that it does not define come from around it: `// %b : memref<4xf32>` says of what type, where the syntax of
    the op does not.
    """
    declared = re.findall(r"(%\w+) : ([^%\n]*[^%\n, ])", "\n".join(re.findall(r"^// (%.*)", text, re.MULTILINE)))
    given = "".join(f'{name} = "test.op"() : () -> {type}\n' for name, type in declared)
    parser = Parser(new_context(), given + text)
    ops = []
    while parser._current_token.kind != MLIRTokenKind.EOF:
        ops.append(parser.parse_op())
    free = []
    for name, values in parser.forward_ssa_references.items():
        for value in values.values():
            free.append(TestOp(result_types=[value.type]))
            free[-1].results[0].name_hint = name
            value.replace_all_uses_with(free[-1].results[0])
    end = [] if ops[-1].has_trait(IsTerminator) else [TestTermOp()]
    return TestOp(regions=[Region(Block([*free, *ops, *end]))])


def printed(op):
    out = StringIO()
    Printer(out).print_op(op)
    return out.getvalue()


def test_the_exceptions_are_ops():
    names = {op.name for op in OPS}
    assert names >= {*MEANT_BY, *LOWERED_BY}


PASSES = [
    *((name, place, "transforms") for name, place in TRANSFORMS.items()),
    *((name, place, "conversions") for name, place in CONVERSIONS.items()),
]


@pytest.mark.parametrize(("name", "place", "room"), PASSES, ids=[name for name, _, _ in PASSES])
def test_every_pass_is_complete(name, place, room):
    pass_class = load(place)
    doc = inspect.getdoc(pass_class) or ""
    missing = [word for word in ("Expects:", "Leaves:") if word not in doc]
    if pass_class.name != name:
        missing.append(f"name {name} (it says {pass_class.name})")
    level = getattr(pass_class, "opt_level", None)
    if not isinstance(level, int) or not 0 <= level <= 3 or (room == "conversions" and level):
        missing.append("opt_level")
    licence = getattr(pass_class, "licence", None)
    if isinstance(licence, property):  # it depends on the options
        licence = pass_class().licence
    if not isinstance(licence, frozenset) or not licence <= {"reassociates", "contracts", "approximates"}:
        missing.append("licence")
    missing += problems_of_lit_file(name, room)
    assert missing == [], f"{name} has no {', no '.join(missing)}"


def problems_of_lit_file(name, room):
    files = [LIT / room / f"{name}.mlir", *sorted((LIT / room / name).glob("*.mlir"))]
    texts = [path.read_text() for path in files if path.is_file()]
    if not texts:
        return [f"lit_tests/{room}/{name}.mlir"]
    problems = []
    if not any(re.search(rf"RUN:.*{re.escape(name)}", text) for text in texts):
        problems.append("lit file that runs it")
    if not re.search(r"^\s*(func\.func|builtin\.module|loop\.|graph\.)", texts[0], re.MULTILINE):
        problems.append("first case in its lit file")
    return problems


def test_ops_are_named_as_their_classes():
    """`graph.permute_dims` is `PermuteDimsOp`."""
    for op in OPS:
        assert issubclass(op, Operation)
        words = op.name.partition(".")[2].split("_")
        assert op.__name__.removesuffix("Op").lower() == "".join(words), f"{op.name} is {op.__name__}"
