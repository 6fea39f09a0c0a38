"""Network cameras on this computer: MJPEG over HTTP, and an RTSP server that passes on what FFmpeg publishes.

The RTP packets and their description are FFmpeg's own (its RTSP muxer, in a process of its own), so that
nothing of the program's reading of those standards is in them.
"""

from __future__ import annotations

import hashlib
import re
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import av
import cv2
import numpy as np

LOGIN = ("alma", "s3 cret:@/word")
_REALM, _NONCE = "camera", "5f0c"


def shade(number: int) -> np.ndarray:
    """Picture of that number: 640×360, its left half of a grey that tells the number, white on the right."""
    image = np.full((360, 640, 3), 255, np.uint8)
    image[:, :320] = 20 + 10 * (number % 20)
    return image


def _digest(method: str, uri: str, nonce: str) -> str:
    """The right answer to the challenge of these cameras, without qop (RFC 2069)."""

    def md5(text: str) -> str:
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

    return md5(f"{md5(f'{LOGIN[0]}:{_REALM}:{LOGIN[1]}')}:{nonce}:{md5(f'{method}:{uri}')}")


def _is_let_in(header: str | None, method: str, nonce: str = _NONCE) -> bool:
    named = dict(re.findall(r'(\w+)="([^"]*)"', header or ""))
    return named.get("response") == _digest(method, named.get("uri", ""), nonce)


class _Server(ThreadingHTTPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The client is gone."""


class MjpegCamera:
    """A camera that sends JPEG pictures over HTTP.

    Args:
        port: Its port; any free one for 0.
        login: Whether it asks for ``LOGIN``, by Digest, and closes the connection with its refusal.
        lengths: Whether it states the length of each picture.
        body: What it sends instead of pictures, with this type.
        tls: Its certificate, where it speaks TLS.

    Attributes:
        port: Its port.
        asked: Number of requests.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        login: bool = False,
        lengths: bool = True,
        body: tuple[str, bytes] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.asked = 0
        self.quiet = threading.Event()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                camera.asked += 1
                if login and not _is_let_in(self.headers.get("Authorization"), "GET"):
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", f'Digest realm="{_REALM}", nonce="{_NONCE}"')
                    self.send_header("Connection", "close")
                    self.end_headers()
                    return
                if self.path.startswith("/nothing"):
                    self.send_error(404)
                    return
                self.send_response(200)
                if body is not None:
                    self.send_header("Content-Type", body[0])
                    self.end_headers()
                    self.wfile.write(body[1])
                    return
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=--frame")
                self.end_headers()
                camera.send(self.wfile.write, lengths)

        self._server = _Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._stopped = False
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def send(self, write: Callable[[bytes], object], lengths: bool) -> None:
        """Sends a picture 30 times a second."""
        number = 0
        while not self._stopped:
            jpeg = cv2.imencode(".jpg", shade(number))[1].tobytes()
            length = f"Content-Length: {len(jpeg)}\r\n" if lengths else ""
            if not self.quiet.is_set():
                write(f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + jpeg + b"\r\n")
            number += 1
            time.sleep(1 / 30)

    def close(self) -> None:
        """Switches it off."""
        self._stopped = True
        self._server.shutdown()
        self._server.server_close()


class RtspCamera:
    """A camera that sends H.264, H.265 or JPEG by RTSP, over TCP.

    Args:
        port: Its port; any free one for 0.
        codec: FFmpeg's encoder.
        login: Whether it asks for ``LOGIN``.

    Attributes:
        port: Its port.
        requests: Requests of its viewers that were not refused.
        nonce: What its viewers' answers to its challenge have to contain.
    """

    def __init__(self, port: int = 0, *, codec: str = "libx264", login: bool = False) -> None:
        self.requests: list[str] = []
        self.nonce = _NONCE
        self._login = login
        self._description = b""
        self._viewers: list[socket.socket] = []
        self._stopped = False
        self._described = threading.Event()
        camera = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    camera.serve(self.rfile, self.connection)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self._publisher = subprocess.Popen([sys.executable, "-P", __file__, str(self.port), codec])
        assert self._described.wait(20)

    def serve(self, read: Any, link: socket.socket) -> None:
        """Answers a publisher or viewer."""
        while True:
            first = read.read(1)
            if not first or self._stopped:
                return
            if first == b"$":
                head = read.read(3)
                packet = first + head + read.read(int.from_bytes(head[1:], "big"))
                for viewer in list(self._viewers):
                    try:
                        viewer.sendall(packet)
                    except OSError:
                        self._viewers.remove(viewer)
                continue
            method, uri, _ = (first + read.readline()).decode().split()
            headers = dict(line.decode().strip().split(": ", 1) for line in iter(read.readline, b"\r\n"))
            body = read.read(int(headers.get("Content-Length", 0)))
            answer = [f"CSeq: {headers['CSeq']}", "Session: 12;timeout=4"]
            publishes = (
                method in ("ANNOUNCE", "RECORD") or "mode=record" in headers.get("Transport", "").lower()
            )
            publishes |= method == "OPTIONS" and "Session" not in headers  # FFmpeg's first word, of no viewer
            if (
                self._login
                and not publishes
                and not _is_let_in(headers.get("Authorization"), method, self.nonce)
            ):
                challenge = f'WWW-Authenticate: Digest realm="{_REALM}", nonce="{self.nonce}"'
                link.sendall(f"RTSP/1.0 401 Unauthorized\r\n{answer[0]}\r\n{challenge}\r\n\r\n".encode())
                continue
            if not publishes:
                self.requests.append(method)
            content = b""
            if method == "ANNOUNCE":
                self._description = body
            elif method == "DESCRIBE":
                content = self._description
                answer += [f"Content-Base: {uri}/", f"Content-Length: {len(content)}"]
            elif method == "SETUP":
                answer.append(f"Transport: {headers['Transport']}")
            link.sendall(("RTSP/1.0 200 OK\r\n" + "\r\n".join(answer) + "\r\n\r\n").encode() + content)
            if method == "RECORD":
                self._described.set()
            elif method == "PLAY":
                self._viewers.append(link)

    def close(self) -> None:
        """Switches it off."""
        self._stopped = True
        self._publisher.kill()
        self._publisher.wait(10)
        for viewer in self._viewers:
            with suppress(OSError):
                viewer.shutdown(socket.SHUT_RDWR)
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def switched_on(make: Callable[[], Any]) -> Iterator[Any]:
    """A camera that is switched off at the end."""
    camera = make()
    try:
        yield camera
    finally:
        camera.close()


def _publish(port: str, codec: str) -> None:
    url = f"rtsp://127.0.0.1:{port}/live"
    with av.open(url, "w", format="rtsp", options={"rtsp_transport": "tcp"}) as out:
        options = {
            "libx264": {"preset": "ultrafast", "tune": "zerolatency"},
            "libx265": {"preset": "ultrafast", "x265-params": "log-level=none:bframes=0"},
            "mjpeg": {"huffman": "default", "strict": "unofficial"},
        }[codec]
        stream = out.add_stream(codec, rate=30, options=options)
        stream.width, stream.height, stream.gop_size = 640, 360, 15
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        if codec == "mjpeg":
            stream.codec_context.thread_count = 1  # more make restart markers, which FFmpeg's RTP conceals
        number = 0
        while True:
            frame = av.VideoFrame.from_ndarray(shade(number), format="bgr24")
            frame.pts = number
            out.mux(stream.encode(frame))
            number += 1
            time.sleep(1 / 30)


if __name__ == "__main__":
    _publish(*sys.argv[1:])
