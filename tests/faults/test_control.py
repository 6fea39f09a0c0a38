"""The running app controlled from outside; privacy at once; what a dead live process leaves behind."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from helpers.live_camera import LiveCamera
from helpers.processes import role_pid, until
from overpaint.cli import run
from overpaint.wire.live import (
    Preferences,
    SetOriginal,
    SetPreferences,
    SetReference,
    SetSource,
    SetStyle,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays v4l2loopback with LD_PRELOAD")


@pytest.fixture
def camera(tmp_path: Path, data_folder: Path, stamped: Path) -> Iterator[LiveCamera]:
    """Not on air yet, with a clip as the source, to be seen in black and white."""
    camera = LiveCamera(tmp_path, data_folder)
    try:
        camera.intend(SetSource(source=str(stamped)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(stamped) and snapshot.camera.state == "slate")
        yield camera
    finally:
        camera.close()


def shown_after(camera: LiveCamera, seen: int, count: int) -> list:
    """So many frames that reached the camera after a moment."""
    until(lambda: len(camera.shown) >= seen + count, what="frames")
    return camera.shown[seen:]


@pytest.mark.full
def test_the_command_line_controls_the_running_app(camera, tmp_path, capsys) -> None:
    pictures, videos = tmp_path / "pictures", tmp_path / "videos"
    folders = Preferences(still_folder=str(pictures), recording_folder=str(videos))
    camera.intend(SetPreferences(preferences=folders))

    def said(*words: str) -> str:
        assert run(["live", *words]) == 0, capsys.readouterr()
        return capsys.readouterr().out.strip()

    assert "live · on air" in said("go")
    camera.wait_for_frames(5)
    # Privacy: the slate, and nothing but it for as long as it lasts.
    assert "private" in said("privacy")
    after = shown_after(camera, len(camera.shown) + 1, 30)
    assert all(frame.slate for frame in after)
    assert "private" not in said("privacy", "--off")
    camera.wait_for_frames(5)
    # A snapshot is the styled picture.
    still = Path(said("snapshot"))
    assert still.parent == pictures and still.suffix == ".png"
    image = cv2.imread(str(still)).astype(int)
    assert image.shape == (1080, 1920, 3)
    assert np.abs(image[..., 0] - image[..., 2]).max() <= 12, "black and white, as everybody sees it"
    # The last seconds, once they are kept.
    for _ in ("once", "and once more"):
        assert run(["live", "replay"]) == 1
        assert "replay is off" in capsys.readouterr().err
    assert "are kept" in said("replay", "--on")
    camera.wait(lambda now: (now.replay_seconds or 0) >= 1)
    replay = Path(said("replay"))
    assert replay.parent == videos
    with av.open(str(replay)) as container:
        assert max(frame.time for frame in container.decode(video=0)) >= 1
    assert "nothing is kept" in said("replay", "--off")
    assert "held" in said("hold")
    assert Path(said("snapshot")).is_file(), "the picture that stands"
    assert "held" not in said("hold", "--off")
    second = said("next-look")
    assert second != "black and white" and said("next-look", "--back") == "black-and-white"
    facts = json.loads(said("status", "--json"))
    assert facts["on_air"] and facts["prompt"] == "black-and-white" and facts["trouble"] is None
    # What a streamer delays the sound by: from capture to the camera, measured over a minute.
    minute = facts["last_minute"]
    assert 0 < minute["median_ms"] <= minute["p95_ms"]
    assert minute["audio_delay_ms"] == round(minute["median_ms"])
    assert len(minute["seconds_ms"]) == 60 and any(minute["seconds_ms"])
    assert "stopped" in said("stop")
    until(lambda: camera.shown[-1].slate, what="the slate")
    assert run(["live", "snapshot"]) == 1
    assert "no picture to save" in capsys.readouterr().err


def test_without_the_app_the_command_line_says_so(capsys) -> None:
    assert run(["live", "go"]) == 1
    assert "Overpaint is not running" in capsys.readouterr().err


def test_the_original_is_seen_only_while_it_is_chosen(camera) -> None:
    assert run(["live", "go"]) == 0
    camera.wait_for_frames(5)
    assert not any(frame.colour > 12 for frame in camera.shown if not frame.slate)
    camera.intend(SetOriginal(on=True))
    camera.wait(lambda snapshot: snapshot.original and snapshot.state == "live")
    until(lambda: camera.shown[-1].colour > 12, what="the original")
    camera.intend(SetOriginal(on=False))
    camera.wait(lambda snapshot: not snapshot.original)
    # The slate between the two stands for a moment only, and on a busy machine the next picture is sooner.
    until(lambda: camera.shown[-1].slate or camera.shown[-1].colour <= 12, what="the original's end")
    seen = len(camera.shown)
    camera.wait_for_frames(5)
    assert not any(frame.colour > 12 for frame in camera.shown[seen:] if not frame.slate)
    # The next session is a restyled one, whatever the last one was.
    camera.intend(SetOriginal(on=True))
    camera.wait(lambda snapshot: snapshot.original and snapshot.state == "live")
    assert run(["live", "stop"]) == 0
    assert not camera.wait(lambda snapshot: snapshot.state == "stopped").original


@pytest.mark.full
def test_a_live_process_that_is_killed_leaves_its_place_to_the_next(
    camera, data_folder, tmp_path, stamped
) -> None:
    _, photo = cv2.imencode(".jpg", np.full((32, 32, 3), (30, 60, 200), np.uint8))
    slate = tmp_path / "own.png"
    cv2.imwrite(str(slate), np.full((300, 400, 3), (200, 120, 20), np.uint8))
    camera.intend(
        SetReference(image_data=base64.b64encode(photo.tobytes()).decode()),
        SetStyle(prompt="halftone print"),
        SetPreferences(preferences=Preferences(slate_picture=str(slate), recording_folder="/videos")),
    )
    camera.wait(lambda now: now.prompt == "halftone print" and now.preferences.slate_picture == str(slate))
    until(lambda: camera.shown and not camera.shown[-1].slate, what="another slate than the shipped one")
    until(lambda: "halftone print" in (data_folder / "settings.json").read_text("utf-8"), what="the memory")
    until(lambda: (data_folder / "reference-photo").is_file(), what="the photo")
    live = role_pid(data_folder, "live")
    assert live is not None
    os.kill(live, signal.SIGKILL)
    camera.process.wait()
    (tmp_path / "again").mkdir()
    again = LiveCamera(tmp_path / "again", data_folder)
    try:
        now = again.wait(lambda now: now.source == str(stamped) and now.preferences.slate_picture)
        assert now.prompt == "halftone print" and now.has_reference
        assert now.preferences == Preferences(slate_picture=str(slate), recording_folder="/videos")
        assert now.state == "stopped" and not now.on_air, "going on air again is for the window to decide"
    finally:
        again.close()
