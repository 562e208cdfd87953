"""
What `loop` ops do: a function is written as Python over NumPy scalars and run, every access and every read checked.

A buffer is a flat list of elements, None where nothing was written yet. All kinds of loops run one iteration after
the other, sums add up from left to right in the type of their elements.
"""

from . import block, control, functions, memory
from .functions import Program
from .source import Source

__all__ = ["Program", "Source", "block", "control", "functions", "memory"]
