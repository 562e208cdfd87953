"""Index expressions against Python's own integers: every operation, substitution, equality, and their text."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects.expr import Compound, Expr, floordiv, maximum, minimum, mod
from stepwell.dialects.expr_syntax import parse_expr
from xdsl.context import Context
from xdsl.parser import Parser

X, Y, N = Expr.atom("x"), Expr.atom("y"), Expr.atom("n")
POINTS = [{"x": x, "y": y, "n": n} for x, y, n in product((-17, -8, -1, 0, 2, 7, 64), (-5, 0, 1, 6), (1, 2, 8))]


def divide(a, b):
    return a // b if b else 0


def remainder(a, b):
    return a % b if b else 0


@st.composite
def trees(draw, depth=3):
    """An expression, and the same computed by Python: (Expr, point -> int)."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        if draw(st.booleans()):
            value = draw(st.integers(-12, 12))
            return Expr.constant(value), lambda p: value
        name = draw(st.sampled_from("xyn"))
        return Expr.atom(name), lambda p: p[name]
    (a, fa), (b, fb) = draw(trees(depth=depth - 1)), draw(trees(depth=depth - 1))
    match draw(st.sampled_from(["+", "-", "*", "neg", "min", "max", "/c", "%c", "/n", "%n", "scale", "both"])):
        case "+":
            return a + b, lambda p: fa(p) + fb(p)
        case "-":
            return a - b, lambda p: fa(p) - fb(p)
        case "*":
            return a * b, lambda p: fa(p) * fb(p)
        case "neg":
            return -a, lambda p: -fa(p)
        case "min":
            return minimum(a, b), lambda p: min(fa(p), fb(p))
        case "max":
            return maximum(a, b, 3), lambda p: max(fa(p), fb(p), 3)
        case "/c":
            c = draw(st.integers(-9, 9))
            return floordiv(a, c), lambda p: divide(fa(p), c)
        case "%c":
            c = draw(st.integers(-9, 9))
            return mod(a, c), lambda p: remainder(fa(p), c)
        case "/n":
            return floordiv(a, N), lambda p: divide(fa(p), p["n"])
        case "%n":
            return mod(a, N), lambda p: remainder(fa(p), p["n"])
        case "scale":
            c = draw(st.integers(1, 9))
            return a * c + b, lambda p: fa(p) * c + fb(p)
        case _:
            c = draw(st.integers(1, 9))
            return floordiv(a, c) * c + mod(a, c), lambda p: fa(p)


@settings(max_examples=300, deadline=None)
@given(trees())
def test_values(tree):
    e, python = tree
    for point in POINTS:
        assert e.evaluate(point) == python(point)


@settings(max_examples=100, deadline=None)
@given(trees(), trees(depth=2), trees(depth=2))
def test_substitution(tree, for_x, for_y):
    e, python = tree
    replaced = e.substitute({"x": for_x[0], "y": for_y[0]})
    for point in POINTS:
        assert replaced.evaluate(point) == python({"x": for_x[1](point), "y": for_y[1](point), "n": point["n"]})


@settings(max_examples=100, deadline=None)
@given(trees(), trees(), trees(depth=2))
def test_equal_as_polynomials_is_equal(a, b, c):
    a, b, c = a[0], b[0], c[0]
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)
    assert a * b == b * a
    assert a - a == Expr.constant(0)
    assert a * 2 == a + a
    if not any(isinstance(atom, Compound) for e in (a, b, c) for m in e.terms for atom in m.atoms):
        assert (a + b) * c == a * c + b * c
        assert (a + b) + c == a + (b + c)


@settings(max_examples=100, deadline=None)
@given(trees())
def test_text_reads_back(tree):
    e, python = tree
    parser = Parser(Context(), e.text(str))

    def variable():
        name = parser.parse_optional_identifier()
        return None if name is None else Expr.atom(name)

    again = parse_expr(parser, variable)
    for point in POINTS:
        assert again.evaluate(point) == python(point)
    # what is printed is a fixpoint: the text of what was read is the same
    assert again.text(str) == parse_text(again.text(str)).text(str)


