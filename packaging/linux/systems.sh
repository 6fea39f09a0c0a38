# Fresh systems of Debian for tests of packages; sourced. Needs root and mmdebstrap. Each system is made once and kept as a
# tar file in $systems; a test gets a copy.
systems=${SYSTEMS:-$PWD/dist/systems}

say() { printf '%s: %s\n' "$name_of_test" "$*"; }

check_that_systems_can_be_made() {
    [ "$(id -u)" -eq 0 ] || { say "this makes whole systems: run it as root" >&2; exit 1; }
    command -v mmdebstrap >/dev/null || { say "install mmdebstrap" >&2; exit 1; }
    mkdir -p "$systems"
}

# fresh_system SUITE: a new copy of it in $systems/SUITE, with the mirror of this machine.
fresh_system() {
    local suite=$1 root=$systems/$1 mirror
    if [ ! -f "$systems/$suite.tar" ]; then
        say "making $suite"
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
        mmdebstrap --quiet --variant=apt --include=ca-certificates --aptopt='Acquire::Check-Valid-Until "false"' \
            "$suite" "$systems/$suite.tar.new" "$mirror" --format=tar
        mv "$systems/$suite.tar.new" "$systems/$suite.tar"
    fi
    rm -rf "$root"
    mkdir -p "$root"
    tar -xf "$systems/$suite.tar" -C "$root" --exclude='./dev/*'
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    mkdir -p "$root/test"
}

# inside ROOT COMMAND…: with processes and mounts of its own, which end with it.
inside() {
    local root=$1
    shift
    unshare --mount --pid --fork --kill-child bash -c '
        root=$1; shift
        mount --make-rprivate /
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        mount -t tmpfs tmpfs "$root/run"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 WITH_DRIVER="${WITH_DRIVER:-}" URGENT="${URGENT:-}" chroot "$root" "$@"
    ' bash "$root" "$@"
}
