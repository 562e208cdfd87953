"""C: one op, one statement. The shape of the text is described in `docs/output-format.md`."""

from .module import emit_module as emit_module
from .source import STATUSES as STATUSES
from .source import Entry as Entry
from .source import Source as Source
from .source import Tensor as Tensor
from .writer import EMITTERS as EMITTERS
from .writer import Writer as Writer
from .writer import emits as emits
