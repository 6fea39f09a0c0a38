"""Measures a net by its overlap with the teacher, on photos and on video that neither was made from.

Usage: ``python -m person_mask.measure NET VIDEO... --teacher FOLDER``
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from person_mask import teacher as teacher_net
from person_mask.material import Material, unseen
from person_mask.net import COLUMNS, ROWS
from person_mask.scenes import Painter, to_yuv
from person_mask.teacher import Teacher

CALLS = 120
"""Scenes before a webcam that are looked at."""

EVERY = 10
"""Of a video's frames one in so many is looked at."""


class Student:
    """A trained net in its file."""

    def __init__(self, file: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._net = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def see(self, rgb: np.ndarray) -> np.ndarray:
        """Probability of a person, float32 (H, W), of a 16:9 picture, uint8 (H, W, 3)."""
        small = cv2.resize(rgb, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
        mask = self._net.run(None, {"yuv": to_yuv(small)[None]})[0][0, 0]
        return cv2.resize(mask, rgb.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    """Intersection over union of two masks, 0..1 each; 1 when both are empty."""
    one, other = first > 0.5, second > 0.5
    either = np.count_nonzero(one | other)
    return float(np.count_nonzero(one & other) / either) if either else 1.0


def agreement(net: Student, material: Material) -> dict[str, float]:
    """How well a net does on what it was not trained on.

    Returns:
        ``calls``: the mean overlap on unseen people before a webcam in unseen rooms, ``worst``: the tenth part of
        that; ``photos``: the mean overlap on photos of people; ``blotches``: the share of pictures of nobody that it
        takes for a person.
    """
    painter = Painter(unseen(material), seed=5)
    scenes = [painter.scene_of("call", COLUMNS, ROWS) for _ in range(CALLS)]
    calls = [overlap(net.see(scene.rgb), scene.label) for scene in scenes if scene.label is not None]
    photos, blotches = [], []
    for photo in material.held_out:
        label = photo.label
        if label is None:
            continue
        rows, columns = label.shape
        height = min(rows, columns * ROWS // COLUMNS)
        part = slice((rows - height) // 3, (rows - height) // 3 + height)
        mask = net.see(np.ascontiguousarray(photo.rgb[part]))
        if photo.people == "clear":
            photos.append(overlap(mask, label[part] / 255))
        else:
            blotches.append(float((mask > 0.5).mean()))
    found = {
        "calls": np.mean(calls),
        "worst": np.percentile(calls, 10),
        "photos": np.mean(photos),
        "blotches": np.mean(blotches),
    }
    return {name: round(float(value), 3) for name, value in found.items()}


def _on_video(net: Student, teacher: Teacher, file: Path) -> str:
    video = cv2.VideoCapture(str(file))
    overlaps, spent_ms, flicker, before, place = [], [], [], None, 0
    while True:
        found, bgr = video.read()
        if not found:
            break
        size = (teacher_net.COLUMNS, teacher_net.ROWS)
        small = cv2.cvtColor(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)
        began = time.thread_time()
        mask = net.see(small)
        spent_ms.append(1000 * (time.thread_time() - began))
        if before is not None:
            flicker.append(float(np.abs(mask - before).mean()))
        before = mask
        if place % EVERY == 0:
            overlaps.append(overlap(mask, (teacher.see(small)[0] > 0).astype(np.float32)))
        place += 1
    mean, least = np.mean(overlaps), np.min(overlaps)
    return (
        f"{file.name}: overlap with the teacher {mean:.3f} (least {least:.3f}), "
        f"change a frame {np.mean(flicker):.4f}, {np.median(spent_ms):.2f} ms CPU"
    )


def main() -> None:
    """Reads the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("videos", type=Path, nargs="*")
    options = parser.parse_args()
    net, teacher = Student(options.net), Teacher(options.teacher)
    for video in options.videos:
        print(_on_video(net, teacher, video))


if __name__ == "__main__":
    main()
