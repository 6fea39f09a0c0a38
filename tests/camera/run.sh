#!/usr/bin/env bash
# Runs tests/camera/test_*.py in a throw-away virtual machine that has a real v4l2loopback device and a
# real V4L2 camera (vivid): Debian's own kernel in QEMU without hardware virtualisation, on top of this system's
# files, read-only. The kernel is unpacked, never installed. What is made stays in tests/camera/vm (ignored by git).
# Arguments, if any, go to pytest in place of the test files. The last line says how many tests passed.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD repo=$(cd ../.. && pwd) work=$PWD/vm
limit_seconds=${CAMERA_LIMIT_SECONDS:-1500}
began=$SECONDS

say() { printf 'test-camera: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

command -v apt-get >/dev/null || fail "this test builds its machine from Debian's packages; there is no apt-get here"
[ "$(uname -m)" = x86_64 ] || fail "this test is written for x86-64"
kernel=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: linux-image-\([0-9].*\)/\1/p' | head -n 1)
[ -n "$kernel" ] || fail "apt knows no linux-image-amd64; run apt-get update"

install_packages() {
    local package missing=()
    for package in qemu-system-x86 "linux-headers-$kernel" v4l2loopback-source busybox-static cpio kmod \
        gcc make bzip2 binutils v4l-utils ffmpeg; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive as_root apt-get -o DPkg::Lock::Timeout=300 -qq install -y \
        --no-install-recommends "${missing[@]}" >/dev/null
}

unpack_kernel() {
    [ -e "$work/kernel/lib/modules/$kernel/modules.dep" ] && return
    say "unpacking kernel $kernel"
    rm -rf "$work/kernel"
    mkdir -p "$work/kernel" "$work/debs"
    (cd "$work/debs" && apt-get -o APT::Sandbox::User=root -qq download "linux-image-$kernel")
    dpkg -x "$work"/debs/linux-image-"$kernel"_*.deb "$work/kernel"
    /sbin/depmod -b "$work/kernel" "$kernel"
}

build_loopback() {
    [ -e "$work/v4l2loopback-$kernel.ko" ] && return
    say "building v4l2loopback"
    rm -rf "$work/source"
    mkdir -p "$work/source"
    tar -xjf /usr/src/v4l2loopback.tar.bz2 -C "$work/source"
    make -s -C "/usr/src/linux-headers-$kernel" M="$work/source/modules/v4l2loopback" modules >"$work/build.log" 2>&1 ||
        fail "v4l2loopback does not build; see $work/build.log"
    cp "$work/source/modules/v4l2loopback/v4l2loopback.ko" "$work/v4l2loopback-$kernel.ko"
    strip --strip-debug "$work/v4l2loopback-$kernel.ko"
}

# The modules that a module needs, itself last, as paths.
with_needs() {
    /sbin/modprobe --dirname "$work/kernel" --set-version "$kernel" --show-depends "$1" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
}

build_first_root() {
    local image="$work/first-root-$kernel.cpio.gz" root="$work/first-root" module file
    [ "$image" -nt "$here/init" ] && [ "$image" -nt "$here/run.sh" ] && return
    rm -rf "$root"
    mkdir -p "$root"/{bin,modules,proc,sys,dev,host,scratch,system}
    cp /bin/busybox "$root/bin/"
    install -m 755 "$here/init" "$root/init"
    for module in virtio_pci 9pnet_virtio 9p overlay videodev; do with_needs "$module"; done |
        awk '!seen[$0]++' >"$work/boot-modules"
    with_needs vivid | awk 'NR==FNR {seen[$0]=1; next} !seen[$0]++' "$work/boot-modules" - >"$work/camera-modules"
    while read -r file; do
        cp "$file" "$root/modules/"
        strip --strip-debug "$root/modules/$(basename "$file")"
    done < <(cat "$work/boot-modules" "$work/camera-modules")
    cp "$work/v4l2loopback-$kernel.ko" "$root/modules/v4l2loopback.ko"
    sed 's,.*/,,' "$work/boot-modules" >"$root/modules/boot"
    sed 's,.*/,,' "$work/camera-modules" >"$root/modules/camera"
    (cd "$root" && find . | cpio -o -H newc --quiet | gzip -1 >"$image")
}

# Compiling the engine's kernels takes the emulated processor minutes: they are made here, for any processor, in
# the cache that every process in the machine has.
compile_kernels() {
    (cd "$repo" && NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES='' XDG_CACHE_HOME="$work/cache" \
        .venv/bin/python -m overpaint warm)
}

mkdir -p "$work/out"
install_packages
unpack_kernel
build_loopback
build_first_root
compile_kernels
rm -f "$work/out/"*
printf '%s\n' "$repo" >"$work/out/repo"
if [ $# -gt 0 ]; then printf '%q ' "$@"; fi >"$work/out/arguments"
say "ready after $((SECONDS - began)) s; starting the machine"

started=$SECONDS
timeout "$limit_seconds" qemu-system-x86_64 -nodefaults -no-user-config -machine q35 -cpu max -smp 2 -m 4G \
    -accel tcg,thread=multi,tb-size=1024 -no-reboot -display none -serial stdio \
    -kernel "$work/kernel/boot/vmlinuz-$kernel" -initrd "$work/first-root-$kernel.cpio.gz" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr" \
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=host,mount_tag=host \
    -fsdev local,id=out,path="$work/out",security_model=none -device virtio-9p-pci,fsdev=out,mount_tag=out \
    </dev/null || say "the machine ended with $?"
say "the machine ran $((SECONDS - started)) s, all in all $((SECONDS - began)) s"

counts=$(cat "$work/out/counts" 2>/dev/null || echo "0 passed, 1 failed (the machine did not finish)")
printf '%s\n' "$counts"
[ "$(cat "$work/out/result" 2>/dev/null)" = 0 ]
