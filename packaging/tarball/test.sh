#!/usr/bin/env bash
# The tarball and its installer in a fresh system, by a user without root; and bad ground: no room, nothing to write to, libraries
# that are missing. packaging/tarball/test.sh [SUITE]; results in dist/test-tarball.
set -euo pipefail
cd "$(dirname "$0")/../.."
name_of_test=test-tarball
source packaging/linux/systems.sh
check_that_systems_can_be_made
suite=${1:-trixie}
root=$systems/$suite out=$PWD/dist/test-tarball
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
fresh_system "$suite"
cp "dist/overpaint-$version-linux-x86_64.tar.xz" "$root/test/overpaint.tar.xz"
cp packaging/tarball/inside.sh "$root/test/"
rm -rf "$out"
mkdir -p "$out"
result=passed
inside "$root" bash /test/inside.sh >"$out/log" 2>&1 || result=failed
grep -E '^(ok|FAILED|said) ' "$out/log" | sed "s/^/test-tarball: $suite: /"
say "$suite: $result"
[ -n "${KEEP:-}" ] || rm -rf "$root"
[ "$result" = passed ]
