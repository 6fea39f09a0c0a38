# Overpaint: every command a developer needs. `make run` and `make test` set everything up by themselves.
.DEFAULT_GOAL := help
.PHONY: help setup run test test-full test-api test-lowest check bench bench-net bench-tenants looks sheets scenes screenshots walk translations test-kills faults soak test-camera test-wayland test-pipewire deb test-deb tarball test-tarball train train-mask train-hair notices sbom data-folder lint-workflows lock diagrams clean installer-windows test-windows
PY := .venv/bin/python
MINUTES := 60
SHARED := ../shared

help:            ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' Makefile

setup:           ## .venv/bin/overpaint and all it needs, system libraries included; nothing when all is there
	@packaging/setup.sh

run: setup       ## start the app
	@.venv/bin/overpaint

test: setup      ## the tests for every change: each promise, one real thing of each kind (minutes)
	@packaging/test.sh

test-full: test  ## all tests: those of `make test`, then every combination and the slow ones
	@packaging/test.sh full

test-api: setup  ## thousands of requests made from the OpenAPI document, every answer checked against it (minutes)
	@OVERPAINT_API_EXAMPLES=300 $(PY) -m pytest tests/integration/test_openapi.py -q -s --timeout=1500

test-lowest: setup  ## the unit tests with the lowest versions that pyproject.toml allows (needs uv; minutes)
	@packaging/lowest.sh

check: setup     ## formatting, lint, strict types (also as Windows and macOS would see them), import rules
	@.venv/bin/ruff format --check desktop tests packaging
	@.venv/bin/ruff check desktop tests packaging
	@.venv/bin/mypy
	@for system in win32 darwin; do .venv/bin/mypy desktop --platform $$system --no-warn-unreachable --cache-dir .mypy_cache/$$system || exit 1; done
	@.venv/bin/lint-imports --no-cache

bench: setup     ## CPU milliseconds a frame by stage, on this machine
	@$(PY) -m pytest tests/bench -q -s --timeout=900 -p no:warnings

bench-net: setup ## 1080p30 between two network namespaces, on bad networks, beside aiortc as shipped (Linux, as root)
	@$(PY) tests/network/bench.py

bench-tenants: setup ## a picture alone and beside a tenant with 80 slow inputs and 100 large pictures, without and with credits
	@$(PY) -m pytest tests/bench/test_tenants_bench.py -q -s --timeout=900 -p no:warnings

diagrams: setup  ## draw docs/diagrams/*.svg anew from the texts beside them
	@$(PY) packaging/diagrams.py

looks: setup     ## every look on three frames, a contact sheet and the thumbnails (MEDIA=folder OUT=dist/looks)
	@$(PY) packaging/contact_sheet.py $(if $(MEDIA),--media $(MEDIA)) $(if $(OUT),--out $(OUT))

sheets: setup    ## every scene, material and cloth on eight people, at full size and as sheets (KIND=scenes MEDIA=folder OUT=dist/sheets)
	@$(PY) packaging/edit_sheets.py $(KIND) $(if $(MEDIA),--media $(MEDIA)) $(if $(OUT),--out $(OUT)) $(if $(ONLY),--only $(ONLY))

scenes: setup    ## render the scenes' plates, maps and light anew, a quarter of an hour on one core (SCENES="beach forest")
	@$(PY) packaging/scenes/render.py $(SCENES)

screenshots: setup  ## the window in every state, light and dark, at every size (OUT=dist/screenshots STATES="live held")
	@packaging/screenshots.sh $(if $(OUT),--out $(OUT)) $(STATES)

translations: setup ## bring resources/translations/*.ts up to the sources, and build what the window reads
	@packaging/translations.sh update && packaging/translations.sh build

walk: setup      ## a user's whole way through the real program with mouse and keys; pictures of it in dist/walk
	@OVERPAINT_WALK=1 packaging/test.sh tests/walk -q --timeout=600

