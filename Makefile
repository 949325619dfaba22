# Everything here sets up what it needs: `make demo` and `make test` work in a fresh clone with Python >= 3.11.
#   make demo PYTHON=/usr/bin/python3.12      uses another interpreter

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/ready
PYTEST := $(PY) -m pytest

.PHONY: help venv demo test test-quick test-kernels test-slow test-browser lint format bench docs pictures notebooks clean

help:
	@echo "make demo   see real positions solved"
	@echo "make test   run the tests            make test-slow   run the long ones"
	@echo "make test-browser   play on the notebook board in a real browser (Chromium)"
	@echo "make lint   check style and types    make format      put the style right"
	@echo "make bench  run the benchmarks       make venv        only set up $(VENV)"
	@echo "make docs   build the documentation  make pictures    draw the pictures of the README"
	@echo "make notebooks   run the notebooks and write their outputs into them"

venv: $(READY)

# PIP_CONSTRAINT, unlike -c, also holds for the build backend that pip fetches.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python >= 3.11 is needed, and '$(PYTHON)' is not that; call make with PYTHON=..."; exit 1; }
	@echo "setting up $(VENV), once ..."
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@PIP_CONSTRAINT=constraints.txt $(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

demo: $(READY)
	@$(PY) -m cgt_games demo

test: test-quick test-kernels

test-quick: $(READY)
	$(PYTEST) -m "not slow and not browser" --doctest-modules --doctest-glob='*.md' --ignore=docs/conf.py --ignore=docs/notebooks \
		tests src README.md docs

# The tests marked `kernel` once more: as plain Python, and with every array index checked. Compiled code that
# numba keeps does not know whether it was checked, so that run has a cache of its own.
test-kernels: $(READY)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "kernel and not slow" tests
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(VENV)/numba-boundscheck $(PYTEST) -m "kernel and not slow" tests

test-slow: $(READY)
	$(PYTEST) -m slow tests

$(VENV)/browser-ready: $(READY)
	@PIP_CONSTRAINT=constraints.txt $(PY) -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	@touch $@

# JupyterLab and marimo, with the Chromium of the machine; screenshots go to build/screenshots.
test-browser: $(VENV)/browser-ready
	$(PYTEST) -m browser tests/notebook/browser -rs

lint: $(READY)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(READY)
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(READY)
	@$(PY) benchmarks/run.py

$(VENV)/docs-ready: $(READY)
	@PIP_CONSTRAINT=constraints.txt $(PY) -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

docs: $(VENV)/docs-ready
	$(PY) -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo "see docs/_build/html/index.html"

pictures: $(READY)
	@$(PY) docs/pictures.py

notebooks: $(READY)
	@$(PY) notebooks/execute.py

clean:
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
