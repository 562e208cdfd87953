"""Random steps on random programs. `python tests/primitives/random_steps.py FIRST COUNT` runs as many as one likes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from random_steps import shake_number


def test_what_is_legal_keeps_every_bit_and_what_is_refused_changes_nothing():
    done = [step.split()[1] for number in range(12) for step in shake_number(number, steps=10, largest=6)]
    # enough of the steps drawn are legal, and of enough kinds, for this to say something
    assert len(done) > 50
    assert len(set(done)) > 6
