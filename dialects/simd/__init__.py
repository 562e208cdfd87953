"""`simd`: vector instructions of a fixed width, not yet any one machine's. Lane-wise arithmetic is `arith`, `math`."""

from xdsl.ir import Dialect

from .access import AccessOp, GatherOp, LoadOp, MaskedLoadOp, MaskedStoreOp, ReadOp, StoreOp, StridedLoadOp, WriteOp
from .across import COMBINATIONS, ReduceOp, ShuffleOp
from .lanes import (
    BroadcastOp,
    FmaOp,
    IotaOp,
    MaskOp,
    MaxOp,
    MinOp,
)
from .lanewise import CONVERSIONS, CompareOp, ConvertOp, SelectOp
from .vectors import as_vector, lanes_of, vector_of, vector_type

Simd = Dialect(
    "simd",
    [
        LoadOp,
        StoreOp,
        StridedLoadOp,
        GatherOp,
        MaskedLoadOp,
        MaskedStoreOp,
        MaskOp,
        BroadcastOp,
        IotaOp,
        FmaOp,
        MaxOp,
        MinOp,
        SelectOp,
        CompareOp,
        ConvertOp,
        ReduceOp,
        ShuffleOp,
    ],
    [],
)

__all__ = [
    "COMBINATIONS",
    "CONVERSIONS",
    "AccessOp",
    "BroadcastOp",
    "CompareOp",
    "ConvertOp",
    "FmaOp",
    "GatherOp",
    "IotaOp",
    "LoadOp",
    "MaskOp",
    "MaskedLoadOp",
    "MaskedStoreOp",
    "MaxOp",
    "MinOp",
    "ReadOp",
    "ReduceOp",
    "SelectOp",
    "ShuffleOp",
    "Simd",
    "StoreOp",
    "StridedLoadOp",
    "WriteOp",
    "as_vector",
    "lanes_of",
    "vector_of",
    "vector_type",
]
