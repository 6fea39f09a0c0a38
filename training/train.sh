#!/usr/bin/env bash
# Trains the any-style nets and writes them to resources/models, and the painters' styles to resources/styles. Makes
# training/.venv by itself; a run that was cut off goes on where it was; one that had finished goes on with a larger
# MINUTES, and starts anew with FRESH=1.
set -euo pipefail
cd "$(dirname "$0")"

source ./environment.sh

where=(
    --photos "$shared/training/photos"
    --paintings "$shared/training/paintings"
    --teacher "$shared/models/microast"
    --features "$shared/models/perceptual/sqz_notop.mat"
)
shown=(
    "$shared/models/styles_public_domain/great_wave.jpg"
    "$shared/training/paintings/the_scream.jpg"
    "$shared/training/paintings/water-lilies-1919-2.jpg"
    "$shared/media/reference-pearl-earring.jpg"
)
if [ -n "${FRESH:-}" ]; then rm -f .work/checkpoint.pt; fi
# Small frames first: four times as many answers for the same work. Large ones make up the last two thirds.
minutes=${MINUTES:-60}
"$python" -m distillation train "${where[@]}" --minutes "$minutes" --until 0.33 --side 128 --slots 2400 --resume
"$python" -m distillation train "${where[@]}" --minutes "$minutes" --slots 6000 --resume
"$python" -m distillation export "${where[@]}"
"$python" -m distillation styles "${where[@]}"
"$python" -m distillation report "${where[@]}" --shown "${shown[@]}"
