"""Random programs agree at every level. `tests/programs/fuzz.py` runs as many as wanted."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, seed, settings
from programs.generator import Program, programs, random_program
from programs.levels import compare_levels
from programs.sanitized import Sanitized

EXAMPLES = 20


@pytest.fixture(scope="module")
def sanitized() -> Iterator[Sanitized]:
    with Sanitized() as worker:
        yield worker


@pytest.mark.parametrize("part", range(8))
def test_drawn_programs_agree_at_every_level(part: int, sanitized: Sanitized):
    # hypothesis makes a failing program small before it is shown
    @seed(part)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(programs())
    def check(program: Program) -> None:
        compare_levels(program, sanitized)

    check()


@pytest.mark.parametrize("part", range(4))
def test_larger_programs_agree_at_every_level(part: int, sanitized: Sanitized):
    for number in range(part * 10, part * 10 + 10):
        compare_levels(random_program(number), sanitized)
