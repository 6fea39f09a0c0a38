"""Clips of ray-marched people whose matte is known: those of ``training/marched_people``."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "training"


@cache
def marched_clip(name: str, width: int, height: int, count: int) -> tuple[Any, ...]:
    """The first frames of one of the eight hard clips, with ``bgr``, and ``alpha`` at half size.

    A source distribution has no training folder; the test is skipped there.
    """
    if not TRAINING.is_dir():
        pytest.skip("the people are made by training/, which is not here")
    if str(TRAINING) not in sys.path:
        sys.path.append(str(TRAINING))
    clips = import_module("marched_people.clips")
    (clip,) = (clip for clip in clips.hard_clips(width, height) if clip.name == name)
    return tuple(clip.frames(count))
