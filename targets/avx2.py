"""x86-64 with AVX2 and FMA: most desktops and servers since 2013."""

from .target import Target

AVX2 = Target(
    name="avx2",
    vector_bits=256,
    vector_registers=16,
    l1=32 << 10,
    l2=256 << 10,
    flags=("-mavx2", "-mfma", "-mf16c"),
    needs=frozenset({"avx2", "fma", "f16c"}),
)
