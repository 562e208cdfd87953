"""`LOWERINGS`: op name -> the function that lowers it. Open: anybody may add an entry, or give another one."""

from __future__ import annotations

from . import contraction, elementwise, movement, normalization, reduction, window
from .table import Lowering

LOWERINGS: dict[str, Lowering] = {
    **elementwise.LOWERINGS,
    **contraction.LOWERINGS,
    **reduction.LOWERINGS,
    **normalization.LOWERINGS,
    **movement.LOWERINGS,
    **window.LOWERINGS,
}
"""Op name -> lowering."""
