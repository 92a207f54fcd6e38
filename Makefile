# `make help` lists what there is. On a fresh machine `make run` and `make test` do all the set-up.

PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
QUESTION := How much KV cache does Llama 3.1 8B need for one 32K-token conversation?

.DEFAULT_GOAL := help
.PHONY: help run test test-llama lint bench bench-large screenshots transcripts lock chromium clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: .venv/run ## set up, answer the default question in the terminal, then serve the page
	$(BIN)/lab ask "$(QUESTION)"
	$(BIN)/lab app --port $(PORT)

test: .venv/test chromium lint ## set up the test tools, check the code, run all tests
	$(BIN)/pytest -m "not browser and not llama" --numprocesses auto --maxprocesses 4 --dist loadfile
	$(BIN)/pytest -m browser

# Built for any processor of the kind: one that is virtual may lack what the compiler finds.
test-llama: .venv/test ## both wires against a real llama-server, and the model in process
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF" \
	  $(BIN)/pip install --constraint requirements.lock --editable ".[llama]"
	$(BIN)/pytest -m llama tests/llama

lint: .venv/test ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/test ## print tables of speed, as ratios measured in one run
	$(BIN)/python -m tests.benches.index
	$(BIN)/python -m tests.benches.loop
	$(BIN)/python -m tests.benches.hosted
	$(BIN)/python -m tests.benches.start
	$(BIN)/python -m tests.benches.page
	$(BIN)/python -m tests.benches.retrieval
	$(BIN)/python -m tests.benches.engines 2600

bench-large: .venv/test ## the engines at 26,000 and 260,000 passages; takes minutes
	$(BIN)/python -m tests.benches.engines 26000
	$(BIN)/python -m tests.benches.engines 260000

screenshots: .venv/test chromium ## take the pictures in docs/ anew
	$(BIN)/python tests/screenshots.py docs

transcripts: .venv/test ## write the README's transcripts anew
	$(BIN)/python tests/transcripts.py

lock: .venv/test ## write requirements.lock anew from pyproject.toml
	$(BIN)/pip install --quiet uv
	head -2 requirements.lock > .venv/lock
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	  --quiet --no-header --no-annotate --no-emit-index-url >> .venv/lock
	mv .venv/lock requirements.lock

clean: ## remove the environment and what tools left behind
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run: .venv/made pyproject.toml requirements.lock
	$(BIN)/pip install --quiet --constraint requirements.lock --editable .
	@touch $@

.venv/test: .venv/made pyproject.toml requirements.lock
	$(BIN)/pip install --quiet --constraint requirements.lock --editable ".[dev]"
	@touch $@ .venv/run

# The page is tested in a real browser. The one without windows takes half the processor's time; who
# may not install it, or cannot, uses the browser that is there, or else Playwright's own.
chromium: .venv/test
	@command -v chromium-headless-shell \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && timeout 300 apt-get update -qq \
	    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell > /dev/null; } \
	  || command -v chromium || command -v chromium-browser || command -v google-chrome \
	  || $(BIN)/playwright install chromium
