"""Pipelines as text: errors that name pass and option (B136, B138), and texts that read back as they were (B137)."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stepwell import PipelineError
from stepwell.pipelines.text import available_passes, parse_passes, print_passes
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class AllOptionsPass(ModulePass):
    name = "all-options"
    count: int = 3
    ratio: float = 0.5
    words: str = "x"
    sizes: tuple[int, ...] = (1,)
    names: tuple[str, ...] = ()
    flag: bool = False
    maybe: int | None = None

    def apply(self, ctx, op):
        pass


AVAILABLE = {**available_passes(), "all-options": lambda: AllOptionsPass}


def one(text):
    (pass_,) = parse_passes(text, AVAILABLE)
    return pass_


def test_options_of_every_kind():
    assert one('all-options{count=4 ratio=0.25 words="a b" sizes=1,2 names=p,q flag=true maybe=7}') == AllOptionsPass(
        4, 0.25, "a b", (1, 2), ("p", "q"), True, 7
    )
    assert [p.name for p in parse_passes("dce,all-options,cse", AVAILABLE)] == ["dce", "all-options", "cse"]
    assert parse_passes("", AVAILABLE) == ()


def test_a_float_may_be_written_as_a_whole_number_or_with_an_exponent():
    assert one("all-options{ratio=1}").ratio == 1.0
    assert one("all-options{ratio=1e-05}").ratio == 1e-5


def test_b136_an_empty_list_is_an_empty_list():
    assert one("all-options{sizes=}").sizes == ()
    assert one("all-options{sizes= count=5}") == AllOptionsPass(count=5, sizes=())
    assert one('all-options{words="a= }"}').words == "a= }"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("all-options{sizes={x=1},{x=2}}", "Unknown argument value"),
        ("all-options{count=}", "pass 'all-options': Argument must contain a value|Incompatible types"),
        ("all-options{count=x}", "pass 'all-options': .*given .*'x'.*its options are count: int = 3, ratio"),
        ("all-options{colour=1}", "pass 'all-options' has no option 'colour'; its options are count"),
        ("dce{foo}", "pass 'dce' has no option 'foo'; it takes none"),
        ("all-option", "no pass is called 'all-option'; did you mean 'all-options'"),
        ("qqqqq", "no pass is called 'qqqqq'$"),
        ("dce{", "pipeline 'dce{'"),
        ("dce,,cse", "pipeline 'dce,,cse'"),
        ("dce é", "pipeline"),
        ("builtin.module(dce)", "pipeline"),
    ],
)
def test_b136_b138_faults_are_named(text, message):
    with pytest.raises(PipelineError, match=message):
        parse_passes(text, AVAILABLE)


# What a double-quoted text of a pipeline may hold: no control characters, which have no escape there.
words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=' "\\\t\n')).map(
    lambda text: text.replace("\x85", "")
)


@given(
    st.builds(
        AllOptionsPass,
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False, allow_infinity=False),
        words,
        st.tuples(st.integers()),
        st.lists(words, max_size=3).map(tuple),
        st.booleans(),
        st.none() | st.integers(),
    )
)
def test_b137_printing_and_reading_is_the_identity(pass_):
    text = print_passes([pass_, AllOptionsPass()])
    assert parse_passes(text, AVAILABLE) == (pass_, AllOptionsPass())
    assert print_passes(parse_passes(text, AVAILABLE)) == text


def test_b137_a_pipeline_inside_an_option():
    text = 'all-options{words="canonicalize{a=1 b=2}" count=4}'
    assert one(text).words == "canonicalize{a=1 b=2}"
    assert one(print_passes([one(text)])) == one(text)


def test_a_pass_whose_package_lacks_something():
    def load():
        raise ModuleNotFoundError("No module named 'strange'")

    with pytest.raises(PipelineError, match="^pass 'mine' cannot be loaded: No module named 'strange'$"):
        parse_passes("mine", {"mine": load})
