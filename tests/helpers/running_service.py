"""A real service on a loopback port, with an engine that obeys its prompts and a clock that may hurry."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpers.scripted_transformer import ScriptedTransformer
from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.core.hosts.engine_host import LocalEngineHost
from overpaint.core.server import SecureListener, Server
from overpaint.core.service import Service
from overpaint.engine.interface import Engine, LookRequest, Understanding, Work
from overpaint.errors import EngineError
from overpaint.ledger import Ledger, ledger_url
from overpaint.transforms.task import Transformer
from overpaint.web.listening_port import open_listener

Picture = NDArray[np.uint8]


class HastyClock(Clock):
    """Runs ``rate`` times as fast as the wall clock."""

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        self._began = time.monotonic()
        self._epoch = datetime.now(UTC)

    def now(self) -> datetime:
        return self._epoch + timedelta(seconds=(time.monotonic() - self._began) * self.rate)

    async def sleep_until(self, when: datetime) -> None:
        await asyncio.sleep(max(0.0, (when - self.now()).total_seconds()) / self.rate + 0.001)


class ScriptedLook:
    """Paints every frame in one grey: ``level`` of the prompt ("level 120"), 60 without one."""

    def __init__(self, request: LookRequest, width: int, height: int) -> None:
        self.name = "scripted"
        stands_in = "Another look stands in for it." if "failed net" in request.prompt else ""
        self.work = Work(milliseconds=2.0, level=1, levels=4, trouble=stands_in)
        self.understood = f"{request.prompt or 'the default look'}"
        if request.enhance_prompt and request.prompt:
            self.understood += ", expanded"
        if request.reference is not None:
            self.understood += f", like a photo of {request.reference.shape[1]}×{request.reference.shape[0]}"
        self._breaks = "broken frame" in request.prompt
        words = request.prompt.split()
        level = int(words[words.index("level") + 1]) if "level" in words else 60
        if request.reference is not None:
            level = int(request.reference.mean())
        self._out = np.full((height * 3 // 2, width), 128, np.uint8)
        self._out[:height] = level

    def apply(self, image: Picture) -> Picture:
        if self._breaks:
            raise RuntimeError("the scripted look breaks")
        return self._out.copy()


class ScriptedEngine:
    """Compiles ``ScriptedLook``; "no engine" fails, "slow look" is slow, "nonsense" is not understood."""

    name = "scripted"

    def __init__(self) -> None:
        self.requests: list[LookRequest] = []

    def warm(self) -> None:
        pass

    def understand(self, request: LookRequest) -> Understanding:
        look, strange = ScriptedLook(request, 2, 2), "nonsense" in request.prompt
        return Understanding(look.understood, strange, ("nonsense",) if strange else ())

    def compile(self, request: LookRequest, width: int, height: int, quality: str = "live") -> ScriptedLook:
        self.requests.append(request)
        if "no engine" in request.prompt:
            raise RuntimeError("the scripted engine fails")
        if "slow look" in request.prompt:
            time.sleep(0.5)
        if request.reference is not None and request.reference.shape[0] < 8:
            raise EngineError("service_refuses", kind="bad_reference", sentence="The photo is too small.")
        return ScriptedLook(request, width, height)


class RunningService:
    """What a test needs of it."""

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        host: str = "127.0.0.1",
        config: ServiceConfig | None = None,
        transformer: Transformer | None = None,
        tls: ssl.SSLContext | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.engine = ScriptedEngine()
        self.ledger = Ledger(ledger_url(folder))
        self.service = Service(
            self.ledger,
            LocalEngineHost(engine or self.engine, config.streams if config else None),
            clock,
            config,
            data_dir=folder,
            transformer=transformer or ScriptedTransformer(),
        )
        listener = open_listener(host, 0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.ws_url = self.url.replace("http", "ws", 1) + "/v1/realtime/stream"
        secured = None
        if tls is not None:
            secured = SecureListener(open_listener(host, 0), tls)
            self.tls_url = f"https://127.0.0.1:{secured.listener.getsockname()[1]}"
        up = threading.Event()
        self.server = Server(self.service, up.set, secured)
        self._thread = threading.Thread(target=self.server.run, args=([listener],), name="service")
        self._thread.start()
        assert up.wait(10)

    def key(self, name: str = "tests", credits: int = 1000) -> str:
        return self.ledger.create_key(name, "live", credits=credits).key

    def stop(self) -> None:
        self.server.end()
        self._thread.join(20)
        assert not self._thread.is_alive()
        self.ledger.close()


@contextmanager
def running_service(
    folder: Path,
    clock: Clock | None = None,
    config: ServiceConfig | None = None,
    transformer: Transformer | None = None,
    tls: ssl.SSLContext | None = None,
    engine: Engine | None = None,
) -> Iterator[RunningService]:
    """A service for the length of a block; its transforms are scripted unless a transformer is given."""
    service = RunningService(
        folder, clock or Clock(), config=config, transformer=transformer, tls=tls, engine=engine
    )
    try:
        yield service
    finally:
        service.stop()
