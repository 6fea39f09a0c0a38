#!/usr/bin/env bash
# Trains the any-style nets and writes them to resources/models. Makes training/.venv by itself; a run that was
# cut off goes on where it was, one that had finished starts anew with FRESH=1 or a larger MINUTES.
set -euo pipefail
cd "$(dirname "$0")"

source ./environment.sh

where=(
    --photos "$shared/training/photos"
    --paintings "$shared/training/paintings"
    --teacher "$shared/models/microast"
    --features "$shared/models/perceptual/sqz_notop.mat"
)
resume=(--resume)
[ -n "${FRESH:-}" ] && resume=()
"$python" -m distillation train "${where[@]}" --minutes "${MINUTES:-60}" "${resume[@]}" "$@"
"$python" -m distillation export "${where[@]}"
"$python" -m distillation report "${where[@]}" --unseen "$shared"/models/styles_public_domain/great_wave.jpg
