"""
The loop primitives: small changes of loop nests, each legal by itself or refused with a reason.

Each is a Python function on operations, a pass with options, and a step of a printable schedule.
"""

from .edges import pad_loop, peel
from .epilogue import epilogue
from .inlining import inline_block
from .kinds import set_kind
from .loops import fuse, reorder, split
from .merging import merge
from .placing import compute_at, contract_buffer
from .reading import cache_read
from .reductions import cache_write, decompose_reduction, rfactor
from .steps import Schedule, read_step
from .table import PRIMITIVES

__all__ = [
    "PRIMITIVES",
    "Schedule",
    "cache_read",
    "cache_write",
    "compute_at",
    "contract_buffer",
    "decompose_reduction",
    "epilogue",
    "fuse",
    "inline_block",
    "merge",
    "pad_loop",
    "peel",
    "read_step",
    "reorder",
    "rfactor",
    "set_kind",
    "split",
]
