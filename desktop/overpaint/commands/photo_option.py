"""The options ``--reference`` and ``--backdrop``: a photo, checked before anything is started or bought."""

from __future__ import annotations

from pathlib import Path

from overpaint.errors import MediaError, SourceError, UsageError
from overpaint.photo_words import with_photo_behind
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES


def chosen_photo(prompt: str, reference: Path | None, backdrop: Path | None) -> tuple[str, Path | None]:
    """The prompt and the photo that go together: the interface has one photo, whose use the prompt says.

    Args:
        prompt: As the user wrote it.
        reference: Photo whose style or colours are wanted.
        backdrop: Photo that is to stand behind people.

    Raises:
        UsageError: Nothing is wanted, or two photos are.
        SourceError: The backdrop is a clip.
    """
    if backdrop is None:
        if not prompt and reference is None:
            raise UsageError("look_not_said")
        return prompt, reference
    if reference is not None:
        raise UsageError("backdrop_beside_reference")
    photo = backdrop.expanduser()
    if _is_clip(photo):
        raise SourceError("backdrop_is_clip", file=photo.name)
    return with_photo_behind(prompt), photo


def _is_clip(path: Path) -> bool:
    """Whether a file that can be read holds moving pictures, by its content."""
    from overpaint.media.opener.bounded_reader import open_file
    from overpaint.media.opener.recognition import HEAD_BYTES, recognise_clip

    try:
        with open_file(path) as file:
            return recognise_clip(file.head(HEAD_BYTES)) is not None
    except MediaError:
        return False


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
