#!/usr/bin/env bash
# The window's words in other languages: `update` brings the .ts files up to the sources, which are the window's modules
# and the catalogue of errors (every new string stands in them as unfinished), `build` makes the .qm files that the
# window reads. Both by Qt Linguist's own tools.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=resources/translations
case "${1:-build}" in
update)
    catalogue=$(mktemp -d)
    trap 'rm -rf "$catalogue"' EXIT
    .venv/bin/python packaging/window_sentences.py >"$catalogue/sentences.py"
    mapfile -t sources < <(find desktop/overpaint/gui -name '*.py' | sort)
    sources+=("$catalogue/sentences.py")
    for ts in "$folder"/*.ts; do
        .venv/bin/pyside6-lupdate -silent -no-obsolete -locations none "${sources[@]}" -ts "$ts"
        echo "$ts: $(grep -c 'type="unfinished"' "$ts" || true) unfinished"
    done
    ;;
build)
    for ts in "$folder"/*.ts; do
        qm="${ts%.ts}.qm"
        [ "$qm" -nt "$ts" ] || .venv/bin/pyside6-lrelease -silent "$ts" -qm "$qm"
    done
    ;;
esac
