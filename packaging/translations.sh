#!/usr/bin/env bash
# Translations of the window, by Qt Linguist's tools: `update` updates the .ts files from the window's modules and the
# message catalogue of errors (a new language gets its file, a new string is marked as unfinished), `build` compiles the .qm
# files that the window reads.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=resources/translations
case "${1:-build}" in
update)
    catalogue=$(mktemp -d)
    trap 'rm -rf "$catalogue"' EXIT
    .venv/bin/python packaging/window_sentences.py >"$catalogue/sentences.py"
    sources=()  # no mapfile: macOS has bash 3.2
    while IFS= read -r module; do sources+=("$module"); done < <(find desktop/overpaint/gui -name '*.py' | sort)
    sources+=("$catalogue/sentences.py")
    languages=$(.venv/bin/python -c 'from overpaint.gui.window_settings import TRANSLATED; print(*TRANSLATED)')
    for language in $languages; do
        ts=$folder/overpaint_$language.ts
        .venv/bin/pyside6-lupdate -silent -no-obsolete -locations none -source-language en "${sources[@]}" -ts "$ts"
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
