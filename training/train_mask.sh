#!/usr/bin/env bash
# Trains the net that finds people and writes it to resources/models. Makes training/.venv by itself; a run that was
# cut off goes on where it was, one that had finished starts anew with FRESH=1 or goes on with a larger MINUTES.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

[ -n "${FRESH:-}" ] && rm -f person_mask/work/state.pt
"$python" -m person_mask.train --photos "$shared/training/photos" --teacher "$shared/models/selfie_seg" \
    --minutes "${MINUTES:-60}" --out ../resources/models/person_mask.onnx "$@"
