#!/usr/bin/env bash
# The bundle: one folder with the program, Python, the locked libraries, the resources and compiled kernels, that runs on a
# computer which has none of them. Built by PyInstaller from an environment of its own; Linux, x86-64.
# Result: dist/bundle/overpaint. Takes minutes; nothing is built anew while no source has changed.
set -euo pipefail
cd "$(dirname "$0")/../.."
say() { printf 'bundle: %s\n' "$*"; }
work=$PWD/dist/build
bundle=$PWD/dist/bundle/overpaint
python=$work/venv/bin/python
mkdir -p "$work"

prepare() {
    local want
    want=$(cat requirements.lock packaging/bundle/requirements.lock | cksum)
    [ "$(cat "$work/venv/ready" 2>/dev/null)" = "$want" ] && return
    say "making the environment of the locked packages"
    rm -rf "$work/venv"
    "${PYTHON:-python3}" -m venv "$work/venv"
    "$python" -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
    "$python" -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r packaging/bundle/requirements.lock
    echo "$want" >"$work/venv/ready"
}

translations() {
    local ts
    for ts in resources/translations/*.ts; do
        [ "${ts%.ts}.qm" -nt "$ts" ] || "$work/venv/bin/pyside6-lrelease" -silent "$ts" -qm "${ts%.ts}.qm"
    done
}

collect() {
    say "collecting"
    rm -rf "$bundle"
    # With these two the executable depends on its modules alone: kernels are known by it.
    PYTHONHASHSEED=1 SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1} "$work/venv/bin/pyinstaller" --noconfirm --log-level ERROR \
        --workpath "$work/pyinstaller" --distpath "$(dirname "$bundle")" packaging/bundle/overpaint.spec
    "$python" packaging/bundle/trim.py "$bundle/_internal"
    # Sources are imported, since numba reads them: compiled beforehand, as nobody may write beside them later.
    "$python" -m compileall -q --invalidation-mode unchecked-hash "$bundle/_internal/overpaint"
    find "$bundle" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-$(newest)}" {} +
    system_packages >"$bundle/../system-packages"
}

# The packages of this system whose libraries are in the bundle, for their licences.
system_packages() {
    local name
    (cd "$bundle/_internal" && ls -- *.so* python3*/lib-dynload/*.so) 2>/dev/null | sed 's#.*/##' | while read -r name; do
        dpkg-query -S "/usr/lib/*/$name" "/lib/*/$name" 2>/dev/null | sed 's/:.*//' | head -n 1 || true
    done | sort -u
}

# Compiled for a processor that nearly every computer has (desktop/overpaint/engine/kernels/shipped_kernels.py). Kept for the next
# bundle with the same executable and the same sources.
kernels() {
    local kept
    kept=$work/kernels/$( (
        sha256sum <"$bundle/overpaint"
        find desktop/overpaint/engine -name '*.py' -path '*/engine/*/*' ! -name shipped_kernels.py ! -path '*/prompt/*' -print0 |
            sort -z | xargs -0 cat desktop/overpaint/engine/planes.py
    ) | sha256sum | cut -c1-16)
    if [ ! -d "$kept" ]; then
        say "compiling the engine's kernels"
        rm -rf "$work/kernels"
        XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data "$bundle/overpaint" warm --for-package "$work/kernels/new"
        mkdir -p "$work/kernels/new"
        mv "$work/kernels/new" "$kept"
    fi
    cp -a "$kept" "$bundle/_internal/overpaint/resources/kernels"
}

# One time for all files, by which the cache of kernels knows the version of their sources.
newest() { find desktop resources -type f -not -path '*/__pycache__/*' -printf '%Ts\n' | sort -n | tail -n 1; }

sources() {
    find desktop resources packaging/bundle requirements.lock -type f -not -path '*/__pycache__/*' -printf '%p %T@ %s\n' | sort | cksum
}

prepare
translations
want=$(sources)
if [ "$(cat "$bundle/../built" 2>/dev/null)" != "$want" ]; then
    rm -f "$bundle/../built"
    collect
    kernels
    echo "$want" >"$bundle/../built"
fi
say "$bundle: $(du -sm "$bundle" | cut -f1) MB"