def parse_text(text):
    parser = Parser(Context(), text)

    def variable():
        name = parser.parse_optional_identifier()
        return None if name is None else Expr.atom(name)

    return parse_expr(parser, variable)


@settings(max_examples=100, deadline=None)
@given(trees(), st.sampled_from("xyn"))
def test_coefficient(tree, name):
    e, _ = tree
    c = e.coefficient(name)
    if c is None:
        return
    rest = e - Expr.atom(name) * c
    assert not c.mentions(name)
    assert not rest.mentions(name)
    for point in POINTS[::7]:
        assert e.evaluate(point) == c.evaluate(point) * point[name] + rest.evaluate(point)


CANONICAL = [
    ("x + y - y", X),
    ("(x * 8 + y * 16) floordiv 8", X + Y * 2),
    ("(x * 8 + 5) floordiv 8", X),
    ("(x * 8 + 13) mod 8", Expr.constant(5)),
    ("(x floordiv 8) * 8 + x mod 8", X),
    ("x mod 8 + (x floordiv 8) * 8 + y", X + Y),
    ("(x * n) floordiv n", X),
    ("(x * n) mod n", Expr.constant(0)),
    ("(x floordiv 3) floordiv 4", floordiv(X, 12)),
    ("min(x, x + 3)", X),
    ("max(x, x + 3)", X + 3),
    ("min(x, min(y, x))", minimum(X, Y)),
    ("x floordiv 1 + x mod 1", X),
    ("x floordiv 0 + x mod 0", Expr.constant(0)),
    ("(0 - 7) floordiv 3", Expr.constant(-3)),
    ("(0 - 7) mod 3", Expr.constant(2)),
    ("7 floordiv (0 - 3)", Expr.constant(-3)),
    ("7 mod (0 - 3)", Expr.constant(-2)),
    ("x * y - y * x", Expr.constant(0)),
]


@pytest.mark.parametrize(("text", "expected"), CANONICAL)
def test_canonical_forms(text, expected):
    assert parse_text(text) == expected


DIVISORS = [N * 2, N * N, maximum(N, 1), N + 1, N * Y * Y + 1, minimum(N, 3), maximum(floordiv(N, 2), 1) * 4]


@settings(max_examples=100, deadline=None)
@given(trees(depth=2), trees(depth=2), st.sampled_from(DIVISORS))
def test_sizes_that_are_expressions_divide(a, b, divisor):
    """By any positive divisor: the quotient, the remainder, a multiple on top, and both put together again."""
    (a, python), (b, other) = a, b
    quotient, rest = floordiv(a + b * divisor, divisor), mod(a + b * divisor, divisor)
    again = quotient * divisor * 3 + rest * 3
    for point in POINTS[::5]:
        size = divisor.evaluate(point)
        whole = python(point) + other(point) * size
        assert quotient.evaluate(point) == whole // size
        assert rest.evaluate(point) == whole % size
        assert again.evaluate(point) == whole * 3


@settings(max_examples=100, deadline=None)
@given(trees())
def test_other_names(tree):
    e, python = tree
    swapped = e.renamed({"x": "y", "y": "x"})
    for point in POINTS[::5]:
        assert swapped.evaluate({**point, "x": point["y"], "y": point["x"]}) == python(point)
    assert swapped.renamed({"x": "y", "y": "x"}) == e
    assert set(e.numbers()) == set(swapped.numbers())


def test_looking():
    e = X * 3 + Y * X + 2
    assert e.variables() == ("x", "y")
    assert e.variable is None
    assert X.variable == "x"
    assert (X + 0).value is None
    assert Expr.constant(4).value == 4
    assert e.mentions("y")
    assert not e.mentions("n")
    assert floordiv(X, N).mentions("n")
    assert e.coefficient("x") == Y + 3
    assert (X * X).coefficient("x") is None
    assert floordiv(X, 2).coefficient("x") is None
