#!/usr/bin/env bash
# Tests of Overpaint on Windows, under Wine on Debian (packaging/windows/wine/system.sh): the user's name there has a space and
# letters beyond ASCII.
#   run.sh                       unit and window tests, then the life of dist/OverpaintSetup.exe: installed, used, removed
#   run.sh FILE|OPTION...        these, by a Windows pytest
# Times and the picture of the installed app: dist/windows.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=test-windows repo=$PWD PY=${PY:-$PWD/.venv/bin/python}
. packaging/windows/wine/system.sh

make_wine
fetch_wheels "$repo/requirements-dev.lock" tests
if [ $# -gt 0 ]; then
    in_system pytest units "$@"
    exit
fi
[ -e dist/OverpaintSetup.exe ] || fail "make installer-windows first"
mkdir -p dist/windows "$cache/out"
status=0
in_system pytest units -q tests/unit tests/gui --ignore tests/unit/engine || status=$?
rm -rf "$cache/out" "$cache/prefixes/installer"
mkdir -p "$cache/out"
cp dist/OverpaintSetup.exe "$cache/out/"
in_system pytest installer -v -s tests/windows/test_installer.py || status=$?
cp "$cache"/out/*.png dist/windows/ 2>/dev/null || true
exit "$status"
