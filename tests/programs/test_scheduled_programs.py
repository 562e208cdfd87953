"""Programs that the rules schedule. `tests/programs/scheduled.py` runs as many as wanted."""

from programs.scheduled import compare_scheduled, random_scheduled


def test_what_the_rules_decide_keeps_every_bit_and_comes_down():
    scheduled = [compare_scheduled(random_scheduled(number), compiled=number % 3 == 0) for number in range(12)]
    # enough of them have a schedule for this to say something
    assert sum(scheduled) > 4
