"""The C of every target against the interpreter: the same bits, and code that compiles where it cannot run."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from programs.compilers import COMPILERS
from stepwell.compiler import program_of
from stepwell.conversions.plan_buffers import PlanBuffersPass
from stepwell.emitters.c import emit_module
from stepwell.interpreters.run import run
from stepwell.runtime import load
from stepwell.targets import runs_here, target_named
from xdsl.context import Context

BODIES = {
    "add": "%z = arith.addf %x, %y : f32",
    "arithmetic": "%p = arith.mulf %x, %y : f32\n%q = arith.subf %p, %x : f32\n%r = arith.divf %q, %y : f32\n"
    "%z = arith.negf %r : f32",
    "max": "%z = arith.maximumf %x, %y : f32",
    "min": "%z = arith.minimumf %x, %y : f32",
    "relu": "%k = arith.constant 0.0 : f32\n%z = arith.maximumf %x, %k : f32",
    "clip": "%l = arith.constant -0.5 : f32\n%h = arith.constant 0.5 : f32\n"
    "%m = arith.maximumf %x, %l : f32\n%z = arith.minimumf %m, %h : f32",
    "max_minus_zero": "%k = arith.constant -0.0 : f32\n%z = arith.maximumf %x, %k : f32",
    "min_zero": "%k = arith.constant 0.0 : f32\n%z = arith.minimumf %x, %k : f32",
    "min_minus_zero": "%k = arith.constant -0.0 : f32\n%z = arith.minimumf %x, %k : f32",
    "select": "%c1 = arith.cmpf ult, %x, %y : f32\n%z = arith.select %c1, %x, %y : f32",
    "choices": "%c1 = arith.cmpf olt, %x, %y : f32\n%c2 = arith.cmpf one, %x, %x : f32\n"
    "%c3 = arith.xori %c1, %c2 : i1\n%z = arith.select %c3, %x, %y : f32",
    "index_value": "%n = arith.index_cast %vi : index to i32\n%f = arith.sitofp %n : i32 to f32\n"
    "%z = arith.addf %x, %f : f32",
    "widened": "%w = arith.extf %x : f32 to f64\n%v = arith.extf %y : f32 to f64\n"
    "%s = arith.mulf %w, %v : f64\n%z = arith.truncf %s : f64 to f32",
    "bits": "%p = arith.bitcast %x : f32 to i32\n%q = arith.bitcast %y : f32 to i32\n"
    "%k = arith.xori %p, %q : i32\n%z = arith.bitcast %k : i32 to f32",
    "fma": "%p = arith.mulf %x, %y : f32\n%z = arith.addf %p, %x : f32",
    "function": "%e = math.absf %x : f32\n%z = math.sqrt %e : f32",
}

INTEGER_BODIES = {
    "i32": "%p = arith.muli %x, %y : i32\n%q = arith.maxsi %p, %x : i32\n%z = arith.minui %q, %y : i32",
    "i8": "%p = arith.addi %x, %y : i8\n%q = arith.shli %p, %y : i8\n%z = arith.subi %q, %x : i8",
    "i64": "%c1 = arith.cmpi ult, %x, %y : i64\n%p = arith.select %c1, %x, %y : i64\n%z = arith.ori %p, %x : i64",
    "i16": "%w = arith.extsi %x : i16 to i32\n%v = arith.extui %y : i16 to i32\n%p = arith.muli %w, %v : i32\n"
    "%z = arith.trunci %p : i32 to i16",
}

REDUCTIONS = {"add": ("addf", "0.0"), "mul": ("mulf", "1.0"), "max": ("maximumf", "0xff800000")}


def reduction(op, init, extent):
    return f"""
func.func @main(%a: memref<3x{extent}xf32>, %sums: memref<3xf32>) {{
  loop.for "i" %i = 0 to 3 {{
    loop.for "j" %j = 0 to {extent} vectorized {{
      loop.block "r" (%vi : spatial = %i, %vj : reduce = %j) reads(%x = %a[%vi, %vj]) writes(%s = %sums[%vi]) init {{
        %z = arith.constant {init} : f32
        loop.yield %z
      }} {{
        %r = arith.{op} %s, %x : f32
        loop.yield %r
      }}
    }}
  }}
  func.return
}}"""


def gathered(element):
    return f"""
