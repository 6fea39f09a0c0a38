#!/bin/sh
# Installs Overpaint from this folder: for you alone into ~/.local, or as root for everybody into /usr/local.
#   ./install.sh [--prefix FOLDER]       again over an older version to upgrade it
#   ./install.sh --uninstall [--prefix FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$HOME/.local
[ "$(id -u)" -ne 0 ] || prefix=/usr/local
uninstall=
fail() { echo "install: $*" >&2; exit 1; }
while [ $# -gt 0 ]; do
    case "$1" in
    --prefix) [ $# -gt 1 ] || fail "--prefix needs a folder"; prefix=$2; shift ;;
    --uninstall) uninstall=1 ;;
    *) echo "usage: ./install.sh [--uninstall] [--prefix FOLDER]" >&2; exit 2 ;;
    esac
    shift
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
program=$prefix/lib/overpaint
list=$program/installed-files

remove() {
    [ -f "$list" ] || return 0
    while read -r file; do rm -f "$prefix/share/$file"; done <"$list"
    if [ -L "$prefix/bin/overpaint" ] && [ "$(readlink "$prefix/bin/overpaint")" = "$program/overpaint" ]; then rm "$prefix/bin/overpaint"; fi
    rm -rf "$program"
}

if [ -n "$uninstall" ]; then
    [ -f "$list" ] || fail "there is no Overpaint in $prefix (name another folder with --prefix)"
    remove
    echo "Overpaint is gone from $prefix. Your settings are in ~/.local/share/overpaint, its cache in ~/.cache/overpaint."
    exit 0
fi

[ "$(uname -sm)" = "Linux x86_64" ] || fail "this is for Linux on x86-64, not for $(uname -sm)"
have=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)
want=$(cat "$here/glibc")
[ -n "$have" ] || fail "this needs the GNU C library $want or newer, and this system has another C library"
[ "$(printf '%s\n%s\n' "$want" "$have" | sort -V | head -n 1)" = "$want" ] ||
    fail "this needs the GNU C library $want or newer, and this system has $have: use a newer release of your distribution"
mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || fail "$prefix cannot be written: choose another folder with --prefix"
needed=$(du -sk "$here" | cut -f1)
free=$(df -Pk "$prefix" | awk 'NR == 2 {print $4}')
[ "$free" -gt "$needed" ] || fail "$prefix has $((free / 1024)) MB left, and $((needed / 1024)) MB are needed: make room, or choose another folder with --prefix"

# The new one is whole before the old one goes.
rm -rf "$program.new"
mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share"
cp -a "$here/program" "$program.new" || { rm -rf "$program.new"; fail "copying to $program failed; nothing was changed"; }
(cd "$here/share" && find . -type f) >"$program.new/installed-files"
remove
mv "$program.new" "$program"
cp -r "$here/share/." "$prefix/share/"
ln -sf "$program/overpaint" "$prefix/bin/overpaint"
# Menus start programs without the shell's search path.
sed -i "s#^Exec=overpaint#Exec=$program/overpaint#" "$prefix/share/applications/overpaint.desktop"
command -v update-desktop-database >/dev/null && update-desktop-database -q "$prefix/share/applications" || true

missing=$(sh "$here/ldd_check.sh" "$program" | sed -n 's/.*: \(lib[^ ]*\) => not found.*/\1/p' | sort -u | tr '\n' ' ')
[ -z "$missing" ] || echo "These shared libraries are missing, install them from your distribution: $missing"
echo "Overpaint is in $program. Start it from the menu, or by: $prefix/bin/overpaint"
if [ ! -d /sys/module/v4l2loopback ]; then
    echo "For the camera, install v4l2loopback (Fedora: akmod-v4l2loopback, Arch and openSUSE: v4l2loopback-dkms or -kmp-default), then:"
    echo "  sudo cp $here/driver/modprobe.conf /etc/modprobe.d/overpaint.conf && sudo cp $here/driver/modules-load.conf /etc/modules-load.d/overpaint.conf && sudo modprobe v4l2loopback"
fi
