"""`graph`: a whole model as a dataflow of tensors. No memory, no order, no loops."""

from __future__ import annotations

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.ir import Attribute, Dialect, Operation

from ..array import ConstantArrayAttr
from .binary import (
    AddOp,
    ArithmeticOp,
    BinaryOp,
    BitwiseAndOp,
    BitwiseOp,
    BitwiseOrOp,
    BitwiseXorOp,
    BroadcastingOp,
    DivideOp,
    LogicalAndOp,
    LogicalOp,
    LogicalOrOp,
    LogicalXorOp,
    MaximumOp,
    MinimumOp,
    ModuloOp,
    MultiplyOp,
    PowerOp,
    ShiftLeftOp,
    ShiftRightOp,
    SubtractOp,
)
from .comparison import (
    ComparisonOp,
    EqualityOp,
    EqualOp,
    GreaterEqualOp,
    GreaterOp,
    LessEqualOp,
    LessOp,
    NotEqualOp,
)
from .contraction import (
    Conv2dOp,
    MatmulOp,
)
from .dims import (
    Dim,
    DimsAttr,
    Tensor,
    dims_of,
    tensor_of,
    type_of_value,
)
from .elementwise import (
    CastOp,
    EwiseFmaOp,
    SelectOp,
)
from .extent import (
    PadOp,
    SliceOp,
)
from .functions import (
    AcoshOp,
    AcosOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
    CoshOp,
    CosOp,
    ErfOp,
    ExpOp,
    LogOp,
    ReciprocalOp,
    SigmoidOp,
    SinhOp,
    SinOp,
    SqrtOp,
    TanhOp,
    TanOp,
)
from .inference import (
    LOCAL,
    Solver,
    slice_range,
    window_size,
)
from .movement import (
    BroadcastToOp,
    ConcatOp,
    PermuteDimsOp,
    ReshapeOp,
)
from .op import (
    GraphOp,
)
from .reduction import (
    LayerNormOp,
    MaxOp,
    MeanOp,
    MinOp,
    ProdOp,
    ReductionOp,
    SoftmaxOp,
    SumOp,
)
from .structure import (
    CallTirOp,
    ConstantOp,
    DataflowOp,
    OutputOp,
)
from .unary import (
    AbsOp,
    BitwiseNotOp,
    CeilOp,
    FloatUnaryOp,
    FloorOp,
    IsInfOp,
    IsNanOp,
    LogicalNotOp,
    NegateOp,
    NumericUnaryOp,
    ReluOp,
    RoundOp,
    SignOp,
    TestOp,
    UnaryOp,
)
from .window import (
    AvgPool2dOp,
    MaxPool2dOp,
    Pool2dOp,
)


