"""x86-64 with AVX2 and FMA: most desktops and servers since 2013."""

from types import MappingProxyType

from .target import Instruction, Target
from .vector_extension import VECTOR_EXTENSION


def _fma(name: str, vector: str, builtin: str) -> str:
    """`a * b + c`, rounded once. Clang 22 has dropped the builtins of GCC, which lacks the one that replaces them."""
    return f"""\
static inline {vector} {name}({vector} a, {vector} b, {vector} c) {{
#if defined(__clang__) && __clang_major__ >= 18
  return __builtin_elementwise_fma(a, b, c);
#else
  return {builtin}(a, b, c);
#endif
}}"""


HELPERS: dict[str, str] = {
    name: _fma(name, vector, builtin)
    for name, vector, builtin in (
        ("sw_fma_f32x8", "f32x8", "__builtin_ia32_vfmaddps256"),
        ("sw_fma_f32x4", "f32x4", "__builtin_ia32_vfmaddps"),
        ("sw_fma_f64x4", "f64x4", "__builtin_ia32_vfmaddpd256"),
        ("sw_fma_f64x2", "f64x2", "__builtin_ia32_vfmaddpd"),
    )
}

INSTRUCTIONS: dict[Instruction, str] = {
    ("simd.fma", "8xf32"): "sw_fma_f32x8({a}, {b}, {c})",
    ("simd.fma", "4xf32"): "sw_fma_f32x4({a}, {b}, {c})",
    ("simd.fma", "4xf64"): "sw_fma_f64x4({a}, {b}, {c})",
    ("simd.fma", "2xf64"): "sw_fma_f64x2({a}, {b}, {c})",
    # the second operand where one is NaN, and of equal ones: just what the machine does
    ("simd.max", "8xf32"): "__builtin_ia32_maxps256({a}, {b})",
    ("simd.max", "4xf32"): "__builtin_ia32_maxps({a}, {b})",
    ("simd.max", "4xf64"): "__builtin_ia32_maxpd256({a}, {b})",
    ("simd.max", "2xf64"): "__builtin_ia32_maxpd({a}, {b})",
    ("simd.min", "8xf32"): "__builtin_ia32_minps256({a}, {b})",
    ("simd.min", "4xf32"): "__builtin_ia32_minps({a}, {b})",
    ("simd.min", "4xf64"): "__builtin_ia32_minpd256({a}, {b})",
    ("simd.min", "2xf64"): "__builtin_ia32_minpd({a}, {b})",
    ("simd.masked_load", "8xf32"): "__builtin_ia32_maskloadps256((const void *){address}, {wide})",
    ("simd.masked_load", "4xf32"): "__builtin_ia32_maskloadps((const void *){address}, {wide})",
    ("simd.masked_load", "8xi32"): "__builtin_ia32_maskloadd256((const void *){address}, {wide})",
    ("simd.masked_load", "4xi32"): "__builtin_ia32_maskloadd((const void *){address}, {wide})",
    ("simd.masked_store", "8xf32"): "__builtin_ia32_maskstoreps256((void *){address}, {wide}, {a})",
    ("simd.masked_store", "4xf32"): "__builtin_ia32_maskstoreps((void *){address}, {wide}, {a})",
    ("simd.masked_store", "8xi32"): "__builtin_ia32_maskstored256((void *){address}, {wide}, {a})",
    ("simd.masked_store", "4xi32"): "__builtin_ia32_maskstored((void *){address}, {wide}, {a})",
}

AVX2 = Target(
    name="avx2",
    vector_bits=256,
    vector_registers=16,
    l1=32 << 10,
    l2=256 << 10,
    flags=("-mavx2", "-mfma", "-mf16c"),
    needs=frozenset({"avx2", "fma", "f16c"}),
    instructions=MappingProxyType(VECTOR_EXTENSION | INSTRUCTIONS),
    helpers=MappingProxyType(HELPERS),
)
