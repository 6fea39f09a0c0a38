"""The command line gives a recording what the window does: quality, size, frame rate, kind of file."""

from __future__ import annotations

from pathlib import Path

import pytest

from overpaint import app
from overpaint.app import StreamRequest
from overpaint.cli import run
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.wire.sources import SourceOptions


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[StreamRequest]:
    """What was ordered; nothing is streamed."""
    found: list[StreamRequest] = []

    def run_stream(_folder: Path, request: StreamRequest, _show: object) -> dict[str, object]:
        found.append(request)
        return {}

    monkeypatch.setattr(app, "run_stream", run_stream)
    return found


@pytest.mark.parametrize(
    ("words", "format", "fps"),
    [
        ((), RecordingFormat("standard", 1080, 0), 30),
        (("--quality", "small", "--height", "720", "--fps", "30"), RecordingFormat("small", 720, 30), 30),
        (("--fps", "60", "--system-sound"), RecordingFormat("standard", 1080, 60, with_sound=True), 60),
    ],
)
def test_a_recording_is_ordered_in_its_format(
    requests: list[StreamRequest],
    data_folder: Path,
    tmp_path: Path,
    words: tuple[str, ...],
    format: RecordingFormat,
    fps: int,
) -> None:
    path = tmp_path / "out.mkv"
    assert (
        run(["stream", "--source", "demo", "--prompt", "oil", "--output", str(path), "--json", *words]) == 0
    )
    order = requests[0].order
    assert isinstance(order.sink, RecordingSink) and order.sink.path == path
    assert (order.sink._format, order.options) == (format, SourceOptions(fps=fps))


@pytest.mark.parametrize("words", [("--quality", "high"), ("--height", "720")])
def test_only_a_recording_has_a_quality_and_a_size(
    requests: list[StreamRequest], capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(["stream", "--source", "demo", "--prompt", "oil", "--output", "null", *words]) == 2
    assert "Only a recording has a quality and a size." in capsys.readouterr().err and not requests
