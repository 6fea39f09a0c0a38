"""Batches to learn from: new scenes with the teacher's answers, and some again that were there before.

To make a scene and to ask the teacher costs as much as to learn from it, and once is too little to learn it. Knows no
net.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from person_mask import teacher as teacher_net
from person_mask.net import COLUMNS, ROWS
from person_mask.scenes import Painter, to_yuv
from person_mask.teacher import Teacher

NEW, AGAIN, KEPT = 3, 9, 700
"""Scenes of a batch that are new, that were there before, and how many are kept for that."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One scene, or a batch of them.

    Attributes:
        yuv: uint8 (3, H, W), what the net sees.
        label: float32 (H, W), what it should answer, 0..1.
        known: Whether anyone can say that.
        mask: float32 (H, W), what the teacher answers, 0..1.
        hints: What the teacher sees on its way, float16 (channels, rows, columns) each; float32 in a batch.
    """

    yuv: np.ndarray
    label: np.ndarray
    known: np.ndarray
    mask: np.ndarray
    hints: list[np.ndarray]


class Lessons:
    """Batches without end.

    Args:
        painter: Makes the scenes.
        teacher: Answers to them.
    """

    def __init__(self, painter: Painter, teacher: Teacher) -> None:
        self._painter, self._teacher = painter, teacher
        self._chance = np.random.default_rng(7)
        self._kept: list[Lesson] = []

    def next(self) -> Lesson:
        """A batch: each attribute has one dimension more, the first."""
        new = [self._lesson() for _ in range(NEW)]
        known_ones = len(self._kept)
        again = (
            [self._mirrored(self._kept[int(place)]) for place in self._chance.integers(0, known_ones, AGAIN)]
            if known_ones
            else []
        )
        for lesson in new:
            if len(self._kept) < KEPT:
                self._kept.append(lesson)
            else:
                self._kept[int(self._chance.integers(KEPT))] = lesson
        batch = [*new, *again]
        return Lesson(
            *(np.stack([getattr(lesson, name) for lesson in batch]) for name in ("yuv", "label", "known", "mask")),
            [np.stack(hints).astype(np.float32) for hints in zip(*(lesson.hints for lesson in batch), strict=True)],
        )

    def _lesson(self) -> Lesson:
        scene = self._painter.scene(teacher_net.COLUMNS, teacher_net.ROWS)
        mask, hints = self._teacher.see(scene.rgb)
        size = (COLUMNS, ROWS)
        small = cv2.resize(scene.rgb, size, interpolation=cv2.INTER_AREA)
        label = np.zeros((ROWS, COLUMNS), np.float32)
        if scene.label is not None:
            cv2.resize(scene.label, size, dst=label, interpolation=cv2.INTER_AREA)
        mask = np.clip(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), 0, 1)
        halves = [hint.astype(np.float16) for hint in hints]
        return Lesson(to_yuv(small), np.clip(label, 0, 1), np.array(scene.label is not None), mask, halves)

    def _mirrored(self, lesson: Lesson) -> Lesson:
        """The same, left and right exchanged every other time."""
        if self._chance.random() < 0.5:
            return lesson
        return Lesson(
            lesson.yuv[..., ::-1],
            lesson.label[..., ::-1],
            lesson.known,
            lesson.mask[..., ::-1],
            [hint[..., ::-1] for hint in lesson.hints],
        )
