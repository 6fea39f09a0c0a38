#!/usr/bin/env bash
# A Debian system of its own in a folder, for tests that need another desktop or release than this machine's:
#   packaging/systems/make_system.sh SUITE FOLDER PACKAGE...
# Made by mmdebstrap from the mirror of this machine's own apt sources; an existing one with the same packages is left alone.
# Needs root (or sudo). enter_system.sh beside this runs commands in it.
set -euo pipefail
suite=$1 folder=$2
shift 2
want="$suite $(printf '%s\n' "$@" | sort | tr '\n' ' ')"

[ "$(cat "$folder/etc/overpaint-system" 2>/dev/null)" = "$want" ] && exit 0
command -v mmdebstrap >/dev/null || { echo "make_system: install mmdebstrap" >&2; exit 1; }
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | sort -u | head -n 1)
[ -n "$mirror" ] || { echo "make_system: apt knows no mirror here; run apt-get update" >&2; exit 1; }
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
packages=$(IFS=,; echo "$*")
mkdir -p "$(dirname "$folder")"
# Never what is mounted in it: enter_system.sh mounts in a namespace of its own, which ends with the command.
"${as_root[@]}" rm -rf --one-file-system "$folder"
"${as_root[@]}" mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$packages" "$suite" "$folder" "$mirror"
echo "$want" | "${as_root[@]}" tee "$folder/etc/overpaint-system" >/dev/null
