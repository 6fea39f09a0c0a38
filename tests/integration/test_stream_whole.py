"""The main job as a user runs it: a clip goes in, a restyled MP4 comes out, through all processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from helpers.processes import end_all, overpaint
from helpers.stamps import numbers_in


@pytest.fixture(autouse=True)
def nothing_left_running(data_folder: Path) -> Iterator[None]:
    yield
    end_all(data_folder)


@pytest.mark.parametrize("link", ["shared_memory", "webrtc"])
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
    assert len(seen) == report["frames_out"] >= 5
    numbers = [number for number, _ in seen]
    assert None not in numbers, "a torn frame"
    steps = np.diff(np.array(numbers)) % 180  # the clip starts again after 180 frames
    assert (steps >= 1).all(), "a repeated frame"
    assert (steps < 90).all(), "an older frame after a newer one"
    assert all(luma.shape == (1080, 1920) and luma.std() > 15 for _, luma in seen)


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
