"""
C text to a Python callable. Knows no IR: it could be lifted out and given any C file.

`load(program)` finds the host's C compiler, compiles into a cache, loads the library and returns a `Model`.
"""

from .library import load as load
from .model import Model as Model
from .spec import ModelSpec as ModelSpec
from .spec import Program as Program
from .spec import TensorSpec as TensorSpec
from .toolchain import find_compiler as find_compiler
