"""x86-64 with the AVX-512 of servers: foundation, byte and word, double and quad word, shorter vectors."""

from types import MappingProxyType

from .avx2 import HELPERS
from .avx2 import INSTRUCTIONS as SHORTER
from .target import Instruction, Target
from .vector_extension import VECTOR_EXTENSION


def _bits(lanes: int) -> str:
    """A mask as the bits of a mask register."""
    return f"__builtin_ia32_cvtd2mask{lanes * 32}({{mask}})"


INSTRUCTIONS: dict[Instruction, str] = {
    ("simd.fma", "16xf32"): "__builtin_ia32_vfmaddps512_mask({a}, {b}, {c}, -1, 4)",
    ("simd.fma", "8xf64"): "__builtin_ia32_vfmaddpd512_mask({a}, {b}, {c}, -1, 4)",
    ("simd.masked_load", "16xf32"): f"__builtin_ia32_loadups512_mask((const void *){{address}}, {{pad}}, {_bits(16)})",
    ("simd.masked_load", "8xf32"): f"__builtin_ia32_loadups256_mask((const void *){{address}}, {{pad}}, {_bits(8)})",
    ("simd.masked_load", "4xf32"): f"__builtin_ia32_loadups128_mask((const void *){{address}}, {{pad}}, {_bits(4)})",
    ("simd.masked_load", "8xf64"): f"__builtin_ia32_loadupd512_mask((const void *){{address}}, {{pad}}, {_bits(8)})",
    ("simd.masked_load", "4xf64"): f"__builtin_ia32_loadupd256_mask((const void *){{address}}, {{pad}}, {_bits(4)})",
    (
        "simd.masked_load",
        "16xi32",
    ): f"__builtin_ia32_loaddqusi512_mask((const void *){{address}}, {{pad}}, {_bits(16)})",
    ("simd.masked_load", "8xi32"): f"__builtin_ia32_loaddqusi256_mask((const void *){{address}}, {{pad}}, {_bits(8)})",
    ("simd.masked_load", "4xi32"): f"__builtin_ia32_loaddqusi128_mask((const void *){{address}}, {{pad}}, {_bits(4)})",
    ("simd.masked_store", "16xf32"): f"__builtin_ia32_storeups512_mask((void *){{address}}, {{a}}, {_bits(16)})",
    ("simd.masked_store", "8xf32"): f"__builtin_ia32_storeups256_mask((void *){{address}}, {{a}}, {_bits(8)})",
    ("simd.masked_store", "4xf32"): f"__builtin_ia32_storeups128_mask((void *){{address}}, {{a}}, {_bits(4)})",
    ("simd.masked_store", "8xf64"): f"__builtin_ia32_storeupd512_mask((void *){{address}}, {{a}}, {_bits(8)})",
    ("simd.masked_store", "4xf64"): f"__builtin_ia32_storeupd256_mask((void *){{address}}, {{a}}, {_bits(4)})",
    ("simd.masked_store", "16xi32"): f"__builtin_ia32_storedqusi512_mask((void *){{address}}, {{a}}, {_bits(16)})",
    ("simd.masked_store", "8xi32"): f"__builtin_ia32_storedqusi256_mask((void *){{address}}, {{a}}, {_bits(8)})",
    ("simd.masked_store", "4xi32"): f"__builtin_ia32_storedqusi128_mask((void *){{address}}, {{a}}, {_bits(4)})",
}

AVX512 = Target(
    name="avx512",
    vector_bits=512,
    vector_registers=32,
    l1=32 << 10,
    l2=1 << 20,
    flags=(
        "-mavx512f",
        "-mavx512bw",
        "-mavx512dq",
        "-mavx512vl",
        "-mfma",
        "-mf16c",
        "-mprefer-vector-width=512",  # compilers prefer 256 bits on the machines of some years
    ),
    needs=frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c"}),
    instructions=MappingProxyType(VECTOR_EXTENSION | SHORTER | INSTRUCTIONS),
    helpers=MappingProxyType(HELPERS),
)
