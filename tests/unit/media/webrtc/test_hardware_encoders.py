"""Which encoders of the machine are trusted, and what happens when a trusted one fails.

Hardware is not to be had where tests run: x264 under its own name stands for an encoder that a machine has.
"""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest
from aiortc.codecs import depayload
from aiortc.jitterbuffer import JitterFrame
from aiortc.rtcrtpparameters import RTCRtpCodecParameters

from helpers.numbered_pictures import read_stamps, stamped
from overpaint.media.webrtc import codecs
from overpaint.media.webrtc.av_frames import to_picture, to_video_frame
from overpaint.media.webrtc.hardware_encoders import CANDIDATES, HardwareEncoder, hardware_encoder

H264 = RTCRtpCodecParameters(mimeType="video/H264", clockRate=90000, payloadType=99)
LIVE = {"preset": "ultrafast", "tune": "zerolatency", "profile": "baseline", "forced-idr": "1"}
GOOD = HardwareEncoder("libx264", options={**LIVE, "x264-params": "keyint=infinite:scenecut=0"})


def test_an_encoder_that_does_what_is_asked_is_trusted() -> None:
    assert GOOD.works()
    assert hardware_encoder((HardwareEncoder("no_such_encoder"), GOOD)) is GOOD


@pytest.mark.parametrize(
    "change",
    [
        {"tune": "film"},
        {"profile": "high", "preset": "medium"},
        {"x264-params": "keyint=2"},
        {"preset": "no such preset"},
    ],
    ids=["late", "another profile", "full ones unasked", "does not open"],
)
def test_one_that_does_not_is_not(change: dict[str, str]) -> None:
    assert not HardwareEncoder("libx264", options={**GOOD.options, **change}).works()


def test_one_that_speaks_another_language_is_not() -> None:
    assert not HardwareEncoder("libvpx").works()


def test_every_candidate_says_whether_it_works_here_and_none_raises() -> None:
    for candidate in CANDIDATES:
        assert candidate.works() in (True, False)


def test_the_hardware_may_be_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERPAINT_H264", "software")
    assert hardware_encoder((GOOD, GOOD)) is None


@pytest.mark.parametrize("encoder", [GOOD, HardwareEncoder("libx264", pixels="nv12", options=GOOD.options)])
def test_what_it_encodes_is_what_was_sent(encoder: HardwareEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codecs, "hardware_encoder", lambda: encoder)
    live, decoder = codecs.LiveH264Encoder(), av.CodecContext.create("h264", "r")
    shown = []
    for number, share in enumerate((1.0, 1.0, 0.5, 0.5, 0.9)):
        live.share = share
        payloads, _ = live.encode(to_video_frame(stamped(number, 640, 360), number * 3000), False)
        data = b"".join(depayload(H264, payload) for payload in payloads)
        shown += decoder.decode(av.Packet(JitterFrame(data, 0).data))
    assert [read_stamps(to_picture(frame)) for frame in shown] == [(n, n) for n in range(5)]


@pytest.mark.expect_log("software encodes from now on")
def test_when_it_fails_in_mid_stream_software_goes_on_with_a_full_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codecs, "hardware_encoder", lambda: GOOD)
    live = codecs.LiveH264Encoder()
    live.encode(to_video_frame(stamped(0, 320, 180), 0), False)

    class Broken:
        width, height, pix_fmt, time_base = 320, 180, "yuv420p", Fraction(1, 30)
        bit_rate = live.target_bitrate

        def encode(self, frame: av.VideoFrame) -> list[av.Packet]:
            raise av.ExternalError(0, "the driver is gone")

    live.codec = Broken()  # type: ignore[assignment]
    payloads, _ = live.encode(to_video_frame(stamped(1, 320, 180), 3000), False)
    data = b"".join(depayload(H264, payload) for payload in payloads)
    (picture,) = av.CodecContext.create("h264", "r").decode(av.Packet(data))
    assert read_stamps(to_picture(picture)) == (1, 1)
    assert np.ndim(picture.to_ndarray()) == 2
