"""The service as one ASGI application: routes, socket and rooms on a ledger and an engine host.

Must not know ports, processes or which engine it is.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

import overpaint
from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.core.fetching import Fetcher
from overpaint.core.hosts.engine_host import EngineHost
from overpaint.core.http.callers import checks_key
from overpaint.core.http.error_answers import install_faults
from overpaint.core.http.metrics import Metrics, StreamReading, metrics_router, metrics_token
from overpaint.core.http.rate_limits import AddressLimit, Limits
from overpaint.core.http.stored_files import FileStore, files_router
from overpaint.core.jobs.admission import Admission
from overpaint.core.jobs.inputs import JOBS, Inputs
from overpaint.core.jobs.job_sales import JobSales
from overpaint.core.jobs.transform_jobs import Jobs, home_id
from overpaint.core.jobs.webhooks import Webhooks
from overpaint.core.realtime.control_socket import control_router
from overpaint.core.realtime.reference_photos import PHOTOS, Photos
from overpaint.core.realtime.rooms import Rooms
from overpaint.core.realtime.session_registry import Sessions
from overpaint.core.routes.api import api_router
from overpaint.core.routes.openapi import install_openapi
from overpaint.core.routes.studio import studio_router
from overpaint.core.routes.transforms_api import transforms_router
from overpaint.ledger import Ledger, UploadLimit
from overpaint.media.links.ice_servers import IceServer
from overpaint.transforms.task import Transformer
from overpaint.web.hosts import HostGuard
from overpaint.web.whip import VIEWER_HEADER, whip_router


class Service:
    """The parts of one service.

    Args:
        ledger: Keys, credits and sales.
        host: The engine host.
        clock: The clock.
        config: The configuration.
        data_dir: Parent folder of files and inputs.
        transformer: Recognises files and runs jobs; closed with the service.

    Attributes:
        rooms: The media rooms.
        sessions: The live sessions.
        fetcher: Safe requests to callers' URLs.
        files: Uploads and outputs.
        webhooks: The sender of webhook calls.
        jobs: The transform jobs.
        sales: Their sales.
        metrics: The metrics.
        metrics_token: Bearer token of the metrics.
        limits: The rate limits.
        admission: Admission control.
        app: The ASGI application.
    """

    def __init__(
        self,
        ledger: Ledger,
        host: EngineHost,
        clock: Clock | None = None,
        config: ServiceConfig | None = None,
        *,
        data_dir: Path,
        transformer: Transformer,
    ) -> None:
        self.ledger = ledger
        self.host = host
        self.data_dir = data_dir
        self.clock = clock or Clock()
        self.config = config or ServiceConfig()
        self.metrics = Metrics()
        self.admission = Admission(ledger)
        self.metrics_token = self.config.metrics_token or metrics_token(data_dir)
        self.limits = Limits(self.config.rate_per_second, self.config.rate_burst)
        self.rooms = Rooms(tuple(IceServer.parse(each) for each in self.config.ice_servers))
        self.transformer = transformer
        self.fetcher = Fetcher(self.config.allow_private_urls)
        most = UploadLimit(self.config.upload_files, self.config.upload_gigabytes << 30)
        self.files = FileStore(ledger, data_dir / "files", self.clock, most)
        photos = Photos(data_dir / PHOTOS, transformer, self.fetcher, self.files, self.admission.fetches)
        self.sessions = Sessions(ledger, host, self.rooms, self.clock, photos)
        home = home_id(data_dir)
        self.webhooks = Webhooks(ledger, self.fetcher, self.clock, self.metrics, home=home)
        inputs = Inputs(data_dir / JOBS, self.fetcher, self.files, transformer, self.admission)
        self.jobs = Jobs(
            ledger,
            transformer,
            self.files,
            inputs,
            self.webhooks,
            self.metrics,
            self.admission,
            home=home,
            videos=self.config.video_workers,
        )
        self.sales = JobSales(ledger, self.jobs, inputs, self.webhooks, self.admission)
        self._tasks: list[asyncio.Task[None]] = []
        self._watch()
        self.app = _application(self)

    def _watch(self) -> None:
        """Adds gauges of the present state to the metrics."""
        sessions, watch = self.sessions, self.metrics.watch
        watch("overpaint_sessions_open", "Sessions that somebody uses now.", lambda: len(sessions.open))
        watch("overpaint_streams_waiting", "Sessions that wait for a place.", lambda: self.host.waiting)
        self.metrics.watch_streams(
            lambda: [
                StreamReading(
                    session.record.id,
                    session.record.model,
                    session.reading.fps,
                    session.reading.frames,
                    session.reading.work.milliseconds / 1e3,
                    session.reading.work.level,
                )
                for session in sessions.open
                if session.reading is not None
            ]
        )

    async def start(self) -> None:
        """Starts background tasks, before the first request is answered."""
        await self.jobs.start()
        self._tasks = [
            asyncio.create_task(self.webhooks.run(), name="webhooks"),
            asyncio.create_task(self.files.run(), name="files"),
            asyncio.create_task(self.sessions.run(), name="sessions"),
        ]

    async def close(self) -> None:
        """Ends sessions and background tasks; jobs are kept for the next start."""
        await asyncio.gather(self.sessions.close(), self.jobs.close())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.transformer.close()


def _application(service: Service) -> FastAPI:
    app = FastAPI(
        title="Overpaint",
        version=overpaint.__version__,
        summary="Restyles live video, and transforms clips and pictures.",
        docs_url=None,
        redoc_url=None,
        # A path with an extra slash is unknown, not a redirect, which would drop the body.
        redirect_slashes=False,
    )
    app.add_middleware(RoomCors)
    app.add_middleware(AddressLimit, limits=service.limits, checks_key=checks_key)
    app.add_middleware(
        HostGuard,
        names=service.config.host_names,
        everywhere=bool(service.config.allowed_hosts),
        own_pages=service.config.is_for_this_computer,
        allows_more=True,
    )
    install_faults(app, service.metrics)
    app.include_router(
        api_router(
            service.ledger, service.sessions, service.clock, service.config, service.limits, service.metrics
        )
    )
    app.include_router(metrics_router(service.metrics, service.metrics_token))
    app.include_router(
        transforms_router(service.ledger, service.jobs, service.sales, service.config, service.limits)
    )
    app.include_router(files_router(service.ledger, service.files, service.config, service.limits))
    app.include_router(control_router(service.sessions, service.config, service.limits))
    app.include_router(whip_router(service.rooms.find))
    app.include_router(studio_router(service.ledger, service.clock, service.config))
    install_openapi(app)
    return app


class RoomCors:
    """Middleware for CORS of rooms: pages of any origin may publish and watch (RFC 9725).

    That is safe, since a room's token is no cookie. Rooms only: API keys are for servers, not for pages.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = CORSMiddleware(
            app,
            allow_origins=["*"],
            allow_methods=["POST", "DELETE", "PATCH", "OPTIONS"],
            allow_headers=["Authorization", "Content-Type"],
            expose_headers=[
                "Location",
                "ETag",
                "Link",
                "Accept-Post",
                "Accept-Patch",
                VIEWER_HEADER,
                "X-Request-Id",
            ],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        in_room = scope["type"] == "http" and scope["path"].startswith("/v1/rtc/")
        await (self._open if in_room else self._app)(scope, receive, send)
