"""The machine that this process runs on."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

from .avx2 import AVX2
from .avx512 import AVX512
from .c_vector import C_VECTOR
from .target import Target


def native() -> Target:
    """The best target whose code runs here."""
    return next(target for target in (AVX512, AVX2, C_VECTOR) if runs_here(target))


def runs_here(target: Target) -> bool:
    """Whether this machine has what the code of `target` needs."""
    return target.needs <= host_features()


@cache
def host_features() -> frozenset[str]:
    """The features of the processor, by the names that Linux gives them; empty where there is no telling."""
    if sys.platform == "darwin":
        return features_of_sysctl(_sysctl())
    try:
        return features_of_cpuinfo(Path("/proc/cpuinfo").read_text(errors="replace"))
    except OSError:
        return frozenset()


def features_of_cpuinfo(text: str) -> frozenset[str]:
    """The `flags` line of `/proc/cpuinfo`; the first core speaks for all."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            return frozenset(value.split())
    return frozenset()


def features_of_sysctl(text: str) -> frozenset[str]:
    """What macOS says, `AVX1.0 AVX2 AVX512F`, in the words of Linux."""
    return frozenset(word.lower() for word in text.split())


def _sysctl() -> str:
    command = ["sysctl", "-n", "machdep.cpu.features", "machdep.cpu.leaf7_features"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=False).stdout
    except OSError:
        return ""
