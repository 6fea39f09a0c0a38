"""JPEG pictures over HTTP (``multipart/x-mixed-replace``), as IP cameras and phones' camera apps send them.

Sources: RFC 9110 (HTTP), RFC 2046, 5.1 (multipart), which cameras follow loosely. Must not know decoders.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator

from overpaint.media.network_camera.camera_address import NetworkAddress
from overpaint.media.network_camera.camera_connection import CameraError, Connections
from overpaint.media.network_camera.digest import authorization
from overpaint.media.network_camera.rtp_payloads import PICTURE_BYTES

_LINES_MAX = 64
_LINE_BYTES = 8192
_BOUNDARY = re.compile(r'boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;,]{1,200}))', re.IGNORECASE)


def pictures(address: NetworkAddress, links: Connections) -> Iterator[bytes]:
    """Yields the JPEG pictures of a camera.

    Raises:
        CameraError: It refuses, sends something else, or is lost.
    """
    try:
        response = _requested(address, links)
        told = response.headers.get("Content-Type", "")
        named = _BOUNDARY.search(told)
        if "multipart/" not in told.lower() or named is None:
            raise CameraError("no_video")
        boundary = b"--" + (named[1] or named[2]).removeprefix("--").encode("latin-1")
        _skip_to(response, boundary)
        while True:
            yield _part(response, boundary)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CameraError("silent" if isinstance(error, TimeoutError) else "lost") from error


def _requested(address: NetworkAddress, links: Connections) -> http.client.HTTPResponse:
    response = _response(address, links, None)
    if response.status == http.HTTPStatus.UNAUTHORIZED and (address.user or address.password):
        challenges = response.headers.get_all("WWW-Authenticate", [])
        answer = authorization(challenges, "GET", address.target, address.user, address.password)
        if answer is None:
            raise CameraError("denied")
        response = _response(address, links, answer)
    if response.status in (http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN):
        raise CameraError("denied")
    if response.status != http.HTTPStatus.OK:
        raise CameraError("missing")
    return response


def _response(
    address: NetworkAddress, links: Connections, authorized: str | None
) -> http.client.HTTPResponse:
    """Sends a request over the next connection, since many cameras close one after a refusal."""
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = links.next()
    headers = {"Host": address.place, "Accept": "*/*"}
    if authorized is not None:
        headers["Authorization"] = authorized
    connection.request("GET", address.target, headers=headers)
    return connection.getresponse()


def _skip_to(response: http.client.HTTPResponse, boundary: bytes) -> None:
    for _ in range(_LINES_MAX):
        if _line(response).startswith(boundary):
            return
    raise CameraError("no_video")


def _part(response: http.client.HTTPResponse, boundary: bytes) -> bytes:
    """Reads a picture, by its stated length, else up to the next boundary; and that boundary."""
    length = None
    for _ in range(_LINES_MAX):
        name, _, value = _line(response).partition(b":")
        if not name:
            break
        if name.strip().lower() == b"content-length":
            length = int(value)
    if length is None:
        return _until(response, boundary)
    if not 0 < length <= PICTURE_BYTES:
        raise CameraError("no_video")
    data = response.read(length)
    if len(data) < length:
        raise CameraError("lost")
    _skip_to(response, boundary)
    return data


def _line(response: http.client.HTTPResponse) -> bytes:
    line = response.readline(_LINE_BYTES)
    if not line:
        raise CameraError("lost")
    return line.strip()


def _until(response: http.client.HTTPResponse, boundary: bytes) -> bytes:
    data = bytearray()
    while len(data) <= PICTURE_BYTES:
        line = response.readline(65536)
        if not line:
            raise CameraError("lost")
        if line.startswith(boundary) and data.endswith(b"\r\n"):
            return bytes(data[:-2])
        data += line
    raise CameraError("no_video")
