"""A picture is laid into the frame as the user wants it, whole or filling, and never stretched."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overpaint.media import pictures
from overpaint.media.frames import RawFrame
from overpaint.media.framing import Framer, laid
from overpaint.wire.framing import Framing

WIDTH, HEIGHT = 320, 180
RED, GREEN, BLUE, WHITE = (30, 30, 220), (30, 200, 30), (220, 30, 30), (235, 235, 235)
"""BGR of the four quarters: top left, top right, bottom left, bottom right."""


def quarters(width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    bgr = np.empty((height, width, 3), np.uint8)
    bgr[: height // 2, : width // 2], bgr[: height // 2, width // 2 :] = RED, GREEN
    bgr[height // 2 :, : width // 2], bgr[height // 2 :, width // 2 :] = BLUE, WHITE
    return pictures.from_bgr(bgr)


def seen(image: np.ndarray, x: float, y: float) -> tuple[int, ...] | None:
    """The quarter whose colour is at a place (shares of width and height); None for a bar."""
    bgr = pictures.to_bgr(image)[round(y * (HEIGHT - 1)), round(x * (WIDTH - 1))].astype(int)
    near = [colour for colour in (RED, GREEN, BLUE, WHITE) if np.abs(bgr - colour).max() < 30]
    return near[0] if near else None


def corners(image: np.ndarray) -> list[tuple[int, ...] | None]:
    return [seen(image, x, y) for y in (0.25, 0.75) for x in (0.25, 0.75)]


def test_a_plain_framing_costs_nothing() -> None:
    class Source:
        aspect = 16 / 9

    frame = RawFrame(quarters(), 3, 7)
    assert Framer(Source(), Framing).framed(frame) is frame
    framed = Framer(Source(), lambda: Framing(mirror=True)).framed(frame)
    assert (framed.number, framed.captured_ns, framed.image.shape) == (3, 7, frame.image.shape)


@pytest.mark.parametrize(
    ("framing", "expected"),
    [
        (Framing(mirror=True), [GREEN, RED, WHITE, BLUE]),
        (Framing(quarter_turns=2), [WHITE, BLUE, GREEN, RED]),
        (Framing(quarter_turns=2, mirror=True), [BLUE, WHITE, RED, GREEN]),
        (Framing(quarter_turns=1, fill=True), [BLUE, RED, WHITE, GREEN]),
        (Framing(quarter_turns=3, fill=True), [GREEN, WHITE, RED, BLUE]),
        (Framing(zoom=2), [RED, GREEN, BLUE, WHITE]),
        (Framing(zoom=2, pan_x=-1, pan_y=-1), [RED] * 4),
        (Framing(zoom=2, pan_x=1, pan_y=1), [WHITE] * 4),
        (Framing(zoom=2, pan_x=1, pan_y=-1, mirror=True), [RED] * 4),
    ],
)
def test_what_is_where(framing: Framing, expected: list[tuple[int, ...]]) -> None:
    assert corners(laid(quarters(), framing)) == expected


def test_a_picture_turned_upright_stands_between_bars_unless_it_fills() -> None:
    turned = laid(quarters(), Framing(quarter_turns=1))
    assert seen(turned, 0.1, 0.5) is None and seen(turned, 0.9, 0.5) is None
    assert (seen(turned, 0.45, 0.25), seen(turned, 0.55, 0.75)) == (BLUE, GREEN)


def test_fill_cuts_away_the_bars_of_a_narrower_picture() -> None:
    narrow = pictures.fit(quarters(160, 120), WIDTH, HEIGHT)  # 4:3
    assert seen(narrow, 0.05, 0.25) is None
    filled = laid(narrow, Framing(fill=True), aspect=4 / 3)
    assert seen(filled, 0.02, 0.25) == RED and seen(filled, 0.98, 0.75) == WHITE


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        Framing,
        mirror=st.booleans(),
        quarter_turns=st.integers(0, 3),
        fill=st.booleans(),
        zoom=st.floats(1, 4, allow_subnormal=False),
        pan_x=st.floats(-1, 1, allow_subnormal=False),
        pan_y=st.floats(-1, 1, allow_subnormal=False),
    ),
    st.sampled_from([0.0, 4 / 3, 16 / 9, 9 / 16, 2.35, 1.0]),
)
def test_every_framing_gives_a_whole_frame(framing: Framing, aspect: float) -> None:
    image = laid(quarters(), framing, aspect)
    assert image.shape == (HEIGHT * 3 // 2, WIDTH) and image.dtype == np.uint8
    if framing.fill:
        # No bar at any edge, but for a pixel that rounding leaves.
        luma = pictures.planes(image)[0][2:-2, 2:-2]
        assert (luma != pictures.BLACK_Y).mean() > 0.99 or aspect not in (0.0, 16 / 9)
