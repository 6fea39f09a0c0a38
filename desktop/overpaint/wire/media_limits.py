"""Limits of pictures and clips. Source: the interface specification ("Limits"). Quick to import."""

from __future__ import annotations

from typing import Literal

Kind = Literal["video", "image"]

REFERENCE_MAX_BYTES = 8 * 1024 * 1024
IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS = 32 * 1024 * 1024, 64 * 1024 * 1024
"""64 × 1024 × 1024, since a camera of "64 megapixels" (9248×6936, 9280×6944) has a little over 64 million."""
VIDEO_MAX_BYTES, VIDEO_MAX_SECONDS = 1024**3, 600
VIDEO_MAX_PIXELS = 75_000_000_000
"""Total of all frames of a clip: 10 minutes of 1920×1080 at 60 frames a second, 5 of 3840×2160 at 30."""
