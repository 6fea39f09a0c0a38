"""Transforms of pictures: rotated upright, converted to sRGB, restyled, written without private metadata.

Decisions that the specification leaves open: the output is a PNG where the input is lossless or has
transparency, else a JPEG of quality 92. It is 8 bit, sRGB with its profile, upright, and of the same size.
EXIF, XMP and comments (places, cameras, names) are dropped. The first picture of an animation is taken.
Must not know processes or requests.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from overpaint.engine.interface import Engine, LookRequest, Quality
from overpaint.errors import InvalidRequestError
from overpaint.media import pictures
from overpaint.media.opener.bounded_reader import open_file
from overpaint.media.opener.recognition import Format, recognised
from overpaint.media.opener.stills import Still, decode, inside, on_white
from overpaint.transforms.targets import whole
from overpaint.transforms.task import PHOTO_MAX_SIDE, Inspection, Transformed, input_blamed
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES

Pixels = NDArray[np.uint8]

JPEG_QUALITY = 92
SMALLEST = 64
"""Smallest side that the engine accepts; smaller pictures are padded, then cropped."""
_FILL_SIDE = 64
"""Larger side of the reduced copy on which the colours around transparent areas are computed."""


def inspect(source: Path) -> Inspection:
    """Validates a picture by decoding it.

    Raises:
        InvalidRequestError: It is not a picture, damaged, or over a limit.
    """
    still, format_ = opened(source)
    height, width = still.bgr.shape[:2]
    return Inspection("image", format_.content_type, width, height, 0.0, 1)


def transform(source: Path, request: LookRequest, target: Path, engine: Engine) -> Transformed:
    """Restyles a picture; the target is written atomically.

    Raises:
        InvalidRequestError: It is not a picture, damaged, or over a limit.
        OSError: The target cannot be written.
    """
    still, format_ = opened(source)
    styled = restyled(still, request, engine)
    lossless = format_.lossless or still.alpha is not None
    content_type = "image/png" if lossless else "image/jpeg"
    with whole(target) as part:
        _write(styled, still.alpha, part, lossless=lossless)
    return Transformed(target, content_type, target.stat().st_size)


def photo(source: Path, target: Path) -> Path:
    """Decodes a reference photo into an array file: sRGB, opaque, upright, at most 2048 px a side.

    The file is in NumPy's format, uint8 (H, W, 3), BGR, so that its readers run no picture decoder.

    Raises:
        InvalidRequestError: It is not a picture, damaged, or over a limit.
        OSError: The array cannot be written.
    """
    still, _ = opened(source, REFERENCE_MAX_BYTES)
    bgr = on_white(inside(still, (PHOTO_MAX_SIDE, PHOTO_MAX_SIDE)))
    with whole(target) as part, part.open("wb") as file:
        np.save(file, bgr, allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return target


def opened(source: Path, most_bytes: int | None = None) -> tuple[Still, Format]:
    """A decoded picture file, and its format.

    Raises:
        InvalidRequestError: It is not a picture, damaged, or over a limit.
    """
    with input_blamed(), open_file(source) as file:
        format_ = recognised(file, "image")
        if most_bytes is not None and file.size > most_bytes:
            raise InvalidRequestError("photo_too_large")
        return decode(file.read(), format_), format_


def restyled(still: Still, request: LookRequest, engine: Engine, quality: Quality = "still") -> Pixels:
    """Restyles a picture of any size.

    Returns:
        BGR uint8 (H, W, 3) of the same size.
    """
    height, width = still.bgr.shape[:2]
    bgr = still.bgr if still.alpha is None else _filled(still.bgr, still.alpha)
    padded = padded_even(bgr)
    look = engine.compile(request, padded.shape[1], padded.shape[0], quality)
    styled = pictures.to_bgr(look.apply(pictures.from_bgr(padded)))
    return np.ascontiguousarray(styled[:height, :width])


def padded_even(bgr: Pixels) -> Pixels:
    """A picture (H, W, C), padded to an even size that the engine accepts (last row and column repeated)."""
    height, width = bgr.shape[:2]
    down, right = (max(SMALLEST, side + side % 2) - side for side in (height, width))
    if not down and not right:
        return np.ascontiguousarray(bgr)
    return np.asarray(cv2.copyMakeBorder(bgr, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)


# ---- transparency ----------------------------------------------------------------------------------


def _filled(bgr: Pixels, alpha: Pixels) -> Pixels:
    """The picture with its transparent areas filled from the colours around them.

    Colours under full transparency are arbitrary (often black, or left by an editor). Looks filter over many
    pixels, so without this they would draw lines there, and darken the visible edges.
    """
    height, width = alpha.shape
    scale = min(1.0, _FILL_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    weight = alpha.astype(np.float32) / 255
    colours = [cv2.resize(bgr[..., i] * weight, size, interpolation=cv2.INTER_AREA) for i in range(3)]
    weights = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
    # A little white everywhere, so that areas far from any visible colour become white.
    spread = cv2.GaussianBlur(weights, (0, 0), 3) + 1e-3
    around = [(cv2.GaussianBlur(plane, (0, 0), 3) + 0.255) / spread for plane in colours]
    small = np.clip(np.stack(around, -1), 0, 255).astype(np.uint8)
    fill = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    visible = alpha >= 8
    fill[visible] = bgr[visible]
    return fill


# ---- writing ---------------------------------------------------------------------------------------


def _write(bgr: Pixels, alpha: Pixels | None, part: Path, *, lossless: bool) -> None:
    image = Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]), "RGB")
    if alpha is not None:
        image.putalpha(Image.fromarray(alpha, "L"))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    with part.open("wb") as file:
        if lossless:
            image.save(file, "PNG", icc_profile=profile, compress_level=4)
        else:
            image.save(file, "JPEG", quality=JPEG_QUALITY, subsampling=0, icc_profile=profile)
        file.flush()
        os.fsync(file.fileno())
