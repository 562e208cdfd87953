"""Any machine that GCC or Clang know, through their vector extensions. 128 bits: what every 64-bit machine has."""

from types import MappingProxyType

from .target import Target
from .vector_extension import VECTOR_EXTENSION

C_VECTOR = Target(
    name="c-vector",
    vector_bits=128,
    vector_registers=16,
    l1=32 << 10,
    l2=256 << 10,
    instructions=MappingProxyType(VECTOR_EXTENSION),
)
