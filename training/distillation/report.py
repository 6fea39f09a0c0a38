"""Figures and a contact sheet of the exported files on pictures they have never seen, beside the teacher."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from skimage import data

from distillation.export import session
from distillation.nets import REFERENCE_SIDE_PX
from distillation.pictures import Gallery, Picture, load, resized
from distillation.pool import to_device
from distillation.teacher import Teacher

log = logging.getLogger(__name__)

_WIDTH_PX, _HEIGHT_PX = 640, 360
_TILE_PX = (320, 180)
_LEVELS = 255.0
_Restyle = Callable[[np.ndarray], np.ndarray]


def widescreen(picture: Picture, top_share: float = 0.3) -> Picture:
    """Cut 16:9 out of a picture and scale it to 640×360."""
    height, width = picture.shape[:2]
    if height * 16 >= width * 9:
        rows = width * 9 // 16
        top = round((height - rows) * top_share)
        picture = picture[top : top + rows]
    else:
        columns = height * 16 // 9
        left = (width - columns) // 2
        picture = picture[:, left : left + columns]
    return resized(picture, _WIDTH_PX, _HEIGHT_PX)


class Nets:
    """The two exported files, as an application runs them."""

    def __init__(self, folder: Path) -> None:
        self._encoder = session(folder / "style_encoder.onnx")
        self._stylist = session(folder / "stylist.onnx")
        self._code_size: int = self._encoder.get_outputs()[0].shape[1]

    def code(self, reference: np.ndarray) -> np.ndarray:
        """1×3×256×256 → code."""
        return np.asarray(self._encoder.run(None, {"picture": reference})[0])

    def restyle(self, frame: np.ndarray, code: np.ndarray, strength: float = 1.0) -> np.ndarray:
        """One frame without memory, 1×3×H×W."""
        one = np.full((1, 1), strength, np.float32)
        memory = np.zeros((1, self._code_size), np.float32)
        feed = {"frame": frame, "code": code, "strength": one, "memory": memory, "keep": np.zeros_like(one)}
        return np.asarray(self._stylist.run(None, feed)[0])

    def milliseconds(self, frame: np.ndarray, code: np.ndarray, runs: int = 40) -> float:
        """Median CPU time of a frame on one thread."""
        spent = []
        for _ in range(runs):
            begun = time.thread_time()
            self.restyle(frame, code)
            spent.append((time.thread_time() - begun) * 1e3)
        return float(np.median(spent))


def _tensor(picture: Picture) -> np.ndarray:
    return np.ascontiguousarray(to_device(picture[None], torch.device("cpu")).numpy())


def _picture(values: np.ndarray) -> Picture:
    return np.asarray((values[0].transpose(1, 2, 0) * _LEVELS).round().clip(0, 255).astype(np.uint8))


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).mean() * _LEVELS)


class _Judge:
    """Runs teacher and student over one pair and gathers the figures."""

    def __init__(self, nets: Nets, teacher: Teacher) -> None:
        self.nets, self.teacher = nets, teacher
        self.random = np.random.default_rng(7)
        self.figures: dict[str, list[float]] = {}

    def _asked(self, frame: np.ndarray, code: torch.Tensor) -> np.ndarray:
        with torch.inference_mode():
            return np.asarray(self.teacher(torch.from_numpy(frame), code, torch.ones(1)).numpy())

    def pair(self, frame: np.ndarray, reference: Picture, with_video: bool) -> tuple[Picture, Picture]:
        """Restyle one frame by one reference with both; give teacher's and student's picture."""
        style = _tensor(resized(reference, REFERENCE_SIDE_PX, REFERENCE_SIDE_PX))
        with torch.inference_mode():
            taught = self.teacher.code(torch.from_numpy(style))
        code = self.nets.code(style)
        theirs, ours = self._asked(frame, taught), self.nets.restyle(frame, code)
        self._note("student to teacher", _apart(ours, theirs))
        self._note("student to teacher, masses of 8 px", _apart(_masses(ours), _masses(theirs)))
        self._note("input to teacher", _apart(frame, theirs))
        self._note("input to student", _apart(frame, ours))
        self._note("input to student at strength 0", _apart(frame, self.nets.restyle(frame, code, 0.0)))
        if with_video:
            self._video("teacher", frame, theirs, lambda one: self._asked(one, taught))
            self._video("student", frame, ours, lambda one: self.nets.restyle(one, code))
        return _picture(theirs), _picture(ours)

    def _note(self, name: str, value: float) -> None:
        self.figures.setdefault(name, []).append(value)

    def _video(self, who: str, frame: np.ndarray, result: np.ndarray, restyle: _Restyle) -> None:
        """Note what noise and a move by (2, 1) px do to the picture beside doing the same to the frame."""
        noise = self.random.normal(0, 4 / _LEVELS, (2, *frame.shape)).astype(np.float32)
        self._note(f"{who}: noise of 4", _apart(*(restyle((frame + one).clip(0, 1)) for one in noise)))
        moved = restyle(np.roll(frame, (1, 2), (2, 3)))
        there = np.roll(result, (1, 2), (2, 3))
        self._note(f"{who}: moved by 2 px", _apart(moved[:, :, 16:-16, 16:-16], there[:, :, 16:-16, 16:-16]))


def _masses(values: np.ndarray) -> np.ndarray:
    _, channels, height, width = values.shape
    return values.reshape(1, channels, height // 8, 8, width // 8, 8).mean((3, 5))


def _sheet(rows: list[list[Picture]]) -> Picture:
    return np.vstack([np.hstack([resized(tile, *_TILE_PX) for tile in row]) for row in rows])


def _jpeg(path: Path, picture: Picture) -> None:
    cv2.imwrite(str(path), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 82])


def _compared(
    judge: _Judge, frames: list[Picture], references: list[Picture], path: Path
) -> list[list[Picture]]:
    """Judge every pair; write the last reference's first pair at full size; give a row for each reference."""
    rows: list[list[Picture]] = []
    for reference in references:
        pairs = [judge.pair(_tensor(f), reference, with_video=k == 0) for k, f in enumerate(frames)]
        _jpeg(path.with_name(f"{path.stem}-{len(rows)}.jpg"), np.hstack(pairs[0]))
        rows.append([widescreen(reference), *(tile for pair in pairs for tile in pair)])
    _jpeg(path, _sheet(rows))
    return rows


