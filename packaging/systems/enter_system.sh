#!/usr/bin/env bash
# Runs a command in a system of make_system.sh, with mounts and processes of its own, which end with it:
#   packaging/systems/enter_system.sh FOLDER [--read PATH]... [--write PATH]... -- COMMAND...
# Paths are there under the same name: --read ones cannot be written. /tmp, /run and /home are empty each time.
# Needs root (or sudo). The system itself cannot be written, so that several may use it at once.
set -euo pipefail
root=$1
shift
mounts=()
while [ "$1" != -- ]; do mounts+=("$1" "$2"); shift 2; done
shift
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
exec "${as_root[@]}" unshare --mount --pid --fork --kill-child -- bash -c '
set -euo pipefail
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
while [ "$1" != -- ]; do
    mkdir -p "$root$2"
    parent=$(dirname "$2")  # another user must get there, also below /root
    while [ "$parent" != / ]; do chmod a+rx "$root$parent" 2>/dev/null || true; parent=$(dirname "$parent"); done
    mount --bind "$2" "$root$2"
    [ "$1" = --write ] || mount -o remount,ro,bind "$root$2"
    shift 2
done
shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for each in tmp run home; do mount -t tmpfs tmpfs "$root/$each"; done
chmod 1777 "$root/tmp"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$root" "$@"
' enter_system "$root" "${mounts[@]}" -- "$@"
