"""The option ``--reference``: a reference photo, checked before anything is started or bought."""

from __future__ import annotations

from pathlib import Path

from overpaint.errors import MediaError, SourceError
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES


def photo_bytes(path: Path) -> bytes:
    """The bytes of a reference photo, after the sandboxed decoder has accepted it as a picture.

    Raises:
        SourceError: It is missing, larger than 8 MB, or no picture that can be used.
    """
    from overpaint.media.opener.bounded_reader import open_file
    from overpaint.media.opener.decoder import PictureDecoder

    try:
        with open_file(path) as file:
            data = file.read(REFERENCE_MAX_BYTES + 1)
        if len(data) > REFERENCE_MAX_BYTES:
            raise SourceError("reference_file_too_large", file=path.name)
        with PictureDecoder() as decoder:
            decoder.data(data, (64, 64))
    except MediaError as error:
        if error.kind == "missing":
            raise SourceError("reference_file_missing", path=str(path)) from error
        if error.kind in ("unknown", "damaged"):
            raise SourceError("reference_file_no_picture", file=path.name) from error
        raise SourceError(
            "reference_file_unusable", file=path.name, sentence=str(error), mend=error.mend
        ) from error
    return data
