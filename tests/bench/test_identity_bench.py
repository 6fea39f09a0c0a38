"""What is left of the picture: edges, faces and calm of every look, measured on real video.

A face counts as kept when the detector that finds it in the raw frame finds one at the same place in the
restyled frame, at the size of a call's tile too. Edge energy is the mean gradient of luma, relative to the
raw frame's. Flicker is the mean change between successive frames where the raw clip stands still, warp error
the mean change where it moves, once the frame before has been moved along with it (by the raw clip's optical
flow: DIS, Kroeger et al. 2016; places hidden in one of the two left out); both relative to the raw clip's
own. Frames are painted as for a stream, at a detail that no governor changes.

Of scenes, materials and cloths only faces are counted. ``OVERPAINT_CLIP`` names another clip,
``OVERPAINT_PEOPLE`` a folder of further pictures of people, ``OVERPAINT_ENTRIES`` some entries (commas
between).
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data
from skimage.feature import Cascade

from helpers.clips import clip_frames, person_clip, portrait
from overpaint.engine import LookRequest, looks
from overpaint.engine.catalogue import Kind, entries
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import Detail, GovernedLook
from overpaint.engine.prompt.edits import prompt_of

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]
SIZE = (1280, 720)
FRAMES = 30
_STILL = 3


def i420(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)


def luma(image: Picture) -> Picture:
    return image[: image.shape[0] * 2 // 3]


class Faces:
    """Finds faces; the detector is scikit-image's."""

    def __init__(self) -> None:
        self._detector = Cascade(data.lbp_frontal_face_cascade_filename())

    def find(self, grey: Picture, step: float = 1.15) -> list[Box]:
        """Faces of a grey picture; ``step`` is the ratio of one size looked for to the next."""
        rgb = cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB)
        least = max(24, grey.shape[0] // 8)
        found = self._detector.detect_multi_scale(
            img=rgb, scale_factor=step, step_ratio=1, min_size=(least, least), max_size=(grey.shape[0],) * 2
        )
        return [(face["c"], face["r"], face["width"], face["height"]) for face in found]


def same(box: Box, others: list[Box]) -> bool:
    x, y, width, height = box
    centre = (x + width / 2, y + height / 2)
    return any(ox < centre[0] < ox + ow and oy < centre[1] < oy + oh for ox, oy, ow, oh in others)


def scaled(box: Box, by: float) -> Box:
    left, top, width, height = (round(side * by) for side in box)
    return left, top, width, height


def edges(grey: Picture) -> float:
    across, along = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return float(np.hypot(across, along).mean())


def calm(frames: list[Picture], still: NDArray[np.bool_]) -> float:
    changes = [np.abs(b.astype(np.int16) - a)[still].mean() for a, b in itertools.pairwise(frames)]
    return float(np.mean(changes))


class Motion:
    """Where everything goes from frame to frame of the raw clip.

    Args:
        greys: Luma of successive frames, uint8 (H, W).
    """

    def __init__(self, greys: list[Picture]) -> None:
        finder = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
        rows, columns = np.mgrid[: greys[0].shape[0], : greys[0].shape[1]].astype(np.float32)
        self._maps, self._moving = [], []
        for before, after in itertools.pairwise(greys):
            back = finder.calc(after, before, np.zeros((*after.shape, 2), np.float32))
            forth = finder.calc(before, after, np.zeros((*after.shape, 2), np.float32))
            where = (columns + back[..., 0], rows + back[..., 1])
            returned = cv2.remap(forth, *where, cv2.INTER_LINEAR) + back
            seen = np.hypot(returned[..., 0], returned[..., 1]) < 1
            self._maps.append(where)
            self._moving.append(seen & (np.hypot(back[..., 0], back[..., 1]) > 1))

    def error(self, frames: list[Picture]) -> float:
        """Mean change in levels of what moves, moved along."""
        sums = counts = 0.0
        steps = zip(itertools.pairwise(frames), self._maps, self._moving, strict=True)
        for (before, after), where, moving in steps:
            warped = cv2.remap(before, *where, cv2.INTER_LINEAR)
            sums += float(cv2.absdiff(warped, after)[moving].sum(dtype=np.float64))
            counts += float(moving.sum())
        return sums / max(1.0, counts)


def clip() -> Path:
    return Path(os.environ["OVERPAINT_CLIP"]) if "OVERPAINT_CLIP" in os.environ else person_clip()


def filling(bgr: Picture) -> Picture:
    """What of a picture fills the bench's size, of a tall one the top: heads are there."""
    scale = max(SIZE[0] / bgr.shape[1], SIZE[1] / bgr.shape[0]) + 1e-3
    grown = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    left = (grown.shape[1] - SIZE[0]) // 2
    return np.ascontiguousarray(grown[: SIZE[1], left : left + SIZE[0]], np.uint8)


def tile(grey: Picture) -> Picture:
    return np.asarray(cv2.resize(grey, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)


def is_face(faces: Faces, grey: Picture, box: Box) -> bool:
    """Whether the detector finds a face at that place of a picture."""
    x, y, width, height = box
    left, top = max(0, x - width), max(0, y - height)
    part = np.ascontiguousarray(grey[top : y + 2 * height, left : x + 2 * width])
    return same((x - left, y - top, width, height), faces.find(part, 1.05))


def is_face_on_tile(faces: Faces, grey: Picture, box: Box) -> bool:
    return is_face(faces, tile(grey), scaled(box, 180 / SIZE[1]))


def people_of(faces: Faces) -> list[tuple[Picture, list[Box]]]:
    """I420 pictures, and the faces that the detector finds in them at both sizes."""
    raw = [*clip_frames(clip(), 241, SIZE)[120::60], portrait(*SIZE)]
    if "OVERPAINT_PEOPLE" in os.environ:
        files = sorted(Path(os.environ["OVERPAINT_PEOPLE"]).iterdir())
        raw += [filling(np.asarray(cv2.imread(str(file)), np.uint8)) for file in files]
    found = []
    for picture in map(i420, raw):
        grey = luma(picture)
        boxes: list[Box] = []
        for box in faces.find(grey):
            known = is_face(faces, grey, box) and is_face_on_tile(faces, grey, box)
            if known and not same(box, boxes):
                boxes.append(box)
        found.append((picture, boxes))
    return found


def test_what_is_left_of_the_picture(capsys: pytest.CaptureFixture[str]) -> None:
    faces = Faces()
    raw = clip_frames(clip(), FRAMES, SIZE)
    portraits = [portrait(*SIZE)]
    frames = [i420(bgr) for bgr in raw]
    greys = [luma(frame) for frame in frames]
    spread = np.max(greys[10:], axis=0).astype(np.int16) - np.min(greys[10:], axis=0)
    still = cv2.erode((spread <= _STILL * 4).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    scenes = [frames[-1], *map(i420, portraits)]
    small = [tile(luma(scene)) for scene in scenes]
    known_small = [faces.find(picture) for picture in small]
    # The detector also takes curtains for faces: what it does not find on the tile again does not count.
    known = [
        [box for box in faces.find(luma(scene)) if same(scaled(box, 180 / SIZE[1]), boxes)]
        for scene, boxes in zip(scenes, known_small, strict=True)
    ]
    motion = Motion(greys[10:])
    engine = CpuEngine(threads=1)
    rows = []
    for look in looks():
        live = cast(GovernedLook, engine.compile(LookRequest(look.name), *SIZE)).at(Detail())
        styled = [luma(live.apply(frame)) for frame in frames]
        flicker = calm(styled[10:], still) / max(0.01, calm(greys[10:], still))
        warp = motion.error(styled[10:]) / max(0.01, motion.error(greys[10:]))
        kept = asked = tile_kept = tile_asked = 0
        energy = []
        for scene, boxes, boxes_small in zip(scenes, known, known_small, strict=True):
            picture = luma(engine.compile(LookRequest(look.name), *SIZE, "still").apply(scene))
            energy.append(edges(picture) / edges(luma(scene)))
            found = faces.find(picture)
            found_small = faces.find(tile(picture))
            asked, kept = asked + len(boxes), kept + sum(same(box, found) for box in boxes)
            tile_asked += len(boxes_small)
            tile_kept += sum(same(box, found_small) for box in boxes_small)
        rows.append((look.name, float(np.mean(energy)), kept, asked, tile_kept, tile_asked, flicker, warp))
    with capsys.disabled():
        print(
            f"\n{'look':18} {'edges':>6} {'faces':>7} {'on tile':>8} {'flicker':>8} {'warp':>6}   (× the raw)"
        )
        for name, energy_ratio, kept, asked, tile_kept, tile_asked, flicker, warp in rows:
            found_of = f"{kept:4}/{asked} {tile_kept:5}/{tile_asked}"
            print(f"{name:18} {energy_ratio:6.2f} {found_of} {flicker:8.2f} {warp:6.2f}")


@pytest.mark.parametrize("kind", ["materials", "scenes", "cloths"])
def test_what_is_left_of_faces(kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    faces, engine = Faces(), CpuEngine(threads=1)
    people = people_of(faces)
    asked = sum(len(boxes) for _, boxes in people)
    assert asked, "no face is found before anything is changed"
    chosen = os.environ.get("OVERPAINT_ENTRIES", "")
    with capsys.disabled():
        print(f"\n| {kind}: {asked} faces | full size | on a tile |\n| --- | --- | --- |")
    for entry in entries(kind):
        if chosen and entry.name not in chosen.split(","):
            continue
        kept = tile_kept = 0
        for picture, boxes in people:
            painted = luma(engine.compile(LookRequest(prompt_of(entry)), *SIZE, "still").apply(picture))
            kept += sum(is_face(faces, painted, box) for box in boxes)
            tile_kept += sum(is_face_on_tile(faces, painted, box) for box in boxes)
        with capsys.disabled():
            print(f"| {entry.name} | {kept / asked:.0%} | {tile_kept / asked:.0%} |", flush=True)
