"""The opener of pictures: one decoder for each format, the size checked before anything is decoded.

Of an animation the first picture is used. For untrusted files this is called only in sandboxed processes
(``decoder_process``, transform workers). Must not know the sandbox.
"""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import (
    AvifImagePlugin,
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageCms,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)

from overpaint.errors import MediaError
from overpaint.media.opener.bounded_reader import MediaFile
from overpaint.media.opener.recognition import HEAD_BYTES, MAX_BYTES, Format, not_taken, recognise, recognised
from overpaint.wire.media_limits import IMAGE_MAX_PIXELS

Pixels = NDArray[np.uint8]

DECODERS = frozenset(
    {
        AvifImagePlugin.AvifImageFile.format,
        BmpImagePlugin.BmpImageFile.format,
        GifImagePlugin.GifImageFile.format,
        JpegImagePlugin.JpegImageFile.format,
        PngImagePlugin.PngImageFile.format,
        TiffImagePlugin.TiffImageFile.format,
        WebPImagePlugin.WebPImageFile.format,
        "HEIF",
    }
)
"""The allowed decoders of Pillow, loaded here so that Pillow never loads others (EPS, PDF, WMF …)."""

_SIDE_MAX = 65_535

# The limit is checked below, before anything is decoded, with our own error.
Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener(thumbnails=False)

# All exceptions of decoders for damaged files.
_DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    RuntimeError,
    LookupError,
    TypeError,
    ArithmeticError,
    AttributeError,
    AssertionError,
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


def read_still(file: MediaFile | bytes, room: tuple[int, int] | None = None) -> Still:
    """Recognises and decodes a picture file.

    Args:
        file: The open file, or its content.
        room: Width and height that the picture has to cover, if it is large enough: then it may be decoded at
        less than its full size, which is faster.

    Raises:
        MediaError: It is no picture, damaged, or over a limit.
    """
    if isinstance(file, bytes):
        format_ = recognise(file[:HEAD_BYTES])
        if format_ is None or format_.kind != "image":
            raise not_taken("image")
        if len(file) > MAX_BYTES["image"]:
            raise MediaError("picture_too_large")
        return decode(file, format_, room)
    format_ = recognised(file, "image")
    file.seek(0)
    return decode(file.read(), format_, room)


def decode(data: bytes, format_: Format, room: tuple[int, int] | None = None) -> Still:
    """Decodes a picture with the one decoder of its format.

    Args:
        data: The whole file.
        format_: As recognised.
        room: As for ``read_still``.

    Raises:
        MediaError: Damaged, or more than 64 megapixels (read from the header first).
    """
    if format_.decoder not in DECODERS:
        raise not_taken("image")
    try:
        with Image.open(io.BytesIO(data), formats=[format_.decoder]) as image:
            _check_size(*image.size)
            if room is not None:
                # Pictures are shrunk before they are turned: the larger side counts for both.
                image.draft(image.mode, (max(room), max(room)))
            image.load()
            return _still(image)
    except MemoryError as error:
        raise MediaError("picture_takes_memory") from error
    except _DAMAGE as error:
        raise MediaError("picture_damaged") from error


def covering(still: Still, room: tuple[int, int]) -> Still:
    """Shrinks a picture while it covers ``room`` (width, height); never enlarges it."""
    height, width = still.bgr.shape[:2]
    return _scaled(still, max(room[0] / width, room[1] / height))


def inside(still: Still, room: tuple[int, int]) -> Still:
    """Shrinks a picture until it fits inside ``room`` (width, height); never enlarges it."""
    height, width = still.bgr.shape[:2]
    return _scaled(still, min(room[0] / width, room[1] / height))


def on_white(still: Still) -> Pixels:
    """Puts a picture on white where it is transparent: BGR uint8 (H, W, 3)."""
    if still.alpha is None:
        return still.bgr
    weight = still.alpha[..., None].astype(np.float32) / 255
    return np.asarray(still.bgr * weight + 255 * (1 - weight) + 0.5).astype(np.uint8)


def _scaled(still: Still, scale: float) -> Still:
    if scale >= 1:
        return still
    height, width = still.bgr.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    planes = (still.bgr,) if still.alpha is None else (still.bgr, still.alpha)
    small = [np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_AREA), np.uint8) for each in planes]
    return Still(small[0], small[1] if len(small) > 1 else None)


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise MediaError("picture_empty")
    if width * height > IMAGE_MAX_PIXELS or max(width, height) > _SIDE_MAX:
        raise MediaError("picture_too_many_pixels", width=width, height=height)


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
    """Converts modes of more than 8 bits a channel, which Pillow would clip instead of scale."""
    if image.mode in ("1", "P", "PA", "La", "RGBa", "RGBX", "HSV", "YCbCr"):
        return image.convert("RGB")
    if not image.mode.startswith(("I", "F")):
        return image
    values = np.nan_to_num(np.asarray(image, np.float32))
    most = float(values.max())
    if image.mode == "F":
        # Float files contain 0..1, or a scanner's counts.
        most = 1.0 if most <= 1.0 else most
    else:
        most = 65_535.0 if most <= 65_535.0 else most
    return Image.fromarray(np.clip(values * (255 / most) + 0.5, 0, 255).astype(np.uint8), "L")


def _srgb(image: Image.Image, profile: object) -> Image.Image:
    """Converts by the picture's own profile; ignores an unfitting or broken one."""
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
