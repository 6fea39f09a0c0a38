"""Photographs of the screen by packaging/deb/inside.sh: when the restyled picture was there; kept as PNG.

The dump format is that of xwd(1). A picture is there when the middle of the screen is more varied than in
an empty window.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
from PIL import Image

FIRST_PICTURE_S = 4.0
"""Within which the first start of a fresh home has to show a picture."""
VARIED = 5000
"""Different colours in the middle of the screen."""


def main(out: Path) -> int:
    """Says the times, and returns 1 where the first picture was late."""
    late = 0
    for name in ("first", "second"):
        began = float((out / name / "began").read_text())
        shots = sorted((out / name).glob("*.xwd"))
        seen = [(float(shot.stem) - began, _varied(_read(shot))) for shot in shots]
        at = next((seconds for seconds, varied in seen if varied > VARIED), None)
        print(f"time {name} start to the picture {'never' if at is None else round(at, 1)}")
        for shot in shots[-1:]:
            Image.fromarray(_read(shot)).save(out / f"{name}.png")
        if at is not None:
            shown = next(s for s, (_, v) in zip(shots, seen, strict=True) if v > VARIED)
            Image.fromarray(_read(shown)).save(out / f"{name}-picture.png")
        for shot in shots:
            shot.unlink()
        if name == "first":
            late = int(at is None or at > FIRST_PICTURE_S)
    print(f"{'FAILED' if late else 'ok'} the first start shows a picture within {FIRST_PICTURE_S:.0f} s")
    return late


def _varied(image: np.ndarray) -> int:
    rows, columns = image.shape[:2]
    middle = image[rows // 4 : rows * 3 // 5, columns // 4 : columns * 3 // 4].astype(np.uint32)
    return len(np.unique(middle[..., 0] << 16 | middle[..., 1] << 8 | middle[..., 2]))


def _read(file: Path) -> np.ndarray:
    """A dump of 24 or 32 bits a pixel, as RGB."""
    raw = file.read_bytes()
    fields = struct.unpack(">25I", raw[:100])
    header, width, height, line, colours = fields[0], fields[4], fields[5], fields[12], fields[19]
    pixels = np.frombuffer(raw, np.uint8, height * line, header + colours * 12).reshape(height, line)
    size = fields[11] // 8
    return np.ascontiguousarray(pixels[:, : width * size].reshape(height, width, size)[..., 2::-1])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
