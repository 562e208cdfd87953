"""What `clip.relu6` computes, and how it comes down: one entry in each open table."""

import numpy as np
from stepwell.conversions.graph_to_loop import LOWERINGS
from stepwell.conversions.graph_to_loop.elementwise import elementwise
from stepwell.interpreters.graph import EVALUATORS

from .dialect import Clip as Clip
from .dialect import Relu6Op

EVALUATORS[Relu6Op] = lambda op, x: np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6))
LOWERINGS[Relu6Op.name] = elementwise(lambda x: x.maximum(x.constant(0)).minimum(x.constant(6)))
