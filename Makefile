PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Debian packages that the tests use: a browser for the pages.
PACKAGES := chromium

.PHONY: demo test lint types check bench clean

# Everything a new user needs: an environment, the package, and a report on a small example.
demo: $(VENV)/.installed
	$(BIN)/plainmark report examples/careful.txt examples/hasty.txt examples/copy.txt \
	    -s examples/source.txt -r examples/reference.0 -r examples/reference.1 -m sari -m bleu -m fkgl -o report.html

test: $(VENV)/.tested $(VENV)/.system lint types
	$(BIN)/python -m pytest

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

bench: $(VENV)/.tested
	$(BIN)/python benchmarks/peers.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml CMakeLists.txt $(wildcard native/*)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@

$(VENV)/.system: Makefile | $(VENV)/bin/python
	@missing=$$(for p in $(PACKAGES); do command -v $$p >/dev/null || dpkg -s $$p >/dev/null 2>&1 || echo $$p; done); \
	if [ -z "$$missing" ]; then true; \
	elif [ "$$(id -u)" = 0 ]; then apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $$missing >/dev/null; \
	else echo "the tests need Debian packages; as root: apt-get install" $$missing >&2; exit 1; fi
	touch $@

clean:
	rm -rf $(VENV) build report.html
