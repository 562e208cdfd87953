"""Proofs about index expressions, against all points of small loop nests."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.analysis.bounds import Bounds, interval, is_in_bounds, is_nonnegative, simplify
from stepwell.analysis.facts import Facts, resolve
from stepwell.analysis.samples import Samples
from stepwell.dialects.expr import Expr, floordiv, maximum, minimum, mod
from stepwell.dialects.loop import ForOp, IfOp, IndexOp, Loop
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func
from xdsl.ir import Operation
from xdsl.parser import Parser


def parse(text):
    ctx = Context()
    for dialect in (builtin.Builtin, func.Func, arith.Arith, Loop):
        ctx.load_dialect(dialect)
    module = Parser(ctx, text).parse_module()
    module.verify()
    return module


def facts(header, *exprs, close=1, arguments="%m : index, %n : index"):
    """Parse a nest with the expressions as `loop.index` in its middle; the expressions and the place."""
    lines = "\n".join(f"%e{n} = loop.index {e}" for n, e in enumerate(exprs))
    module = parse(f"func.func @f({arguments}) {{ {header}\n{lines}\n{'}' * close} func.return }}")
    ops = [op for op in module.walk() if isinstance(op, IndexOp) and op.out.name_hint.startswith("e")]
    return [op.expr for op in ops], ops[0]


IN = 'loop.for "i" %i = 0 to %m { loop.for "j" %j = 0 to %n {'
TILED = 'loop.for "b" %b = 0 to 3 { loop.for "t" %t = 0 to min(16, 35 - %b * 16) {'
PROVED = [
    ("sizes are not negative", "", 0, ["%n", "%m * %n", "%n * 8 + %m"]),
    ("variables of loops", IN, 2, ["%i", "%m - 1 - %i", "%j", "%n - %j - 1", "%m - 1", "%m * %n - 1"]),
    ("row-major addresses", IN, 2, ["%m * %n - 1 - (%i * %n + %j)"]),
    ("a min bound: the arm that helps", TILED, 2, ["34 - %b * 16 - %t", "47 - %b * 16 - %t", "15 - %t"]),
    ("a max bound", 'loop.for "i" %i = max(%n, %m) to %n + 9 {', 1, ["%i - %n", "%i - %m"]),
    ("a condition", 'loop.for "i" %i = 0 to 4 { loop.if (%n - %i * 8 - 8 >= 0) {', 2, ["%n - %i * 8 - 8", "%n - 8"]),
    ("division", 'loop.for "i" %i = 0 to %n floordiv 8 {', 1, ["%n - %i * 8 - 8", "%n - 8"]),
    (
        "quotient and remainder",
        'loop.for "i" %i = 0 to %m * %n {',
        1,
        ["%m - 1 - %i floordiv %n", "%n - 1 - %i mod %n"],
    ),
    ("remainder", IN, 2, ["7 - %i mod 8", "%i mod 8", "%i - %i mod 8", "%i - %i floordiv 8"]),
    ("triangle", 'loop.for "i" %i = 0 to %n { loop.for "j" %j = 0 to %i + 1 {', 2, ["%i - %j", "%n - 1 - %j"]),
    ("min in the expression", IN, 2, ["%m - 1 - min(%i, 5)", "min(%i, 5)", "max(%i - 3, 0)", "%n - max(%j, 1)"]),
    ("known by computation", "%k = loop.index %n * 2 + 1", 0, ["%k", "%k - 1", "%k - %n"]),
    ("squares", IN, 2, ["%i * %i", "%m * %m - %i * %i"]),
    ("rounded up", 'loop.for "i" %i = 0 to (%n + 7) floordiv 8 {', 1, ["%n - 1 - %i * 8", "%n + 7 - (%i * 8 + 7)"]),
]
NOT_PROVED = [
    ("a size may be 0", "", 0, ["%n - 1", "%m - %n", "%n * %n - %n - 1"]),
    ("past the end", IN, 2, ["%m - 2 - %i", "%i - 1", "%m * %n - 2 - (%i * %n + %j)", "%n - 1 - %i"]),
    ("a tile that is too wide", TILED, 2, ["33 - %b * 16 - %t", "30 - %b * 15 - %t"]),
    ("outside of the condition", "loop.if (%n - 8 >= 0) { } else {", 1, ["%n - 8"]),
    ("a remainder of what may be negative", IN, 2, ["%i - 1 - (%i - 1) mod 8"]),
    ("another loop", 'loop.for "i" %i = 0 to %m {\n}', 0, ["%m - 1"]),
]


@pytest.mark.parametrize(("case", "header", "close", "exprs"), PROVED, ids=[c[0] for c in PROVED])
def test_proved(case, header, close, exprs):
    es, at = facts(header, *exprs, close=close)
    assert [is_nonnegative(e, at) for e in es] == [True] * len(exprs), exprs


@pytest.mark.parametrize(("case", "header", "close", "exprs"), NOT_PROVED, ids=[c[0] for c in NOT_PROVED])
def test_not_proved(case, header, close, exprs):
    es, at = facts(header, *exprs, close=close)
    assert [is_nonnegative(e, at) for e in es] == [False] * len(exprs), exprs


def test_else_has_the_opposite():
    (e,), at = facts("loop.if (%n - 8 >= 0) { } else {", "7 - %n")
    assert is_nonnegative(e, at)


def test_in_bounds():
    (i, j, m, n), at = facts(IN, "%i", "%j", "%m", "%n", close=2)
    assert is_in_bounds([i, j], [m, n], at)
    assert not is_in_bounds([j, i], [m, n], at)
    assert is_in_bounds([], [], at)


def test_assuming():
    (e,), at = facts("", "%m - 3", close=0)
    assert not is_nonnegative(e, at)
    assert Bounds(at, [e - 2]).is_nonnegative(e)


SIMPLER = [
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 8 {', "(%a * 8 + %b) floordiv 8", "%a"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 8 {', "(%a * 8 + %b) mod 8", "%b"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 4 {', "(%a * 4 + %b) floordiv 8", "%a floordiv 2"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 4 {', "(%a * 4 + %b) mod 8", "%a mod 2 * 4 + %b"),
    ('loop.for "a" %a = 0 to %m { loop.for "b" %b = 0 to %n {', "(%a * %n + %b) floordiv %n", "%a"),
    ('loop.for "a" %a = 0 to %m { loop.for "b" %b = 0 to %n {', "(%a * %n + %b) mod %n", "%b"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 9 {', "(%a * 8 + %b) floordiv 8", "%a + %b floordiv 8"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 9 {', "min(%a, 8)", "%a"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 9 {', "min(%a, 7)", "min(%a, 7)"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to %a {', "max(%a, %b) + min(%b, %a + %m)", "%a + %b"),
    ('loop.for "a" %a = 8 to 16 { loop.for "b" %b = 0 to 1 {', "%a floordiv 8 + %a mod 8", "%a - 7"),
    ('loop.for "a" %a = 0 to 9 { loop.for "b" %b = 0 to 9 {', "min(8, (%a + 9) mod 10 floordiv 10)", "0"),
]


@pytest.mark.parametrize(("header", "before", "after"), SIMPLER)
def test_simplify(header, before, after):
    (e, expected), at = facts(header, before, after, close=2)
    assert simplify(e, at) == expected


def points(at: Operation, sizes):
    """Every value of the index values at `at`: loops around it, and the arguments of its function."""
    loops, conditions = [], []
    inner, op = at, at.parent_op()
    while not isinstance(op, func.FuncOp):
        if isinstance(op, ForOp):
            loops.insert(0, op)
        elif isinstance(op, IfOp):
            conditions.append((op, inner.parent is op.then_body.block))
        inner, op = op, op.parent_op()

    def extend(values, rest):
        if not rest:
            if all(all(c.evaluate(values) >= 0 for c in i.condition_exprs) == then for i, then in conditions):
                yield values
            return
        loop = rest[0]
        for v in range(loop.lower.evaluate(values), loop.upper.evaluate(values)):
            yield from extend({**values, loop.variable: v}, rest[1:])

    for given_sizes in product(*(range(s) for s in sizes)):
        yield from extend(dict(zip(op.body.block.args, given_sizes, strict=True)), loops)


NEST = """func.func @f(%m : index, %n : index) {
  loop.for "i" %i = 0 to min(%m + 2, 5) {
    loop.for "j" %j = max(%i - 2, 0 - %n) to %n floordiv 2 + 1 {
      loop.if (%j * 2 + %i - 1 >= 0, %m + 3 - %j >= 0) {
        loop.for "k" %k = %j mod 3 to min(4, %n - %i, %m * 2) {
          %e = loop.index %k
        }
      } else {
        loop.for "k" %k = 0 to %m * %n {
          %e = loop.index %k
        }
      }
    }
  }
  func.return
}"""
MODULE = parse(NEST)
PLACES = [op for op in MODULE.walk() if isinstance(op, IndexOp)]
POINTS = [list(points(place, (4, 6))) for place in PLACES]


@st.composite
def expressions(draw, variables):
    leaves = st.one_of(st.sampled_from([Expr.atom(v) for v in variables]), st.integers(-9, 9).map(Expr.constant))
    divisors = st.one_of(st.integers(1, 6).map(Expr.constant), st.just(Expr.atom(variables[0]) + 1))

    def combine(e):
        return st.one_of(
            st.tuples(e, e).map(lambda p: p[0] + p[1]),
            st.tuples(e, st.integers(-4, 4)).map(lambda p: p[0] * p[1]),
            st.tuples(e, e).map(lambda p: p[0] - p[1]),
            st.tuples(e, e).map(lambda p: p[0] * p[1]),
            st.tuples(e, divisors).map(lambda p: floordiv(*p)),
            st.tuples(e, divisors).map(lambda p: mod(*p)),
            st.tuples(e, e).map(lambda p: minimum(*p)),
            st.tuples(e, e).map(lambda p: maximum(*p)),
        )

    return draw(st.recursive(leaves, combine, max_leaves=6))


@pytest.mark.parametrize("which", [0, 1])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_is_proved_holds_everywhere(which, data):
    at, values = PLACES[which], POINTS[which]
    assert values
    e = data.draw(expressions(list(values[0])))
    least = min(e.evaluate(p) for p in values)
    # at the edge, where a proof that is off by one shows
    assert not is_nonnegative(e - least - 1, at)
    if is_nonnegative(e - least, at):
        assert all((e - least).evaluate(p) >= 0 for p in values)
    simpler = simplify(e, at)
    assert all(simpler.evaluate(p) == e.evaluate(p) for p in values)


@settings(max_examples=500, deadline=None)
@given(e=expressions(["n", "x", "y"]), data=st.data())
def test_interval_holds_every_value(e, data):
    lows = {"n": data.draw(st.integers(0, 2)), "x": data.draw(st.integers(-5, 5)), "y": data.draw(st.integers(-5, 5))}
    full = {v: (low, low + data.draw(st.integers(0, 3))) for v, low in lows.items()}
    known = {
        v: (low if v == "n" or data.draw(st.booleans()) else None, high if data.draw(st.booleans()) else None)
        for v, (low, high) in full.items()
    }
    low, high = interval(e, known)
    for point in product(*(range(a, b + 1) for a, b in full.values())):
        value = e.evaluate(dict(zip(full, point, strict=True)))
        assert low is None or low <= value
        assert high is None or value <= high


def place_of(header, exprs, close):
    _, at = facts(header, *exprs, close=close)
    return at


HEADERS = {(header, close) for _, header, close, _ in (*PROVED, *NOT_PROVED)}


@pytest.mark.parametrize(
    "at", [*PLACES, *(place_of(header, ["0"], close) for header, close in sorted(HEADERS))], ids=lambda _: "place"
)
def test_samples_are_points_that_are_met(at):
    """By the loops and conditions themselves, not by what the facts make of them."""
    samples = Samples(Facts(at))
    around, inner, op = [], at, at.parent_op()
    while op is not None:
        around.append((op, inner))
        inner, op = op, op.parent_op()
    function = next(op for op, _ in around if isinstance(op, func.FuncOp))
    loops = [op for op, _ in around if isinstance(op, ForOp)]
    for variable in (*function.args, *(loop.variable for loop in reversed(loops))):
        samples.refute(Expr.atom(variable))
    met = [point.values for point in samples._points if point.is_met]
    for values in met:
        assert all(values[argument] >= 0 for argument in function.args)
        for op, inner in around:
            if isinstance(op, ForOp):
                assert op.lower.evaluate(values) <= values[op.variable] < op.upper.evaluate(values)
            # of several conditions no fact says which one does not hold
            if isinstance(op, IfOp) and (inner.parent is op.then_body.block or len(op.condition_exprs) == 1):
                holds = all(resolve(c).evaluate(values) >= 0 for c in op.condition_exprs)
                assert holds == (inner.parent is op.then_body.block)


def test_samples_refute_what_is_wrong_and_nothing_else():
    refuted = 0
    for _, header, close, exprs in PROVED:
        es, at = facts(header, *exprs, close=close)
        assert not any(Samples(Facts(at)).refute(resolve(e)) for e in es)
    for _, header, close, exprs in NOT_PROVED:
        es, at = facts(header, *exprs, close=close)
        refuted += sum(Samples(Facts(at)).refute(resolve(e)) for e in es)
    assert refuted >= 6
