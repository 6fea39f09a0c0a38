#!/usr/bin/env bash
# Runs the test suite on a virtual screen of its own, so that windows and screen capture are real.
# Without arguments all of it: what computes alone beside each other on all cores; then, one after another, what
# shares the screen, starts processes, listens on ports and counts frames.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
tests() { xvfb-run -a -s "-screen 0 1920x1080x24 -nolisten tcp" .venv/bin/python -m pytest "$@"; }
if [ $# -gt 0 ]; then
    tests "$@"
    exit
fi
alone=(tests/unit/engine tests/unit/ledger tests/unit/transforms)
failed=0
tests "${alone[@]}" -n auto --dist worksteal || failed=1
tests "${alone[@]/#/--ignore=}" || failed=1
exit $failed
