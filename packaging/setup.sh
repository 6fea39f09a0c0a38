#!/usr/bin/env bash
# Setup of a working .venv in the repository: system libraries (Debian and its relatives), the locked packages checked by
# hash, Overpaint itself as an editable install. Run by `make setup`; installs only what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

system_packages() {
    local list missing=() known=() package
    list=$(grep -hv '^#' packaging/linux/apt-run.txt packaging/linux/apt-test.txt)
    command -v dpkg-query >/dev/null || { [ "$(uname -s)" = Linux ] && say "not a Debian system: install the counterparts of packaging/linux/apt-*.txt yourself"; return 0; }
    for package in $list; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    # A sound server for the test of recorded sound, but never beside PipeWire's, which it would replace.
    command -v pulseaudio >/dev/null || command -v pipewire >/dev/null || missing+=(pulseaudio pulseaudio-utils)
    [ ${#missing[@]} -eq 0 ] && return 0
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "these system packages are missing, and there is no sudo to install them: ${missing[*]}"
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 -qq update
    for package in "${missing[@]}"; do
        if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); else say "this system has no package $package"; fi
    done
    [ ${#known[@]} -eq 0 ] && return 0
    say "installing ${#known[@]} system packages"
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 -qq install -y --no-install-recommends "${known[@]}" >/dev/null
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
        "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && { echo "$candidate"; return; }
    done
    fail "Python 3.11, 3.12 or 3.13 is needed; name one with PYTHON=/path/to/python3 make setup"
}

system_packages
want=$(cat requirements-dev.lock pyproject.toml packaging/setup.sh | cksum)
if [ ! -x .venv/bin/overpaint ] || [ "$(cat .venv/ready 2>/dev/null)" != "$want" ]; then
    python=$(find_python)
    say "making .venv with $("$python" --version)"
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    rm -f .venv/ready
    .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-dev.lock
    .venv/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
    say "compiling the engine's kernels"
    .venv/bin/overpaint warm
    echo "$want" > .venv/ready
fi
packaging/translations.sh build
