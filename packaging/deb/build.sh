#!/usr/bin/env bash
# The Debian package: the bundle under /usr/lib/overpaint, and what a desktop expects of a program around it.
# Result: dist/overpaint_VERSION_amd64.deb. DEB_VERSION=… names another version, DEB_LEVEL=1–22 another effort of compression (12).
set -euo pipefail
cd "$(dirname "$0")/../.."
packaging/bundle/build.sh
python=dist/build/venv/bin/python
version=${DEB_VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)}
root=$PWD/dist/build/deb
package=$PWD/dist/overpaint_${version}_amd64.deb
here=packaging/deb
put() { install -D -m 644 "$1" "$root/$2"; }
packed() { mkdir -p "$(dirname "$root/$2")"; gzip -9 -n -c "$1" >"$root/$2"; }

rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/usr/lib" "$root/usr/bin"
cp -a dist/bundle/overpaint "$root/usr/lib/overpaint"
ln -s ../lib/overpaint/overpaint "$root/usr/bin/overpaint"
"$python" packaging/linux/desktop_files.py "$root/usr/share"
put packaging/linux/overpaint.desktop usr/share/applications/overpaint.desktop
put packaging/linux/overpaint.metainfo.xml usr/share/metainfo/org.overpaint.Overpaint.metainfo.xml
put $here/modprobe.conf usr/lib/modprobe.d/overpaint.conf
put $here/modules-load.conf usr/lib/modules-load.d/overpaint.conf
put $here/camera-driver.policy usr/share/polkit-1/actions/org.overpaint.camera-driver.policy
install -D -m 755 $here/camera-driver "$root/usr/libexec/overpaint/camera-driver"
put $here/copyright usr/share/doc/overpaint/copyright
packed CHANGELOG.md usr/share/doc/overpaint/changelog.gz
ln -s ../../../lib/overpaint/_internal/overpaint/resources/notices/THIRD_PARTY_NOTICES.txt "$root/usr/share/doc/overpaint/"
while read -r name; do put "/usr/share/doc/$name/copyright" "usr/share/doc/overpaint/libraries/$name"; done <dist/bundle/system-packages

needed=$("$python" packaging/bundle/needed_versions.py dist/bundle/overpaint)
system=$(grep -hv '^#' packaging/linux/apt-run.txt | grep -v '^fonts-' | paste -sd, | sed 's/,/, /g')
cat >"$root/DEBIAN/control" <<END
Package: overpaint
Version: $version
Architecture: amd64
Maintainer: The Overpaint developers <maintainers@overpaint.invalid>
Section: video
Priority: optional
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $needed, libgcc-s1, libglib2.0-0, libgssapi-krb5-2, zlib1g, $system
Recommends: v4l2loopback-dkms, libva2, libva-drm2, libva-x11-2, pkexec | policykit-1, fonts-dejavu-core | fonts-dejavu
Suggests: gnome-keyring | kwalletmanager
Description: restyles your webcam live and hands it on as a camera
 Overpaint restyles your webcam or your desktop while you use it, by a few
 words or a reference photo, and hands the result to every other program as a
 camera. It needs no graphics card and no account.
END
install -m 755 $here/postinst "$root/DEBIAN/postinst"
install -m 644 $here/triggers "$root/DEBIAN/triggers"
chmod -R u+rwX,go+rX,go-w "$root"
find "$root/usr/lib/overpaint" -type f -name '*.so*' -exec chmod 644 {} +
dpkg-deb --root-owner-group -Zzstd -z"${DEB_LEVEL:-12}" --build "$root" "$package.new" >/dev/null
mv "$package.new" "$package"
rm -rf "$root"
size=$(stat -c %s "$package")
printf 'deb: %s: %s MB\n' "$package" "$((size / 1000000))"
[ "$size" -le 230000000 ] || { printf 'deb: it is larger than 230 MB\n' >&2; exit 1; }
