#!/usr/bin/env bash
# Builds dist/OverpaintSetup.exe on Debian: PyInstaller with a Windows Python under Wine, then NSIS (wine/system.sh says where
# what is kept). Needs root or sudo, mmdebstrap and uv. The first run takes a quarter of an hour, a later one half of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=installer-windows repo=$PWD PY=${PY:-$PWD/.venv/bin/python}
. packaging/windows/wine/system.sh

began=$SECONDS
packaging/translations.sh build
make_wine
bundle=$cache/bundle
rm -rf "$bundle"
QT_QPA_PLATFORM=offscreen PYTHONPATH=desktop "$PY" packaging/windows/describe.py "$bundle"
say "running PyInstaller"
in_system freeze
[ -e "$bundle/overpaint/overpaint-window.exe" ] || fail "PyInstaller made no program"
in_system imports >"$bundle/imports.txt"
"$PY" packaging/windows/inventory.py "$bundle" "$system/$wine_libraries"
say "packing $(du -sm "$bundle/overpaint" | cut -f 1) MB"
in_system pack
mkdir -p dist
cp "$bundle/OverpaintSetup.exe" dist/
say "dist/OverpaintSetup.exe, $(($(stat -c %s dist/OverpaintSetup.exe) / 1000000)) MB, after $((SECONDS - began)) s"
