"""Motion of the person in the demo clip: the pose at a time. All motion repeats after ``SECONDS``."""

from __future__ import annotations

import math

import numpy as np
import person as p
from numpy.typing import NDArray

SECONDS = 9.0


def _wave(seconds: float, turns: int, phase: float = 0.0) -> float:
    """A sine that fits ``turns`` times into the loop."""
    return math.sin(2.0 * math.pi * turns * seconds / SECONDS + phase)


def _hold(seconds: float, rise: float, start: float, end: float, fall: float) -> float:
    """0 … 1 … 0: rises from ``rise`` to ``start``, falls from ``end`` to ``fall``, smoothly."""

    def ease(x: float) -> float:
        x = min(max(x, 0.0), 1.0)
        return x * x * x * (x * (6.0 * x - 15.0) + 10.0)

    return ease((seconds - rise) / (start - rise)) * (1.0 - ease((seconds - end) / (fall - end)))


def _rotation(yaw: float, pitch: float, roll: float) -> NDArray[np.float64]:
    """Scene → head; positive yaw looks to the right of the picture, positive pitch down."""
    cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
    turn = np.array([[cy, 0, -sy], [0, 1, 0], [sy, 0, cy]])
    nod = np.array([[1, 0, 0], [0, cp, sp], [0, -sp, cp]])
    tilt = np.array([[cr, sr, 0], [-sr, cr, 0], [0, 0, 1]])
    return np.asarray(nod @ tilt @ turn, np.float64)


def pose_at(seconds: float) -> NDArray[np.float64]:
    """The pose at a moment of the loop.

    Args:
        seconds: Any time; the loop repeats.

    Returns:
        float64 (POSE_SIZE,), laid out as ``person`` says.
    """
    t = seconds % SECONDS
    aside = _hold(t, 1.7, 2.05, 2.9, 3.25)  # a look at the window
    greet = _hold(t, 4.05, 4.9, 6.7, 7.55)  # the hand is up
    happy = _hold(t, 3.9, 4.7, 7.2, 8.3)
    blink = max(_hold(t, at, at + 0.07, at + 0.10, at + 0.24) for at in (0.85, 1.72, 3.2, 5.6, 7.9))
    pose = np.zeros(p.POSE_SIZE)
    yaw = (
        0.07 * _wave(t, 1, 0.4)
        + 0.03 * _wave(t, 3, 1.0)
        - 0.22 * _hold(t, 1.75, 2.3, 2.9, 3.5)
        + 0.08 * greet
    )
    pitch = 0.02 * _wave(t, 2, 0.3) + 0.025 * _wave(t, 3) * happy - 0.03 * happy
    roll = 0.045 * _wave(t, 1, 2.0) + 0.02 * _wave(t, 2, 1.1) + 0.07 * happy
    pose[p.HEAD : p.HEAD + 9] = _rotation(yaw, pitch, roll).reshape(-1)
    pose[p.SHIFT_X] = 0.03 * _wave(t, 1, 1.2)
    pose[p.SHIFT_Y] = 0.012 * _wave(t, 3)
    pose[p.BREATH] = _wave(t, 3)
    pose[p.SMILE] = 0.66 + 0.06 * _wave(t, 1, 2.2) + 0.28 * happy
    pose[p.MOUTH] = 0.055 * happy * (0.9 + 0.1 * _wave(t, 5))
    pose[p.LID] = (0.93 - 0.08 * happy) * (1.0 - blink)
    pose[p.GAZE_X] = -0.42 * aside - 0.30 * yaw
    pose[p.GAZE_Y] = 0.06 * aside + 0.3 * pitch
    pose[p.BROW] = 0.25 * happy + 0.30 * aside + 0.10 * _wave(t, 2)
    swing = _wave(t, 11) * _hold(t, 4.6, 5.0, 6.5, 6.95)
    pose[p.ELBOW_X] = 2.35
    pose[p.ELBOW_Y] = -3.3 - 2.4 * (1.0 - greet)
    pose[p.WRIST_X] = 2.22 + 0.10 * swing + 0.3 * (1.0 - greet)
    pose[p.WRIST_Y] = -1.62 - 3.0 * (1.0 - greet)
    pose[p.WRIST_Z] = 0.75
    lean = -0.08 + 0.30 * swing
    pose[p.WAVE_COS], pose[p.WAVE_SIN] = math.cos(lean), math.sin(lean)
    pose[p.SUN] = 1.0 + 0.07 * _wave(t, 1, 0.9) + 0.03 * _wave(t, 2, 2.0)
    return pose
