#!/usr/bin/env bash
# Runs the test suite on a virtual screen of its own, so that windows and screen capture are real.
# Without arguments all of it: first what computes alone, on all cores; then, each on a screen of its own, one after
# another what starts processes, listens on ports and counts frames. Such tests mostly wait: two rows of them run
# beside each other, and each holds on a machine that is busy with others.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
tests() { xvfb-run -a -s "-screen 0 1920x1080x24 -nolisten tcp -noreset" .venv/bin/python -m pytest "$@"; }
if [ $# -gt 0 ]; then
    tests "$@"
    exit
fi
alone=(tests/unit/engine tests/unit/ledger tests/unit/transforms)
failed=0
tests "${alone[@]}" -n auto --dist worksteal || failed=1
words=$(mktemp)
tests tests/integration >"$words" 2>&1 &
beside=$!
trap 'kill "$beside" 2>/dev/null || true; rm -f "$words"' EXIT
tests "${alone[@]/#/--ignore=}" --ignore=tests/integration || failed=1
wait "$beside" || failed=1
cat "$words"
exit $failed
