"""Measures the matte as the app makes it, on clips of people whose matte is known (``marched_people/clips.py``).

Usage, in ``training/``: ``PYTHONPATH=../desktop:. python -m person_mask.mattes [--net FILE] [--sheet FILE]``, and with
``--photos FOLDER`` before photos that no net was trained on instead of made rooms.
"""

import argparse
import time
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.nets.runtime import open_net
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.subject import Overlay
from overpaint.engine.people import person_mask
from overpaint.engine.planes import FULL_FROM_LIMITED, LIMITED_BLACK, LIMITED_SCALE, split

from marched_people.clips import Clip, Frame, hard_clips, photo

WIDTH, HEIGHT = 1280, 720
FRAMES = 10
HELD_OUT = 8
"""As in ``material``, which needs what only the training's environment has."""

SETTLED = 2
"""Frames at the beginning that are not counted: the mask has no past yet."""

BACKDROP = (90, 200, 60)
"""Blue, green, red of the colour that people are laid over to see what is left of their room."""


@dataclass(slots=True)
class Errors:
    """How far a matte is from the truth.

    Attributes:
        sad: Sum of absolute differences for each 1000 pixels of the matte (half the frame's size).
        edge: The same for each 1000 pixels near the true edge, where alpha is between or a neighbour of both.
        gradient: Sum of squared differences of Gaussian gradients, σ 1.4, for each 1000 pixels (Rhemann et al. 2009).
        flicker: 1000 times the root mean square of the differences of changes over time (dtSSD, Erofeev et al. 2015).
        strip: Sum of the matte above all people (in rows above the highest true pixel of each column), for each 1000
            pixels.
        halo: Mean absolute difference near the edge, in levels, of the person over green from the truth over green.
        ms: CPU of the mask, median.
    """

    sad: float
    edge: float
    gradient: float
    flicker: float
    strip: float
    halo: float
    ms: float


def measure(frames: list[Frame]) -> tuple[Errors, list[np.ndarray]]:
    """Errors on a clip; and its mattes, float32 (H / 2, W / 2), and the people over green, uint8, by turns."""
    height, width = frames[0].bgr.shape[:2]
    bands = Bands(1)
    canvas = Canvas(width, height)
    intake, person = Settle(canvas, bands, 0.8), person_mask.Person(canvas.half, bands)
    canvas.person = person
    overlay = Overlay(Stage(canvas, bands), 0.0)
    green = cv2.cvtColor(np.full((height, width, 3), BACKDROP, np.uint8), cv2.COLOR_BGR2YUV_I420)
    sums, spent, shown = np.zeros(6), [], []
    before: tuple[np.ndarray, np.ndarray] | None = None
    for index, frame in enumerate(frames):
        planes = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2YUV_I420)
        planes.flags.writeable = False
        intake.take(planes, canvas)
        began = time.thread_time()
        person.find(canvas.low_source, canvas.u, canvas.v)
        spent.append(1000 * (time.thread_time() - began))
        alpha = person.alpha.astype(np.float32) / 255
        composed = _composed(canvas, overlay, green)
        if index >= SETTLED and before is not None:
            sums += _errors(alpha, frame, before, composed)
        before = (alpha, frame.alpha)
        shown += [alpha, composed]
    sad, edge, gradient, flicker, strip, halo = sums / (len(frames) - SETTLED)
    return Errors(sad, edge, gradient, flicker, strip, halo, float(np.median(spent))), shown


def _errors(alpha: np.ndarray, frame: Frame, before: tuple[np.ndarray, np.ndarray], composed: np.ndarray) -> np.ndarray:
    true = frame.alpha
    wrong = np.abs(alpha - true)
    wide = np.ones((9, 9), np.uint8)
    edge = cv2.dilate(true, wide) - cv2.erode(true, wide) > 0.02
    gradient = (_steepness(alpha) - _steepness(true)) ** 2
    change = (alpha - before[0]) - (true - before[1])
    above = np.maximum.accumulate(true, 0) < 0.01
    above[:, true.max(0) < 0.5] = False
    # A little farther from the person than a soft edge reaches.
    above &= cv2.dilate(true, np.ones((7, 7), np.uint8)) < 0.02
    truth = frame.own * 255 + (1 - frame.full_alpha[..., None]) * np.array(BACKDROP, np.float32)
    near = cv2.resize(edge.astype(np.uint8), truth.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
    return np.array([
        1000 * wrong.mean(), 1000 * wrong[edge].mean(), 1000 * gradient.mean(), 1000 * np.sqrt((change**2).mean()),
        1000 * (alpha * above).mean(), np.abs(composed.astype(np.float32) - truth)[near].mean(),
    ])  # fmt: skip


def _steepness(plane: np.ndarray) -> np.ndarray:
    soft = cv2.GaussianBlur(plane, (0, 0), 1.4)
    return np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8))


