"""Measures hair as the app finds it, on clips of made people whose hair is known (``marched_people/clips.py``), and the
net alone on made heads that it has not learnt from (``made_heads --seed``).

Usage, in ``training/``: ``PYTHONPATH=../desktop:. python -m hair_mask.measure [--heads FOLDER --photos FOLDER]``
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
from overpaint.assets import asset_dir
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.nets.runtime import open_net
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.people.appearance import HAIR
from overpaint.engine.people.parts import Parts
from overpaint.engine.people.person_mask import Person

from hair_mask.lessons import Cutter, MadeHeads, rooms_of
from marched_people.clips import Clip, hard_clips

WIDTH, HEIGHT, FRAMES, SETTLED = 640, 360, 6, 3
"""Size of the clips, frames that are looked at, and frames at the beginning that are not counted."""


def overlap(found: np.ndarray, true: np.ndarray) -> float:
    """Intersection over union of two soft masks, 0..1; 1 when both are empty."""
    either = float(np.maximum(found, true).sum())
    return float(np.minimum(found, true).sum()) / either if either > 1 else 1.0


def on_clip(clip: Clip) -> tuple[float, float, float]:
    """Overlap with the true hair, share of other parts of the people that is taken for hair, and CPU in ms."""
    bands, canvas = Bands(1), Canvas(WIDTH, HEIGHT)
    intake, person = Settle(canvas, bands, 0.8), Person(canvas.half, bands)
    canvas.person = person
    parts = Parts(canvas.half, bands, (HAIR,))
    overlaps, wrong, spent = [], [], []
    for index, frame in enumerate(clip.frames(FRAMES)):
        planes = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2YUV_I420)
        planes.flags.writeable = False
        intake.take(planes, canvas)
        person.find(canvas.low_source, canvas.u, canvas.v)
        began = time.thread_time()
        parts.find(person, canvas.low_source)
        spent.append(1000 * (time.thread_time() - began))
        if index >= SETTLED:
            found, rest = parts.alpha[HAIR].astype(np.float32) / 255, frame.classes[1:].sum(0)
            overlaps.append(overlap(found, frame.classes[0]))
            wrong.append(float((found * rest).sum() / rest.sum()))
    return float(np.mean(overlaps)), float(np.mean(wrong)), float(np.median(spent))


def on_heads(folder: Path, photos: Path) -> tuple[float, float]:
    """Mean overlap on made heads before photos of nobody, and the worst tenth."""
    net = open_net(asset_dir("models") / "hair.onnx")
    made, cutter = MadeHeads(folder), Cutter(rooms_of(photos), 77)
    found = []
    for index in range(len(made)):
        lesson = cutter.plain(made.head(index))
        matte = lesson.weight.astype(np.float32) / 255
        true = lesson.label.astype(np.float32) / 255 * matte
        if true.sum() > 100:
            found.append(overlap(net.run(planes=lesson.planes[None])[0][0, 0] * matte, true))
    return float(np.mean(found)), float(np.percentile(found, 10))


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=Path, help="folder of made heads")
    parser.add_argument("--photos", type=Path, help="folder of training photos, NNNN.jpg")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"{'':22}{'overlap':>9}{'wrong':>9}{'ms':>9}")
    rows = []
    for clip in hard_clips(WIDTH, HEIGHT):
        rows.append(on_clip(clip))
        print(f"{clip.name:22}" + "".join(f"{value:9.3f}" for value in rows[-1]), flush=True)
    print(f"{'mean':22}" + "".join(f"{value:9.3f}" for value in np.mean(rows, 0)))
    if options.heads and options.photos:
        mean, worst = on_heads(options.heads, options.photos)
        print(f"made heads, the net alone: mean {mean:.3f}, worst tenth below {worst:.3f}")


if __name__ == "__main__":
    main()
