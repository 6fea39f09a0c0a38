#!/usr/bin/env bash
# The package as users get it: installed by apt in fresh systems of Debian, used, upgraded, removed, purged.
#   packaging/deb/test.sh [bookworm|trixie|forky]...      all three when left out
# PREVIOUS=FILE.deb is the version that is upgraded from; without one, this version under a lower number. WITH_DRIVER=1 also
# installs what is recommended (the camera's driver, a compiler). Needs root, mmdebstrap and two gigabytes a system.
# Pictures, measured times and logs: dist/test-deb/SUITE.
set -euo pipefail
cd "$(dirname "$0")/../.."
name_of_test=test-deb
source packaging/linux/systems.sh
check_that_systems_can_be_made
python=$PWD/dist/build/venv/bin/python
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
package=$PWD/dist/overpaint_${version}_amd64.deb
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

mkdir -p "$systems/samples"
[ -n "$(ls "$systems/samples")" ] || "$python" packaging/deb/samples.py "$systems/samples"
failed=0
[ $# -gt 0 ] || set -- bookworm trixie forky
for suite in "$@"; do
    root=$systems/$suite out=$PWD/dist/test-deb/$suite
    fresh_system "$suite"
    mkdir -p "$root/packages" "$root/samples"
    cp "$package" "$root/packages/new.deb"
    cp "$(previous)" "$root/packages/previous.deb"
    cp packaging/deb/inside.sh packaging/linux/ldd_check.sh "$root/test/"
    cp "$systems"/samples/* "$root/samples/"
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
