# Each target sets itself up from nothing: the environment is made on first use, and again when pyproject.toml changes.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= 2

.PHONY: test check pytest lit demo docs clean

test: check pytest lit

# Everything that reads the code without running it.
check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m stepwell.tools.docs --check

# Runs the lit files too, in process.
pytest: $(READY)
	$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

# A part of the same files under stock lit, as proof that they are honest.
lit: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lit -q -j $(JOBS) lit_tests/tools lit_tests/dialects

demo: $(READY)
	$(BIN)/python examples/demo.py

docs: $(READY)
	$(BIN)/python -m stepwell.tools.docs

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Stepwell needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .ruff_cache
