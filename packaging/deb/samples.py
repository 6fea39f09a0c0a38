"""One file of each kind of picture and clip, for the test of the package.

Made by the wheels as they are: the bundle leaves out some of the encoders.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pillow_heif
from PIL import Image

PICTURES = ("png", "jpg", "webp", "avif", "heic", "tiff", "gif", "bmp")
CLIPS = {
    "h264.mp4": ("libx264", "yuv420p"),
    "hevc.mp4": ("libx265", "yuv420p"),
    "av1.mp4": ("libsvtav1", "yuv420p"),
    "vp8.webm": ("libvpx", "yuv420p"),
    "vp9.webm": ("libvpx-vp9", "yuv420p"),
    "mpeg4.avi": ("mpeg4", "yuv420p"),
    "prores.mov": ("prores_ks", "yuv422p10le"),
}
"""Names of clips, with encoder and layout."""
SIZE, FRAMES = (320, 192), 12


def write_all(folder: Path) -> None:
    """Writes every file."""
    pillow_heif.register_heif_opener()
    for ending in PICTURES:
        Image.fromarray(_image(0)).save(folder / f"picture.{ending}")
    for name, (encoder, layout) in CLIPS.items():
        with av.open(str(folder / name), "w") as container:
            stream = container.add_stream(encoder, rate=24)
            stream.width, stream.height = SIZE
            stream.pix_fmt = layout
            for number in range(FRAMES):
                frame = av.VideoFrame.from_ndarray(_image(number), format="rgb24")
                frame.pts, frame.time_base = number, Fraction(1, 24)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))


def _image(number: int) -> np.ndarray:
    """Coloured waves that move."""
    columns, rows = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    waves = [128 + 110 * np.sin((columns + 3 * number) / 25 + rows / period) for period in (18, 31, 47)]
    return np.stack(waves, axis=-1).astype(np.uint8)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
