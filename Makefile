# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CODE := src tests bench evidence resources_servers responses_api_agents responses_api_models benchmarks
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)

.PHONY: help setup demo test lint format bench evidence evidence-slice docs lock clean

help:
	@echo "make demo      set up, make an example run (and one after a fix), and inspect it"
	@echo "make test      set up and run all tests"
	@echo "make lint      ruff, mypy, import-linter"
	@echo "make bench     benchmarks -> docs/performance.md"
	@echo "make evidence  long simulations -> docs/evidence/*.json"
	@echo "make docs      generated references -> docs/"

setup: $(STAMP)

$(STAMP): pyproject.toml requirements-dev.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12")'
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { apt-get update -q && apt-get install -y -q python3-venv && $(PYTHON) -m venv $(VENV); }
	$(BIN)/python -m pip install -q --disable-pip-version-check uv
	$(BIN)/uv pip install -q --python $(BIN)/python --compile-bytecode -r requirements-dev.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e .
	$(BIN)/python -m compileall -q src
	touch $(STAMP)

demo: setup
	$(BIN)/python -m blade.lab.example demo
	$(BIN)/python -m blade.lab.example demo-after --mend skipped_lookup --mend outage
	$(BIN)/blade inspect demo
	@echo
	@echo "The run lies in demo/, the same tasks after a fix in demo-after/.  Read on with:"
	@echo "  $(BIN)/blade diagnose demo --out demo/report"
	@echo "  $(BIN)/blade compare demo demo-after --out demo-after/comparison"
	@echo "  $(BIN)/blade show demo 3:0"
	@echo "  $(BIN)/blade sql demo \"SELECT category, count(*), avg(reward) FROM rollouts WHERE class = 'scored' GROUP BY 1 ORDER BY 3\""
	@echo "  $(BIN)/gym eval profile --inputs demo/example_rollouts_materialized_inputs.jsonl --rollouts demo/example_rollouts.jsonl ++allow_partial_rollouts=True"

test: setup
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup

lint: setup
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

bench: setup
	$(BIN)/python -m bench.run --out docs/performance.md

evidence: setup
	$(BIN)/python -m evidence.intervals
	$(BIN)/python -m evidence.pairs
	$(BIN)/python -m evidence.planted_pairs
	$(BIN)/python -m evidence.attribution
	$(BIN)/python -m evidence.diagnosis

evidence-slice: setup
	$(BIN)/python -m evidence.intervals --quick
	$(BIN)/python -m evidence.pairs --quick
	$(BIN)/python -m evidence.diagnosis --quick
	$(BIN)/python -m evidence.check

docs: setup
	$(BIN)/python -m blade.cli.reference docs/cli.md
	$(BIN)/python -m blade.signals.reference docs/signals.md
	$(BIN)/python -m blade.diagnosis.reference docs/patterns.md

lock: setup
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-emit-index-url --no-header --no-emit-find-links pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-emit-index-url --no-header --no-emit-find-links --extra dev --extra ray --extra local-model pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) demo demo-after .pytest_cache .mypy_cache .ruff_cache .hypothesis
