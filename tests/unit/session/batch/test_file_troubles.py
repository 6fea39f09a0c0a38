"""What a service says of a request is told of the user's file."""

from __future__ import annotations

import pytest

from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.session.batch.file_troubles import file_trouble, of_the_file


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("input_url: The video is damaged.", "The video is damaged."),
        ("input_url: is larger than 32 MB.", "The file is larger than 32 MB."),
        ("file: is neither a picture nor a clip of a known format.",
         "The file is neither a picture nor a clip of a known format."),
        ("Too many files are being taken in.", "Too many files are being taken in."),
        ("reference_image_url: is larger than 8 MB.", "The reference photo is larger than 8 MB."),
        ("prompt: is too long.", "prompt: is too long."),
    ],
)  # fmt: skip
def test_a_service_speaks_of_fields_and_the_window_of_the_file(told: str, shown: str) -> None:
    assert of_the_file(told) == shown


def test_the_sentence_within_a_trouble_speaks_of_the_file_too() -> None:
    error = InvalidRequestError("service_refuses", kind="odd", sentence="input_url: is odd.")
    trouble = file_trouble(error, free=False)
    assert trouble.sentence == "The file is odd."
    assert trouble.params["sentence"] == "The file is odd."


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("file: is neither a picture nor a clip of a known format.", "file_of_unknown_format"),
        ("input_url: is larger than 32 MB.", "file_larger_than_taken"),
    ],
)
def test_what_a_service_says_of_most_files_has_a_code_to_translate_by(said: str, code: str) -> None:
    error = InvalidRequestError("service_refuses", kind="invalid_request_error", sentence=said)
    trouble = file_trouble(error, free=True)
    assert trouble.code == code and trouble.sentence == of_the_file(said) and trouble.mend


@pytest.mark.parametrize(
    ("free", "shown"),
    [(True, "The video is damaged."), (False, "The video is damaged. The credits were given back.")],
)
def test_credits_that_nobody_paid_are_not_spoken_of(free: bool, shown: str) -> None:
    said = str(UpstreamError("transform_failed", sentence="The video is damaged."))
    error = UpstreamError("service_backend_failed", kind="upstream_error", sentence=said)
    trouble = file_trouble(error, free)
    assert trouble.sentence == trouble.params["sentence"] == shown
