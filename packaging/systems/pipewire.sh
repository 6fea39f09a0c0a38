#!/usr/bin/env bash
# Builds a small Debian with PipeWire, the portal for cameras, and the programs that read cameras from it:
#   packaging/systems/pipewire.sh SUITE FOLDER
# Nothing where it is there already. The mirror is the one that this machine's apt uses. Needs root (or sudo) and mmdebstrap.
set -euo pipefail
suite=$1 folder=$2
packages=(pipewire pipewire-bin wireplumber dbus xdg-desktop-portal ca-certificates
    gstreamer1.0-tools gstreamer1.0-pipewire gstreamer1.0-plugins-base chromium firefox-esr
    libegl1 libgl1 libxkbcommon0 fonts-dejavu-core gcc libc6-dev)
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

[ -e "$folder/.complete" ] && exit
command -v mmdebstrap >/dev/null || as_root apt-get -qq install -y --no-install-recommends mmdebstrap >/dev/null
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
[ -n "$mirror" ] || { echo "apt of this machine knows no mirror of Debian" >&2; exit 1; }
as_root rm -rf "$folder"
as_root mkdir -p "$folder"
# An archive of a past day is as good as today's, so its dates are not checked.
as_root mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$(IFS=,; echo "${packages[*]}")" "$suite" "$folder" "$mirror"
as_root touch "$folder/.complete"
