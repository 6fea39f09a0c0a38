"""The main job as a user runs it: a clip goes in, a restyled MP4 comes out, through all processes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from helpers.matrix import few_of
from helpers.processes import end_all, overpaint, start, until
from helpers.served import served
from helpers.stamps import numbers_in
from overpaint.media.sinks import REPEAT_AFTER_S

pytestmark = pytest.mark.live


LAST_STILL = 1
"""The still that ends a file is what stands then: it may be a picture that came when the end had begun."""


@pytest.fixture(autouse=True)
def nothing_left_running(data_folder: Path) -> Iterator[None]:
    yield
    end_all(data_folder)


@pytest.mark.parametrize("link", few_of(["shared_memory", "webrtc"], ["shared_memory"]))
def test_a_clip_comes_out_restyled_with_no_frame_stale_repeated_or_torn(
    stamped: Path, tmp_path: Path, link: str
) -> None:
    out = tmp_path / "out.mp4"
    result = overpaint(
        *("stream", "--source", str(stamped), "--prompt", "black and white", "--output", str(out)),
        *("--link", link, "--seconds", "4", "--json"),
    )
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["width"], report["height"], report["link"]) == (1920, 1080, link)
    assert report["sessions"] == 1 and report["raw_frames_out"] == 0
    seen = list(numbers_in(out))
    assert None not in {frame.number for frame in seen}, "a torn frame"
    new = [next(frames) for _, frames in itertools.groupby(seen, lambda frame: frame.number)]
    assert len(new) - report["frames_out"] in (0, LAST_STILL) and len(new) >= 5
    steps = np.diff(np.array([frame.number for frame in new])) % 180  # the clip starts again after 180 frames
    assert (steps < 90).all(), "an older frame after a newer one"
    for before, frame in itertools.pairwise(seen):
        paused = frame.at_s - before.at_s > REPEAT_AFTER_S - 0.005
        assert paused or frame.number != before.number, "a frame repeated where nothing was missing"
    assert all(frame.luma.shape == (1080, 1920) and frame.luma.std() > 15 for frame in seen)


@pytest.mark.full
def test_each_session_is_charged_and_the_key_never_appears(
    stamped: Path, tmp_path: Path, data_folder: Path
) -> None:
    for _ in range(2):
        result = overpaint(
            *("stream", "--source", str(stamped), "--prompt", "pencil sketch", "--output", "null"),
            *("--seconds", "0.5", "--json"),
        )
        assert result.returncode == 0, result.stderr
        assert "ovp_" not in result.stdout + result.stderr
    listed = json.loads(overpaint("keys", "list", "--json").stdout)
    assert next(row["credits"] for row in listed if row["account"] == "local") == 2500 - 2 * 25
    assert "ovp_live_" not in (data_folder / "core.log").read_text().replace("ovp_live_…", "")


@pytest.mark.full
def test_a_remote_service_that_dies_is_gone_on_without_where_that_is_allowed(
    stamped: Path, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.mp4"
    with served(tmp_path / "remote") as remote:
        monkeypatch.setenv("OVERPAINT_API_KEY", remote.key("desk", 100))
        stream = start(
            *("stream", "--source", str(stamped), "--prompt", "black and white", "--output", str(out)),
            *("--model", "service-realtime-720p", "--server", remote.url, "--fall-back", "--seconds", "12"),
            *("--json",),
            log=tmp_path / "said",
        )
        try:
            until(lambda: out.exists() and out.stat().st_size > 50_000, 40, "the first pictures")
            remote.process.kill()
            remote.process.wait()
            assert stream.wait(60) == 0, (tmp_path / "said").read_text()
        finally:
            stream.kill()
            stream.wait()
    report = json.loads((tmp_path / "said").read_text().splitlines()[-1])
    assert report["raw_frames_out"] == 0
    frames = list(numbers_in(out))
    assert None not in {frame.number for frame in frames}
    new = [number for number, _ in itertools.groupby(frame.number for frame in frames)]
    pause = "the pause is kept as the still, beside the new pictures"
    assert len(new) - report["frames_out"] in (0, LAST_STILL), pause
    local = json.loads(overpaint("keys", "list", "--json").stdout)
    assert next(row["credits"] for row in local if row["account"] == "local") == 2500 - 25, "it stood in"


def test_falling_back_from_nothing_is_refused() -> None:
    result = overpaint("stream", "--source", "demo", "--prompt", "oil", "--fall-back")
    assert result.returncode == 2 and "--server" in result.stderr
