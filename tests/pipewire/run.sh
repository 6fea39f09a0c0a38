#!/usr/bin/env bash
# Runs the tests of the PipeWire camera in throw-away systems with an old and a new PipeWire, read by programs that are not
# ours: GStreamer, Chromium, Firefox. Made from Debian's packages in dist/systems, kept there for the next run.
#   tests/pipewire/run.sh [SUITE...]     bookworm and forky by default
# The last line says how many tests passed.
set -euo pipefail
cd "$(dirname "$0")/../.."
systems=${OVERPAINT_SYSTEMS:-dist/systems}
[ $# -gt 0 ] || set -- bookworm forky
passed=0 failed=0
for suite in "$@"; do
    folder=$systems/pipewire-$suite
    echo "test-pipewire: $suite" >&2
    packaging/systems/pipewire.sh "$suite" "$folder"
    log=dist/test-pipewire-$suite.log
    mkdir -p dist
    packaging/systems/enter.sh "$folder" env HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis .venv/bin/python -m pytest -v -s -o timeout=400 --durations=5 \
        tests/integration/test_pipewire_camera.py tests/pipewire/test_programs.py 2>&1 | tee "$log" || true
    last=$(grep -E '[0-9]+ (passed|failed|error)' "$log" | tail -n 1)
    count() { grep -oE "[0-9]+ $1" <<<"$last" | grep -oE '[0-9]+' || echo 0; }
    passed=$((passed + $(count passed)))
    failed=$((failed + $(count failed) + $(count error)))
    [ -n "$last" ] || failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