def _composed(canvas: Canvas, overlay: Overlay, green: np.ndarray) -> np.ndarray:
    """The person over green, BGR uint8 (H, W, 3)."""
    y, u, v = split(green)
    luma = np.asarray(cv2.LUT(y, FULL_FROM_LIMITED), np.uint8)
    canvas.low[:], canvas.u[:], canvas.v[:] = luma[0, 0], u, v
    overlay.lay(canvas, luma)
    limited = np.round(LIMITED_BLACK + canvas.y.astype(np.float32) * LIMITED_SCALE).astype(np.uint8)
    planes = np.concatenate([limited.reshape(-1), canvas.u.reshape(-1), canvas.v.reshape(-1)])
    return cv2.cvtColor(planes.reshape(-1, canvas.width), cv2.COLOR_YUV2BGR_I420)


def kept(clip: Clip, folder: Path) -> list[Frame]:
    """A clip's frames, from a file when they have been made before."""
    file = folder / f"{clip.name.replace(' ', '-')}-{clip.room.shape[1]}.npz"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = list(clip.frames(FRAMES))
        names = [field.name for field in fields(Frame)]
        stacks = {name: np.stack([getattr(frame, name) for frame in made]) for name in names}
        coded = {n: s if s.dtype == np.uint8 else np.round(s * 255).astype(np.uint8) for n, s in stacks.items()}
        np.savez_compressed(file, **coded)
    with np.load(file) as stored:
        stacks = {
            name: stored[name] if name == "bgr" else stored[name].astype(np.float32) / 255 for name in stored.files
        }
    return [Frame(**{name: stack[index] for name, stack in stacks.items()}) for index in range(FRAMES)]


def before_photos(clips: list[Clip], photos: Path) -> list[Clip]:
    """The same people before photos of nobody that are held out from training (``material.HELD_OUT``)."""
    lists = tomllib.loads((Path(__file__).parent / "people.toml").read_text("utf-8"))
    shows_someone = {*lists["clear"], *lists["unclear"]}
    empty = [file for file in sorted(photos.glob("*.jpg")) if int(file.stem) not in shows_someone]
    held_out = empty[HELD_OUT - 1 :: HELD_OUT]
    rooms = held_out[:: len(held_out) // len(clips)]
    return [
        replace(clip, name=f"photo {file.stem}", room=photo(file, WIDTH, HEIGHT))
        for clip, file in zip(clips, rooms, strict=False)
    ]


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--net", type=Path, help="another net than the one that ships")
    parser.add_argument("--photos", type=Path, help="folder of training photos, NNNN.jpg")
    parser.add_argument("--clips", type=Path, default=Path(__file__).parent / "work" / "clips")
    parser.add_argument("--sheet", type=Path, help="picture to write: frames, mattes, people over green")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.net:
        net = open_net(options.net, 1)
        person_mask._net = lambda _threads: net
    names = [field.name for field in fields(Errors)]
    print(f"{'':22}" + "".join(f"{name:>9}" for name in names))
    rows, total = [], []
    clips = hard_clips(WIDTH, HEIGHT)
    for clip in before_photos(clips, options.photos) if options.photos else clips:
        frames = kept(clip, options.clips)
        errors, shown = measure(frames)
        total.append([getattr(errors, name) for name in names])
        print(f"{clip.name:22}" + "".join(f"{value:9.2f}" for value in total[-1]), flush=True)
        small = [cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA) for picture in (frames[-1].bgr, shown[-1])]
        mattes = [np.repeat(np.asarray(a * 255, np.uint8)[..., None], 3, 2) for a in (frames[-1].alpha, shown[-2])]
        rows.append(np.hstack([small[0], *mattes, small[1]]))
    print(f"{'mean':22}" + "".join(f"{value:9.2f}" for value in np.mean(total, 0)))
    if options.sheet:
        cv2.imwrite(str(options.sheet), np.vstack(rows))


if __name__ == "__main__":
    main()
