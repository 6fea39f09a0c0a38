#!/usr/bin/env bash
# Trains the net that finds hair and writes it to resources/models. Makes training/.venv by itself; a run that was cut
# off goes on where it was, one that had finished starts anew with FRESH=1 or goes on with a larger MINUTES.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

[ -n "${FRESH:-}" ] && rm -f hair_mask/work/state.pt
"$python" -m hair_mask.made_heads hair_mask/work/heads --count "${HEADS:-1200}"
"$python" -m hair_mask.train --photos "$shared/training/photos" --heads hair_mask/work/heads \
    --person-net ../resources/models/person_mask.onnx --minutes "${MINUTES:-60}" --out ../resources/models/hair.onnx
