#!/usr/bin/env bash
# Tests on virtual screens, so that windows and screen capture are real.
#   packaging/test.sh                  the suite for every change
#   packaging/test.sh full             what only the full suite has
#   packaging/test.sh FILE|OPTION...   these, one after another on one screen
# The two suites run in four workers, each on a screen of its own, since tests mostly wait. The category of a module decides
# which tests stay together in one worker (docs/development.md).
# Times of all tests: dist/test.xml and dist/test-full.xml.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
# Some machines have it set: each of some thousand processes would compile every module that it imports.
unset PYTHONDONTWRITEBYTECODE
# The engine's kernels: where they are missing, every core that a test starts would begin to compile them.
.venv/bin/overpaint warm
workers=(-n 4 -q)
case "${1:-}" in
"") exec .venv/bin/python -m pytest "${workers[@]}" --junitxml=dist/test.xml -m "not full" ;;
full) exec .venv/bin/python -m pytest "${workers[@]}" --junitxml=dist/test-full.xml -m full ;;
*) exec xvfb-run -a -s "-screen 0 1920x1080x24 -nolisten tcp -noreset" .venv/bin/python -m pytest "$@" ;;
esac
