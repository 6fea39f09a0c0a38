#!/usr/bin/env bash
# Runs the tests of the PipeWire camera in Debian systems of their own with an old and a new PipeWire, read by programs that
# are not ours: GStreamer, Chromium, Firefox. The systems are kept as those of tests/wayland/run.sh.
#   tests/pipewire/run.sh [SUITE...]     bookworm and forky by default; needs root (or sudo) and mmdebstrap
# The last line says how many tests passed.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$(realpath -s "${PYTHON:-.venv/bin/python}")
export PYTHONPATH=$PWD/desktop
packages=(
    pipewire pipewire-bin wireplumber dbus xdg-desktop-portal ca-certificates gstreamer1.0-tools gstreamer1.0-pipewire
    gstreamer1.0-plugins-base chromium firefox-esr libegl1 libgl1 libxkbcommon0 fonts-dejavu-core gcc libc6-dev
)
read -r cache prefix base < <("$python" -c 'import sys; from overpaint.folders import cache_dir
print(cache_dir(), sys.prefix, sys.base_prefix)')
[ "$base" != /usr ] || { echo "test-pipewire: needs a Python outside /usr (uv or pyenv): PYTHON=… make setup" >&2; exit 1; }
[ $# -gt 0 ] || set -- bookworm forky
inside='set -euo pipefail
mkdir -p /tmp/home /run/systemd/{seats,sessions,users,machines}  # without these WirePlumber 0.4 ends
export HOME=/tmp/home PYTHONPATH=$1/desktop PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis
cd "$1"
exec "$2" -m pytest -v -s -o timeout=400 --durations=5 tests/integration/test_pipewire_camera.py tests/pipewire/test_programs.py'
mkdir -p dist
passed=0 failed=0
for suite in "$@"; do
    echo "test-pipewire: $suite" >&2
    system=${OVERPAINT_SYSTEMS:-$cache/systems}/pipewire-$suite log=dist/test-pipewire-$suite.log
    packaging/systems/make_system.sh "$suite" "$system" "${packages[@]}"
    packaging/systems/enter_system.sh "$system" --read "$PWD" --read "$prefix" --read "$base" -- \
        /bin/bash -c "$inside" bash "$PWD" "$python" 2>&1 | tee "$log" || true
    last=$(grep -E '[0-9]+ (passed|failed|error)' "$log" | tail -n 1 || true)
    count() { grep -oE "[0-9]+ $1" <<<"$last" | grep -oE '[0-9]+' || echo 0; }
    passed=$((passed + $(count passed)))
    failed=$((failed + $(count failed) + $(count error)))
    [ -n "$last" ] || failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
