"""A user's function as a lowering pass: what is wrong with it is said with its name, phase and function."""

import pytest
import stepwell

TEXT = """
func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""


def divides(function):
    raise ZeroDivisionError("by zero")


def refuses(function):
    raise stepwell.ScheduleError("not this one")


def returns_a_number(function):
    return 3


def returns_an_op(function):
    return function.body.block.first_op


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        (
            divides,
            stepwell.PipelineError,
            r"lowering pass 'divides' \(phase 0\) failed on function @relu \(ZeroDivisionError: by zero\)",
        ),
        (refuses, stepwell.ScheduleError, "^not this one$"),
        (
            returns_a_number,
            stepwell.PipelineError,
            r"'returns_a_number' \(phase 0\) returned 3 for function @relu: it must return a func.func, or None",
        ),
        (returns_an_op, stepwell.PipelineError, r"returned 'loop\.for' for function @relu"),
    ],
)
def test_what_a_function_does_wrong(wrong, kind, message):
    with stepwell.pass_context(add_lower_pass=[(0, wrong)]), pytest.raises(kind, match=message):
        stepwell.lower(stepwell.parse(TEXT))


def test_a_function_may_return_a_new_one():
    def renamed(function):
        copy = function.clone()
        copy.attributes["seen"] = copy.sym_name
        return copy

    with stepwell.pass_context(add_lower_pass=[(0, renamed)]):
        assert 'seen = "relu"' in str(stepwell.lower(stepwell.parse(TEXT), stop_after="loop"))
