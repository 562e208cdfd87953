"""What the vector extension of GCC and Clang says on every machine: the common part of the instruction tables."""

from __future__ import annotations

from .target import NATURAL, Instruction

FLOATS = ("f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")
TRUTH = ("i1",)
INDEX = ("index",)

_ON: dict[tuple[str, ...], tuple[str, ...]] = {
    (*FLOATS, *INTEGERS): ("simd.load", "simd.store", "simd.strided_load", "simd.gather", "arith.bitcast"),
    (*FLOATS, *INTEGERS, *INDEX): ("simd.shuffle", "simd.reduce"),
    (*FLOATS, *INTEGERS, *TRUTH, *INDEX): ("simd.broadcast", "simd.select", "simd.compare"),
    (*INTEGERS, *INDEX): ("simd.iota", "arith.shli", "arith.shrui", "arith.shrsi", "arith.index_cast"),
    TRUTH: ("simd.mask",),
    FLOATS: (
        "simd.max",
        "simd.min",
        "arith.addf",
        "arith.subf",
        "arith.mulf",
        "arith.divf",
        "arith.negf",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "arith.extf",
        "arith.truncf",
        "arith.sitofp",
        "arith.uitofp",
        "math.absf",
        "math.copysign",
    ),
    (*INTEGERS, *TRUTH, *INDEX): (
        "arith.addi",
        "arith.subi",
        "arith.muli",
        "arith.andi",
        "arith.ori",
        "arith.xori",
        "arith.maxsi",
        "arith.minsi",
        "arith.maxui",
        "arith.minui",
    ),
    (*INTEGERS, *TRUTH): ("arith.extsi", "arith.extui", "arith.trunci"),
}

VECTOR_EXTENSION: dict[Instruction, str] = {
    (op, element): NATURAL for elements, ops in _ON.items() for op in ops for element in elements
}
"""Instruction -> its C, which is what the emitter writes by itself."""
