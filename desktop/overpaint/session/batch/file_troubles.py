"""Troubles of files, as a window shows them. Must not know the queue."""

from __future__ import annotations

import re

from overpaint.errors import InvalidRequestError, OverpaintError
from overpaint.sentences import SENTENCES
from overpaint.wire.messages import Trouble

_GIVEN_BACK = SENTENCES["transform_failed"].text.removeprefix("{sentence}")

_TOO_LARGE = re.compile(r"The file is larger than (\d+) MB\.")


def file_trouble(error: OverpaintError, free: bool) -> Trouble:
    """What is told of a file.

    A service speaks of its own fields, and of credits, also where it is this computer's own and free.
    """

    def reworded(sentence: str) -> str:
        return of_the_file(sentence.removesuffix(_GIVEN_BACK) if free else sentence)

    trouble = Trouble.of(error)
    said = error.params.get("sentence")
    told = reworded(said) if isinstance(said, str) else ""
    if (known := _with_code(told)) is not None:
        return Trouble.of(known)
    params = trouble.params | {"sentence": told} if told else trouble.params
    return trouble.model_copy(update={"sentence": reworded(trouble.sentence), "params": params})


def _with_code(sentence: str) -> OverpaintError | None:
    """The error of what a service says of most files, in English; by its code a window can translate it."""
    if sentence == SENTENCES["file_of_unknown_format"].text:
        return InvalidRequestError("file_of_unknown_format")
    if (size := _TOO_LARGE.fullmatch(sentence)) is not None:
        return InvalidRequestError("file_larger_than_taken", megabytes=int(size[1]))
    return None


def of_the_file(sentence: str) -> str:
    """Rewords a service's sentence about a request's field as one about the user's file."""
    field, _, said = sentence.partition(": ")
    what = {"input_url": "The file", "file": "The file", "reference_image_url": "The reference photo"}.get(
        field
    )
    if what is None or not said:
        return sentence
    return said if said[:1].isupper() else f"{what} {said}"
