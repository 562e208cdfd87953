"""Any machine with a C11 compiler: no vectors."""

from .target import Target

GENERIC = Target(name="generic", vector_bits=0, vector_registers=0, l1=32 << 10, l2=256 << 10)
