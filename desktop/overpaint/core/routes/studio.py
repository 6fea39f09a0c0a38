"""The studio: a web page with which a browser streams its camera into a session, as the specification says.

It is opened as ``/studio#SECRET``: a fragment reaches no server and no log. Its requests beyond the published
interface are here: the rest of its session's time, and the looks. Must not know keys.
"""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from overpaint.assets import asset_dir
from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.core.names import secret_digest
from overpaint.engine import looks
from overpaint.errors import AuthenticationError
from overpaint.ledger import Ledger
from overpaint.web.pages import Pages, shipped
from overpaint.wire.service import OUTPUT_SIZES

_FILES = (
    *("studio.html", "studio.css", "studio.js", "session.js", "rooms.js", "photo.js"),
    *("reading.js", "words.js"),
    *("full.svg", "leave.svg"),
)
_ICONS = ("overpaint.svg", "camera.svg", "compare.svg", "mirror.svg")


class StudioSession(BaseModel):
    """The session as the page shows it.

    Attributes:
        expires_in_seconds: 0 when it is over. Not a time of day: the browser's clock may be wrong.
        width: Width of the picture, pixels.
        height: Height of the picture, pixels.
        free: Whether it costs nothing; the page then shows its time on air as such.
    """

    expires_in_seconds: float
    width: int
    height: int
    free: bool


class StudioLook(BaseModel):
    """A look; ``title`` is a prompt that selects exactly this look."""

    name: str
    title: str
    description: str


def studio_router(ledger: Ledger, clock: Clock, config: ServiceConfig) -> APIRouter:
    """Makes the routes below ``/studio``; none is part of the published interface."""
    router = APIRouter(prefix="/studio", include_in_schema=False)
    pages = Pages(shipped(*_FILES, icons=_ICONS))
    shown = [
        StudioLook(name=look.name, title=look.title, description=look.description)
        for look in looks()
        if look.live
    ]
    pictures = asset_dir("looks") / "thumbnails"
    thumbnails = Pages({f"{look.name}.webp": pictures / f"{look.name}.webp" for look in shown})

    @router.get("")
    async def page(request: Request) -> Response:
        base_url = config.base_url(request.url.scheme, request.url.netloc)
        # Safari does not count a socket of the same host as 'self'.
        return pages.page("studio.html", [base_url, base_url.replace("http", "ws", 1)], camera=True)

    @router.get("/session")
    async def session(request: Request) -> StudioSession:
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise AuthenticationError("session_secret_missing")
        record = await asyncio.to_thread(ledger.session, secret_digest(secret.strip()))
        if record is None:
            raise AuthenticationError("session_secret_unknown")
        left_s = 0.0 if record.ended else (record.expires_at - clock.now()).total_seconds()
        width, height = OUTPUT_SIZES[record.model]
        free = await asyncio.to_thread(ledger.is_free, record.key_id)
        return StudioSession(expires_in_seconds=max(0.0, left_s), width=width, height=height, free=free)

    @router.get("/looks")
    async def look_list() -> list[StudioLook]:
        return shown

    @router.get("/looks/{name}")
    async def thumbnail(name: str) -> Response:
        return thumbnails.file(name)

    @router.get("/{name}")
    async def file(name: str) -> Response:
        return pages.file(name)

    return router
