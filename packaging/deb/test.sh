#!/usr/bin/env bash
# The package as users get it: installed by apt in fresh systems of Debian, used, upgraded, removed, purged.
#   packaging/deb/test.sh [bookworm|trixie|forky]...      all three when left out
# PREVIOUS=FILE.deb is the version that is upgraded from; without one, this version under a lower number. WITH_DRIVER=1 also
# installs what is recommended (the camera's driver, a compiler). Needs root, mmdebstrap and a gigabyte and a half a system.
# Pictures, measured times and logs: dist/test-deb/SUITE.
set -euo pipefail
cd "$(dirname "$0")/../.."
say() { printf 'test-deb: %s\n' "$*"; }
[ "$(id -u)" -eq 0 ] || { say "this makes whole systems: run it as root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { say "install mmdebstrap" >&2; exit 1; }
systems=${SYSTEMS:-$PWD/dist/systems}
python=$PWD/dist/build/venv/bin/python
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
package=$PWD/dist/overpaint_${version}_amd64.deb
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
[ -f "$package" ] || { say "make deb first" >&2; exit 1; }

# The same files under a lower number; packed quickly.
previous() {
    [ -z "${PREVIOUS:-}" ] || { echo "$PREVIOUS"; return; }
    local old=$systems/overpaint_${version}~previous_amd64.deb
    if [ ! "$old" -nt "$package" ]; then
        rm -rf "$systems/previous"
        dpkg-deb -R "$package" "$systems/previous"
        sed -i "s/^Version: .*/Version: $version~previous/" "$systems/previous/DEBIAN/control"
        dpkg-deb --root-owner-group -Zzstd -z1 --build "$systems/previous" "$old" >/dev/null
        rm -rf "$systems/previous"
    fi
    echo "$old"
}

fresh_system() {
    local suite=$1 root=$2
    if [ ! -f "$systems/$suite.tar" ]; then
        say "making $suite"
        mmdebstrap --quiet --variant=apt --include=ca-certificates --aptopt='Acquire::Check-Valid-Until "false"' \
            "$suite" "$systems/$suite.tar" "$mirror"
    fi
    rm -rf "$root"
    mkdir -p "$root"
    tar -xf "$systems/$suite.tar" -C "$root" --exclude='./dev/*'
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    mkdir -p "$root/packages" "$root/test" "$root/samples"
    ln -f "$package" "$root/packages/new.deb" 2>/dev/null || cp "$package" "$root/packages/new.deb"
    ln -f "$(previous)" "$root/packages/previous.deb" 2>/dev/null || cp "$(previous)" "$root/packages/previous.deb"
    cp packaging/deb/inside.sh packaging/linux/ldd_check.sh "$root/test/"
    cp "$systems"/samples/* "$root/samples/"
}

# Processes and mounts of its own, which end with it.
inside() {
    local root=$1
    shift
    unshare --mount --pid --fork --kill-child bash -c '
        root=$1; shift
        mount --make-rprivate /
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        mount -t tmpfs tmpfs "$root/run"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 WITH_DRIVER="${WITH_DRIVER:-}" chroot "$root" "$@"
    ' bash "$root" "$@"
}

mkdir -p "$systems/samples"
[ -n "$(ls "$systems/samples")" ] || "$python" packaging/deb/samples.py "$systems/samples"
failed=0
[ $# -gt 0 ] || set -- bookworm trixie forky
for suite in "$@"; do
    root=$systems/$suite out=$PWD/dist/test-deb/$suite
    fresh_system "$suite" "$root"
    rm -rf "$out"
    mkdir -p "$out"
    result=passed
    inside "$root" bash /test/inside.sh >"$out/log" 2>&1 || result=failed
    cp -r "$root"/out/. "$out/" 2>/dev/null || true
    "$python" packaging/deb/look.py "$out" >>"$out/log" 2>&1 || result=failed
    grep -E '^(ok|FAILED|time) ' "$out/log" | sed "s/^/test-deb: $suite: /" || true
    say "$suite: $result"
    [ "$result" = passed ] || failed=1
    [ -n "${KEEP:-}" ] || rm -rf "$root"
done
exit $failed
