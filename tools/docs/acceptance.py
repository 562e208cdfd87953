"""`docs/acceptance.md`: a table of behaviours by hand, and the tests that name each, found by looking."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROW = re.compile(r"^\| (A\d\d) \| (.*?) \|.*\|$", re.MULTILINE)


def page(root: Path) -> str:
    """The page with the last column of its table made anew."""
    tests = tests_by_row(root)
    text = (root / "docs" / "acceptance.md").read_text(encoding="utf-8")

    def row(match: re.Match[str]) -> str:
        found = "<br>".join(f"`{test}`" for test in tests.get(match[1], []))
        return f"| {match[1]} | {match[2]} | {found} |"

    return ROW.sub(row, text)


def tests_by_row(root: Path) -> dict[str, list[str]]:
    """Row -> the tests that name it: `file::function` in Python, `file::@function` in lit files."""
    tests: dict[str, list[str]] = {}
    for file in sorted((root / "tests").rglob("test_*.py")):
        for test, rows in _python_tests(file):
            for name in rows:
                tests.setdefault(name, []).append(f"{file.relative_to(root).as_posix()}::{test}")
    for file in sorted((root / "lit_tests").rglob("*.mlir")):
        for test, rows in _lit_tests(file):
            for name in rows:
                tests.setdefault(name, []).append(f"{file.relative_to(root).as_posix()}::{test}")
    return {name: list(dict.fromkeys(found)) for name, found in tests.items()}


def _words(pattern: str, text: str) -> set[str]:
    return {match[0] for match in re.finditer(pattern, text)}


def _python_tests(file: Path) -> Iterator[tuple[str, set[str]]]:
    """Each test function with the rows that its name, its docstring or a comment in it mention."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            named = {row.upper() for row in _words(r"(?<![a-z])a\d\d(?![a-z0-9])", node.name)}
            yield node.name, named | _words(r"\bA\d\d\b", source)


def _lit_tests(file: Path) -> Iterator[tuple[str, set[str]]]:
    """Each function of a lit file with the rows that the comments before and in it mention."""
    rows = set[str]()
    function = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("//"):
            rows |= _words(r"\bA\d\d\b", line)
        elif match := re.match(r"func\.func (?:private )?@([\w$.-]+)", line):
            function = match[1]
        elif line.startswith("}") and function:
            if rows:
                yield f"@{function}", rows
            rows, function = set[str](), ""
