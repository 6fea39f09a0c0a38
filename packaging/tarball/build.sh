#!/usr/bin/env bash
# The bundle for other distributions: dist/overpaint-VERSION-linux-x86_64.tar.xz, with an installer that needs no root.
set -euo pipefail
cd "$(dirname "$0")/../.."
packaging/bundle/build.sh
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
name=overpaint-$version
root=$PWD/dist/build/tarball/$name
rm -rf "$root"
mkdir -p "$root/share/applications" "$root/share/metainfo" "$root/driver"
cp -a dist/bundle/overpaint "$root/program"
dist/build/venv/bin/python packaging/linux/desktop_files.py "$root/share"
cp packaging/linux/overpaint.desktop "$root/share/applications/"
cp packaging/linux/overpaint.metainfo.xml "$root/share/metainfo/org.overpaint.Overpaint.metainfo.xml"
cp packaging/deb/modprobe.conf packaging/deb/modules-load.conf "$root/driver/"
cp packaging/linux/ldd_check.sh packaging/tarball/install.sh LICENSE "$root/"
cp resources/notices/THIRD_PARTY_NOTICES.txt "$root/"
dist/build/venv/bin/python packaging/bundle/needed_versions.py dist/bundle/overpaint | sed 's/libc6 (>= \([0-9.]*\)).*/\1/' >"$root/glibc"
chmod -R u+rwX,go+rX,go-w "$root"
tar -C "$(dirname "$root")" --owner 0 --group 0 -cf - "$name" | xz -T2 -"${XZ_LEVEL:-6}" >"dist/$name-linux-x86_64.tar.xz"
rm -rf "$root"
printf 'tarball: dist/%s-linux-x86_64.tar.xz: %s MB\n' "$name" "$(($(stat -c %s "dist/$name-linux-x86_64.tar.xz") / 1000000))"
