"""`python -m stepwell.tools.docs`: write every page that is made from the code, or with `--check` compare them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from ..reporting import USAGE, USER_FAULT
from .pages import PageError, pages

ROOT = Path(__file__).resolve().parents[2]
"""The repository, in which the docs are."""


def main(args: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line; returns the exit code: 1 if a page is stale or its code fails."""
    parser = argparse.ArgumentParser(prog="python -m stepwell.tools.docs", description="Write the generated docs.")
    parser.add_argument("patterns", nargs="*", metavar="PAGE", help="only pages that match, such as 'docs/how-to/*'")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is not what it should be")
    options = parser.parse_args(args)
    patterns: list[str] = options.patterns
    check: bool = options.check
    if not (root / "docs" / "design").is_dir():
        print(f"{root}: error: this is no checkout of the repository, the docs are not here", file=sys.stderr)
        return USAGE
    wrong = 0
    for page in pages(root):
        if patterns and not any(fnmatch(page.path, pattern) for pattern in patterns):
            continue
        path = root / page.path
        try:
            text = page.text()
        except PageError as error:
            print(f"{page.path}: error: {error}", file=sys.stderr)
            wrong += 1
            continue
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"{page.path}: error: not what the code says now; `make docs` writes it", file=sys.stderr)
            wrong += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(page.path)
    return USER_FAULT if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
