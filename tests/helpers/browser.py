"""A headless Chromium, driven by its DevTools protocol: a real browser with a camera made of a file.

Debian's ``chromium-headless-shell`` (packaging/linux/apt-test.txt) or any Chromium or Chrome that is there.
"""

from __future__ import annotations

import base64
import itertools
import json
import queue
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import psutil
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--no-proxy-server", "--disable-background-networking", "--disable-component-update"),
    *("--disable-extensions", "--disable-sync", "--hide-scrollbars", "--mute-audio", "--lang=en-GB"),
    *("--remote-debugging-port=0", "--autoplay-policy=no-user-gesture-required"),
)
CALL_S = 30.0

Pixels = NDArray[np.uint8]


def program() -> str | None:
    """The browser of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def camera_file(path: Path, picture: Pixels, seconds: int = 2) -> Path:
    """A Motion-JPEG file that Chromium takes for a camera: one RGB picture, 30 times a second."""
    with av.open(str(path), "w", format="mjpeg") as out:
        stream = out.add_stream("mjpeg", rate=30)
        stream.height, stream.width = picture.shape[:2]
        stream.pix_fmt = "yuvj420p"
        for number in range(seconds * 30):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(format="yuvj420p")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


class Page:
    """One page. What it logs as an error, and what it throws, is in ``complaints``."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        self._socket: ClientConnection = self._open.enter_context(connect(address, proxy=None, max_size=None))
        self._numbers = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._reader = threading.Thread(target=self._read, name="page", daemon=True)
        self._reader.start()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol."""
        number = next(self._numbers)
        answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._answers[number] = answers
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        answer = answers.get(timeout=CALL_S)
        assert "error" not in answer, (method, answer)
        result: dict[str, Any] = answer["result"]
        return result

    def run(self, script: str) -> Any:
        """The value of an expression, awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, (script, answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = 60.0) -> Any:
        """Waits until an expression is true; its value."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never: {script}\n{self.text()}\n{self.complaints}"
            time.sleep(0.05)
        return value

    def text(self) -> str:
        """What is to be read on it."""
        said: str = self.run("document.body.innerText")
        return said

    def go(self, url: str) -> None:
        """Opens an address."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def press(self, selector: str) -> None:
        """Clicks as a mouse does: in the middle of what is there."""
        x, y = self.run(
            f"(() => {{ const each = document.querySelector({json.dumps(selector)});"
            " each.scrollIntoView({block: 'nearest'}); const box = each.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types into what has the keyboard."""
        self.call("Input.insertText", text=text)

    def key(self, name: str, code: int, text: str = "") -> None:
        """Presses one key."""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                code=name,
                windowsVirtualKeyCode=code,
                text=text,
            )

    def choose_file(self, selector: str, path: Path) -> None:
        """Answers a file input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def colour(self, selector: str) -> tuple[float, float, float] | None:
        """Mean red, green and blue of what a video shows; None while it shows nothing."""
        found = self.run(
            f"(() => {{ const video = document.querySelector({json.dumps(selector)});"
            " if (video.readyState < 2) return null; const canvas = document.createElement('canvas');"
            " canvas.width = 32; canvas.height = 18; const pen = canvas.getContext('2d');"
            " pen.drawImage(video, 0, 0, 32, 18); const data = pen.getImageData(0, 0, 32, 18).data;"
            " const sums = [0, 0, 0]; data.forEach((value, at) => at % 4 < 3 && (sums[at % 4] += value));"
            " return sums.map((sum) => sum / (32 * 18)); })()"
        )
        return tuple(found) if found else None

    def picture(self, selector: str) -> Pixels | None:
        """What a video shows, as BGR of half its size each way; None while it shows nothing."""
        found = self.run(
            f"(() => {{ const video = document.querySelector({json.dumps(selector)});"
            " if (video.readyState < 2) return null; const canvas = document.createElement('canvas');"
            " canvas.width = video.videoWidth / 2; canvas.height = video.videoHeight / 2;"
            " canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height);"
            " return canvas.toDataURL('image/jpeg', 0.9); })()"
        )
        if not found:
            return None
        data = np.frombuffer(base64.b64decode(found.partition(",")[2]), np.uint8)
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def resize(self, width: int, height: int, scheme: str = "light", scale: float = 1) -> None:
        """Shows it as a screen of that size does."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def close(self) -> None:
        """Closes it, as its user does; twice is once."""
        with suppress(ConnectionClosed):
            self.call("Page.close")
        self._open.close()
        self._reader.join(5)

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            for text in self._socket:
                message = json.loads(text)
                if "id" in message:
                    self._answers.pop(message["id"]).put(message)
                else:
                    self._note(message["method"], message["params"])

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])


class Browser:
    """A browser process.

    Args:
        folder: For its profile.
        camera: A file of ``camera_file``; without one there is no permission for a camera either.
        more: Further flags.
    """

    def __init__(self, folder: Path, camera: Path | None = None, *more: str) -> None:
        path = program()
        assert path is not None
        flags = [*FLAGS, f"--user-data-dir={folder / 'profile'}", *more]
        if camera is not None:
            flags += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
            flags.append(f"--use-file-for-fake-video-capture={camera}")
        self.log = folder / "browser.log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen([path, *flags, "about:blank"], stdout=log, stderr=log)
        self._port = self._find_port()
        self._pages: list[Page] = []

    def page(self, url: str = "about:blank") -> Page:
        """A new page."""
        with connect(self._address("/json/version"), proxy=None) as browser:
            browser.send(
                json.dumps({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}})
            )
            while "id" not in (answer := json.loads(browser.recv())):
                pass
        target = answer["result"]["targetId"]
        page = Page(f"ws://127.0.0.1:{self._port}/devtools/page/{target}")
        self._pages.append(page)
        if url != "about:blank":
            page.go(url)
        return page

    def close(self) -> None:
        """Ends it and its pages."""
        for page in self._pages:
            page.close()
        # Debian starts it by a script, whose end is not the browser's.
        tree = psutil.Process(self._process.pid).children(recursive=True)
        self._process.terminate()
        for process in tree:
            with suppress(psutil.NoSuchProcess):
                process.terminate()
        for process in psutil.wait_procs(tree, timeout=10)[1]:
            process.kill()
        self._process.wait(10)

    def _address(self, path: str) -> str:
        import httpx

        answer = httpx.get(f"http://127.0.0.1:{self._port}{path}", trust_env=False).json()
        address: str = answer["webSocketDebuggerUrl"]
        return address

    def _find_port(self) -> int:
        end = time.monotonic() + 30
        while True:
            said = self.log.read_text("utf-8", "replace")
            if found := re.search(r"DevTools listening on ws://[^:]+:(\d+)/", said):
                return int(found[1])
            assert self._process.poll() is None and time.monotonic() < end, said
            time.sleep(0.05)


@contextmanager
def browser(folder: Path, camera: Path | None = None, *more: str) -> Iterator[Browser]:
    """A browser for the length of a block."""
    folder.mkdir(parents=True, exist_ok=True)
    running = Browser(folder, camera, *more)
    try:
        yield running
    finally:
        running.close()
