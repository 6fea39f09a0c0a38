"""Metrics of the service in Prometheus' format, exposed by ``GET /metrics``.

Each service has a registry of its own: nothing here is global. Names and units follow Prometheus'
conventions (base units, ``_total``). Only requests with the bearer token are answered; all others get 404,
also on this host, since its other users and pages in a browser are not trusted. Must not know what is
measured.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from overpaint.errors import NotFoundError
from overpaint.private_folder import write_private

TOKEN_FILE = "metrics-token"  # noqa: S105 - the name of a file
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass(frozen=True, slots=True)
class StreamReading:
    """The present measurements of one live stream.

    Attributes:
        session: Id of its session.
        model: Realtime model.
        fps: Styled frames in the last second.
        frames: Styled frames since the stream was opened.
        frame_seconds: The engine's time for a frame, wall clock.
        detail: Level of detail at which the engine holds the frame rate; 0 is the highest.
    """

    session: str
    model: str
    fps: float
    frames: int
    frame_seconds: float
    detail: int


class Metrics:
    """The metrics of one service.

    Attributes:
        registry: The registry of all metrics.
        requests: Requests, by method, route and status.
        seconds: Duration of requests, by route.
        errors: Refusals and faults, by error type.
        charged: Credits charged, by model.
        refunded: Credits refunded, by model.
        deliveries: Attempts to deliver a webhook, by outcome (``delivered``, ``retried``, ``given_up``).
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "overpaint_requests",
            "HTTP requests answered.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "overpaint_request_seconds",
            "Time from a request's headers to the end of its answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.errors = self._counter("overpaint_errors", "Error objects sent.", "type")
        self.charged = self._counter("overpaint_credits_charged", "Credits charged.", "model")
        self.refunded = self._counter("overpaint_credits_refunded", "Credits given back.", "model")
        self.deliveries = self._counter("overpaint_webhook_attempts", "Webhook calls made.", "outcome")

    def _counter(self, name: str, meaning: str, label: str) -> Counter:
        return Counter(name, meaning, [label], registry=self.registry)

    def watch(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Adds a gauge that is read on each request, such as the length of a queue.

        Args:
            name: The name for Prometheus.
            meaning: One sentence.
            read: Called on the event loop; must return at once.
        """
        Gauge(name, meaning, registry=self.registry).set_function(read)

    def watch_streams(self, read: Callable[[], Iterable[StreamReading]]) -> None:
        """Adds the live streams, each with its rate. ``read`` is called as in ``watch``."""
        self.registry.register(_Streams(read))

    def page(self) -> bytes:
        """Returns all metrics in Prometheus' text format."""
        return generate_latest(self.registry)


class _Streams(Collector):
    """The collector of live streams; a stream that ended leaves no series."""

    def __init__(self, read: Callable[[], Iterable[StreamReading]]) -> None:
        self._read = read

    def collect(self) -> Iterator[Metric]:
        """Yields the families."""
        readings = list(self._read())
        yield GaugeMetricFamily("overpaint_streams", "Live streams.", value=len(readings))
        fps = GaugeMetricFamily(
            "overpaint_stream_fps", "Frames restyled in the last second.", labels=["session", "model"]
        )
        frames = CounterMetricFamily(
            "overpaint_stream_frames", "Frames restyled for a live stream.", labels=["session", "model"]
        )
        cost = GaugeMetricFamily(
            "overpaint_stream_frame_seconds", "What a frame costs the engine.", labels=["session", "model"]
        )
        detail = GaugeMetricFamily(
            "overpaint_stream_detail_level",
            "Detail that the frame rate leaves; 0 is the most.",
            labels=["session", "model"],
        )
        for reading in readings:
            labels = [reading.session, reading.model]
            fps.add_metric(labels, reading.fps)
            frames.add_metric(labels, reading.frames)
            cost.add_metric(labels, reading.frame_seconds)
            detail.add_metric(labels, reading.detail)
        yield from (fps, frames, cost, detail)


def metrics_token(folder: Path) -> str:
    """Returns the token of a service without a configured one, from a private file in its data folder.

    A file, as Prometheus reads one (``authorization: {credentials_file: …}``).
    """
    path = folder / TOKEN_FILE
    with suppress(FileNotFoundError):
        if kept := path.read_text("utf-8").strip():
            return kept
    made = secrets.token_urlsafe(32)
    write_private(path, f"{made}\n".encode())
    return made


def metrics_router(metrics: Metrics, token: str) -> APIRouter:
    """Makes the route of ``GET /metrics``.

    Args:
        metrics: The metrics.
        token: Required bearer token.
    """
    router = APIRouter()

    @router.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, 404: {}},
    )
    async def metrics_page(request: Request) -> Response:
        """Counters in Prometheus' text format."""
        if not _may_read(request, token):
            raise NotFoundError("path_unknown")
        return Response(metrics.page(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    return router


def _may_read(request: Request, token: str) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    fits = secrets.compare_digest(given.strip().encode(), token.encode())
    return bool(token) and scheme.lower() == "bearer" and fits
