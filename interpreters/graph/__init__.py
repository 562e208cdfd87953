"""What `graph` ops and functions mean, on whole arrays."""

from .arrays import Array
from .evaluate import EVALUATORS, Sized, Sizes, evaluate_op, has_own_value
from .functions import Call, CallTir, GraphFunctions

__all__ = [
    "EVALUATORS",
    "Array",
    "Call",
    "CallTir",
    "GraphFunctions",
    "Sized",
    "Sizes",
    "evaluate_op",
    "has_own_value",
]
