"""An error is its code and parameters, told in words where somebody reads it."""

from __future__ import annotations

import copy
import pickle

import pytest

from overpaint.errors import OverpaintError, ProcessError, RateLimitedError, SinkError
from overpaint.wire.messages import Trouble


def refused() -> SinkError:
    return SinkError("virtual_camera_refused", camera="Cam {0}", reason="no {node}", node="/dev/video7")


def test_an_error_is_told_by_its_sentence() -> None:
    error = refused()
    assert str(error) == "The virtual camera Cam {0} cannot be opened: no {node}.", "values are no forms"
    assert error.mend.startswith("Quit the program that uses it (sudo fuser -v /dev/video7 names it)")
    assert error.line == f"{error} {error.mend}"
    assert error.kind == "busy" and error.params["node"] == "/dev/video7"


def test_a_kind_is_the_class_s_where_its_sentence_has_none() -> None:
    assert OverpaintError("camera_holder_silent").kind == "error"
    assert ProcessError("camera_holder_silent").kind == "start_failed"
    assert SinkError.of(ProcessError("camera_holder_silent")).kind == "lost"
    assert str(SinkError.of(refused())) == str(refused())


def test_an_error_put_into_another_class_keeps_that_class_s_kind_when_it_is_passed_on() -> None:
    assert ProcessError("role_taken", role="live").kind == "already_running"
    once = SinkError.of(ProcessError("role_taken", role="live"))
    assert (once.kind, SinkError.of(once).kind) == ("lost", "lost")


def test_a_kind_may_be_named_by_another_program() -> None:
    error = OverpaintError("service_refuses", kind="too_young", sentence="Come back {later}.")
    assert (error.kind, error.line) == ("too_young", "Come back {later}.")
    assert OverpaintError.received(error.code, error.params).kind == "too_young"
    assert OverpaintError("service_refuses", kind="", sentence="No.").kind == "error"


@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_it_survives_being_copied(again) -> None:
    error = again(refused())
    assert type(error) is SinkError and str(error) == str(refused()) and error.mend == refused().mend
    limited = again(RateLimitedError("virtual_camera_not_open", retry_after_s=7))
    assert limited.retry_after_s == 7 and limited.code == "virtual_camera_not_open"


def test_an_unknown_code_fails_at_once() -> None:
    with pytest.raises(KeyError, match="virtual_kamera"):
        SinkError("virtual_kamera")


def test_it_goes_to_another_process_and_is_the_same_there() -> None:
    said = Trouble.of(refused()).model_dump_json()
    trouble = Trouble.model_validate_json(said)
    assert (trouble.kind, trouble.sentence, trouble.mend) == (refused().kind, str(refused()), refused().mend)
    error = trouble.error(SinkError)
    assert type(error) is SinkError and error.line == refused().line and error.kind == "busy"


def test_words_that_were_stored_without_a_code_can_be_read() -> None:
    trouble = Trouble.model_validate_json('{"kind": "busy", "sentence": "It is busy.", "mend": "Wait."}')
    assert trouble.sentence == "It is busy."
    with pytest.raises(ValueError, match="no such error"):
        trouble.error(SinkError)


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("", {}),
        ("It has a space", {}),
        ("virtual_kamera", {}),
        ("virtual_camera_denied", {}),
        ("virtual_camera_denied", {"camera": "Cam", "more": "1"}),
        ("virtual_camera_denied", {"camera": ["Cam"]}),
        ("virtual_camera_denied", {"camera": None}),
        ("video_too_much_work", {"frames": 1, "width": 1, "height": 1, "total": 10**400, "limit": 1}),
        ("video_too_much_work", {"frames": 1, "width": 1, "height": 1, "total": "much", "limit": 1}),
    ],
)
def test_what_is_no_error_is_not_received(code: str, params: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="error"):
        SinkError.received(code, params)
