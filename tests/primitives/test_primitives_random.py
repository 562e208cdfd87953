"""
Random steps on random programs and on random loop nests.

`python tests/primitives/random_steps.py nests FIRST COUNT` (or `programs`) runs as many as one likes.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from random_steps import shake_nest, shake_program


def test_what_is_legal_keeps_every_bit_and_what_is_refused_changes_nothing():
    done = [step.split()[0] for number in range(12) for step in shake_program(number, steps=10, largest=6)]
    # enough of the steps drawn are legal, and of enough kinds, for this to say something
    assert len(done) > 50
    assert len(set(done)) > 6


def test_nests_that_no_conversion_would_leave_keep_every_bit():
    done = [step.split()[0] for number in range(6) for step in shake_nest(number, steps=5)]
    assert len(done) > 15
    assert len(set(done)) > 5
