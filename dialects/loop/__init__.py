"""`loop`: buffers, named loops, and structured blocks with pure scalar bodies (cf. TensorIR)."""

from xdsl.ir import Dialect

from .access import Access, IteratorSpec, buffer_type
from .assertion import AssertOp
from .attributes import ITERATOR_KINDS, LOOP_KINDS, SCOPES, ScheduleAttr
from .block import BlockOp
from .block_rules import is_scalar_op
from .control import ForOp, IfOp, YieldOp, enclosing_loops
from .elements import IndexOp, LoadOp, StoreOp
from .globals import GetGlobalOp, GlobalOp, defining_global
from .maps import IndexedOp, MapAttr, pack
from .memory import AllocOp, ShapeOp, ViewOp, buffer_shape, dynamic_dims, full_shape
from .repeat import ConditionOp, WhileOp
from .scalar import RemfOp
from .substitute import substitute

Loop = Dialect(
    "loop",
    [
        ForOp,
        BlockOp,
        IfOp,
        WhileOp,
        YieldOp,
        ConditionOp,
        AllocOp,
        ShapeOp,
        LoadOp,
        StoreOp,
        IndexOp,
        AssertOp,
        ViewOp,
        GlobalOp,
        GetGlobalOp,
        RemfOp,
    ],
    [MapAttr, ScheduleAttr],
)

__all__ = [
    "ITERATOR_KINDS",
    "LOOP_KINDS",
    "SCOPES",
    "Access",
    "AllocOp",
    "AssertOp",
    "BlockOp",
    "ConditionOp",
    "ForOp",
    "GetGlobalOp",
    "GlobalOp",
    "IfOp",
    "IndexOp",
    "IndexedOp",
    "IteratorSpec",
    "LoadOp",
    "Loop",
    "MapAttr",
    "RemfOp",
    "ScheduleAttr",
    "ShapeOp",
    "StoreOp",
    "ViewOp",
    "WhileOp",
    "YieldOp",
    "buffer_shape",
    "buffer_type",
    "defining_global",
    "dynamic_dims",
    "enclosing_loops",
    "full_shape",
    "is_scalar_op",
    "pack",
    "substitute",
]
