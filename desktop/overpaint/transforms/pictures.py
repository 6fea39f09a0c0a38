"""Still pictures: a file of a stranger → an upright sRGB picture → restyled → a file without secrets.

Decisions (the specification leaves them open): the output is a PNG where the input was lossless or
has transparency, else a JPEG of quality 92; always 8 bit, sRGB with its profile, upright, of the same
size; EXIF, XMP and comments (places, cameras, names) are not carried over. Of an animation the first
picture is taken. Must not know processes or requests.
"""

from __future__ import annotations

import contextlib
import io
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps

from overpaint.engine.engine import Engine, LookRequest, Quality
from overpaint.errors import InvalidRequestError
from overpaint.media import pictures
from overpaint.transforms.recognition import Format, recognised
from overpaint.transforms.targets import whole
from overpaint.transforms.task import Inspection, Transformed
from overpaint.wire.service import IMAGE_MAX_PIXELS, REFERENCE_MAX_BYTES

Pixels = NDArray[np.uint8]

PHOTO_MAX_SIDE = 2048
JPEG_QUALITY = 92
SMALLEST = 64
"""Sides that the engine needs; smaller pictures are padded and cropped back."""
_SIDE_MAX = 65_535
_FILL_SIDE = 64
"""The colours that surround a transparent area are gathered on a copy of about this size."""

# The limit is checked below, before anything is decoded, and with a sentence of ours.
Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener(thumbnails=False)

# Everything that decoders raise for damaged files.
_DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    RuntimeError,
    IndexError,
    KeyError,
    TypeError,
    ZeroDivisionError,
)


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """A decoded picture, upright, sRGB.

    Attributes:
        bgr: uint8 (H, W, 3).
        alpha: uint8 (H, W), or None where all is opaque.
    """

    bgr: Pixels
    alpha: Pixels | None


def inspect(source: Path) -> Inspection:
    """Checks a picture by decoding it.

    Raises:
        InvalidRequestError: It is no picture, damaged, or over a limit.
    """
    format_ = recognised(source, "image")
    height, width = decode(source, format_).bgr.shape[:2]
    return Inspection("image", format_.content_type, width, height, 0.0, 1)


def transform(source: Path, prompt: str, target: Path, engine: Engine) -> Transformed:
    """Restyles a picture; the target is written whole or not at all.

    Raises:
        InvalidRequestError: It is no picture, damaged, or over a limit.
        OSError: The target cannot be written.
    """
    format_ = recognised(source, "image")
    still = decode(source, format_)
    styled = restyled(still, LookRequest(prompt), engine)
    lossless = format_.lossless or still.alpha is not None
    content_type = "image/png" if lossless else "image/jpeg"
    with whole(target) as part:
        _write(styled, still.alpha, part, lossless=lossless)
    return Transformed(target, content_type, target.stat().st_size)


def photo(source: Path) -> Path:
    """Decodes a reference photo into a PNG beside it: sRGB, opaque, upright, at most 2048 px a side.

    Raises:
        InvalidRequestError: It is no picture, damaged, or over a limit.
        OSError: The PNG cannot be written.
    """
    format_ = recognised(source, "image")
    if source.stat().st_size > REFERENCE_MAX_BYTES:
        raise InvalidRequestError("The photo is larger than 8 MB.")
    still = decode(source, format_)
    bgr = still.bgr if still.alpha is None else _on_white(still.bgr, still.alpha)
    height, width = bgr.shape[:2]
    scale = PHOTO_MAX_SIDE / max(height, width)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    target = source.with_name(source.name + ".png")
    with whole(target) as part:
        _write(bgr, None, part, lossless=True)
    return target


