#!/usr/bin/env bash
# Commands that run inside the Wine system (system.sh, in_system):
#   inside.sh shims               compiles the libraries that Wine lacks
#   inside.sh wine PREFIX USER PROGRAM...   a Windows program, in the prefix /work/prefixes/PREFIX of a user of that name
#   inside.sh freeze              PyInstaller: /work/bundle/overpaint
#   inside.sh imports             what each file of the bundle is linked to
#   inside.sh pack                NSIS: /work/bundle/OverpaintSetup.exe
#   inside.sh pytest PREFIX WORD...         pytest with the Windows Python, on a virtual screen
#   inside.sh run COMMAND...      any command of the system
set -euo pipefail
export WINEDEBUG=${WINEDEBUG--all} WINEARCH=win64 XDG_RUNTIME_DIR=/tmp PYTHONUTF8=1 PYTHONUNBUFFERED=1
export WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=;ucrtbase=n,b'
export PATH=/usr/lib/wine:$PATH

# A new prefix gets the two libraries in its system folder, where Windows has its own.
enter_prefix() {
    export WINEPREFIX=/work/prefixes/$1
    [ -e "$WINEPREFIX/ready" ] && return
    rm -rf "$WINEPREFIX"
    mkdir -p "$WINEPREFIX"
    WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=' wine64 wineboot --init
    WINEDLLOVERRIDES='' wineserver64 --wait
    cp /work/shims/*.dll "$WINEPREFIX/drive_c/windows/system32/"
    touch "$WINEPREFIX/ready"
}

what=$1
shift
case "$what" in
shims)
    cd /work/shims
    x86_64-w64-mingw32-dlltool -d wucrtbase.def -l libwucrtbase.a
    x86_64-w64-mingw32-gcc-win32 -O2 -fno-builtin -shared -o ucrtbase.dll ucrtbase.c ucrtbase.def -nostartfiles -nodefaultlibs \
        -Wl,-e,DllMain -lmingwex libwucrtbase.a -lgcc -lkernel32
    x86_64-w64-mingw32-gcc-win32 -O2 -shared -o icuuc.dll /src/packaging/windows/wine/icuuc.c -nostartfiles -nodefaultlibs -Wl,-e,DllMain
    rm -f ./*.def ./*.a ./*.c
    ;;
wine)
    export USER=$2
    enter_prefix "$1"
    shift 2
    exec wine64 "$@"
    ;;
freeze)
    export PYTHONPATH='Z:\work\builder;Z:\src\desktop' PYTHONDONTWRITEBYTECODE=1 USER=builder
    enter_prefix build
    wine64 'Z:\work\python\python.exe' -m PyInstaller --noconfirm --log-level WARN --distpath 'Z:\work\bundle' \
        --workpath 'Z:\work\freezing' 'Z:\src\packaging\windows\overpaint.spec'
    # Compiled here, since an installation may be read-only for its user; never compared with the sources' times.
    wine64 'Z:\work\python\python.exe' -m compileall -q --invalidation-mode unchecked-hash \
        'Z:\work\bundle\overpaint\_internal\overpaint'
    ;;
imports)
    cd /work/bundle/overpaint
    find . -iregex '.*\.\(exe\|dll\|pyd\)' | while read -r file; do
        x86_64-w64-mingw32-objdump -p "$file" | sed -n "s#^.DLL Name: #$file: #p"
    done
    ;;
pack) exec makensis -V2 -NOCD -INPUTCHARSET UTF8 -DBUNDLE=/work/bundle ${1:+"$@"} /src/packaging/windows/overpaint.nsi ;;
pytest)
    export USER='Zoë Groß' PYTHONPATH='Z:\work\tests;Z:\src\desktop' PYTHONPYCACHEPREFIX='Z:\work\pycache'
    export OVERPAINT_SETUP='Z:\work\out\OverpaintSetup.exe' OVERPAINT_TEST_OUT='Z:\work\out'
    if [ "$1" = installer ]; then
        export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTEST_ADDOPTS='-p pytest_timeout -c tests/windows/pytest.ini'
    else
        unset OVERPAINT_SETUP
    fi
    Xvfb -displayfd 9 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 9>/tmp/display &
    until [ -s /tmp/display ]; do sleep 0.1; done
    DISPLAY=:$(cat /tmp/display)
    export DISPLAY
    enter_prefix "$1"
    shift
    cd /src
    wine64 'Z:\work\python\python.exe' -m pytest "$@"
    ;;
run) exec "$@" ;;
*) echo "inside.sh: unknown command $what" >&2; exit 2 ;;
esac
