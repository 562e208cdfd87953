"""x86-64 with AVX2 and FMA: most desktops and servers since 2013."""

from types import MappingProxyType

from .target import Instruction, Target
from .vector_extension import VECTOR_EXTENSION

INSTRUCTIONS: dict[Instruction, str] = {
    ("simd.fma", "8xf32"): "__builtin_ia32_vfmaddps256({a}, {b}, {c})",
    ("simd.fma", "4xf32"): "__builtin_ia32_vfmaddps({a}, {b}, {c})",
    ("simd.fma", "4xf64"): "__builtin_ia32_vfmaddpd256({a}, {b}, {c})",
    ("simd.fma", "2xf64"): "__builtin_ia32_vfmaddpd({a}, {b}, {c})",
    # the second operand where one is NaN, and of equal ones: just what the machine does
    ("simd.max", "8xf32"): "__builtin_ia32_maxps256({a}, {b})",
    ("simd.max", "4xf32"): "__builtin_ia32_maxps({a}, {b})",
    ("simd.max", "4xf64"): "__builtin_ia32_maxpd256({a}, {b})",
    ("simd.max", "2xf64"): "__builtin_ia32_maxpd({a}, {b})",
    ("simd.min", "8xf32"): "__builtin_ia32_minps256({a}, {b})",
    ("simd.min", "4xf32"): "__builtin_ia32_minps({a}, {b})",
    ("simd.min", "4xf64"): "__builtin_ia32_minpd256({a}, {b})",
    ("simd.min", "2xf64"): "__builtin_ia32_minpd({a}, {b})",
    ("simd.masked_load", "8xf32"): "__builtin_ia32_maskloadps256((const f32x8 *){address}, {wide})",
    ("simd.masked_load", "4xf32"): "__builtin_ia32_maskloadps((const f32x4 *){address}, {wide})",
    ("simd.masked_load", "8xi32"): "__builtin_ia32_maskloadd256((const i32x8 *){address}, {wide})",
    ("simd.masked_load", "4xi32"): "__builtin_ia32_maskloadd((const i32x4 *){address}, {wide})",
    ("simd.masked_store", "8xf32"): "__builtin_ia32_maskstoreps256((f32x8 *){address}, {wide}, {a})",
    ("simd.masked_store", "4xf32"): "__builtin_ia32_maskstoreps((f32x4 *){address}, {wide}, {a})",
    ("simd.masked_store", "8xi32"): "__builtin_ia32_maskstored256((i32x8 *){address}, {wide}, {a})",
    ("simd.masked_store", "4xi32"): "__builtin_ia32_maskstored((i32x4 *){address}, {wide}, {a})",
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
)
