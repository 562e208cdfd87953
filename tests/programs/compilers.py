"""The C compilers of this machine: tests go through GCC and, where there is one, Clang."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

CLANG = next(filter(None, map(shutil.which, ("clang", *(f"clang-{version}" for version in range(30, 15, -1))))), None)
"""The newest Clang there is."""

COMPILERS = [
    pytest.param("gcc", marks=pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")),
    pytest.param(CLANG or "clang", marks=pytest.mark.skipif(CLANG is None, reason="needs clang"), id="clang"),
]
"""For `parametrize`: the command of each."""


def sanitizer_libraries(compiler: str) -> list[str]:
    """What must be loaded before a process that loads code under the sanitizers; none where they are not installed."""
    names = (
        ["libasan.so", "libubsan.so"]
        if Path(compiler).name.startswith("gcc")
        else [f"libclang_rt.asan-{platform.machine()}.so"]
    )
    said = [
        subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout
        for name in names
    ]
    found = [line.strip() for line in said]
    return found if all(Path(line).is_file() for line in found) else []
