"""A customer's webhook endpoint on loopback that keeps what it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    """One call as it came."""

    method: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """Its JSON."""
        told: dict[str, Any] = json.loads(self.body)
        return told


class Receiver:
    """What was called, in order; ``statuses`` are answered first, then 204."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.statuses: list[int] = []
        self.came = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(size)
                if len(body) < size:  # its caller was killed in mid-call: it never arrived
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver.came:
                    status = receiver.statuses.pop(0) if receiver.statuses else 204
                    receiver.calls.append(Call("POST", headers, body))
                    receiver.came.notify_all()
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                pass  # the caller was killed in mid-call

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="receiver")
        self._thread.start()

    def about(self, job: str) -> list[Call]:
        """The calls about one job."""
        with self.came:
            return [call for call in self.calls if call.event["data"]["id"] == job]

    def wait_for(self, job: str, count: int = 1, within_s: float = 20) -> list[Call]:
        """Waits until a job was told of so often."""
        with self.came:
            known = self.came.wait_for(
                lambda: sum(call.event["data"]["id"] == job for call in self.calls) >= count, within_s
            )
        assert known, f"{job} was told of {len(self.about(job))} times"
        return self.about(job)

    def close(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver for the length of a block."""
    customer = Receiver()
    try:
        yield customer
    finally:
        customer.close()
