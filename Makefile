# The targets that people and CI use; `make help` lists them. What a target writes goes below .snapstorm/TARGET/.

SHELL       := /bin/bash -eu -o pipefail
GO          ?= go
SNAPSTORM   := $(GO) tool snapstorm
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

CLUSTER   ?=
SCHEDULES ?= 300
SEED      ?= 1
SEEDS     ?= 50
FUZZTIME  ?= 10m
UNLISTED  := ./testdata/bench ./testdata/example ./testdata/conformance/... ./testdata/reproduce ./testdata/mutation ./testdata/mutants/generate ./testdata/mutants/hand ./testdata/mutants/report ./testdata/mutants/schemata ./testdata/kernels/... ./testdata/internal/... ./testdata/explore ./testdata/gate ./testdata/power/... ./testdata/replays # what ./... leaves out
OUT       := $(CURDIR)/.snapstorm

.DEFAULT_GOAL := help
.PHONY: help test lint gate storm fuzz reproduce explore power replays mutants kernels conformance bench determinism

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { n = split($$2, word, " "); line = sprintf("  make %-12s", $$1); \
		for (i = 1; i <= n; i++) { if (length(line) + length(word[i]) > 78) { print line; line = sprintf("%19s", "") } line = line " " word[i] } print line }' Makefile

test: need-chromium lint ## everything: format, vet, staticcheck, the tree's rules, unit and property tests, the storms under -race
	$(GO) test -race ./... ./testdata/example
	$(GO) test ./monitor ./testdata/example ./testdata/gate ./testdata/mutants/generate ./testdata/mutants/report ./testdata/mutants/schemata

lint: need-gcc
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt -w these files:"; echo "$$unformatted"; exit 1; }
	$(GO) vet ./... $(UNLISTED)
	$(STATICCHECK) ./... $(UNLISTED)

gate: need-gcc ## what decides in CI: own tests, storms, old tapes, generations and mutants, benchmarks; the commit's hash is the seed
	@$(GO) run ./testdata/gate

storm: need-gcc ## flood the monitor under -race; CLUSTER=file.yaml takes your own dump, SCHEDULES and SEED are settable
	@rm -rf $(OUT)/storm
	$(SNAPSTORM) test -race ./monitor -- -test.run='^TestStorm$$' -sim.schedules=$(SCHEDULES) -sim.seed=$(SEED) \
		-sim.out=$(OUT)/storm -sim.json=$(OUT)/storm/summary.json $(if $(CLUSTER),-cluster=$(abspath $(CLUSTER)))

fuzz: ## let the engine of go test -fuzz draw storms and their schedules for FUZZTIME=10m; `snapstorm regress TAPE` keeps what it finds
	@mkdir -p $(OUT)/fuzz
	@if $(GO) test ./monitor -run='^$$' -fuzz='^FuzzStorm$$' -fuzztime=$(FUZZTIME) -fuzzminimizetime=10x -args -sim.out=$(OUT)/fuzz 2>&1 | tee $(OUT)/fuzz/output; \
	then echo "fuzz: $$(grep -o 'execs: [0-9]*' $(OUT)/fuzz/output | tail -1) in $(FUZZTIME), no finding"; \
	else echo "fuzz: a finding; $$(grep -o 'replay: .*' $(OUT)/fuzz/output | tail -1)"; exit 1; fi

reproduce: need-gcc ## find every flaw of the four generations of the hand-over, for 20 seeds each, and replay its tape
	@$(GO) run ./testdata/reproduce

mutants: need-gcc ## break the monitor by hand and by operators, in some 200 ways, each to be caught by its own tests
	@$(GO) run ./testdata/mutants/report

explore: need-gcc ## search a small scenario to its end: the monitor clean, each generation caught, and the same without the reduction
	@$(GO) run ./testdata/explore

power: need-gcc ## how soon each strategy shows each flaw, for SEEDS=50 seeds, beside a plain go test -race -count
	@$(GO) run ./testdata/power -seeds=$(SEEDS)

replays: need-gcc ## replay 100 findings of different seeds, as they were found and shrunk
	@$(GO) run ./testdata/replays

kernels: need-gcc ## find the bug of every kernel for 20 seeds, nothing in its fixed twin, and compare with plain go test -race
	@$(GO) run ./testdata/kernels/report

conformance: ## compare informers with client-go's and the cluster with an API server, in random scripts; break the informer to be caught
	@$(GO) run ./testdata/conformance

TWICE = -sim.twice -sim.out=$(OUT)/determinism/$$n -sim.json=$(OUT)/determinism

determinism: need-gcc ## run storms, small worlds and kernels twice, under -race, with GOMAXPROCS 1, 2, 8 beside a busy core
	@rm -rf $(OUT)/determinism
	@while :; do :; done & trap "kill $$!" EXIT; for n in 1 2 8; do export GOMAXPROCS=$$n; echo "GOMAXPROCS=$$n"; \
		$(SNAPSTORM) test -race ./monitor -- -test.run='^TestStorm$$' -sim.schedules=100 $(TWICE)/storm-$$n.json; \
		$(SNAPSTORM) test -race ./fakes -- -test.run='^TestDueAtOnce$$' -sim.schedules=400 $(TWICE)/small-$$n.json; \
		$(SNAPSTORM) test -race ./testdata/kernels ./testdata/kernels/kube -- -test.run='^TestRepeat$$' $(TWICE)/kernels-$$n.json; \
	done

bench: need-gcc ## benchmarks, without and with -race, in the format that benchstat reads
	@$(GO) run ./testdata/bench

.PHONY: need-gcc need-chromium
need-gcc:
	@command -v "$${CC:-gcc}" >/dev/null || { echo "go test -race needs a C compiler: install gcc (Debian: apt-get install gcc libc6-dev)"; exit 2; }
need-chromium:
	@command -v chromium chromium-browser google-chrome chrome >/dev/null || { echo "the tests of the timeline open pages: install Chromium (Debian: apt-get install --no-install-recommends chromium)"; exit 2; }
