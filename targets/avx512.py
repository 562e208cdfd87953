"""x86-64 with the AVX-512 of servers: foundation, byte and word, double and quad word, shorter vectors."""

from .target import Target

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
)
