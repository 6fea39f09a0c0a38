"""A headless Firefox, driven by WebDriver BiDi: a page opened, a script run in it."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
QUIET = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "media.navigator.permission.disabled": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
"""Preferences of a profile that asks nothing, and gives every page the camera."""
CALL_S = 60.0


def program() -> str | None:
    """The browser of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class FirefoxPage:
    """The page of a running browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.call("session.new", capabilities={})
        self._context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(CALL_S))).get("id") != number:
            pass
        assert answer["type"] == "success", (method, answer)
        result: dict[str, Any] = answer["result"]
        return result

    def go(self, url: str) -> None:
        """Opens an address."""
        self.call("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """The text that a script's promise becomes."""
        target = {"context": self._context}
        answer = self.call(
            "script.evaluate", expression=script, target=target, awaitPromise=True, userActivation=True
        )
        assert answer["type"] == "success", (script, answer)
        return answer["result"].get("value")


@contextmanager
def firefox(folder: Path, preferences: Mapping[str, object]) -> Iterator[FirefoxPage]:
    """A browser and its page for the length of a block."""
    path = program()
    assert path is not None
    profile = folder / "profile"
    profile.mkdir(parents=True)
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in (QUIET | preferences).items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    log = folder / "firefox.log"
    with log.open("wb") as out:
        words = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        process = subprocess.Popen([path, *words, "about:blank"], stdout=out, stderr=out)
    try:
        end = time.monotonic() + CALL_S
        while not (found := re.search(r"BiDi listening on (ws://\S+)", log.read_text("utf-8", "replace"))):
            assert process.poll() is None and time.monotonic() < end, log.read_text("utf-8", "replace")
            time.sleep(0.1)
        with connect(f"{found[1]}/session", proxy=None, max_size=None) as socket:
            yield FirefoxPage(socket)
    finally:
        process.terminate()
        process.wait(20)
