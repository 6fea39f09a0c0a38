"""``overpaint serve`` as a stranger meets it: a real process on loopback, keys from the command line,
requests by plain httpx. Must not use Overpaint's own client."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from overpaint import cli

SESSIONS, TRANSFORMS, ACCOUNT, FILES = "/v1/realtime/sessions", "/v1/transforms", "/v1/account", "/v1/files"


def say(*words: str) -> str:
    """Runs one command line here; what it printed. The same code as the program's, without its start."""
    spoken = io.StringIO()
    with contextlib.redirect_stdout(spoken):
        code = cli.run(words)
    assert code == 0, (words, spoken.getvalue())
    return spoken.getvalue()


class Served:
    """A service process.

    Args:
        folder: Its data folder.
        options: Of ``overpaint serve``.
        program: What runs the command line, after the interpreter.
        database: Url of its ledger; a file in the data folder when left out.
    """

    def __init__(
        self, folder: Path, *options: str, program: Sequence[str] = ("-m", "overpaint"), database: str = ""
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder.parent / f"{folder.name}.log"
        self.place = ["--data-dir", str(folder), *(["--database", database] if database else [])]
        self._words = [*program, "serve", *self.place, *options]
        self._port = "0"
        self._clients: list[httpx.Client] = []
        self.start()

    def start(self) -> None:
        """Starts the process and waits until it listens; again: at the same address."""
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *self._words, "--port", self._port],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        with self.process.stdout as output:
            line = output.readline()
        found = re.search(r"https?://[^/\s]+", line)
        if not found:
            self.process.wait(20)
            raise AssertionError(f"{line}{self.log.read_text()}")
        self.url = found[0]
        self._port = self.url.rpartition(":")[2]

    def key(self, name: str, credits: int = 0, environment: str = "live", account: str | None = None) -> str:
        """A key by ``overpaint keys create``."""
        words = ["keys", "create", "--name", name, "--environment", environment, "--credits", str(credits)]
        words += ["--account", account] if account else []
        told: dict[str, str] = json.loads(say(*words, "--json", *self.place))
        return told["key"]

    def client(self, key: str | None = None) -> httpx.Client:
        """A plain HTTP client, with a key or without; closed with the service."""
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        client = httpx.Client(base_url=self.url, headers=headers, trust_env=False, timeout=60)
        self._clients.append(client)
        return client

    def caller(self, name: str, credits: int = 0) -> httpx.Client:
        """A client with a new live key."""
        return self.client(self.key(name, credits))

    def processes(self) -> list[psutil.Process]:
        """The service's process and all below it."""
        core = psutil.Process(self.process.pid)
        return [core, *core.children(recursive=True)]

    def memory_bytes(self) -> int:
        """Resident memory of all its processes."""
        total = 0
        for each in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                total += each.memory_info().rss
        return total

    def stop(self) -> None:
        """Ends the process the graceful way; it and all below it are gone afterwards."""
        for client in self._clients:
            client.close()
        if self.process.poll() is not None:
            return
        everyone = self.processes()
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            for each in everyone:
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.kill()


@contextmanager
def served(
    folder: Path, *options: str, program: Sequence[str] = ("-m", "overpaint"), database: str = ""
) -> Iterator[Served]:
    """A service process for the length of a block."""
    service = Served(folder, *options, program=program, database=database)
    try:
        yield service
    finally:
        service.stop()


MEMORY_MAX_BYTES = 1_500 * 2**20
"""Of all processes of a service together, more than it has when it is quiet."""


@contextmanager
def unharmed(service: Served) -> Iterator[None]:
    """Watches a service through a block: its process stays the same one and its memory bounded."""
    quiet = peak = service.memory_bytes()
    pid, end = service.process.pid, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not end.wait(0.1):
            peak = max(peak, service.memory_bytes())

    thread = threading.Thread(target=watch, name="watch")
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
    assert service.process.poll() is None and service.process.pid == pid, service.log.read_text()[-2000:]
    assert peak - quiet < MEMORY_MAX_BYTES, f"{(peak - quiet) >> 20} MB"


@contextmanager
def calling(url: str, key: str) -> Iterator[httpx.Client]:
    """A client of a service, with a key, that may have many requests under way."""
    headers, many = {"Authorization": f"Bearer {key}"}, httpx.Limits(max_connections=200)
    with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60, limits=many) as client:
        yield client


def transform_order(model: str, url: str, prompt: str = "pencil sketch", **more: Any) -> dict[str, Any]:
    """The body of ``POST /v1/transforms``."""
    return {"model": model, "prompt": prompt, "input_url": url} | more


def balance(caller: httpx.Client) -> int:
    """What ``GET /v1/account`` tells."""
    left: int = caller.get(ACCOUNT).json()["credits_remaining"]
    return left


def refused(answer: httpx.Response, status: int, kind: str) -> str:
    """Checks a refusal by the specification's "Error object"; returns its message."""
    assert answer.status_code == status, (answer.status_code, answer.text[:300])
    body = answer.json()
    assert body.keys() == {"error"} and body["error"].keys() == {"type", "message"}
    assert body["error"]["type"] == kind
    assert re.fullmatch(r"req_[0-9a-f]{32}", answer.headers["x-request-id"])
    message: str = body["error"]["message"]
    assert message and "Traceback" not in message
    return message


def upload(caller: httpx.Client, content: bytes, name: str = "input") -> dict[str, Any]:
    """Hands a file to ``POST /v1/files``; the file object."""
    answer = caller.post(FILES, files={"file": (name, content)})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def finished(caller: httpx.Client, job: str, within_s: float = 60) -> dict[str, Any]:
    """Polls a job until it is final."""
    end = time.monotonic() + within_s
    while True:
        answer = caller.get(f"{TRANSFORMS}/{job}")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        if body["status"] != "processing":
            return body
        assert time.monotonic() < end, "the job does not end"
        time.sleep(0.2)
