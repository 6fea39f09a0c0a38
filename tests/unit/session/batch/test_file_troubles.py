"""What a service says of a request is told of the user's file."""

from __future__ import annotations

import pytest

from overpaint.errors import InvalidRequestError
from overpaint.session.batch.file_troubles import file_trouble, of_the_file


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("input_url: The video is damaged.", "The video is damaged."),
        ("input_url: is larger than 32 MB.", "The file is larger than 32 MB."),
        ("file: is neither a picture nor a clip of a known format.",
         "The file is neither a picture nor a clip of a known format."),
        ("Too many files are being taken in.", "Too many files are being taken in."),
        ("prompt: is too long.", "prompt: is too long."),
    ],
)  # fmt: skip
def test_a_service_speaks_of_fields_and_the_window_of_the_file(told: str, shown: str) -> None:
    assert of_the_file(told) == shown


def test_the_sentence_within_a_trouble_speaks_of_the_file_too() -> None:
    error = InvalidRequestError(
        "field_breaks_rule", field="input_url", sentence="file: is larger than 32 MB."
    )
    assert file_trouble(error).params["sentence"] == "The file is larger than 32 MB."
