"""Every ONNX operator that can be said in `graph`: its name -> the function that says it."""

from __future__ import annotations

from .constants import CONSTANTS
from .contraction import CONTRACTION
from .einsum import EINSUM
from .elementwise import ELEMENTWISE
from .movement import MOVEMENT
from .node import Operator
from .normalization import NORMALIZATION
from .quantization import QUANTIZATION
from .reduction import REDUCTION
from .resampling import RESAMPLING
from .window import WINDOW

OPERATORS: dict[str, Operator] = {
    **CONSTANTS,
    **CONTRACTION,
    **EINSUM,
    **ELEMENTWISE,
    **MOVEMENT,
    **NORMALIZATION,
    **QUANTIZATION,
    **REDUCTION,
    **RESAMPLING,
    **WINDOW,
}
"""An operator is added by a function in the file of its family, and a line in the table there."""
