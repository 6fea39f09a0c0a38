"""Small pictures and clips as bytes, made here."""

from __future__ import annotations

import io
from fractions import Fraction

import av
import numpy as np
from PIL import Image

from helpers.clips import portrait


def picture(width: int = 96, height: int = 64, form: str = "PNG", **options: object) -> bytes:
    """A photograph of a person as a picture file."""
    rgb = np.ascontiguousarray(portrait(width, height)[..., ::-1])
    target = io.BytesIO()
    Image.fromarray(rgb).save(target, form, **options)
    return target.getvalue()


def clip(
    width: int = 96, height: int = 64, frames: int = 12, sound: bool = True, form: str = "mp4", rate: int = 24
) -> bytes:
    """A clip of a person who moves, with a tone."""
    person = portrait(width + frames, height)
    target = io.BytesIO()
    with av.open(target, "w", format=form) as container:
        video = container.add_stream("libx264", rate=rate, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = width, height, "yuv420p"
        audio = container.add_stream("aac", rate=44100, layout="mono") if sound else None
        for number in range(frames):
            image = np.ascontiguousarray(person[:, number : number + width])
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if audio is not None:
            samples = round(44100 * frames / rate)
            wave = 0.2 * np.sin(np.arange(samples, dtype=np.float32)[None] * 2 * np.pi * 440 / 44100)
            tone = av.AudioFrame.from_ndarray(wave.astype(np.float32), format="fltp", layout="mono")
            tone.sample_rate, tone.pts, tone.time_base = 44100, 0, Fraction(1, 44100)
            container.mux(audio.encode(tone))
            container.mux(audio.encode(None))
    return target.getvalue()
