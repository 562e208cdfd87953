"""Graph ops on arrays: building one op, running it, and comparing as docs/design/numbers.md says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from stepwell.dialects.element_types import type_of
from stepwell.interpreters.graph import evaluate_op
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block


@pytest.fixture
def run() -> Callable[..., np.ndarray]:
    """`run(graph.AddOp, a, b)`: the op on operands of the arrays' types, verified and evaluated."""

    def apply(op_class: Any, *arrays: np.ndarray, **attributes: Any) -> np.ndarray:
        block = Block(arg_types=[TensorType(type_of(a.dtype), a.shape) for a in arrays])
        op = op_class(*block.args, **attributes)
        block.add_op(op)
        op.verify()
        (result,) = evaluate_op(op, arrays)
        assert result.shape == op.results[0].type.get_shape()
        return result

    return apply


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name op classes and dtypes by what they are."""
    del config, argname
    if isinstance(val, type):
        return getattr(val, "name", val.__name__)
    return val.name if isinstance(val, np.dtype) else None
