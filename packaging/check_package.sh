#!/usr/bin/env bash
# Check of the wheel: builds it, checks that it has resources and type information, no tests, no third-party media and a
# plausible size; then runs the command from the built package, without the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { printf 'check_package: %s\n' "$*" >&2; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
packaging/translations.sh build
.venv/bin/python -m hatchling build -t wheel -d "$out" >/dev/null
wheel=$(ls "$out"/overpaint-*.whl)
.venv/bin/python -m zipfile -l "$wheel" | awk 'NR > 1 {print $1}' > "$out/names"
for part in overpaint/py.typed overpaint/cli.py overpaint/resources/slate/slate.png overpaint/resources/demo/demo.mp4 \
    overpaint/resources/looks/ink-comic.toml overpaint/resources/words/en.toml overpaint/resources/icons/overpaint.svg \
    overpaint/resources/pages/studio.html overpaint/resources/notices/THIRD_PARTY_NOTICES.txt overpaint/resources/translations/overpaint_de.qm; do
    grep -qx "$part" "$out/names" || fail "the wheel lacks $part"
done
if grep -E '(^|/)(tests?|shared|packaging)/|\.pyc$|__pycache__' "$out/names"; then fail "the wheel carries what it must not"; fi
size=$(stat -c %s "$wheel" 2>/dev/null || stat -f %z "$wheel")
[ "$size" -lt 12000000 ] || fail "the wheel has $size bytes"
.venv/bin/python -m zipfile -e "$wheel" "$out/site"
(cd "$out" && PYTHONPATH="$out/site" OVERPAINT_DATA_DIR="$out/data" "$OLDPWD/.venv/bin/python" -I -c "
import sys; sys.path.insert(0, '$out/site')
import overpaint; assert overpaint.__file__.startswith('$out'), overpaint.__file__
from overpaint.cli import run
sys.exit(run(['looks']))" > "$out/looks") || fail "the packaged command does not run"
[ "$(wc -l < "$out/looks")" -ge 8 ] || fail "the packaged command finds no looks"
printf 'check_package: %s files, %s bytes\n' "$(wc -l < "$out/names")" "$size"
