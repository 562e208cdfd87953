"""Every instruction that a target spells by itself: each compiler takes it, and it means what the interpreter says."""

from dataclasses import replace

import numpy as np
import pytest
from programs.compilers import COMPILERS
from programs.machines import can_run, program_for
from stepwell.compiler import parse
from stepwell.emitters.c import emit_module
from stepwell.interpreters.run import run
from stepwell.runtime import load
from stepwell.targets import TARGETS, target_named
from stepwell.targets.target import NATURAL

WARNINGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wcast-qual")

SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, 1.5, -3.0, 1 + 2**-12]


def body(op, vector, lanes):
    """The rounds of a loop over `%a`, `%b` and `%c`, each of `lanes` elements."""
    place = f"[%i * {lanes}]"
    loads = "".join(f"    %{name}v = simd.load %{name}{place} : {vector}\n" for name in "abc")
    match op.removeprefix("simd."):
        case "fma":
            value = f"simd.fma %av, %bv, %cv : {vector}"
        case "max" | "min" as extreme:
            value = f"simd.{extreme} %av, %bv : {vector}"
        case "masked_load":
            pad = vector.rpartition("x")[2][:-1]
            one = "7" if pad.startswith("i") else "-2.5"
            return f"""\
    %m = simd.mask %i - 3 : vector<{lanes}xi1>
    %r = simd.masked_load %m, %a{place} else {one} : {pad} : {vector}
    simd.store %r, %y{place}
"""
        case "masked_store":
            return f"""{loads}\
    %m = simd.mask %i - 3 : vector<{lanes}xi1>
    simd.store %bv, %y{place}
    simd.masked_store %m, %av, %y{place}
"""
        case _:
            raise AssertionError(f"no program for '{op}': write one")
    return f"{loads}    %r = {value}\n    simd.store %r, %y{place}\n"


def spelled(target):
    """Name -> the function of each instruction of a target, and its inputs."""
    programs = {}
    for (op, text), spelling in target.instructions.items():
        if spelling == NATURAL:
            continue
        lanes, element = text.split("x")
        rounds = int(lanes) + 6
        size = rounds * int(lanes)
        rng = np.random.default_rng(size)
        if element.startswith("f"):
            inputs = [rng.standard_normal(size).astype(f"float{element[1:]}") for _ in range(3)]
            for array in inputs:
                array[rng.random(size) < 0.5] = 0
                array += rng.choice(SPECIAL, size).astype(array.dtype)
        else:
            inputs = [rng.integers(-100, 100, size).astype(f"int{element[1:]}") for _ in range(3)]
        name = f"{op.removeprefix('simd.')}_{text}"
        buffers = ", ".join(f"%{buffer}: memref<{size}x{element}>" for buffer in "abcy")
        programs[name] = (
            f"func.func @{name}({buffers}) attributes {{outputs_count = 1 : i64}} {{\n"
            f'  loop.for "i" %i = 0 to {rounds} {{\n{body(op, f"vector<{text}>", lanes)}  }}\n  func.return\n}}\n',
            inputs,
        )
    return programs


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", TARGETS)
def test_instructions_mean_what_the_interpreter_says(name, compiler, monkeypatch):
    target = target_named(name)
    programs = spelled(target)
    if not programs:
        pytest.skip(f"{name} spells nothing by itself")
    module = parse("".join(text for text, _ in programs.values()))
    source = emit_module(module, target, "one")
    monkeypatch.setenv("CC", " ".join([compiler, *WARNINGS]))
    for function, (_, inputs) in programs.items():
        program = program_for(source, target, function)
        if not can_run(target):
            load(program)  # it compiles, all the same
            return
        (expected,) = run(module, function, inputs)
        result = load(program)(*inputs)
        np.testing.assert_array_equal(result, expected, err_msg=function)
        if result.dtype.kind == "f":
            of_numbers = [np.signbit(np.where(np.isnan(array), 0, array)) for array in (result, expected)]
            np.testing.assert_array_equal(*of_numbers, err_msg=f"signs of {function}")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_code_for_a_machine_that_cannot_run_it_compiles(compiler, monkeypatch, tmp_path):
    """AVX-512 is emulated elsewhere: here its builtins themselves are compiled."""
    target = target_named("avx512")
    source = emit_module(parse("".join(text for text, _ in spelled(target).values())), target, "one")
    monkeypatch.setenv("CC", " ".join([compiler, *WARNINGS]))
    program = program_for(source, target_named("generic"), next(iter(spelled(target))))
    load(replace(program, flags=source.flags))
