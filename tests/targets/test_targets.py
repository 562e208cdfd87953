"""Targets: the table, the questions passes ask, and which one is native on which machine."""

import pytest
from stepwell import PipelineError, native
from stepwell.targets import TARGETS, Target, host, runs_here, target_named
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, f64

CPUINFO = """processor\t: 0
model name\t: A processor
flags\t\t: fpu sse2 {flags}
bugs\t\t: avx512f
"""


@pytest.mark.parametrize("name", TARGETS)
def test_every_entry_of_the_table_has_its_own_name(name):
    assert target_named(name).name == name


def test_an_unknown_name_says_what_there_is():
    with pytest.raises(
        PipelineError, match="no target 'sse9': the targets are generic, c-vector, avx2, avx512 and nat"
    ):
        target_named("sse9")


def test_lanes():
    assert [target_named(name).lanes(32) for name in TARGETS] == [1, 4, 8, 16]
    assert target_named("avx2").lanes(64) == 4
    assert target_named("avx2").lanes(512) == 1


def test_an_entry_for_a_type_goes_before_the_entry_for_the_op():
    target = Target(
        "t", 128, 16, 1, 1, instructions={"arith.addf": "{a} + {b}", ("arith.addf", "f64"): "add({a}, {b})"}
    )
    assert target.spelling(arith.AddfOp, f32) == "{a} + {b}"
    assert target.spelling("arith.addf", f64) == "add({a}, {b})"
    assert target.has(arith.AddfOp)
    assert not target.has(arith.MulfOp, f32)
    assert hash(target) == hash(Target("t", 128, 16, 1, 1))


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("", "c-vector"),
        ("avx avx2", "c-vector"),
        ("avx2 fma f16c", "avx2"),
        ("avx2 fma f16c avx512f", "avx2"),
        ("avx2 fma f16c avx512f avx512bw avx512dq avx512vl", "avx512"),
    ],
)
def test_native_goes_by_the_features_of_the_processor(monkeypatch, flags, expected):
    monkeypatch.setattr(host, "host_features", lambda: host.features_of_cpuinfo(CPUINFO.format(flags=flags)))
    assert native().name == expected
    assert target_named("native") is native()


def test_features_as_macos_says_them():
    assert host.features_of_sysctl("FPU FMA AVX1.0\nAVX2 BMI1\n") == {"fpu", "fma", "avx1.0", "avx2", "bmi1"}


def test_native_runs_here():
    assert runs_here(native())
