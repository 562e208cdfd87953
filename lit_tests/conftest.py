"""
Runs the lit files inside pytest: RUN lines without a shell, our tools and filecheck without a process each.

The files stay what stock `lit` runs too (`make lit`). What a RUN line may use: `|`, `&&`, `not`, `2>&1`, `> %t`, `%s`,
`%t`, `%S`, a `\\` at the end of a line, and any program on the PATH. Directives that no run looks at are errors.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

PROSE = {"RUN", "REQUIRES", "UNSUPPORTED", "COM", "VALUE", "NOTE"}
"""Words before a colon that are not checks."""

SUFFIXES = r"(-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-[0-9]+))?(\{LITERAL\})?"


def pytest_configure(config: pytest.Config) -> None:
    os.environ["STEPWELL_CACHE"] = str(Path(config.rootpath) / ".pytest_cache" / "stepwell")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    if file_path.suffix == ".mlir" and re.search(r"^// RUN:", file_path.read_text(), re.MULTILINE):
        return LitFile.from_parent(parent, path=file_path)
    return None


class LitFile(pytest.File):
    """One `.mlir` file: a test of what it prints; for a pass, one of the values before and after it too."""

    def collect(self) -> Iterator[pytest.Item]:
        yield LitItem.from_parent(self, name=self.path.stem)
        if {"transforms", "conversions"} & set(self.path.parts) and checked_commands(self.path.read_text()):
            yield CheckItem.from_parent(self, name=f"{self.path.stem} --check")


class LitFailure(Exception):
    """A run that did not go as the file says."""


class LitItem(pytest.Item):
    """The RUN lines of a file, in order."""

    def runtest(self) -> None:
        text = self.path.read_text()
        for missing in set(re.findall(r"[\w-]+", " ".join(re.findall(r"^// REQUIRES:(.*)", text, re.M)))) - features():
            pytest.skip(f"requires {missing}")
        commands = run_lines(text)
        complain_about_directives(text, commands)
        temporary = self.config.rootpath / "lit_tests" / "Output" / f"{self.path.stem}.{id(self)}.tmp"
        try:
            for command in commands:
                run_command(command, {"%s": str(self.path), "%S": str(self.path.parent), "%t": str(temporary)})
        finally:
            for left in temporary.parent.glob(temporary.name + "*") if temporary.parent.is_dir() else ():
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, LitFailure):
            return f"{self.path}\n{excinfo.value}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"lit: {self.name}"


class CheckItem(pytest.Item):
    """The runs of a file that must succeed, once more with `--check`: no pass changes a value beyond its licence."""

    def runtest(self) -> None:
        for words in checked_commands(self.path.read_text()):
            words = [replace_all(word, {"%s": str(self.path)}) for word in words]
            stdout, stderr = io.StringIO(), io.StringIO()
            if in_process(stepwell_opt, [*words[1:], "--check"], "", stdout, stderr):
                raise LitFailure(f"{' '.join(words)} --check\n{stderr.getvalue()}")

    repr_failure = LitItem.repr_failure

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"lit: {self.name}"


def checked_commands(text: str) -> list[list[str]]:
    """The runs of `stepwell-opt` on the file itself that have passes and are to succeed."""
    stages = [shlex.split(re.split(r"\s\|\s", command)[0]) for command in run_lines(text)]
    return [
        [word for word in words if word not in ("2>&1", "--check", "--verify-diagnostics")]
        for words in stages
        if words[0] == "stepwell-opt" and "-p" in words and "%s" in words and "--verify-diagnostics" not in words
    ]


def features() -> set[str]:
    """What `// REQUIRES:` may ask for: the targets whose code runs here, and programs."""
    from stepwell.targets import TARGETS, runs_here, target_named

    programs = {name for name in ("cc", "gcc", "clang", "mlir-opt") if shutil.which(name)}
    return programs | {name for name in TARGETS if runs_here(target_named(name))}


def run_lines(text: str) -> list[str]:
    """The commands of a file, lines that end in a backslash joined with the next."""
    lines = re.findall(r"^\s*// RUN:(.*)$", text, re.MULTILINE)
    return [line.strip() for line in re.sub(r"\\\n", " ", "\n".join(lines)).split("\n")]


def complain_about_directives(text: str, commands: Sequence[str]) -> None:
    """Refuse what filecheck ignores silently: a misspelt directive, and a prefix that no run looks for."""
    prefixes: set[str] = set()
    for command in commands:
        named = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", command)
        prefixes.update(name for names in named for name in names.split(","))
        if re.search(r"\bfilecheck\b", command) and not named:
            prefixes.add("CHECK")
    known = re.compile(rf"({'|'.join(map(re.escape, prefixes)) or 'CHECK'}){SUFFIXES}")
    for number, line in enumerate(text.splitlines(), 1):
        word = re.match(r"\s*// ?([A-Za-z][\w-]*(?:\{\w+\})?) ?(:?)", line)
        if word is None or word[1] in PROSE or (known.fullmatch(word[1]) and word[2] and " :" not in word[0]):
            continue
        if (word[1].isupper() and word[2]) or word[1].upper().startswith(("CHECK", *prefixes)):
            raise LitFailure(
                f"line {number}: no run looks at '{line.strip()}'; prefixes: {', '.join(sorted(prefixes))}"
            )


def run_command(command: str, substitutions: dict[str, str]) -> None:
    """One RUN line; raises `LitFailure` with what it printed if it, or a part of its pipes, fails."""
    for step in re.split(r"\s&&\s", command):
        text, failed, stderr = "", "", ""
        for stage in re.split(r"\s\|\s", step):
            words = [replace_all(word, substitutions) for word in shlex.split(stage)]
            code, text, errors = run_stage(words, text)
            stderr += errors
            if code:
                failed = failed or f"exit code {code} from: {' '.join(words)}"
        if failed:
            raise LitFailure(f"{failed}\n--- RUN: {command}\n--- stderr:\n{stderr}--- stdout:\n{text}")


def replace_all(word: str, substitutions: dict[str, str]) -> str:
    return re.sub(r"%(%|\w)", lambda match: "%" if match[1] == "%" else substitutions.get(match[0], match[0]), word)


def run_stage(words: list[str], stdin: str) -> tuple[int, str, str]:
    """One program of a pipe: its exit code (turned around by `not`), what goes on, and what it said on stderr."""
    inverted = 0
    while words[0] == "not":
        words, inverted = words[1:], inverted + 1
    redirections = {word: None for word in words if word == "2>&1"}
    target = None
    if ">" in words:
        position = words.index(">")
        target = Path(words[position + 1])
        words = words[:position] + words[position + 2 :]
    words = [word for word in words if word not in redirections]
    stdout = io.StringIO()
    stderr = stdout if redirections else io.StringIO()
    code = run_program(words, stdin, stdout, stderr)
    if target is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(stdout.getvalue())
    if inverted % 2:
        code = 0 if code else 1
    return code, "" if target else stdout.getvalue(), "" if redirections else stderr.getvalue()


def run_program(words: list[str], stdin: str, stdout: io.StringIO, stderr: io.StringIO) -> int:
    name, *arguments = words
    if name in PROGRAMS:
        return in_process(PROGRAMS[name], arguments, stdin, stdout, stderr)
    if shutil.which(name) is None:
        raise LitFailure(f"no program '{name}': should the file say REQUIRES?")
    done = subprocess.run(words, input=stdin, capture_output=True, text=True, check=False)
    stdout.write(done.stdout)
    stderr.write(done.stderr)
    return done.returncode


def in_process(
    program: Callable[[list[str]], int], arguments: list[str], stdin: str, stdout: io.StringIO, stderr: io.StringIO
) -> int:
    with standard_input(stdin), redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            return program(arguments)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)


@contextmanager
def standard_input(text: str) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def filecheck(arguments: list[str]) -> int:
    from filecheck.matcher import Matcher
    from filecheck.options import parse_argv_options

    return Matcher.from_opts(parse_argv_options(["filecheck", *arguments])).run()


def stepwell_opt(arguments: list[str]) -> int:
    from stepwell.tools.opt import main

    return main(arguments)


def stepwell(arguments: list[str]) -> int:
    from stepwell.tools.main import main

    return main(arguments)


PROGRAMS = {"filecheck": filecheck, "stepwell-opt": stepwell_opt, "stepwell": stepwell}
