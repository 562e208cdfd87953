"""
How long the command line tools take to start: one JSON line each, the least of several runs.

    python benchmarks/import_time.py --runs 5
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from record import machine, report

COMMANDS = {
    "import stepwell": ("-c", "import stepwell"),
    "stepwell --help": ("-m", "stepwell.tools.main", "--help"),
    "stepwell-opt --help": ("-m", "stepwell.tools.opt", "--help"),
    "stepwell.compile": ("-c", "import stepwell; stepwell.compile"),
}


def seconds(arguments: tuple[str, ...]) -> float:
    """Processor time of one run of this Python with these arguments."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    """Measure every command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    about = machine()
    empty = min(seconds(("-c", "pass")) for _ in range(options.runs))
    for name, arguments in COMMANDS.items():
        least = min(seconds(arguments) for _ in range(options.runs))
        report({"command": name, "seconds": round(least, 3), "python_alone": round(empty, 3)} | about)


if __name__ == "__main__":
    main()
