"""What all tests share: no clock for hypothesis on a busy machine, and a cache of compiled C that is not the user's."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("stepwell", deadline=None, print_blob=True)
settings.load_profile("stepwell")


def pytest_configure(config: pytest.Config) -> None:
    os.environ["STEPWELL_CACHE"] = str(Path(config.rootpath) / ".pytest_cache" / "stepwell")


@pytest.fixture
def run_tool(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in process; returns exit code, output and errors. A traceback is a failure."""

    def run(main: Callable[[Sequence[str]], int], *words: object) -> tuple[int, str, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return code, captured.out, captured.err

    return run
