#!/bin/bash
# The session inside the system of run.sh: a user, a bus, sway without a screen, PipeWire; then pytest, which starts the portals.
#   session.sh REPOSITORY PYTHON KERNELS PYTEST_ARGUMENT...
set -euo pipefail
repository=$1 python=$2 kernels=$3
if [ "$(id -u)" -eq 0 ]; then  # sway refuses root
    install -d -o 1000 -g 1000 -m 700 /home/user /run/user/1000
    grep -q '^user:' /etc/passwd || echo 'user:x:1000:1000::/home/user:/bin/bash' >>/etc/passwd
    install -d /home/user/.cache/overpaint
    cp -r "$kernels" /home/user/.cache/overpaint/kernels
    chown -R 1000:1000 /home/user
    cd /home/user
    exec env HOME=/home/user XDG_RUNTIME_DIR=/run/user/1000 setpriv --reuid 1000 --regid 1000 --clear-groups -- \
        /bin/bash "$0" "$@"
fi
shift 3
log=$repository/dist/wayland/log
mkdir -p "$log"

# Waits for what a command finds, a minute at most.
come() {
    local _
    for _ in $(seq 600); do "$@" >/dev/null && return; sleep 0.1; done
    echo "session: never came: $*; see $log" >&2
    exit 1
}

# As the package installs it: portals know programs by it.
mkdir -p ~/.local/share/applications ~/.local/bin ~/.config/xdg-desktop-portal
cp "$repository/packaging/linux/overpaint.desktop" ~/.local/share/applications/
printf '#!/bin/sh\nexec "%s" -m overpaint "$@"\n' "$python" >~/.local/bin/overpaint
chmod +x ~/.local/bin/overpaint
export PATH="$HOME/.local/bin:$PATH" PYTHONPATH="$repository/desktop" PYTHONDONTWRITEBYTECODE=1
export XDG_CURRENT_DESKTOP=sway XDG_SESSION_TYPE=wayland DBUS_SESSION_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/bus"
export WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1
# Not even by accident: there is no X server here, and XWayland is not installed.
unset DISPLAY
dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" --nofork --nopidfile 2>"$log"/bus &
come test -S "$XDG_RUNTIME_DIR/bus"
cat >~/sway.config <<'C'
output HEADLESS-1 resolution 1920x1080 position 0 0 bg #204060 solid_color
xwayland disable
default_border none
default_floating_border none
focus_follows_mouse no
for_window [app_id="clock"] floating enable, resize set 260 160, move position 1640 400
for_window [title="Holiday film"] floating enable, move position 700 500
C
sway -c ~/sway.config >"$log"/sway 2>&1 &
come compgen -G "$XDG_RUNTIME_DIR/wayland-*.lock"
come compgen -G "$XDG_RUNTIME_DIR/sway-ipc*"
WAYLAND_DISPLAY=$(basename "$(compgen -G "$XDG_RUNTIME_DIR/wayland-*.lock")" .lock)
SWAYSOCK=$(compgen -G "$XDG_RUNTIME_DIR/sway-ipc*")
export WAYLAND_DISPLAY SWAYSOCK
pipewire >"$log"/pipewire 2>&1 &
come pw-cli info 0  # the portal of wlroots ends where PipeWire does not answer yet
wireplumber >"$log"/wireplumber 2>&1 &
cd "$repository"
status=0
"$python" -m pytest "${@:-tests/wayland}" -q -p no:xdist --timeout=600 || status=$?
exit "$status"
