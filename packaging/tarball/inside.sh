#!/bin/bash
# What packaging/tarball/test.sh does inside a fresh system. Prints "ok WHAT", "FAILED WHAT" and "said WHAT: WORDS".
set -uo pipefail
failures=0
check() { local what=$1; shift; if "$@"; then echo "ok $what"; else echo "FAILED $what"; failures=$((failures + 1)); fi; }
apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" </dev/null >/dev/null 2>&1; }
anna() { setpriv --reuid 1000 --regid 1000 --init-groups env -i PATH=/usr/bin:/bin HOME=${HOME_OF_ANNA:-/home/anna} USER=anna LANG=C.UTF-8 "$@"; }
# says WHAT PATTERN COMMAND…: it fails, and says one line that has the pattern and no traceback.
says() {
    local what=$1 pattern=$2 words status
    shift 2
    words=$("$@" 2>&1 >/dev/null)
    status=$?
    echo "said $what: $words"
    check "$what: one clear sentence" [ "$status" -ne 0 -a "$(printf '%s\n' "$words" | wc -l)" -eq 1 ]
    check "$what: it names what is wrong" grep -q "$pattern" <<<"$words"
}

echo "anna:x:1000:1000::/home/anna:/bin/bash" >>/etc/passwd
echo "anna:x:1000:" >>/etc/group
install -d -o 1000 -g 1000 /home/anna
apt update
apt install xz-utils mount
anna tar -xf /test/overpaint.tar.xz -C /home/anna
set -- /home/anna/overpaint-*
there=$1

echo "== an installation where there is no room, no right, an old C library"
mkdir -p /mnt/small /mnt/closed
mount -t tmpfs -o size=50m,mode=1777 tmpfs /mnt/small || exit 1
mount -t tmpfs -o size=50m,mode=755 tmpfs /mnt/closed
says "no room to install" "MB left" anna "$there/install.sh" --prefix /mnt/small
check "nothing of it is left" [ -z "$(ls /mnt/small)" ]
says "no right to install" "cannot be written" anna "$there/install.sh" --prefix /mnt/closed
echo 9.99 >/tmp/glibc
cp "$there/glibc" /tmp/usual
cp /tmp/glibc "$there/glibc"
says "old C library" "GNU C library 9.99 or newer" anna "$there/install.sh"
cp /tmp/usual "$there/glibc"

echo "== installation; the system lacks what the window needs"
anna "$there/install.sh" | tee /tmp/words
check "missing shared libraries are named" grep -q "missing.*libEGL.so.1" /tmp/words
check "it runs" anna /home/anna/.local/bin/overpaint --version
says "no GL" "libGL\|libEGL\|libglib" anna env DISPLAY=:1 /home/anna/.local/bin/overpaint
apt install --no-install-recommends libegl1 libgl1 libglib2.0-0 libgssapi-krb5-2 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 \
    libxcb-image0 libxcb-render-util0 libxcb-randr0 libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 libxkbcommon-x11-0 libfontconfig1 \
    libdbus-1-3 libpulse0 libxext6 libxrandr2 libdrm2 libwayland-cursor0 libwayland-egl1 libpipewire-0.3-0
sh "$there/ldd_check.sh" /home/anna/.local/lib/overpaint >/tmp/libraries
check "every shared library is found" [ ! -s /tmp/libraries ]
head -5 /tmp/libraries
anna /home/anna/.local/bin/overpaint stream --source demo --prompt "pencil sketch" --output null --seconds 4 --json >/tmp/report
check "it streams" grep -q '"raw_frames_out": 0' /tmp/report
check "shipped kernels are used" test -n "$(find /home/anna/.cache/overpaint/kernels -name shipped.txt)"
check "the menu entry names the program" grep -q "^Exec=/home/anna/.local/lib/overpaint/overpaint$" /home/anna/.local/share/applications/overpaint.desktop

echo "== a home that cannot be written, or is full"
mkdir -p /mnt/home
mount -t tmpfs -o size=1m tmpfs /mnt/home
chown anna /mnt/home
HOME_OF_ANNA=/mnt/home
dd if=/dev/zero of=/mnt/home/fill bs=4k count=1000 >/dev/null 2>&1  # at most
says "full home" "space\|full" anna /home/anna/.local/bin/overpaint stream --source demo --prompt "pencil sketch" --output null --seconds 2
mount -o remount,ro /mnt/home
says "read-only home" "cannot be used\|not writable" anna /home/anna/.local/bin/overpaint stream --source demo --prompt "pencil sketch" --output null --seconds 2
HOME_OF_ANNA=

echo "== a second installation, and the end"
anna "$there/install.sh" >/dev/null
check "it runs after an upgrade" anna /home/anna/.local/bin/overpaint --version
anna "$there/install.sh" --uninstall
check "nothing is left" [ -z "$(find /home/anna/.local -iname '*overpaint*' ! -path '*/share/overpaint*')" ]
find /home/anna/.local -iname '*overpaint*'
exit $((failures > 0))
