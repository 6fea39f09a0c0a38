#!/usr/bin/env bash
# Runs packaging/screenshots.py on a virtual screen large enough for every size and scale.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
xvfb-run -a -s "-screen 0 3840x2160x24 -nolisten tcp" .venv/bin/python packaging/screenshots.py "$@"
