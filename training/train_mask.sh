#!/usr/bin/env bash
# Trains the net that finds people and writes it to resources/models. Makes training/.venv by itself; a run that was
# cut off goes on where it was, one that had finished starts anew with FRESH=1 or goes on with a larger MINUTES.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

[ -n "${FRESH:-}" ] && rm -f person_mask/work/state.pt person_mask/work/refined.pt
"$python" -m person_mask.train --photos "$shared/training/photos" --teacher "$shared/models/selfie_seg" \
    --minutes "${MINUTES:-60}" --out person_mask/work/first.onnx "$@"
# Then on people of our own making, whose matte is exact, for two thirds of that time.
"$python" -m marched_people.crowd person_mask/work/crowd --count "${CROWD:-1200}"
"$python" -m person_mask.refine --photos "$shared/training/photos" --teacher "$shared/models/selfie_seg" \
    --crowd person_mask/work/crowd --start person_mask/work/first.onnx --minutes "$((${MINUTES:-60} * 2 / 3))" \
    --out ../resources/models/person_mask.onnx
