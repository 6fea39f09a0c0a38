"""Batches to learn from: new scenes with the teacher's answers, and some again that were there before.

To make a scene and to ask the teacher costs half as much as to learn from it, and once is too little to learn it. Knows
no net.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from person_mask import teacher as teacher_net
from person_mask.scenes import Painter, to_yuv
from person_mask.teacher import Teacher

NEW, AGAIN, KEPT = 6, 10, 3000
"""Scenes of a batch that are new, that were there before, and how many are kept for that."""

SAMPLE = 160
"""Scenes from which it is told how far apart the teacher's numbers lie."""

CLIPPED = 12.0
"""Logits of the teacher beyond which it is just sure."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One scene, or a batch of them.

    Attributes:
        yuv: uint8 (3, H, W), what the net sees.
        label: uint8 (H, W), what it should answer, 0..255.
        weight: float16 (H, W), how much each place counts: edges more.
        known: Whether anyone can say that.
        logits: float16 (H, W), what the teacher answers.
        seen: What the teacher sees on its way, float16 (channels, rows, columns) each, with a mean of 0 and a spread
            of 1 in each channel.
    """

    yuv: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    known: np.ndarray
    logits: np.ndarray
    seen: list[np.ndarray]


class Lessons:
    """Batches without end.

    Args:
        painter: Makes the scenes.
        teacher: Answers to them.
        measured: Mean and spread of each channel that the teacher sees, as ``measure`` gives them.
    """

    def __init__(self, painter: Painter, teacher: Teacher, measured: list[np.ndarray]) -> None:
        self._painter, self._teacher, self._measured = painter, teacher, measured
        self._chance = np.random.default_rng(7)
        self._kept: list[Lesson] = []

    def next(self) -> Lesson:
        """A batch: each attribute has one dimension more, the first."""
        new = [self._lesson() for _ in range(NEW if self._kept else NEW + AGAIN)]
        places = self._chance.integers(0, max(1, len(self._kept)), NEW + AGAIN - len(new))
        again = [self._mirrored(self._kept[int(place)]) for place in places]
        for lesson in new:
            if len(self._kept) < KEPT:
                self._kept.append(lesson)
            else:
                self._kept[int(self._chance.integers(KEPT))] = lesson
        batch = [*new, *again]
        return Lesson(
            *(
                np.stack([getattr(lesson, name) for lesson in batch])
                for name in ("yuv", "label", "weight", "known", "logits")
            ),
            [np.stack(seen) for seen in zip(*(lesson.seen for lesson in batch), strict=True)],
        )

    def _lesson(self) -> Lesson:
        scene = self._painter.scene(teacher_net.COLUMNS, teacher_net.ROWS)
        logits, seen = self._teacher.see(scene.rgb)
        spread = [
            ((one - measured[0]) / measured[1]).astype(np.float16)
            for one, measured in zip(seen, self._measured, strict=True)
        ]
        label = np.zeros(logits.shape, np.float32) if scene.label is None else scene.label
        return Lesson(
            to_yuv(scene.rgb),
            np.round(label * 255).astype(np.uint8),
            edge_weight(label),
            np.array(scene.label is not None),
            np.clip(logits, -CLIPPED, CLIPPED).astype(np.float16),
            spread,
        )

    def _mirrored(self, lesson: Lesson) -> Lesson:
        """The same, left and right exchanged every other time."""
        if self._chance.random() < 0.5:
            return lesson
        return Lesson(
            lesson.yuv[..., ::-1],
            lesson.label[..., ::-1],
            lesson.weight[..., ::-1],
            lesson.known,
            lesson.logits[..., ::-1],
            [one[..., ::-1] for one in lesson.seen],
        )


def edge_weight(label: np.ndarray) -> np.ndarray:
    """How much each place of a label, float32 (H, W), counts: float16 (H, W)."""
    soft = cv2.blur(label, (13, 13))
    return (1 + 4 * np.abs(label - soft) + 2 * ((soft > 0.02) & (soft < 0.98))).astype(np.float16)


def measure(painter: Painter, teacher: Teacher) -> list[np.ndarray]:
    """Mean and spread of what the teacher sees, float32 (2, channels, 1, 1) for each of its places."""
    many = [teacher.see(painter.scene(teacher_net.COLUMNS, teacher_net.ROWS).rgb)[1] for _ in range(SAMPLE)]
    found = []
    for seen in zip(*many, strict=True):
        values = np.stack(seen)
        mean, spread = values.mean((0, 2, 3)), values.std((0, 2, 3))
        found.append(np.stack([mean, np.maximum(spread, 0.02 * spread.max())])[..., None, None].astype(np.float32))
    return found
