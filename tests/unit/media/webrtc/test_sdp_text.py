"""What is taken for an offer, and what is changed in an answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.errors import InvalidRequestError
from overpaint.media.webrtc.peer import new_connection
from overpaint.media.webrtc.sdp_text import check_offer, with_bitrate_hints, with_candidates


async def offer(video: str = "sendonly", count: int = 1, audio: bool = False, data: bool = False) -> str:
    """A real offer, as a WHIP client makes it."""
    connection = new_connection()
    for _ in range(count):
        connection.addTransceiver("video", direction=video)
    if audio:
        connection.addTransceiver("audio", direction="sendonly")
    if data:
        connection.createDataChannel("any")
    await connection.setLocalDescription(await connection.createOffer())
    sdp = str(connection.localDescription.sdp)
    await connection.close()
    return sdp


async def test_offers_of_publishers_and_viewers_pass_unchanged() -> None:
    for direction, role in (("sendonly", "publisher"), ("sendrecv", "publisher"), ("recvonly", "viewer")):
        sdp = await offer(direction)
        assert check_offer(sdp, role) == sdp  # type: ignore[arg-type]


async def test_sound_beside_the_picture_is_allowed() -> None:
    check_offer(await offer(audio=True), "publisher")


@pytest.mark.parametrize("text", ["", "hello", "v=0\r\n", "m=video", "a=\r\nm=\r\n", "\0" * 9, "{}"])
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequestError):
        check_offer(text, "publisher")


@given(st.text())
def test_any_other_text_is_refused_and_nothing_else_happens(text: str) -> None:
    with pytest.raises(InvalidRequestError):
        check_offer(text, "viewer")


async def test_a_damaged_offer_is_refused_or_read_but_never_crashes() -> None:
    lines = (await offer()).splitlines()
    for index in range(len(lines)):
        for damaged in (
            [*lines[:index], *lines[index + 1 :]],
            [*lines[:index], lines[index][: len(lines[index]) // 2]],
        ):
            try:
                check_offer("\r\n".join(damaged), "publisher")
            except InvalidRequestError:
                continue


async def test_what_is_missing_is_named() -> None:
    sdp = await offer()
    for drop, word in (
        (r"a=ice-ufrag.*\r\n", "ice-ufrag"),
        (r"a=fingerprint.*\r\n", "fingerprint"),
        (r"a=rtcp-mux\r\n", "rtcp-mux"),
        (r"a=(rtpmap|fmtp|rtcp-fb):.*\r\n", "H264"),
    ):
        with pytest.raises(InvalidRequestError, match=word):
            check_offer(re.sub(drop, "", sdp), "publisher")


async def test_two_pictures_no_picture_or_data_are_refused() -> None:
    for sdp in (await offer(count=2), await offer(count=0, audio=True), await offer(data=True)):
        with pytest.raises(InvalidRequestError, match="exactly one video"):
            check_offer(sdp, "publisher")


async def test_the_wrong_direction_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match="sendonly"):
        check_offer(await offer("recvonly"), "publisher")
    with pytest.raises(InvalidRequestError, match="recvonly"):
        check_offer(await offer("sendonly"), "viewer")


async def test_hidden_addresses_go_and_with_them_the_end_of_candidates() -> None:
    sdp = await offer()
    hidden = re.sub(r"(a=candidate:\S+ \d+ \S+ \d+ )\S+", r"\g<1>0a1b2c3d-4e5f.local", sdp)
    kept = with_candidates(check_offer(hidden, "publisher"), lambda each: False)
    assert ".local" not in kept and "end-of-candidates" not in kept
    assert "end-of-candidates" in sdp


def test_a_browser_is_told_a_bitrate_for_each_codec() -> None:
    answer = (
        "a=rtpmap:96 VP8/90000\r\na=rtpmap:97 rtx/90000\r\na=fmtp:97 apt=96\r\n"
        "a=rtpmap:98 H264/90000\r\na=fmtp:98 profile-level-id=42e02a\r\n"
    )
    hinted = with_bitrate_hints(answer).splitlines()
    assert next(line for line in hinted if "x-google-min-bitrate" in line).startswith("a=fmtp:96 ")
    assert "a=fmtp:97 apt=96" in hinted
    assert sum(line.startswith("a=fmtp:98 ") for line in hinted) == 1
    assert sum("x-google-min-bitrate=4000" in line for line in hinted) == 2
