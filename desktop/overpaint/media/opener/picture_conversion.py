"""Conversion of a picture file into another format or size; decoded in the sandbox, written here.

The forms of clips are named here, too; a worker process writes them (``transforms/clip_transform``).

8 bit, sRGB with its profile, upright, without metadata. Must not know where pictures come from.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from overpaint.media.opener.decoder import PictureDecoder, opaque
from overpaint.media.opener.decoder_messages import SIDE_MAX, Pixels
from overpaint.wire.preferences import ClipFormat, PictureFormat

JPEG_QUALITY, WEBP_QUALITY = 92, 90
_KEPT = ("image/png", "image/jpeg", "image/webp")


@dataclass(frozen=True, slots=True)
class PictureForm:
    """The form in which pictures are saved.

    Attributes:
        format: Format; "keep" for that of the file, or PNG where that is another one.
        side: Longest side, pixels; larger pictures are shrunk. 0 for no limit.
    """

    format: PictureFormat = "keep"
    side: int = 0

    def content_type(self, sent: str) -> str:
        """The content type as which a file is saved; other files than pictures keep theirs."""
        if not sent.startswith("image/") or not self.converts(sent):
            return sent
        if self.format != "keep":
            return f"image/{self.format}"
        return sent if sent in _KEPT else "image/png"

    def converts(self, sent: str) -> bool:
        """Whether a file of a content type may have to be converted."""
        other = self.format != "keep" and sent != f"image/{self.format}"
        return sent.startswith("image/") and (other or bool(self.side))


_CONTAINERS = {"mp4": "video/mp4", "mkv": "video/x-matroska"}


@dataclass(frozen=True, slots=True)
class ClipForm:
    """The form in which clips are saved: H.264 and AAC.

    Attributes:
        format: Container; "keep" for that of the file, or MP4 where a smaller one of that kind is not made.
        side: Longest side, pixels; larger clips are shrunk. 0 for no limit.
    """

    format: ClipFormat = "keep"
    side: int = 0

    def content_type(self, sent: str) -> str:
        """The content type as which a file is saved."""
        if not self.converts(sent):
            return sent
        if self.format != "keep":
            return _CONTAINERS[self.format]
        return sent if sent in _CONTAINERS.values() else "video/mp4"

    def converts(self, sent: str) -> bool:
        """Whether a file of a content type may have to be converted."""
        other = self.format != "keep" and sent != _CONTAINERS[self.format]
        return sent.startswith("video/") and (other or bool(self.side))


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The form in which pictures and clips are saved."""

    picture: PictureForm = PictureForm()
    clip: ClipForm = ClipForm()

    def of(self, sent: str) -> PictureForm | ClipForm:
        """That of a content type."""
        return self.clip if sent.startswith("video/") else self.picture


def convert(
    decoder: PictureDecoder, source: Path, content_type: str, target: Path, form: PictureForm
) -> None:
    """Moves a picture file to its target, converted where it has to be. Blocks.

    Args:
        decoder: The sandboxed decoder.
        source: The file; deleted afterwards.
        content_type: Its content type.
        target: The file to write, atomically.
        form: Its form.

    Raises:
        MediaError: It cannot be decoded.
        OSError: The target cannot be written.
    """
    room = form.side or SIDE_MAX
    pixels = decoder.file(source, (room, room), "inside")
    wanted = form.content_type(content_type)
    if wanted == content_type and max(pixels.shape[:2]) < room:  # small enough, so it is not encoded again
        source.replace(target)
        return
    part = target.with_name(f".{target.name}.part")
    try:
        _write(pixels, part, wanted)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    source.unlink(missing_ok=True)


def _write(pixels: Pixels, path: Path, content_type: str) -> None:
    from PIL import Image, ImageCms  # takes a moment, and few need it

    if content_type == "image/jpeg":
        pixels = opaque(pixels)
    alpha = pixels.shape[2] == 4
    order = [2, 1, 0, 3] if alpha else [2, 1, 0]
    image = Image.fromarray(np.ascontiguousarray(pixels[..., order]), "RGBA" if alpha else "RGB")
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    with path.open("wb") as file:
        match content_type:
            case "image/jpeg":
                image.save(file, "JPEG", quality=JPEG_QUALITY, subsampling=0, icc_profile=profile)
            case "image/webp":
                image.save(file, "WEBP", quality=WEBP_QUALITY, icc_profile=profile)
            case _:
                image.save(file, "PNG", icc_profile=profile, compress_level=4)
        file.flush()
        os.fsync(file.fileno())
