"""The server of the page for OBS: the live process's picture over WHEP.

Only for programs of this computer: it listens on loopback and answers to no other host name. The page comes
from a file (``watch_files``) and authenticates itself (``watch_proofs``). Former versions served the page
at an HTTP address that contained a token; a request for it gets a page that says what to do. Must not know
what decides the picture.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from functools import partial

import uvicorn
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from starlette.middleware.cors import CORSMiddleware

from overpaint.media.frames import StyledFrame
from overpaint.media.webrtc.broadcast import WebRtcBroadcast
from overpaint.web.connection_register import ConnectionRegister
from overpaint.web.connections import IDLE_SECONDS, PatientProtocol
from overpaint.web.hosts import HostGuard
from overpaint.web.listening_port import LOOPBACK
from overpaint.web.pages import Pages, shipped
from overpaint.web.refusals import install_refusals
from overpaint.web.watch_proofs import WatchProofs
from overpaint.web.whip import whip_router

ROOM = "obs"
"""Name of the room in ``obs.js``."""
_CONNECTIONS = 64
_END_SECONDS = 2


class WatchServer:
    """The server of the page for OBS. Created, opened and closed on one event loop.

    Args:
        listener: A socket on ``LOOPBACK``; closed with the server.
        width: Width of every frame, pixels, even.
        height: Height of every frame, pixels, even.
        fps: Expected frame rate.
        counted: Called when the number of viewers changes.

    Attributes:
        port: Its port.
        key: The key of this start, for the page's file.

    Raises:
        LinkError: The installed aiortc is not a tested version.
    """

    def __init__(
        self,
        listener: socket.socket,
        width: int,
        height: int,
        fps: float,
        counted: Callable[[], None],
    ) -> None:
        self.port: int = listener.getsockname()[1]
        proofs = WatchProofs()
        self.key = proofs.key
        self._listener = listener
        origin = f"http://{LOOPBACK}:{self.port}"
        self._room = WebRtcBroadcast(ROOM, width, height, fps, origin, proofs.check, counted)
        # All connections come from this computer, so there is no lower limit per address.
        register = ConnectionRegister(_CONNECTIONS, _CONNECTIONS)
        self._server = _Server(
            uvicorn.Config(
                watch_app(self._room, proofs),
                http=partial(PatientProtocol, register=register),  # type: ignore[arg-type]
                timeout_keep_alive=IDLE_SECONDS,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                # No reverse proxy stands between this server and programs of this computer.
                proxy_headers=False,
                timeout_graceful_shutdown=_END_SECONDS,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return self._room.viewers

    def open(self) -> None:
        """Starts to serve."""
        self._serving = asyncio.get_running_loop().create_task(self._server.serve([self._listener]))

    def publish(self, frame: StyledFrame) -> None:
        """Sends one frame to all viewers; from one thread. Never blocks; does nothing without viewers."""
        self._room.publish(frame)

    async def close(self) -> None:
        """Disconnects every viewer and stops serving."""
        await self._room.close()
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        self._listener.close()


def watch_app(room: WebRtcBroadcast, proofs: WatchProofs) -> FastAPI:
    """The application: the room for authenticated pages, and a notice for pages of former versions."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    install_refusals(app)
    app.include_router(whip_router(lambda name: room if name == room.name else None))
    pages = Pages(shipped("moved.html", "moved.css"))

    @app.get("/v1/watch/hello")
    async def hello(nonce: str) -> Response:
        return JSONResponse(proofs.hello(nonce), headers={"Cache-Control": "no-store"})

    @app.get("/moved.css")
    async def style() -> Response:
        return pages.file("moved.css")

    @app.get("/{former}/")
    async def moved(former: str) -> Response:
        answer = pages.page("moved.html")
        answer.status_code = 410
        return answer

    app.add_middleware(
        CORSMiddleware,
        allow_origins=["null"],  # the origin of a page from a file
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["Location", "ETag", "Link"],
        allow_private_network=True,
    )
    app.add_middleware(HostGuard)
    return app


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers, since the process has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Installs no signal handlers."""
        yield
