"""What `graph` ops and functions mean, on whole arrays."""

from .arrays import Array
from .evaluate import EVALUATORS, SIZED_EVALUATORS, Sizes, evaluate_op
from .functions import Call, CallTir, GraphFunctions

__all__ = [
    "EVALUATORS",
    "SIZED_EVALUATORS",
    "Array",
    "Call",
    "CallTir",
    "GraphFunctions",
    "Sizes",
    "evaluate_op",
]
