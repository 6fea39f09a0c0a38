"""Renderer of resources/demo/demo.mp4, the clip that Overpaint shows where there is no camera.

    .venv/bin/python packaging/demo/render.py                       the clip (about a quarter of an hour)
    .venv/bin/python packaging/demo/render.py --still 5 --output a.png      one moment
    .venv/bin/python packaging/demo/render.py --height 360 --output a.mp4   a quick draft

Everything in it is made here: a room and a person as signed-distance shapes (``room``, ``person``,
``shapes``), coloured (``complexion``), lit and traced on the processor (``roomlight``, ``shading``), moved
by a loop of nine seconds (``motion``, ``backdrop``). The same input gives the same pictures; no third
party's material is used.
"""

from __future__ import annotations

import argparse
import math
import time
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from backdrop import Backdrop
from motion import SECONDS, pose_at
from numpy.typing import NDArray
from shading import render_person

FPS = 30
LIMIT_BYTES = 2_950_000
CLIP = Path(__file__).resolve().parents[2] / "resources" / "demo" / "demo.mp4"

# BT.709, limited range (ITU-R BT.709-6, section 3): rows give Y, Cb, Cr for RGB in 0…1.
TO_YUV = np.array(
    [
        [0.2126 * 219, 0.7152 * 219, 0.0722 * 219, 16],
        [-0.2126 / 1.8556 * 224, -0.7152 / 1.8556 * 224, 0.5 * 224, 128],
        [0.5 * 224, -0.7152 / 1.5748 * 224, -0.0722 / 1.5748 * 224, 128],
    ],
    np.float32,
)


def display(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """Linear light → display values 0…1 by the same curve as ``shading.tone``, through a table."""
    levels = np.linspace(0, 1, 4096, dtype=np.float32) ** 2 * 8
    v = levels * 0.60
    curve = np.clip(v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14), 0, 1) ** (1 / 2.2)
    index = np.sqrt(np.clip(linear, 0, 8) / 8) * 4095
    return np.asarray(curve.astype(np.float32)[(index + 0.5).astype(np.uint16)], np.float32)


def bloom(linear: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """The glow round bright things, as a lens spreads it."""
    small = cv2.resize(np.maximum(linear - 0.85, 0), None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    glow = 0.10 * cv2.GaussianBlur(small, (0, 0), 4 * scale) + 0.10 * cv2.GaussianBlur(
        small, (0, 0), 14 * scale
    )
    return np.asarray(cv2.resize(glow, (linear.shape[1], linear.shape[0])), np.float32)


def compose(backdrop: Backdrop, index: int, width: int, height: int) -> NDArray[np.float32]:
    """One frame of the film, float32 (height, width, 3), display-referred RGB 0…1.

    The room lies out of focus, so half the size loses nothing; the person is traced at three quarters,
    about as sharp as a webcam's lens is.
    """
    seconds = index / FPS
    room = backdrop.at(seconds)
    room = display(room + bloom(room, room.shape[0] / 1080))
    picture = cv2.resize(room, (width, height), interpolation=cv2.INTER_CUBIC)
    person = render_person(pose_at(seconds), width * 3 // 4, height * 3 // 4)
    person[..., :3] *= person[..., 3:]
    person = np.clip(cv2.resize(person, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)
    picture = picture * (1 - person[..., 3:]) + person[..., :3]
    y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    picture *= (1 - 0.16 * np.clip(0.55 * x**2 + 0.45 * y**2, 0, 1) ** 1.5).astype(np.float32)[..., None]
    grain = np.random.default_rng(index).standard_normal((height, width), np.float32)
    picture += cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None] * np.float32(0.0045)
    return np.asarray(np.clip(picture, 0, 1), np.float32)


def to_i420(picture: NDArray[np.float32]) -> NDArray[np.uint8]:
    """RGB 0…1 (H, W, 3) → I420 (H * 3 // 2, W), BT.709 limited range, chroma averaged over 2 × 2."""
    height, width = picture.shape[:2]
    yuv = cv2.transform(picture, TO_YUV)
    small = cv2.resize(yuv[..., 1:], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    flat = np.concatenate([yuv[..., 0].ravel(), small[..., 0].ravel(), small[..., 1].ravel()])
    return np.asarray(np.clip(flat + 0.5, 0, 255).reshape(height * 3 // 2, width), np.uint8)


def encode(frames: list[NDArray[np.uint8]], path: Path, crf: int) -> int:
    """Writes the clip as H.264 tagged BT.709; returns its size in bytes."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        # One key frame, no finer than the frames after it: the picture does not pulse, nor at the loop.
        fine = f"keyint={len(frames)}:scenecut=0:ipratio=1.0:pbratio=1.1"
        options = {"crf": str(crf), "preset": "medium", "tune": "animation", "x264-params": fine}
        stream = container.add_stream("libx264", rate=FPS, options=options)
        stream.width, stream.height = frames[0].shape[1], frames[0].shape[0] * 2 // 3
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.gop_size = len(frames)
        context.color_primaries = context.color_trc = context.colorspace = 1  # ITU-T H.273: BT.709
        context.color_range = 1  # limited
        for number, image in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(image, format="yuv420p")
            frame.colorspace, frame.color_range = 1, 1
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path.stat().st_size


def encode_within(frames: list[NDArray[np.uint8]], path: Path, limit_bytes: int) -> None:
    """Encodes as finely as the limit allows: six steps of the rate factor about halve the size."""
    crf = 17
    while True:
        size = encode(frames, path, crf)
        print(f"crf {crf}: {size} bytes", flush=True)
        if size <= limit_bytes:
            return
        crf += max(1, math.floor(6 * math.log2(size / limit_bytes)))


def render_clip(path: Path, width: int, height: int) -> None:
    """Renders every frame, then encodes as finely as the size limit allows."""
    started = time.monotonic()
    backdrop = Backdrop(width // 2, height // 2)
    frames: list[NDArray[np.uint8]] = []
    total = round(SECONDS * FPS)
    for index in range(total):
        frames.append(to_i420(compose(backdrop, index, width, height)))
        if index % 10 == 9:
            print(f"{index + 1}/{total} frames, {time.monotonic() - started:.0f} s", flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    encode_within(frames, path, LIMIT_BYTES)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--output", type=Path, default=CLIP)
    parser.add_argument("--height", type=int, default=1080, help="pixels; the width follows (16:9)")
    parser.add_argument(
        "--still", type=float, nargs="*", help="seconds: write only these moments, as pictures"
    )
    given = parser.parse_args()
    height = given.height // 2 * 2
    width = height * 16 // 9 // 2 * 2
    if not given.still:
        render_clip(given.output, width, height)
        return
    backdrop = Backdrop(width // 2, height // 2)
    for seconds in given.still:
        picture = compose(backdrop, round(seconds * FPS), width, height)
        name = (
            given.output.with_stem(f"{given.output.stem}-{seconds:g}")
            if len(given.still) > 1
            else given.output
        )
        cv2.imwrite(str(name), np.round(picture[..., ::-1] * 255).astype(np.uint8))


if __name__ == "__main__":
    main()
