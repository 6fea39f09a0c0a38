#!/usr/bin/env bash
# Runs the test suite on a virtual screen of its own, so that windows and screen capture are real.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
exec xvfb-run -a -s "-screen 0 1920x1080x24 -nolisten tcp" .venv/bin/python -m pytest "$@"
