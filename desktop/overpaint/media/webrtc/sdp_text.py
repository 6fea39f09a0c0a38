"""SDP text of offers and answers: validation of offers, additions to answers.

aiortc accepts invalid offers, so they are validated here first. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from aiortc import RTCIceCandidate
from aiortc.sdp import MediaDescription, SessionDescription, candidate_from_sdp

from overpaint.errors import InvalidRequestError

MAX_SDP_CHARACTERS = 65_536
MAX_CANDIDATE_LINES = 64
MAX_SECTIONS = 2
"""A picture, and a publisher's sound; more sections could need further sockets."""
HINTS = "x-google-start-bitrate=6000;x-google-min-bitrate=4000;x-google-max-bitrate=10000"
"""Bitrates in kilobits. Without them Chromium begins at 0.3 Mb/s and falls to 4 pictures a second."""
_CANDIDATE = "a=candidate:"
_UNREADABLE = (ValueError, AssertionError, LookupError, AttributeError, TypeError, StopIteration)

Admits = Callable[[RTCIceCandidate], bool]


def check_offer(sdp: str, role: Literal["publisher", "viewer"]) -> str:
    """Validates an offer and returns it.

    Raises:
        InvalidRequestError: Not an offer of exactly one video stream in the role's direction.
    """
    if len(sdp) > MAX_SDP_CHARACTERS:
        raise _refused(f"it is longer than {MAX_SDP_CHARACTERS} characters")
    try:
        offer = SessionDescription.parse(sdp)
    except _UNREADABLE as error:
        raise _refused("it cannot be read") from error
    videos = [media for media in offer.media if media.kind == "video"]
    if len(videos) != 1 or not all(media.kind in ("audio", "video") for media in offer.media):
        raise _refused("it must have exactly one video section, and audio at most beside it")
    if len(offer.media) > MAX_SECTIONS:
        raise _refused(f"it has more than {MAX_SECTIONS} sections")
    _check_video(videos[0], role)
    lines = sdp.splitlines()
    if sum(line.startswith(_CANDIDATE) for line in lines) > MAX_CANDIDATE_LINES:
        raise _refused(f"it has more than {MAX_CANDIDATE_LINES} candidates")
    return "\r\n".join(lines) + "\r\n"


def with_candidates(offer: str, admits: Admits) -> str:
    """Returns a valid offer with only the candidates that ``admits`` accepts.

    It also drops ``end-of-candidates``, which would rule out a peer that is reached through its own checks.
    """
    lines = offer.splitlines()
    kept = [line for line in lines if not line.startswith(_CANDIDATE) or admits(_candidate(line))]
    if len(kept) < len(lines):
        kept = [line for line in kept if line != "a=end-of-candidates"]
    return "\r\n".join(kept) + "\r\n"


def _candidate(line: str) -> RTCIceCandidate:
    return candidate_from_sdp(line.removeprefix(_CANDIDATE))


def _check_video(video: MediaDescription, role: Literal["publisher", "viewer"]) -> None:
    if video.ice is None or not video.ice.usernameFragment or not video.ice.password:
        raise _refused("ice-ufrag or ice-pwd is missing")
    if video.dtls is None or not video.dtls.fingerprints:
        raise _refused("the certificate's fingerprint is missing")
    if not video.rtcp_mux:
        raise _refused("rtcp-mux is missing")
    directions = ("sendonly", "sendrecv") if role == "publisher" else ("recvonly", "sendrecv")
    if (video.direction or "sendrecv") not in directions:
        raise _refused(f"its video must be {directions[0]}")
    if not any(codec.name.upper() in ("H264", "VP8") for codec in video.rtp.codecs):
        raise _refused("it offers neither H264 nor VP8")


def trickled(fragment: str) -> list[RTCIceCandidate]:
    """Parses the candidates of a trickle ICE fragment (RFC 8840).

    Raises:
        InvalidRequestError: It cannot be read.
    """
    mid, candidates = "", []
    for line in fragment.splitlines():
        if line.startswith("a=mid:"):
            mid = line.removeprefix("a=mid:").strip()
        elif line.startswith(_CANDIDATE):
            try:
                candidate = _candidate(line)
            except _UNREADABLE as error:
                raise InvalidRequestError("sdp_candidate_unreadable") from error
            candidate.sdpMid, candidate.sdpMLineIndex = (mid, None) if mid else (None, 0)
            candidates.append(candidate)
    if len(candidates) > MAX_CANDIDATE_LINES:
        raise InvalidRequestError("sdp_too_many_candidates", candidates=MAX_CANDIDATE_LINES)
    return candidates


def with_bitrate_hints(sdp: str) -> str:
    """Adds to an answer the bitrates that a full picture needs, for browsers that publish."""
    lines = sdp.splitlines()
    hinted = []
    with_parameters = {match[1] for line in lines if (match := re.match(r"a=fmtp:(\d+) ", line))}
    for line in lines:
        if re.match(r"a=fmtp:\d+ .*profile-level-id", line):
            line = f"{line};{HINTS}"
        hinted.append(line)
        media = re.match(r"a=rtpmap:(\d+) (?:VP8|H264)/", line)
        if media and media[1] not in with_parameters:
            hinted.append(f"a=fmtp:{media[1]} {HINTS}")
    return "\r\n".join(hinted) + "\r\n"


def _refused(why: str) -> InvalidRequestError:
    return InvalidRequestError("sdp_offer_refused", reason=why)
