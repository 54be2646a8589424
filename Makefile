# Works on a machine with nothing but python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Neighbouring tests stay in one process and share its fixtures; a process that has finished takes over tests of others.
PARALLEL ?= -n auto --maxprocesses 4 --dist worksteal

.PHONY: help demo test quick fuzz lint format bench docs site clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.demo  ## install, then evaluate baselines and GloVe on sets built from the HPO
	@$(BIN)/medgauge demo

test: $(VENV)/.dev  ## install what the tests need and run them all, on up to 4 cores
	@$(BIN)/python -m pytest $(PARALLEL) $(PYTEST_ARGS)

quick: $(VENV)/.dev  ## run only the tests without browser, cluster or server, in a minute or so
	@$(BIN)/python -m pytest $(PARALLEL) -m 'not browser and not cluster and not slow and not hypothesis' $(PYTEST_ARGS)

fuzz: $(VENV)/.dev  ## damage inputs of every kind for a minute, then let hypothesis look for new examples
	@$(BIN)/python -m tests.fuzz $(FUZZ_ARGS)
	@$(BIN)/python -m pytest $(PARALLEL) -m hypothesis --hypothesis-profile fuzz $(PYTEST_ARGS)

lint: $(VENV)/.dev  ## run ruff, the format check and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/.dev  ## format the code with ruff
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.dev  ## measure speed and memory, each against a peer
	@for bench in benchmarks/bench_*.py; do PYTHONPATH=$(CURDIR) $(BIN)/python $$bench || exit 1; done

docs: $(VENV)/.dev  ## regenerate docs/cli.md and run the tutorials
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/run_notebooks.py

site: $(VENV)/.site  ## build the docs site in site/, failing on a broken link
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict  # with --quiet, links would not be checked

clean:  ## remove the virtual environment, caches and other generated files
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis demo site fuzz-failures

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "medgauge needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	@echo "installing medgauge into $(VENV) (once; a minute or two)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[demo]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing medgauge and what its tests need into $(VENV) (once; a minute or two)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.site: pyproject.toml | $(BIN)/python
	@echo "installing medgauge and what its docs site needs into $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@