func.func @main(%n: memref<21x{element}>, %a: memref<7x5xf32>, %c: memref<21xf32>) {{
  loop.for "i" %i = 0 to 21 vectorized {{
    loop.block "g" (%vi : spatial = %i) reads(%k = %n[%vi], %x = %a[%k, 3]) writes(%c[%vi]) {{
      loop.yield %x
    }}
  }}
  func.return
}}"""


def all_programs(programs):
    """Name -> text and inputs, in order."""
    found = {}
    for name, body in BODIES.items():
        for extent in (3, 37):
            inputs = [programs.floats(1, extent), programs.floats(2, extent)]
            found[f"{name}_{extent}"] = programs.elementwise(extent, body), inputs
    for element, body in INTEGER_BODIES.items():
        rng = np.random.default_rng(3)
        inputs = [rng.integers(-100, 100, 37).astype(f"int{element[1:]}") for _ in range(2)]
        found[element] = programs.elementwise(37, body, element=element), inputs
    for name, (op, init) in REDUCTIONS.items():
        for extent in (0, 37):
            inputs = [(programs.floats if name == "max" else programs.plain)(4, 3, extent)]
            found[f"reduce_{name}_{extent}"] = reduction(op, init, extent), inputs
    for stride in (2, 4):
        reads = f"%x = %a[%vi * {stride}], %y = %b[%vi]"
        text = programs.elementwise(21, BODIES["add"], reads=reads)
        size = 20 * stride + 1
        text = text.replace("%a: memref<21xf32>", f"%a: memref<{size}xf32>")
        found[f"stride_{stride}"] = text, [programs.floats(5, size), programs.floats(6, 21)]
    for element in ("i32", "i64"):
        numbers = np.random.default_rng(1).integers(0, 7, 21).astype(f"int{element[1:]}")
        found[f"gather_{element}"] = gathered(element), [numbers, programs.floats(7, 7, 5)]
    for element, low, high in (("f32", 3, 6), ("f64", 2, 3), ("f32", 0, 1)):
        dtype = np.dtype(f"float{element[1:]}")
        inputs = [programs.floats(8, 20, dtype=dtype)]
        found[f"padded_{element}_{low}"] = programs.padded(20, low, high, element=element), inputs
    found["padded_integers"] = (
        programs.padded(20, 3, 6, element="i32", value="7").replace("arith.addf", "arith.addi"),
        [np.arange(20, dtype=np.int32)],
    )
    for lanes in (4, 8, 16):
        found[f"rounded_{lanes}"] = programs.rounded_up(lanes), [-1 - np.abs(programs.plain(9, 3, 13))]
    for rows, columns, kind in ((2, 16, "unrolled"), (3, 20, "unrolled"), (2, 16, "serial")):
        inputs = [programs.plain(1, 2 * rows, 5), programs.plain(2, 5, 2 * columns)]
        found[f"tile_{rows}_{columns}_{kind}"] = programs.tile(2 * rows, 2 * columns, 5, rows, columns, kind), inputs
    return found


def one_module(programs, found):
    """All programs as functions of one module; each writes its last buffer, or its last two where it has an index."""
    texts = []
    for name, (text, _) in found.items():
        head, _, rest = text.partition(") {\n")
        outputs = 2 if "rounded" in name else 1
        dims = 'dims = ["n"], ' if "rounded" in name else ""
        texts.append(
            f"{head.replace('@main', f'@{name}')}) attributes {{{dims}outputs_count = {outputs} : i64}} {{\n{rest}"
        )
    return programs.parse_verified("\n".join(texts))


@pytest.fixture(scope="module")
def found(programs):
    return all_programs(programs)


@pytest.fixture(scope="module")
def module(programs, found):
    return one_module(programs, found)


def source_of(programs, module, target, strict):
    lowered = programs.converted(module, target, strict=strict)
    PlanBuffersPass().apply(Context(), lowered)
    return lowered, emit_module(lowered, target_named(target), "simd")


@pytest.fixture(scope="module")
def expected(programs, module, found):
    """The C for a target, and what the interpreter makes of the same module, by program: each is made once."""
    made = {}

    def of(target, strict):
        if (target, strict) not in made:
            lowered, source = source_of(programs, module, target, strict)
            made[target, strict] = source, {name: run(lowered, name, inputs) for name, (_, inputs) in found.items()}
        return made[target, strict]

    return of


@pytest.mark.parametrize(
    ("target", "strict"),
    [("generic", True), ("c-vector", True), ("avx2", True), ("avx2", False), ("avx512", True), ("avx512", False)],
)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_c_computes_what_the_interpreter_does(programs, expected, found, target, strict, compiler, monkeypatch):
    if not runs_here(target_named(target)):
        pytest.skip(f"this machine does not run {target}")
    monkeypatch.setenv("CC", compiler)
    source, values = expected(target, strict)
    for name, (_, inputs) in found.items():
        result = load(program_of(source, name))(*inputs)
        results = result if isinstance(result, tuple) else (result,)
        try:
            programs.assert_same_bits(results, values[name])
        except AssertionError as error:
            raise AssertionError(f"{name} on {target}: {error}") from error


@pytest.mark.parametrize("target", ["c-vector", "avx2", "avx512"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_c_compiles_without_a_warning(programs, module, target, compiler, tmp_path: Path):
    _, source = source_of(programs, module, target, False)
    (tmp_path / "simd.h").write_text(source.header)
    (tmp_path / "simd.c").write_text(source.code)
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off", *source.flags]
    command = [compiler, *flags, "-c", "simd.c", "-o", "simd.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.parametrize("target", ["c-vector", "avx2", "avx512"])
def test_the_tables_are_used(programs, module, target):
    _, source = source_of(programs, module, target, False)
    expected = {
        "c-vector": ["vector_size(16)"],
        "avx2": ["__builtin_ia32_vfmaddps256(", "__builtin_ia32_maxps256(", "__builtin_ia32_maskloadps256("],
        "avx512": ["__builtin_ia32_vfmaddps512_mask(", "__builtin_ia32_loadups512_mask("],
    }
    for text in expected[target]:
        assert text in source.code
    assert "immintrin" not in source.code
