# Each target makes .venv ready by itself and can be repeated. Another Python: make test PYTHON=python3.13
SHELL := /bin/bash
PYTHON ?=
VENV ?= .venv
GPU_VENV ?= .venv-gpu
SCALE ?= 1
ARGS ?=

RUN := $(VENV)/bin/python
# Two workers: each runs engines that use threads of their own.
PYTEST := $(RUN) -m pytest -q -n auto --maxprocesses 2 --dist worksteal

.PHONY: functions help demo test test-all conformance lint format clean venv

help:
	@echo "make demo      22 TPC-H queries over a Parquet lake: verified, timed, explained"
	@echo "make test      the quick tests          (ARGS='sql_tests/api -k cursor' narrows them)"
	@echo "make test-all  all tests"
	@echo "make conformance  our calls and the double against the real pylibcudf (installs the gpu extra: 4 GB)"
	@echo "make lint      ruff, pyright, import contracts"
	@echo "make functions rewrite docs/functions.md, what of DuckDB's functions is here"
	@echo "make format    rewrite the code in its one format"
	@echo "make clean     remove what was built; generated lakes stay"

venv:
	@.ci/venv "$(VENV)" "$(PYTHON)"

demo: venv
	@$(RUN) -m tandemdb.tpch.generate --scale $(SCALE) --output lake/sf$(SCALE)
	@$(RUN) -m tandemdb.tpch.run --scale $(SCALE) --lake lake/sf$(SCALE) --runs 3 --explain $(ARGS)

test: venv
	@$(PYTEST) $(ARGS)

test-all: venv
	@$(PYTEST) -m "" $(ARGS)

# In an environment of its own: the real libraries are gigabytes, and the other tests do without them.
conformance:
	@.ci/venv "$(GPU_VENV)" "$(PYTHON)" gpu,test
	@$(GPU_VENV)/bin/python -m pyright --pythonpath $(GPU_VENV)/bin/python gpu_exec
	@$(GPU_VENV)/bin/python -m pytest -q sql_tests/gpu_exec/conformance $(ARGS)

lint: venv
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m pyright --pythonpath $(RUN)
	@$(VENV)/bin/lint-imports --no-logo

functions: venv
	@$(RUN) sql_tests/oracle/functions_page.py

format: venv
	@$(RUN) -m ruff format .
	@$(RUN) -m ruff check --fix-only --exit-zero .

clean:
	rm -rf "$(VENV)" "$(GPU_VENV)" build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
