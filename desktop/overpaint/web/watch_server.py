"""A small server for one picture of this process: a page that shows it, and the room that carries it (WHEP).

For programs of this computer only: it listens on loopback, answers to no other name, and its address
has a token that nobody guesses. Must not know what decides the picture, nor who remembers the address.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable, Iterator

import uvicorn
from fastapi import FastAPI, Response
from starlette.middleware.trustedhost import TrustedHostMiddleware

from overpaint.errors import NotFoundError
from overpaint.media.frames import StyledFrame
from overpaint.media.links.webrtc_broadcast import WebRtcBroadcast
from overpaint.web.listening import LOOPBACK
from overpaint.web.pages import Pages, shipped
from overpaint.web.refusals import install_refusals
from overpaint.web.whip import whip_router

ROOM = "obs"
"""As ``watch.js`` asks for it."""
_END_SECONDS = 2


class WatchServer:
    """Serves while it is open. Made, opened and closed on one event loop.

    Args:
        listener: On ``LOOPBACK``; closed with the server.
        token: Part of the page's address, and what the room asks for.
        width: Of every frame, pixels, even.
        height: The same.
        fps: Frames a second to expect.
        counted: Called when somebody has come or gone.

    Raises:
        LinkError: The installed aiortc is not the one that is needed.
    """

    def __init__(
        self,
        listener: socket.socket,
        token: str,
        width: int,
        height: int,
        fps: float,
        counted: Callable[[], None],
    ) -> None:
        port = listener.getsockname()[1]
        self.address = f"http://{LOOPBACK}:{port}/{token}/"
        self._listener = listener
        self._room = WebRtcBroadcast(ROOM, width, height, fps, f"http://{LOOPBACK}:{port}", token, counted)
        self._server = _Server(
            uvicorn.Config(
                watch_app(self._room, token),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                limit_concurrency=64,
                timeout_graceful_shutdown=_END_SECONDS,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    @property
    def viewers(self) -> int:
        """How many watch."""
        return self._room.viewers

    def open(self) -> None:
        """Begins to answer."""
        self._serving = asyncio.get_running_loop().create_task(self._server.serve([self._listener]))

    def publish(self, frame: StyledFrame) -> None:
        """Shows one frame to all who watch; from one thread, never blocks, costs nothing when nobody does."""
        self._room.publish(frame)

    async def close(self) -> None:
        """Ends it for everybody."""
        await self._room.close()
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        self._listener.close()


def watch_app(room: WebRtcBroadcast, token: str) -> FastAPI:
    """Page and room, for those who know the token."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    install_refusals(app)
    app.include_router(whip_router(lambda name: room if name == room.name else None))
    pages = Pages(shipped("watch.html", "watch.css", "watch.js", "rooms.js", "shelf.js"))

    def check(given: str) -> None:
        if not secrets.compare_digest(given.encode(), token.encode()):
            raise NotFoundError("There is nothing at this path.")

    @app.get("/{given}/")
    async def page(given: str) -> Response:
        check(given)
        return pages.page("watch.html")

    @app.get("/{given}/{name}")
    async def file(given: str, name: str) -> Response:
        check(given)
        return pages.file(name)

    # A page of the network that resolves its own name to this computer must get no answer.
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[LOOPBACK, "localhost"])
    return app


class _Server(uvicorn.Server):
    """uvicorn inside a process that has signals of its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves them alone."""
        yield
