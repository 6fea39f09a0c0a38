"""Pictures into PyAV and out again, and the stamp by which a frame is known."""

from __future__ import annotations

import av
import numpy as np
import pytest

from helpers.numbered_pictures import colour_error, stamped
from overpaint.media.access_units import AccessUnit
from overpaint.media.frames import FrameKind, RawFrame
from overpaint.media.links import LinkRequest
from overpaint.media.webrtc.av_frames import REMEMBERED, StampBook, ticks, to_picture, to_video_frame
from overpaint.media.webrtc.desktop_link import WebRtcLink


@pytest.mark.parametrize(("width", "height"), [(320, 180), (322, 182), (1920, 1080), (98, 66)])
def test_a_picture_survives_the_way_into_pyav_and_out(width: int, height: int) -> None:
    image = np.random.default_rng(0).integers(0, 256, (height * 3 // 2, width), np.uint8)
    frame = to_video_frame(image, 123)
    assert (frame.width, frame.height, frame.pts) == (width, height, 123)
    assert np.array_equal(to_picture(frame), image)


def test_padded_rows_are_left_out() -> None:
    frame = av.VideoFrame(98, 66, "yuv420p")
    assert frame.planes[0].line_size > 98
    for plane, level in zip(frame.planes, (40, 90, 200), strict=True):
        plane.update(bytes([level]) * plane.buffer_size)
    image = to_picture(frame)
    assert image.shape == (99, 98)
    assert set(np.unique(image)) == {40, 90, 200}


def test_an_odd_row_and_column_are_left_out() -> None:
    assert to_picture(av.VideoFrame(99, 67, "yuv420p")).shape == (99, 98)


def test_a_full_range_picture_becomes_limited_range() -> None:
    frame = av.VideoFrame(64, 64, "yuvj420p")
    for plane, level in zip(frame.planes, (255, 128, 128), strict=True):
        plane.update(bytes([level]) * plane.buffer_size)
    assert to_picture(frame)[:64].max() <= 236


def test_another_colour_matrix_is_converted() -> None:
    red = av.VideoFrame.from_ndarray(np.full((64, 64, 3), (255, 0, 0), np.uint8), format="rgb24")
    hd = red.reformat(format="yuv420p", dst_colorspace="ITU709")
    sd = red.reformat(format="yuv420p", dst_colorspace="ITU601")
    hd.colorspace = 1
    wanted, got = to_picture(sd), to_picture(hd)
    assert np.abs(wanted.astype(int) - got.astype(int)).max() <= 3


@pytest.mark.parametrize("kind", [FrameKind.STYLED, FrameKind.ORIGINAL])
def test_what_comes_back_is_what_the_link_was_opened_for(kind: FrameKind) -> None:
    request = LinkRequest("http://127.0.0.1:9", "t", "room", 64, 36, 30.0, kind)
    link = WebRtcLink(request, signalling=None)  # type: ignore[arg-type]
    image = np.full((54, 64), 100, np.uint8)
    link._arrived(to_video_frame(image, link._book.enter(RawFrame(image, 7, 1_000_000))), None)
    found = link.received.take(0)
    assert found is not None and (found.number, found.kind) == (7, kind)


@pytest.mark.parametrize(
    ("size", "matrix", "exact"), [((64, 36), 6, True), ((32, 18), 6, False), ((64, 36), 1, False)]
)
def test_a_picture_that_is_scaled_or_converted_is_not_what_was_received(
    size: tuple[int, int], matrix: int, exact: bool
) -> None:
    """Only what is shown may go into a file."""
    request = LinkRequest("http://127.0.0.1:9", "t", "room", 64, 36, 30.0, FrameKind.STYLED)
    link = WebRtcLink(request, signalling=None)  # type: ignore[arg-type]
    unit = AccessUnit(object(), 1, b"", (), True, lambda: None)
    image = np.full((size[1] * 3 // 2, size[0]), 100, np.uint8)
    picture = to_video_frame(image, link._book.enter(RawFrame(image, 7, 1_000_000)))
    picture.colorspace = matrix
    link._arrived(picture, unit)
    found = link.received.take(0)
    assert found is not None and (found.unit is unit) is exact


def test_stamped_pictures_have_colours() -> None:
    assert colour_error(stamped(7, 320, 180), 7) == 0 < colour_error(stamped(7, 320, 180), 8)


class TestStampBook:
    @staticmethod
    def frame(number: int, captured_ns: int) -> RawFrame:
        return RawFrame(np.zeros((3, 2), np.uint8), number, captured_ns)

    def test_a_stamp_is_the_capture_time_at_90_khz(self) -> None:
        assert StampBook().enter(self.frame(0, 1_000_000_000)) == 90_000
        assert ticks(10**9 * 86_400) < 1 << 32

    def test_it_gives_the_frame_back_exactly_once(self) -> None:
        book = StampBook()
        stamp = book.enter(self.frame(41, 1_234_567_890_123))
        assert book.take(stamp) == (41, 1_234_567_890_123)
        assert book.take(stamp) is None

    def test_two_frames_never_share_a_stamp(self) -> None:
        book = StampBook()
        stamps = {book.enter(self.frame(number, 5_000_000)) for number in range(4)}
        assert len(stamps) == 4

    def test_it_forgets_what_is_too_old(self) -> None:
        book = StampBook()
        first = book.enter(self.frame(0, 0))
        for number in range(1, REMEMBERED + 1):
            book.enter(self.frame(number, number * 33_000_000))
        assert book.take(first) is None
