"""What all tests share: no clock for hypothesis on a busy machine, and a cache of compiled C that is not the user's."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("stepwell", deadline=None, print_blob=True)
settings.load_profile("stepwell")


def pytest_configure(config: pytest.Config) -> None:
    os.environ["STEPWELL_CACHE"] = str(Path(config.rootpath) / ".pytest_cache" / "stepwell")
