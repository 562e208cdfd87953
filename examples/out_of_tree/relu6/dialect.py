"""`clip`: one op."""

from stepwell.dialects import graph
from xdsl.ir import Dialect
from xdsl.irdl import irdl_op_definition


@irdl_op_definition
class Relu6Op(graph.NumericUnaryOp):
    """`out = min(max(x, 0), 6)`"""

    name = "clip.relu6"


Clip = Dialect("clip", [Relu6Op])
