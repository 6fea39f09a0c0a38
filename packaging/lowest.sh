#!/usr/bin/env bash
# Unit tests with the lowest versions that pyproject.toml allows, which uv installs into a temporary environment. Of the
# engine's tests only those of nets and a few kernels run, because compiling all kernels takes minutes. Arguments go to
# pytest in place of the test files. Needs uv, and the network for packages that are not in uv's cache.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v uv >/dev/null || { printf 'lowest: this needs uv (pip install uv)\n' >&2; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
python=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
uv pip compile -q --resolution lowest-direct --only-binary :all: --python-version "$python" --extra dev --no-header \
    --no-annotate -o "$out/lowest.txt" pyproject.toml
uv venv -q --python .venv/bin/python "$out/venv"
uv pip sync -q --python "$out/venv/bin/python" --only-binary :all: "$out/lowest.txt"
uv pip install -q --python "$out/venv/bin/python" --no-deps --no-build-isolation -e .
# Compiled for other versions: neither may take the other's.
export NUMBA_CACHE_DIR="$out/kernels" PYTHONPYCACHEPREFIX="$out/bytecode" XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY
tests() { xvfb-run -a -s "-screen 0 1920x1080x24 -nolisten tcp -noreset" "$out/venv/bin/python" -m pytest -q "$@"; }
if [ $# -gt 0 ]; then
    tests "$@"
    exit
fi
tests tests/unit --ignore=tests/unit/engine
tests tests/unit/engine/nets/test_{runtime,custom_nets}.py tests/unit/engine/test_{textures,filling}.py tests/declarations/test_private_names.py