def report(models: Path, teacher_folder: Path, gallery: Gallery, shown: list[Path], work: Path) -> None:
    """Log the figures over unseen frames × unseen references, and write contact sheets.

    Those of everything go to the work folder. One of the paintings in ``shown`` with scikit-image's astronaut
    as the frame (in the public domain) goes to the work folder's parent as ``contact.jpg``.
    """
    nets, teacher = Nets(models), Teacher(teacher_folder)
    photos = [load(p) for p in gallery.unseen_photos]
    astronaut = widescreen(data.astronaut(), 0.15)
    frames = [astronaut, *(widescreen(p) for p in photos[9:36:9])]
    everything = {p.stem: p for p in (*shown, *gallery.unseen_paintings)}.values()
    sets = {"paintings": [load(p) for p in everything], "photos": photos[-6:]}
    for name, references in sets.items():
        judge = _Judge(nets, teacher)
        rows = _compared(judge, frames, references, work / f"unseen-{name}.jpg")
        if name == "paintings" and shown:
            _jpeg(work.parent / "contact.jpg", _sheet([row[:3] for row in rows[: len(shown)]]))
        for figure, values in judge.figures.items():
            log.info("%s | %s | mean %.1f, worst %.1f levels", name, figure, np.mean(values), max(values))
    code = nets.code(_tensor(resized(photos[0], REFERENCE_SIDE_PX, REFERENCE_SIDE_PX)))
    log.info("%.1f ms of CPU for 640x360 on one thread", nets.milliseconds(_tensor(astronaut), code))
