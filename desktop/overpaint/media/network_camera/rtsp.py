"""An RTSP 1.0 client over one TCP connection, with the RTP packets interleaved.

Sources: RFC 2326 (RTSP 1.0; 10.12 for the interleaving), RFC 8866 (SDP), RFC 6184 and 7798 (parameters of
H.264 and H.265 in SDP). TCP alone: it passes firewalls, and the sandbox can open no other socket. Must not
know decoders.
"""

from __future__ import annotations

import base64
import binascii
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass

from overpaint.media.network_camera.camera_address import NetworkAddress
from overpaint.media.network_camera.camera_connection import CameraError
from overpaint.media.network_camera.digest import authorization
from overpaint.media.network_camera.rtp_payloads import Codec

_BODY_BYTES = 64 * 1024
_LINE_BYTES = 8192
_LINES_MAX = 64
_UNAUTHORIZED = 401
_REASONS = {401: "denied", 403: "denied", 404: "missing", 461: "no_video"}
_CODECS: dict[str, Codec] = {"h264": "h264", "h265": "hevc", "jpeg": "mjpeg"}
_JPEG = "26"
"""Payload type of JPEG, which a description need not name. Source: RFC 3551, section 6."""
_KEEPALIVE_S = 60.0
_START = b"\0\0\0\1"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the camera.

    Attributes:
        status: Its status code.
        headers: Values by lower-case name, in order.
        body: Its body.
    """

    status: int
    headers: dict[str, list[str]]
    body: bytes

    def first(self, name: str) -> str:
        """Returns the first value of a header; empty where there is none."""
        return next(iter(self.headers.get(name, [])), "")


@dataclass(frozen=True, slots=True)
class VideoTrack:
    """The video of a camera.

    Attributes:
        codec: Its codec.
        payload_type: Number of its RTP packets.
        control: Address for ``SETUP``, as in the description.
        parameters: Parameter sets of the decoder, an Annex B byte stream.
    """

    codec: Codec
    payload_type: int
    control: str
    parameters: bytes


class RtspClient:
    """The client.

    Args:
        address: The camera.
        link: The connection; its timeout says how long a camera may be silent.
    """

    def __init__(self, address: NetworkAddress, link: socket.socket) -> None:
        self._address = address
        self._link = link
        self._read = link.makefile("rb")
        self._number = 0
        self._session = ""
        self._challenges: list[str] = []
        self._alive_s = _KEEPALIVE_S / 2
        self._channel = 0

    def play(self) -> VideoTrack:
        """Starts the video.

        Raises:
            CameraError: The camera refuses, has no video of a known codec, or is lost.
        """
        try:
            described = self._ask("DESCRIBE", self._address.bare, {"Accept": "application/sdp"})
            track = video_track(described.body.decode("utf-8", "replace"))
            if track is None:
                raise CameraError("no_video")
            base = described.first("content-base") or described.first("content-location")
            base = base if base.startswith("rtsp") else self._address.bare
            wanted = {"Transport": "RTP/AVP/TCP;unicast;interleaved=0-1"}
            answer = self._ask("SETUP", controlled(base, track.control), wanted)
            self._session, _, rest = answer.first("session").partition(";")
            if kept := re.search(r"timeout\s*=\s*(\d{1,4})", rest):
                self._alive_s = max(2.0, min(_KEEPALIVE_S, int(kept[1])) / 2)
            if named := re.search(r"interleaved\s*=\s*(\d{1,3})", answer.first("transport")):
                self._channel = int(named[1])
            self._base = base
            self._ask("PLAY", base, {"Range": "npt=0.000-"})
        except (OSError, ValueError) as error:
            raise _lost(error) from error
        return track

    def packets(self) -> Iterator[bytes]:
        """Yields the RTP packets of the video, and keeps the session alive.

        Raises:
            CameraError: The camera is lost, or silent.
        """
        due, asked_again = time.monotonic() + self._alive_s, False
        try:
            while True:
                first = self._exactly(1)
                if first == b"$":
                    channel, size = self._exactly(1)[0], int.from_bytes(self._exactly(2), "big")
                    packet = self._exactly(size)
                    if channel == self._channel:
                        yield packet
                else:
                    answer = self._message(first)  # to what keeps the session alive, or an announcement
                    if answer is not None and self._may_ask_again(answer) and not asked_again:
                        asked_again = True
                        self._send("OPTIONS", self._base, {})
                if time.monotonic() >= due:
                    due, asked_again = time.monotonic() + self._alive_s, False
                    self._send("OPTIONS", self._base, {})
        except (OSError, ValueError) as error:
            raise _lost(error) from error

    # ---- inside ----------------------------------------------------------------------------------

    def _ask(self, method: str, uri: str, headers: dict[str, str]) -> Answer:
        """Sends a request, with an authentication where that is asked for. Raises ``CameraError``."""
        self._send(method, uri, headers)
        answer = self._answer()
        if self._may_ask_again(answer):
            self._send(method, uri, headers)
            answer = self._answer()
        if answer.status != 200:
            raise CameraError(_REASONS.get(answer.status, "refused"))
        return answer

    def _may_ask_again(self, answer: Answer) -> bool:
        """Returns whether a request is to be sent again, with an answer to the challenge of its refusal."""
        if answer.status != _UNAUTHORIZED or not (self._address.user or self._address.password):
            return False
        known, self._challenges = self._challenges, answer.headers.get("www-authenticate", [])
        # A second refusal with the same nonce means that the password is wrong: cameras lock after a few.
        return bool(self._challenges) and self._challenges != known

    def _send(self, method: str, uri: str, headers: dict[str, str]) -> None:
        self._number += 1
        told = {"CSeq": str(self._number), "User-Agent": "Overpaint", **headers}
        if self._session:
            told["Session"] = self._session
        if self._challenges:
            user, password = self._address.user, self._address.password
            answer = authorization(self._challenges, method, uri, user, password)
            if answer is None:
                raise CameraError("denied")
            told["Authorization"] = answer
        lines = [f"{method} {uri} RTSP/1.0", *(f"{name}: {value}" for name, value in told.items())]
        self._link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace"))

    def _answer(self) -> Answer:
        while True:
            first = self._exactly(1)
            if first == b"$":  # packets may come before the answer to PLAY
                self._exactly(1)
                self._exactly(int.from_bytes(self._exactly(2), "big"))
                continue
            answer = self._message(first)
            if answer is not None:
                return answer

    def _message(self, first: bytes) -> Answer | None:
        """Reads a message; returns None for a request of the camera."""
        head = (first + self._read.readline(_LINE_BYTES)).strip().split(None, 2)
        if not head:
            return None
        headers: dict[str, list[str]] = {}
        for _ in range(_LINES_MAX):
            line = self._read.readline(_LINE_BYTES)
            if not line:
                raise CameraError("lost")
            if not line.strip():
                break
            name, _, value = line.decode("utf-8", "replace").partition(":")
            headers.setdefault(name.strip().lower(), []).append(value.strip())
        else:
            raise CameraError("no_video")
        size = int(next(iter(headers.get("content-length", [])), "0") or 0)
        if not 0 <= size <= _BODY_BYTES:
            raise CameraError("no_video")
        body = self._exactly(size)
        if not head[0].startswith(b"RTSP/"):
            return None
        return Answer(int(head[1]), headers, body)

    def _exactly(self, size: int) -> bytes:
        data = self._read.read(size)
        if len(data) < size:
            raise CameraError("lost")
        return data


def video_track(description: str) -> VideoTrack | None:
    """Finds the first video of a known codec in an SDP description."""
    for section in re.split(r"(?m)^(?=m=)", description):
        head = re.match(r"m=video \d+ \S+ (\d+)", section)
        if head is None:
            continue
        number = head[1]
        coded = re.search(rf"(?m)^a=rtpmap:{number} ([\w-]+)/", section)
        name = coded[1].lower() if coded is not None else "jpeg" if number == _JPEG else ""
        codec = _CODECS.get(name)
        if codec is None:
            continue
        format_ = re.search(rf"(?m)^a=fmtp:{number} (.*)$", section)
        control = re.search(r"(?m)^a=control:(\S+)", section)
        parameters = _parameters(format_[1] if format_ is not None else "")
        return VideoTrack(codec, int(number), control[1] if control is not None else "", parameters)
    return None


def controlled(base: str, control: str) -> str:
    """Returns the address of a track. Source: RFC 2326, C.1.1; as servers read it, by appending."""
    if not control or control == "*":
        return base
    if control.lower().startswith(("rtsp://", "rtsps://")):
        return control
    return base.rstrip("/") + "/" + control.lstrip("/")


def _parameters(format_: str) -> bytes:
    """Returns the parameter sets of a decoder, of which damaged ones are left out."""
    sets = re.findall(r"sprop-(?:parameter-sets|vps|sps|pps)\s*=\s*([^;\s]+)", format_)
    found = b""
    for coded in ",".join(sets).split(","):
        try:
            unit = base64.b64decode(coded, validate=True)
        except (binascii.Error, ValueError):
            continue
        found += _START + unit if unit else b""
    return found


def _lost(error: Exception) -> CameraError:
    return CameraError("silent" if isinstance(error, TimeoutError) else "lost")
