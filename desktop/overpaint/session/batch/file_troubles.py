"""Troubles of files, as a window shows them. Must not know the queue."""

from __future__ import annotations

from overpaint.errors import OverpaintError
from overpaint.wire.messages import Trouble


def file_trouble(error: OverpaintError) -> Trouble:
    """What is told of a file; a service speaks of its own fields."""
    trouble = Trouble.of(error)
    said = error.params.get("sentence")
    params = trouble.params if not isinstance(said, str) else trouble.params | {"sentence": of_the_file(said)}
    return trouble.model_copy(update={"sentence": of_the_file(trouble.sentence), "params": params})


def of_the_file(sentence: str) -> str:
    """Rewords a service's sentence about a request's field as one about the user's file."""
    field, _, said = sentence.partition(": ")
    if field not in ("input_url", "file") or not said:
        return sentence
    return said if said[:1].isupper() else f"The file {said}"
