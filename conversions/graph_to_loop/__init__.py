"""`graph` -> `loop`: the plain nest of every op, one short function per op in a file per family."""

from .buffer import Buffer as Buffer
from .convert import ConvertGraphToLoopPass as ConvertGraphToLoopPass
from .function import LoopFunction as LoopFunction
from .lowerings import LOWERINGS as LOWERINGS
from .nest import Nest as Nest
from .scalar import Scalar as Scalar
from .table import Lowering as Lowering
