#!/usr/bin/env bash
# Runs a command in a system made by a script beside this one, in namespaces of its own:
#   packaging/systems/enter.sh FOLDER COMMAND...
# The project and its Python are there, read-only, at the paths that they have outside; /tmp and /run are empty. Needs root.
set -euo pipefail
root=$(realpath "$1") repo=$(realpath "$(dirname "$0")/../..")
shift
[ "$(id -u)" -eq 0 ] || exec sudo "$0" "$root" "$@"
environment=$(realpath "$repo/.venv")
python=$("$repo/.venv/bin/python" -c 'import sys; print(sys.base_prefix)')
export root repo environment python
# shellcheck disable=SC2016  # expanded inside
exec unshare --mount --pid --net --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs tmpfs "$root/run"
    for folder in "$repo" "$environment" "$python"; do
        case $folder in /usr|/usr/local) continue ;; esac
        mkdir -p "$root$folder"
        mount --bind "$folder" "$root$folder"
        mount -o remount,ro,bind "$root$folder"
    done
    ip link set lo up 2>/dev/null || true
    mkdir -p "$root/tmp/home" "$root"/run/systemd/{seats,sessions,users,machines}  # or WirePlumber 0.4 gives up
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home LANG=C.UTF-8 PYTHONPATH="$repo/desktop" \
        PYTHONDONTWRITEBYTECODE=1 chroot "$root" /bin/bash -c "cd \"\$0\" && exec \"\$@\"" "$repo" "$@"
' bash "$@"