class GraphConstants(ConstantMaterializationInterface):
    """Makes a `graph.constant` of what a fold computed."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        """A constant of that array; None if the value is no array or the result has another type."""
        if not isinstance(value, ConstantArrayAttr) or value.type != type:
            return None
        return ConstantOp(value)


UNARY_OPS: tuple[type[UnaryOp], ...] = (
    ReluOp,
    NegateOp,
    AbsOp,
    SignOp,
    ExpOp,
    LogOp,
    SqrtOp,
    ReciprocalOp,
    SinOp,
    CosOp,
    TanOp,
    AsinOp,
    AcosOp,
    AtanOp,
    SinhOp,
    CoshOp,
    TanhOp,
    AsinhOp,
    AcoshOp,
    AtanhOp,
    SigmoidOp,
    ErfOp,
    CeilOp,
    FloorOp,
    RoundOp,
    LogicalNotOp,
    BitwiseNotOp,
)
"""Ops whose result has the type of their one operand."""

TEST_OPS: tuple[type[TestOp], ...] = (IsNanOp, IsInfOp)
"""Ops that say something about each element of a float tensor."""

BINARY_OPS: tuple[type[BinaryOp], ...] = (
    AddOp,
    SubtractOp,
    MultiplyOp,
    DivideOp,
    PowerOp,
    MaximumOp,
    MinimumOp,
    ModuloOp,
    BitwiseAndOp,
    BitwiseOrOp,
    BitwiseXorOp,
    ShiftLeftOp,
    ShiftRightOp,
    LogicalAndOp,
    LogicalOrOp,
    LogicalXorOp,
)
"""Ops of two operands that broadcast, with a result of their element type."""

COMPARISON_OPS: tuple[type[ComparisonOp], ...] = (
    EqualOp,
    NotEqualOp,
    LessOp,
    LessEqualOp,
    GreaterOp,
    GreaterEqualOp,
)
"""Ops of two operands that broadcast, with truth values as result."""

ELEMENTWISE_OPS: tuple[type[GraphOp], ...] = (
    *UNARY_OPS,
    *TEST_OPS,
    *BINARY_OPS,
    *COMPARISON_OPS,
    SelectOp,
    CastOp,
    EwiseFmaOp,
)
"""Ops that compute each element of the result from one element of each operand."""

REDUCTION_OPS: tuple[type[ReductionOp], ...] = (SumOp, MaxOp, MinOp, MeanOp, ProdOp)
"""Ops that combine the elements along axes."""

MOVEMENT_OPS: tuple[type[GraphOp], ...] = (
    PermuteDimsOp,
    ReshapeOp,
    BroadcastToOp,
    ConcatOp,
    SliceOp,
    PadOp,
)
"""Ops that move elements and compute none."""

Graph = Dialect(
    "graph",
    [
        ConstantOp,
        *ELEMENTWISE_OPS,
        MatmulOp,
        Conv2dOp,
        *REDUCTION_OPS,
        SoftmaxOp,
        LayerNormOp,
        *MOVEMENT_OPS,
        MaxPool2dOp,
        AvgPool2dOp,
        CallTirOp,
        DataflowOp,
        OutputOp,
    ],
    [ConstantArrayAttr, DimsAttr],
    [GraphConstants()],
)

__all__ = [
    "BINARY_OPS",
    "COMPARISON_OPS",
    "ELEMENTWISE_OPS",
    "LOCAL",
    "MOVEMENT_OPS",
    "REDUCTION_OPS",
    "TEST_OPS",
    "UNARY_OPS",
    "AbsOp",
    "AcosOp",
    "AcoshOp",
    "AddOp",
    "ArithmeticOp",
    "AsinOp",
    "AsinhOp",
    "AtanOp",
    "AtanhOp",
    "AvgPool2dOp",
    "BinaryOp",
    "BitwiseAndOp",
    "BitwiseNotOp",
    "BitwiseOp",
    "BitwiseOrOp",
    "BitwiseXorOp",
    "BroadcastToOp",
    "BroadcastingOp",
    "CallTirOp",
    "CastOp",
    "CeilOp",
    "ComparisonOp",
    "ConcatOp",
    "ConstantArrayAttr",
    "ConstantOp",
    "Conv2dOp",
    "CosOp",
    "CoshOp",
    "DataflowOp",
    "Dim",
    "DimsAttr",
    "DivideOp",
    "EqualOp",
    "EqualityOp",
    "ErfOp",
    "EwiseFmaOp",
    "ExpOp",
    "FloatUnaryOp",
    "FloorOp",
    "Graph",
    "GraphConstants",
    "GraphOp",
    "GreaterEqualOp",
    "GreaterOp",
    "IsInfOp",
    "IsNanOp",
    "LayerNormOp",
    "LessEqualOp",
    "LessOp",
    "LogOp",
    "LogicalAndOp",
    "LogicalNotOp",
    "LogicalOp",
    "LogicalOrOp",
    "LogicalXorOp",
    "MatmulOp",
    "MaxOp",
    "MaxPool2dOp",
    "MaximumOp",
    "MeanOp",
    "MinOp",
    "MinimumOp",
    "ModuloOp",
    "MultiplyOp",
    "NegateOp",
    "NotEqualOp",
    "NumericUnaryOp",
    "OutputOp",
    "PadOp",
    "PermuteDimsOp",
    "Pool2dOp",
    "PowerOp",
    "ProdOp",
    "ReciprocalOp",
    "ReductionOp",
    "ReluOp",
    "ReshapeOp",
    "RoundOp",
    "SelectOp",
    "ShiftLeftOp",
    "ShiftRightOp",
    "SigmoidOp",
    "SignOp",
    "SinOp",
    "SinhOp",
    "SliceOp",
    "SoftmaxOp",
    "Solver",
    "SqrtOp",
    "SubtractOp",
    "SumOp",
    "TanOp",
    "TanhOp",
    "Tensor",
    "TestOp",
    "UnaryOp",
    "dims_of",
    "slice_range",
    "tensor_of",
    "type_of_value",
    "window_size",
]
