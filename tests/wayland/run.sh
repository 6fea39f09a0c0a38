#!/usr/bin/env bash
# Runs tests/wayland/test_*.py on a Wayland desktop without a screen: Debian forky's sway, portals and PipeWire, in a folder.
# The system is kept in $OVERPAINT_SYSTEMS (by default "systems" in this program's cache folder) and made again when its list
# of packages changes. Pictures of each station: dist/wayland. Arguments go to pytest. Needs root (or sudo) and mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$(realpath -s "${PYTHON:-.venv/bin/python}")
export PYTHONPATH=$PWD/desktop
packages=(
    sway xdg-desktop-portal xdg-desktop-portal-wlr pipewire pipewire-bin wireplumber dbus grim wtype wl-clipboard foot procps
    fonts-dejavu-core libegl1 libgl1 libgl1-mesa-dri libxkbcommon0 libxkbcommon-x11-0 libwayland-cursor0 libwayland-egl1
    libpipewire-0.3-0t64 libpulse0 libdbus-1-3 libfontconfig1 libdrm2 libxrandr2 libxext6
)
read -r cache prefix base < <("$python" -c 'import sys; from overpaint.folders import cache_dir
print(cache_dir(), sys.prefix, sys.base_prefix)')
[ "$base" != /usr ] || { echo "test-wayland: needs a Python outside /usr (uv or pyenv): PYTHON=… make setup" >&2; exit 1; }
"$python" -m overpaint warm
system=${OVERPAINT_SYSTEMS:-$cache/systems}/wayland
packaging/systems/make_system.sh forky "$system" "${packages[@]}"
rm -rf dist/wayland
mkdir -p dist/wayland
chmod 777 dist/wayland
exec packaging/systems/enter_system.sh "$system" --read "$PWD" --read "$prefix" --read "$base" --read "$cache/kernels" \
    --write "$PWD/dist/wayland" -- /bin/bash "$PWD/tests/wayland/session.sh" "$PWD" "$python" "$cache/kernels" "$@"
