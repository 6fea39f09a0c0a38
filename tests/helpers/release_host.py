"""A host of releases: an HTTPS server on loopback that answers as a test says, and notes each request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from helpers.certificates import contexts

NEWER = {"version": "99.1.0", "page": "https://example.org/99", "new": {"en": ["Hats."], "de": ["Hüte."]}}


class ReleaseHost:
    """One host, ``https://localhost:PORT/newest.json``.

    Attributes:
        url: Address of the document.
        authority: File of the certificate that a client must trust.
        status, body, headers: The next answers.
        hold: Set until an answer may be given.
        asked: Headers of each request.
    """

    def __init__(self, folder: Path) -> None:
        secure, _ = contexts(folder, "localhost")
        self.authority = folder / "localhost.pem"
        self.status, self.headers = 200, dict[str, str]()
        self.body = json.dumps(NEWER).encode()
        self.hold = threading.Event()
        self.hold.set()
        self.asked: list[Mapping[str, str]] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host.asked.append(dict(self.headers))
                host.hold.wait(20)
                try:
                    self.send_response(host.status)
                    for name, value in host.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(host.body)))
                    self.end_headers()
                    self.wfile.write(host.body)
                except OSError:
                    pass  # whoever asked has gone

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.socket = secure.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://localhost:{self._server.server_port}/newest.json"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="releases")
        self._thread.start()

    def close(self) -> None:
        """Ends the server; from then on nobody answers."""
        if self._thread.is_alive():
            self.hold.set()
            self._server.shutdown()
            self._thread.join(10)
            self._server.server_close()


@contextmanager
def release_host(folder: Path) -> Iterator[ReleaseHost]:
    """A host for the length of a block."""
    host = ReleaseHost(folder)
    try:
        yield host
    finally:
        host.close()
