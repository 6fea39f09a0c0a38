"""A call that is on air, at the cheapest size: real processes, a watermarked source, a camera that is read.

The service is this computer's own, or one elsewhere behind a network that can fail (``Relay``). What the
camera's far end saw is judged by ``seen_since``; what was paid is read from the ledger.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from helpers import scripted_machine
from helpers.auditor import rows, trial_balance
from helpers.live_camera import LiveCamera, Shown
from helpers.processes import role_pid, until
from helpers.relay import Relay
from helpers.served import Served
from overpaint.ledger import ledger_url
from overpaint.settings import Settings, save_settings
from overpaint.wire.live import LiveSnapshot, SetOnAir, StartSession

SIZE = (1280, 720)
COLOUR_MAX = 25
"""The watermark stands 90 off grey, a grey look at most a few: this is a quarter of a raw frame."""
GAP_S = 0.7
"""Without a new frame for longer, the picture stands."""
PRICE = 25

Link = Literal["shared_memory", "webrtc"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a call saw of a fault.

    Attributes:
        held_ms: The longest time in which the camera got no frame at all.
        still_s: The longest time without a new styled frame.
        back_s: From the end of the fault until the new frames went on; 0 when they did before.
        raw: Frames with any of the raw picture in them, of all that there were.
        black: Frames that are black, of all.
        torn: Frames of two pictures, of all.
        slates: Frames of the slate.
    """

    held_ms: int
    still_s: float
    back_s: float
    raw: int
    black: int
    torn: int
    slates: int


