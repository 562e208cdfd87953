"""What every line of a benchmark carries, and how two engines are timed against each other."""

from __future__ import annotations

import json
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from stepwell.runtime.toolchain import find_compiler


def machine() -> dict[str, str]:
    """Where and of what a line was measured: processor, compiler, commit."""
    root = Path(__file__).parents[1]
    commit = _first_line(["git", "-C", str(root), "describe", "--always", "--dirty"])
    return {"machine": _processor(), "compiler": _first_line([*find_compiler(), "--version"]), "commit": commit}


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _first_line(command: Sequence[str]) -> str:
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.splitlines()[0] if found.returncode == 0 and found.stdout else "unknown"


def interleaved(ours: Callable[[], object], theirs: Callable[[], object], seconds: float) -> tuple[float, float, float]:
    """
    Milliseconds of each, and how many times as long ours takes: medians, the two called in turns.

    The ratio is of pairs that ran one after the other, so that a machine that becomes slow makes both slow.
    """
    ours(), theirs()
    pairs: list[tuple[float, float]] = []
    end = time.perf_counter() + seconds
    while len(pairs) < 5 or (time.perf_counter() < end and len(pairs) < 2000):
        first = time.perf_counter()
        ours()
        second = time.perf_counter()
        theirs()
        pairs.append((second - first, time.perf_counter() - second))
    return (
        median(one for one, _ in pairs) * 1e3,
        median(other for _, other in pairs) * 1e3,
        median(one / other for one, other in pairs),
    )


def report(line: dict[str, Any]) -> None:
    """One measurement as one line of JSON."""
    print(json.dumps(line), flush=True)
