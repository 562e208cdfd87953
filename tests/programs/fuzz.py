"""
Run many random programs at every level.

    python tests/programs/fuzz.py --programs 2000 --seed 0

Each program follows from its own number, `seed * 1000000 + n`, which is printed if it fails; `--only NUMBER` runs one
again.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from programs.generator import random_program
from programs.levels import compare_levels
from programs.sanitized import Sanitized


def run_range(numbers: range, largest: int) -> list[tuple[int, str]]:
    """The programs of these numbers that fail, with what went wrong."""
    failed: list[tuple[int, str]] = []
    with Sanitized() as sanitized:
        for number in numbers:
            try:
                compare_levels(random_program(number, largest), sanitized)
            except Exception as error:
                failed.append((number, f"{type(error).__name__}: {error}"))
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run the program of this number")
    parser.add_argument("--largest", type=int, default=12, help="operations in a program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    first = options.seed * 1_000_000
    numbers = range(first, first + options.programs) if options.only is None else range(options.only, options.only + 1)
    print(
        f"seed {options.seed}: {len(numbers)} programs, each at every stage, as C, and as C with sanitizers", flush=True
    )
    failures = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ["STEPWELL_CACHE"] = cache
        with ProcessPoolExecutor(options.jobs) as pool:
            parts = [range(n, min(n + 20, numbers.stop)) for n in range(numbers.start, numbers.stop, 20)]
            for part, failed in zip(parts, pool.map(run_range, parts, [options.largest] * len(parts)), strict=True):
                for number, what in failed:
                    failures += 1
                    print(f"--- program {number}: {what}", flush=True)
                print(f"{part.stop - numbers.start} run, {failures} failed", file=sys.stderr, flush=True)
    print(f"seed {options.seed}: {len(numbers)} programs run, {failures} with a difference or an error")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