def decode(source: Path, format_: Format) -> Still:
    """Decodes a picture file with the one decoder of its format.

    Raises:
        InvalidRequestError: Damaged, or more than 64 megapixels (read from the header first).
    """
    try:
        with Image.open(source, formats=[format_.decoder]) as image:
            _check_size(*image.size)
            image.load()
            return _still(image)
    except InvalidRequestError:
        raise
    except _DAMAGE as error:
        raise InvalidRequestError("The picture is damaged.") from error


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
    """A picture (H, W, C) with its right and lower edge repeated until the engine can take it."""
    height, width = bgr.shape[:2]
    down, right = (max(SMALLEST, side + side % 2) - side for side in (height, width))
    if not down and not right:
        return np.ascontiguousarray(bgr)
    return np.asarray(cv2.copyMakeBorder(bgr, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)


# ---- decoding --------------------------------------------------------------------------------------


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise InvalidRequestError("The picture is empty.")
    if width * height > IMAGE_MAX_PIXELS or max(width, height) > _SIDE_MAX:
        raise InvalidRequestError(f"The picture has {width} × {height} pixels; 64 megapixels is the limit.")


def _still(image: Image.Image) -> Still:
    upright = ImageOps.exif_transpose(image)
    profile = image.info.get("icc_profile")
    alpha: Pixels | None = None
    if upright.has_transparency_data:
        if upright.mode not in ("RGBA", "LA"):
            upright = upright.convert("RGBA")
        alpha = np.array(upright.getchannel("A"), np.uint8)
        if alpha.min() == 255:
            alpha = None
        upright = upright.convert("L" if upright.mode == "LA" else "RGB")
    rgb = np.asarray(_srgb(_eight_bit(upright), profile), np.uint8)
    return Still(np.ascontiguousarray(rgb[..., ::-1]), alpha)


def _eight_bit(image: Image.Image) -> Image.Image:
    """Modes of more than 8 bits a channel, which Pillow would clip instead of scale."""
    if image.mode in ("1", "P", "PA", "La", "RGBa", "RGBX", "HSV", "YCbCr"):
        return image.convert("RGB")
    if not image.mode.startswith(("I", "F")):
        return image
    values = np.nan_to_num(np.asarray(image, np.float32))
    most = float(values.max())
    if image.mode == "F":
        # Float files hold 0..1, unless they hold what some scanner counted.
        most = 1.0 if most <= 1.0 else most
    else:
        most = 65_535.0 if most <= 65_535.0 else most
    return Image.fromarray(np.clip(values * (255 / most) + 0.5, 0, 255).astype(np.uint8), "L")


def _srgb(image: Image.Image, profile: object) -> Image.Image:
    """Converts by the picture's own profile; a profile that does not fit or is broken is left out."""
    if isinstance(profile, bytes) and profile and image.mode in ("RGB", "CMYK", "L", "LAB"):
        with contextlib.suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
            own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(
                image,
                own,
                ImageCms.createProfile("sRGB"),
                renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                outputMode="RGB",
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
            )
            if converted is not None:
                return converted
    return image.convert("RGB")


# ---- transparency ----------------------------------------------------------------------------------


def _filled(bgr: Pixels, alpha: Pixels) -> Pixels:
    """The picture with its invisible places painted in the colours around them.

    What lies under full transparency is arbitrary (often black or an editor's leftover), and looks
    reach over many pixels: lines would be drawn around nothing, and dark would seep into the edge.
    """
    height, width = alpha.shape
    scale = min(1.0, _FILL_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    weight = alpha.astype(np.float32) / 255
    colours = [cv2.resize(bgr[..., i] * weight, size, interpolation=cv2.INTER_AREA) for i in range(3)]
    weights = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
    # A little white everywhere, so that places far from anything visible are paper.
    spread = cv2.GaussianBlur(weights, (0, 0), 3) + 1e-3
    around = [(cv2.GaussianBlur(plane, (0, 0), 3) + 0.255) / spread for plane in colours]
    small = np.clip(np.stack(around, -1), 0, 255).astype(np.uint8)
    fill = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    visible = alpha >= 8
    fill[visible] = bgr[visible]
    return fill


def _on_white(bgr: Pixels, alpha: Pixels) -> Pixels:
    weight = alpha[..., None].astype(np.float32) / 255
    return np.asarray(bgr * weight + 255 * (1 - weight) + 0.5).astype(np.uint8)


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