test-kills: setup   ## kill -9 of the core 200 times in mixed business, on SQLite and on PostgreSQL
	@OVERPAINT_KILLS=200 packaging/test.sh tests/faults/test_core_kills.py -q

faults: setup    ## every fault there is, on real processes: time to the held frame and back, raw frames, credits (FAULTS=part of a name)
	@OVERPAINT_FAULTS="$(or $(FAULTS),all)" packaging/test.sh tests/faults/test_faults.py -q

soak: setup      ## on air at 1080p30 with a session change a minute and random faults: what grows, what is lost (HOURS=2)
	@OVERPAINT_SOAK_SECONDS="$(if $(HOURS),$$(($(HOURS) * 3600)),360)" packaging/test.sh tests/soak -q -s

test-camera: setup  ## a real v4l2loopback device in a virtual machine, read by programs that are not ours
	@tests/camera/run.sh

deb:             ## dist/overpaint_VERSION_amd64.deb from the locked wheels (PyInstaller; minutes)
	@packaging/deb/build.sh

tarball:         ## the same bundle as dist/overpaint-VERSION-linux-x86_64.tar.xz, with an installer for other distributions
	@packaging/tarball/build.sh

test-tarball: tarball  ## the tarball's installer in a fresh system, and bad ground: no room, read-only home, missing libraries
	@packaging/tarball/test.sh $(SYSTEM)

test-deb: deb    ## the package in fresh Debian systems: install, use, upgrade, purge (root, mmdebstrap; SYSTEM="trixie")
	@packaging/deb/test.sh $(SYSTEM)

installer-windows: setup  ## dist/OverpaintSetup.exe, by a Windows Python under Wine (Debian, as root; needs uv, mmdebstrap; a quarter of an hour)
	@packaging/windows/build.sh

test-windows:    ## under Wine: unit and window tests, and dist/OverpaintSetup.exe installed, used, looked at, removed
	@tests/windows/run.sh

test-pipewire: setup  ## the camera in PipeWire, in an old and a new Debian, read by GStreamer, Chromium and Firefox (root; minutes)
	@tests/pipewire/run.sh

test-wayland:    ## a user's way on Wayland: sway, portals and PipeWire in a system of their own (Linux, as root; needs mmdebstrap)
	@packaging/setup.sh && tests/wayland/run.sh

train:           ## train the any-style nets anew (MINUTES=60, SHARED=../shared; a run that was cut off goes on)
	@SHARED="$(SHARED)" MINUTES="$(MINUTES)" training/train.sh

train-mask:      ## train the net that finds people anew (MINUTES=60, SHARED=../shared; a run that was cut off goes on)
	@SHARED="$(SHARED)" MINUTES="$(MINUTES)" training/train_mask.sh

train-hair:      ## train the net that finds hair anew (MINUTES=60, SHARED=../shared; a run that was cut off goes on)
	@SHARED="$(SHARED)" MINUTES="$(MINUTES)" training/train_hair.sh

notices:         ## renew resources/notices from requirements.lock (needs uv)
	@$(PY) packaging/notices.py

.PHONY: sbom data-folder lint-workflows
sbom:            ## dist/overpaint-VERSION.cdx.json: the locked parts as a CycloneDX bill of materials (needs the network once)
	@packaging/releases/sbom.sh

data-folder: setup  ## tests/data_folders/VERSION: what this version leaves, for the tests of all later ones; once a release
	@$(PY) packaging/data_folder.py

lint-workflows:  ## .github/workflows, by actionlint (the installed one, else built by Go)
	@packaging/releases/lint_workflows.sh

lock:            ## renew requirements*.lock (needs uv)
	@uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links -o requirements.lock pyproject.toml
	@uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --extra dev -o requirements-dev.lock pyproject.toml
	@$(MAKE) --no-print-directory notices

clean:           ## remove what the commands above made
	@rm -rf .venv dist .mypy_cache .ruff_cache
