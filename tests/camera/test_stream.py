"""Inside the virtual machine: ``overpaint stream`` to a real camera device, read by FFmpeg."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from camera.machine import DEVICE, HEIGHT, WIDTH, Picture, output_of, read_by_ffmpeg, wait_for
from overpaint.media import pictures
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices, SettledFormat
from overpaint.session.output.slate import slate


def test_the_demo_comes_out_of_the_camera_restyled(loopback: None, data_folder: Path, tmp_path: Path) -> None:
    words = "stream --source demo --output camera --patience 300 --json --prompt"
    command = [sys.executable, "-m", "overpaint", *words.split(), "black and white"]
    still = slate(WIDTH, HEIGHT)
    began = time.monotonic()
    styled: list[Picture] = []
    seconds: list[float] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stream:
        wait_for(lambda: LoopbackDevices().settled(DEVICE) == SettledFormat("YU12", WIDTH, HEIGHT), 300)
        first = read_by_ffmpeg(1, tmp_path)[0]
        assert np.array_equal(first, still), "the camera does not begin with the slate"
        seconds.append(time.monotonic() - began)

        def another_picture() -> bool:
            frame = read_by_ffmpeg(1, tmp_path)[0]
            if not np.array_equal(frame, still):
                styled.append(frame)
                seconds.append(time.monotonic() - began)
            return len(styled) >= 3

        wait_for(another_picture, 300)
        probed = json.loads(
            output_of("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-f", "v4l2", DEVICE)
        )
        stream.send_signal(signal.SIGINT)
        report = json.loads(stream.communicate(timeout=300)[0])
    assert (probed["streams"][0]["width"], probed["streams"][0]["height"]) == (WIDTH, HEIGHT)
    for frame in styled:
        luma, u, v = pictures.planes(frame)
        assert luma.std() > 10, "a picture of one grey"
        # The demo is in colour, and this look is not: no raw picture came through.
        assert max(abs(u.astype(int) - 128).max(), abs(v.astype(int) - 128).max()) <= 4
    assert not np.array_equal(styled[0], styled[-1])
    assert report["frames_out"] > 0 and report["raw_frames_out"] == 0
    assert (report["width"], report["height"]) == (WIDTH, HEIGHT)
    print(f"slate and pictures after {[round(each) for each in seconds]} s in this slow machine: {report}")
