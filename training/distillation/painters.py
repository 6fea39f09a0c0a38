"""The styles that ship: one code for each painter, read from one work by the exported encoder.

Adjusting a code by gradient afterwards was tried: it came one level nearer to the teacher (21.7 to 20.7), which
nobody sees. Knows no net's insides.
"""

import logging
from pathlib import Path

import numpy as np
import torch

from distillation.export import session
from distillation.pictures import REFERENCE_SIDE_PX, Gallery, load, resized
from distillation.pool import to_device

log = logging.getLogger(__name__)

WORKS = {
    "gauguin": "tahiti_guaguin",
    "hokusai": "wave_kanagawa",
    "matisse": "woman-with-hat-matisse",
    "monet": "water-lilies-1919-2",
    "munch": "the_scream",
    "turner": "shipwreck",
    "van-gogh": "vg_starry_night",
}
"""Style → the work it is read from, all out of copyright (their painters died before 1956)."""


def write_styles(models: Path, gallery: Gallery, out: Path) -> None:
    """Write ``NAME.npy``, float16 (code size,), for every painter.

    Raises:
        ValueError: a work is not among the gallery's paintings.
    """
    out.mkdir(parents=True, exist_ok=True)
    works = {path.stem: path for path in (*gallery.paintings, *gallery.unseen_paintings)}
    if missing := set(WORKS.values()) - set(works):
        raise ValueError(f"The paintings lack {', '.join(sorted(missing))}.")
    encoder = session(models / "style_encoder.onnx")
    for name, stem in WORKS.items():
        work = resized(load(works[stem]), REFERENCE_SIDE_PX, REFERENCE_SIDE_PX)
        picture = to_device(work[None], torch.device("cpu")).numpy()
        code = np.asarray(encoder.run(None, {"picture": np.ascontiguousarray(picture)})[0])
        np.save(out / f"{name}.npy", code[0].astype(np.float16))
    log.info("%d styles in %s", len(WORKS), out)
