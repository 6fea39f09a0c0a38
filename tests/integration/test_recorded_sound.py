"""Picture and sound of a clap are in one place of the file, over a real sound server and microphone."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from helpers import sound_room
from helpers.processes import end_all, overpaint
from helpers.sound_room import clicks_in
from helpers.sound_server import SoundServer, needs_sound_server

pytestmark = [pytest.mark.process, needs_sound_server]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    server = SoundServer(tmp_path_factory.mktemp("pa"))
    server.plug("berta")
    yield server
    server.close()


QUIET_MS = 10.0
"""Most that threads oversleep where a sound server keeps time; the null sink itself stumbles beyond it."""


def in_the_room(*words: str) -> str:
    command = [sys.executable, sound_room.__file__, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def flashes(path: Path) -> list[float]:
    """When the picture of a recording turns white, seconds."""
    with av.open(str(path)) as container:
        seen = [(frame.time, frame.to_ndarray()[0, 0] > 120) for frame in container.decode(video=0)]
    return [at for (_, before), (at, white) in itertools.pairwise(seen) if white and not before]


def test_picture_and_sound_of_a_clap_are_within_twenty_milliseconds(
    server: SoundServer, tmp_path: Path
) -> None:
    path = tmp_path / "claps.mp4"
    for _ in range(3):
        late_ms = float(in_the_room("claps", server.address, str(path), "7"))
        seen, heard = flashes(path), clicks_in(path)
        off_ms = [(min(heard, key=lambda click: abs(click - at)) - at) * 1e3 for at in seen if at > 1.5]
        print(f"oversleeps {late_ms:.0f} ms; sound after picture, ms:", *(f"{each:.1f}" for each in off_ms))
        good = len(off_ms) >= 4 and max(map(abs, off_ms)) <= 20.0
        if good or late_ms < QUIET_MS:
            assert good, off_ms
            return
    pytest.skip(
        f"this machine is too busy for a sound server to keep time: threads oversleep {late_ms:.0f} ms"
    )


def test_qts_microphones_are_found_by_name_and_one_that_falls_silent_is_told(server: SoundServer) -> None:
    """As on Windows and macOS."""
    in_the_room("qt", server.address)


def test_a_microphone_that_is_pulled_out_is_told_not_replaced_and_comes_back(server: SoundServer) -> None:
    in_the_room("microphones", server.address)


@pytest.mark.full
def test_what_the_computer_plays_is_heard_beside_the_microphone(server: SoundServer) -> None:
    in_the_room("system", server.address)


@pytest.mark.full
def test_a_stream_to_a_file_has_the_sound_of_its_microphone(
    server: SoundServer, tmp_path: Path, stamped: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SERVER", server.address)
    path, claps = tmp_path / "out.mp4", sound_room.Claps(server.address)
    try:
        result = overpaint(
            *("stream", "--source", str(stamped), "--prompt", "black and white", "--output", str(path)),
            *("--microphone", "berta", "--seconds", "3", "--json"),
        )
    finally:
        claps.close()
        end_all(data_folder)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["frames_out"] > 5
    assert clicks_in(path), "on a busy machine not every clap is heard"
    with av.open(str(path)) as container:
        video, sound = (float(stream.duration * stream.time_base) for stream in container.streams)
    assert sound == pytest.approx(video, abs=0.3)
