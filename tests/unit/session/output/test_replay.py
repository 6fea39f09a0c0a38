"""The last seconds are kept while the user wants that and a picture flows, and hide what a recording hides.

On the live process's head with a scripted edge (``scripted_session``); saved files are real and read back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from helpers.scripted_session import SLATE, STYLED, Head, ScriptedMachine, nearest, script, until
from overpaint.media.sound_inputs import sound_input
from overpaint.wire.live import Preferences, SaveReplay, SetPreferences, SetPrivacy, StartSession, StopSession


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedMachine]:
    script(monkeypatch)
    monkeypatch.setattr(sound_input, "RETRY_S", 0.05)
    machine = ScriptedMachine(tmp_path)
    yield machine
    machine.close()


@pytest.fixture
def head(machine: ScriptedMachine) -> Iterator[Head]:
    head = Head(machine)
    yield head
    head.close()


def prefer(head: Head, **changes: object) -> None:
    head.obey(SetPreferences(preferences=Preferences.model_validate(changes)))


def keeping(head: Head) -> None:
    """On, with a session that flows."""
    prefer(head, replay=True)
    head.obey(StartSession())
    head.until_live()
    until(lambda: head.source.send() or (head.live.snapshot().replay_seconds is not None))
    until(lambda: head.source.send() or head.live._recorder.replay.seconds)


def saved(head: Head) -> str:
    before = head.live.snapshot().replayed
    head.obey(SaveReplay())
    told = head.live.snapshot()
    assert told.trouble is None and told.replayed not in (None, before)
    assert told.replayed is not None
    return told.replayed


def levels(path: str) -> list[int]:
    with av.open(path) as container:
        return [nearest(int(frame.to_ndarray()[0, 0])) for frame in container.decode(video=0)]


def test_what_has_just_been_shown_is_saved_and_keeping_goes_on(head: Head) -> None:
    keeping(head)
    head.send(10)
    first, second = saved(head), saved(head)
    assert first != second and set(levels(first)) == set(levels(second)) == {STYLED}
    with av.open(first) as container:
        assert [stream.type for stream in container.streams] == ["video", "audio"]
    assert head.live.snapshot().recorded is None and head.live.snapshot().recording is None


def test_it_is_off_until_it_is_turned_on_and_says_so(head: Head) -> None:
    head.obey(StartSession())
    head.until_live()
    assert head.live.snapshot().replay_seconds is None
    head.obey(SaveReplay())
    trouble = head.live.snapshot().trouble
    assert trouble is not None and trouble.code == "replay_off"
    assert not list(head.machine.folder.glob("*.mp4"))


def test_privacy_is_the_slate_in_it_from_its_first_moment(head: Head) -> None:
    keeping(head)
    head.obey(SetPrivacy(on=True))
    written = head.live._recorder.replay._stage.sink.written  # type: ignore[union-attr]
    head.send(10)
    until(lambda: head.live._recorder.replay._stage.sink.written > written + 2)  # type: ignore[union-attr]
    seen = levels(saved(head))
    assert seen[0] == STYLED and seen[-1] == SLATE
    assert STYLED not in seen[seen.index(SLATE) :]


def test_the_microphone_is_open_only_while_something_is_kept(head: Head, machine: ScriptedMachine) -> None:
    prefer(head, replay=True)
    time.sleep(0.1)
    assert not machine.sound_inputs.running, "not before the session"
    keeping(head)
    until(lambda: machine.sound_inputs.running)
    head.obey(StopSession())
    until(lambda: not machine.sound_inputs.running)
    assert head.live.snapshot().replay_seconds is None
    head.obey(SaveReplay())
    trouble = head.live.snapshot().trouble
    assert trouble is not None and trouble.code == "replay_paused"


def test_it_is_no_reason_to_go_on_restyling(head: Head) -> None:
    """Nobody watches it: idle suspend ends it."""
    keeping(head)
    assert not head.live._recorder.wanted


def test_another_frame_rate_of_the_source_begins_anew(head: Head) -> None:
    """Else its packets would be twice as many as the memory's bound says."""
    keeping(head)
    stage = head.live._recorder.replay._stage
    assert stage is not None
    head.source.fps = 60.0
    head.call(head.live._changed)
    until(lambda: head.source.send() or head.live._recorder.replay._stage not in (None, stage))


def test_another_quality_begins_anew_and_turning_it_off_forgets_everything(head: Head) -> None:
    keeping(head)
    stage = head.live._recorder.replay._stage
    assert stage is not None
    prefer(head, recording_quality="small")
    until(lambda: head.source.send() or head.live._recorder.replay._stage not in (None, stage))
    assert getattr(stage.sink, "size", None) == 0
    prefer(head, replay=False)
    until(lambda: head.live.snapshot().replay_seconds is None)
    head.obey(SaveReplay())
    trouble = head.live.snapshot().trouble
    assert trouble is not None and trouble.code == "replay_off"


def test_a_full_disk_refuses_the_file_and_what_is_kept_stays(head: Head, machine: ScriptedMachine) -> None:
    keeping(head)
    machine.free_bytes = 0
    head.obey(SaveReplay())
    trouble = head.live.snapshot().trouble
    assert trouble is not None and trouble.code == "recording_no_room"
    machine.free_bytes = 10**12
    assert STYLED in levels(saved(head))