class OnAir:
    """The call.

    Args:
        folder: For everything.
        clip: What the source shows, watermarked.
        link: Over which the frames cross.
        remote: Whether the service is elsewhere.
        ttl_seconds: Lifetime of a session.
        credits: Of the account, where the service is elsewhere.
        prompt: To begin with.
        size: Of every frame; the clip's too.
        engine: Script of the stub that stands for the engine (``scripted_machine``); the real one when empty.

    Attributes:
        camera: The live process and the far end of its camera.
        network: Between here and there; None where the service is this computer's own.
        server: The service elsewhere.
        plug: Is there while the webcam is plugged in.
        later: What is to be ended with the call.
    """

    def __init__(
        self,
        folder: Path,
        clip: Path,
        link: Link = "shared_memory",
        *,
        remote: bool = False,
        ttl_seconds: int = 600,
        credits: int = 1000,
        prompt: str = "black and white",
        size: tuple[int, int] = SIZE,
        engine: str = "",
    ) -> None:
        self.data_folder = folder / "data"
        self.data_folder.mkdir(exist_ok=True)
        self.clip = clip
        self.later = ExitStack()
        self.plug = folder / "webcam"
        self.plug.touch()
        self.network: Relay | None = None
        self.server: Served | None = None
        self.camera: LiveCamera | None = None
        environment = {
            scripted_machine.CLIP: str(clip),
            scripted_machine.WEBCAM: str(self.plug),
            scripted_machine.TRANSPORTS: link,
            **({scripted_machine.ENGINE: engine} if engine else {}),
        }
        try:
            if remote:
                self.server = Served(folder / "elsewhere")
                self.network = Relay(int(self.server.url.rpartition(":")[2]))
                environment["OVERPAINT_API_KEY"] = self.server.key("caller", credits)
            settings = Settings(
                source="camera",
                prompt=prompt,
                model="service-realtime-720p" if size == SIZE else "service-realtime-1080p",
                server=self.network.url if self.network else "",
                ttl_seconds=ttl_seconds,
            )
            save_settings(self.data_folder, settings)
            self.camera = LiveCamera(folder, self.data_folder, size, environment)
            self.wait(lambda now: now.source == "camera" and now.camera.state == "slate")
            self.camera.intend(StartSession(), SetOnAir(on=True))
            self.camera.wait_for_frames(20, 60)
            self.wait(lambda now: now.state == "live" and now.understood != "")
        except BaseException:
            self.close()
            raise
        self.began = self.lifted = time.monotonic()
        self.original_until = 0.0

    # ---- what there is -----------------------------------------------------------------------------

    @property
    def seen(self) -> LiveCamera:
        """The camera's far end."""
        assert self.camera is not None
        return self.camera

    @property
    def net(self) -> Relay:
        """The network to the service elsewhere."""
        assert self.network is not None
        return self.network

    @property
    def core(self) -> psutil.Process:
        """The service's process."""
        folder = self.server.folder if self.server else self.data_folder
        pid = role_pid(folder, "core")
        assert pid is not None
        return psutil.Process(pid)

    @property
    def live(self) -> psutil.Process:
        """The live process."""
        pid = role_pid(self.data_folder, "live")
        assert pid is not None
        return psutil.Process(pid)

    def wait(self, condition: object, seconds: float = 60.0) -> LiveSnapshot:
        """Waits for a snapshot."""
        return self.seen.wait(condition, seconds)  # type: ignore[arg-type]

    @property
    def holder(self) -> psutil.Process:
        """The process that holds the camera."""
        pid = role_pid(self.data_folder, "camera")
        assert pid is not None
        return psutil.Process(pid)

    # ---- faults ------------------------------------------------------------------------------------

    @contextmanager
    def fault(self, seconds: float = 0.0) -> Iterator[None]:
        """Notes when a fault begins and ends; it lasts for so long at least."""
        self.began = time.monotonic()
        yield
        self.pause(seconds)
        self.lifted = time.monotonic()

    def pause(self, seconds: float) -> None:
        """Returns so long after the fault began."""
        time.sleep(max(0.0, self.began + seconds - time.monotonic()))

    def restart(self, after_s: float = 0.0) -> None:
        """Whoever runs the service elsewhere starts it again, at the same address."""
        assert self.server is not None
        self.server.process.wait(20)
        time.sleep(after_s)
        self.server.start()

    def new_core(self, former: psutil.Process) -> None:
        """Waits until another core is there in a core's place."""
        until(lambda: role_pid(self.data_folder, "core") not in (None, former.pid), 60, "a new core")

    @contextmanager
    def stopped(self, processes: Sequence[psutil.Process], seconds: float) -> Iterator[None]:
        """SIGSTOP for so long, then SIGCONT for those that are still there."""
        with self.fault():
            for process in processes:
                process.suspend()
            yield
            self.pause(seconds)
            for process in processes:
                with suppress(psutil.NoSuchProcess):  # it was taken for hung, and replaced
                    process.resume()

    def kill(self, process: psutil.Process) -> None:
        """kill -9."""
        with self.fault():
            os.kill(process.pid, signal.SIGKILL)

    # ---- afterwards --------------------------------------------------------------------------------

    def recover(self, prompt: str = "Black and white", seconds: float = 60.0) -> None:
        """Waits until the call goes on: live, in the look that was last asked for, frame after frame."""

        def flows() -> bool:
            now = self.seen.snapshots[-1]
            fresh = [frame for frame in new_frames(self.seen.shown[-200:]) if frame.at > self.lifted][-21:]
            steady = all(after.at - before.at < GAP_S for before, after in itertools.pairwise(fresh))
            return (
                now.state == "live"
                and now.understood == prompt
                and len(fresh) > 20
                and steady
                and time.monotonic() - fresh[-1].at < GAP_S
            )

        until(flows, seconds, self._words)

    def _words(self) -> str:
        bulky = {"looks", "sources", "framing", "preferences"}
        tail = [(round(each.at, 2), each.number, each.colour) for each in self.seen.shown[-8:]]
        return f"{tail}\n{self.seen.snapshots[-1].model_dump(exclude=bulky)}\n{self.seen.log[-6000:]}"

    def seen_since(self) -> Seen:
        """What the camera's far end saw since the fault began."""
        shown = list(self.seen.shown)
        since = next((i for i, frame in enumerate(shown) if frame.at >= self.began), len(shown) - 1)
        part = shown[max(0, since - 1) :]
        fresh = [frame for frame in new_frames(shown) if frame.at >= self.began - GAP_S]
        pauses = [(before.at, after.at) for before, after in itertools.pairwise(fresh)]
        stood = [after for before, after in pauses if after - before > GAP_S and after > self.lifted]
        return Seen(
            held_ms=round(max(after.at - before.at for before, after in itertools.pairwise(part)) * 1000),
            still_s=round(max((after - before for before, after in pauses), default=0.0), 2),
            back_s=round(stood[-1] - self.lifted, 2) if stood else 0.0,
            raw=sum(frame.at > self.original_until and is_raw(frame) for frame in shown),
            black=sum(frame.black for frame in shown),
            torn=sum(not frame.slate and frame.number is None for frame in shown),
            slates=sum(frame.slate for frame in part),
        )

    def close(self) -> None:
        """Ends everything; idempotent."""
        self.later.close()
        camera, self.camera = self.camera, None
        if camera is not None:
            camera.close()
        if self.network is not None:
            self.network.close()
            self.network = None
        if self.server is not None:
            self.server.stop()

    def paid(self) -> tuple[int, int]:
        """Sessions that were bought, and credits that were charged for them; every process has ended."""
        self.close()
        url = ledger_url(self.server.folder if self.server else self.data_folder)
        trial_balance(url)
        sold = rows(url, "SELECT id FROM sessions")
        charges = rows(url, "SELECT reference FROM entries WHERE reverses IS NULL AND reference LIKE 'rts_%'")
        assert len(charges) == len(sold), "a session was charged twice, or not at all"
        (spent,) = rows(
            url,
            "SELECT COALESCE(-SUM(amount), 0) FROM postings JOIN entries ON entries.id = postings.entry"
            " WHERE account LIKE 'credits:%' AND reference LIKE 'rts_%'",
        )[0]
        return len(sold), int(spent)


def is_raw(frame: Shown) -> bool:
    """Whether a frame at the camera was not restyled."""
    return not frame.slate and frame.colour > COLOUR_MAX


def new_frames(shown: Sequence[Shown]) -> list[Shown]:
    """Those that are not what was shown before them."""
    fresh: list[Shown] = []
    for frame in shown:
        if frame.number is not None and (not fresh or frame.number != fresh[-1].number):
            fresh.append(frame)
    return fresh
