"""``overpaint serve``: every setting of the service as an option and an environment variable."""

from __future__ import annotations

import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from overpaint.commands.options import Database, DataDir
from overpaint.commands.secret_options import secret_option
from overpaint.folders import data_dir
from overpaint.private_folder import private_umask
from overpaint.processes.load_tuning import load_quietly, loading
from overpaint.processes.supervision.heartbeat import PING, PONG

STANDBY_PATIENCE_S = 2.0
"""A core that is told to end closes its leases before it is gone."""


class LogFormat(StrEnum):
    """The formats of the log."""

    TEXT = "text"
    JSON = "json"


def serve(
    host: Annotated[str, typer.Option(envvar="OVERPAINT_HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(envvar="OVERPAINT_PORT", min=0, max=65535, help="Port; 0 lets the system choose."),
    ] = 8787,
    public_url: Annotated[
        str,
        typer.Option(
            envvar="OVERPAINT_PUBLIC_URL",
            help="Address at which clients reach the service, where a proxy hides it: https://HOST.",
        ),
    ] = "",
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host",
            envvar="OVERPAINT_ALLOWED_HOSTS",
            help="Name by which it may be asked, as gpu-box or *.example.org: needed behind a proxy of this "
            "machine that passes on its clients' Host header.",
        ),
    ] = None,
    tls_certificate: Annotated[
        Path | None,
        typer.Option(envvar="OVERPAINT_TLS_CERTIFICATE", help="Certificate chain, PEM: speak HTTPS."),
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(envvar="OVERPAINT_TLS_KEY", help="Its private key, PEM.")
    ] = None,
    database: Database = "",
    allow_private_urls: Annotated[
        bool,
        typer.Option(
            envvar="OVERPAINT_ALLOW_PRIVATE_URLS",
            help="Fetch from, and call, addresses of private networks, too. For closed networks only.",
        ),
    ] = False,
    rate_per_second: Annotated[
        float, typer.Option(envvar="OVERPAINT_RATE_PER_SECOND", help="Requests a second of one key.")
    ] = 100.0,
    rate_burst: Annotated[
        int, typer.Option(envvar="OVERPAINT_RATE_BURST", help="Requests of one key at once.")
    ] = 300,
    video_workers: Annotated[
        int,
        typer.Option(
            envvar="OVERPAINT_VIDEO_WORKERS", help="Clips of one account transformed at the same time."
        ),
    ] = 1,
    streams: Annotated[
        int | None,
        typer.Option(
            envvar="OVERPAINT_STREAMS", help="Live sessions at the same time; by the machine when left out."
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(envvar="OVERPAINT_CONNECTIONS", help="Open connections, of all callers together.")
    ] = 2000,
    connections_per_address: Annotated[
        int | None,
        typer.Option(
            envvar="OVERPAINT_CONNECTIONS_PER_ADDRESS",
            help="Of them, those of one address; a quarter when left out. Behind a proxy: as many as all.",
        ),
    ] = None,
    upload_files: Annotated[
        int, typer.Option(envvar="OVERPAINT_UPLOAD_FILES", help="Uploads of one account within a day.")
    ] = 10_000,
    upload_gigabytes: Annotated[
        int, typer.Option(envvar="OVERPAINT_UPLOAD_GIGABYTES", help="Size of all of them together.")
    ] = 50,
    log_format: Annotated[
        LogFormat,
        typer.Option(envvar="OVERPAINT_LOG_FORMAT", help="text (warnings), or json (a line a request, too)."),
    ] = LogFormat.TEXT,
    ice_servers: Annotated[
        list[str] | None,
        typer.Option(
            "--ice-server",
            envvar="OVERPAINT_ICE_SERVERS",
            callback=secret_option,
            help="STUN or TURN server, stun:HOST:PORT or turn:USER:PASSWORD@HOST:PORT; none by default. "
            "@FILE reads them from a file.",
        ),
    ] = None,
    metrics_token: Annotated[
        str,
        typer.Option(
            envvar="OVERPAINT_METRICS_TOKEN",
            callback=secret_option,
            help="Bearer token of GET /metrics; the one in the data folder's metrics-token when left out. "
            "@FILE reads it from a file.",
        ),
    ] = "",
    embedded: Annotated[bool, typer.Option("--embedded", hidden=True)] = False,
    standby: Annotated[bool, typer.Option("--standby", hidden=True)] = False,
    data: DataDir = None,
) -> None:
    """Run the service."""
    if standby:
        # Here: each starts threads as it loads, which are to have this one's priority.
        import cv2  # noqa: F401
        import numpy  # noqa: F401

        load_quietly(_load_all)
        typer.echo("loaded")
        if not _is_cued():
            return
    with loading():
        from overpaint.core.configuration import ServiceConfig
        from overpaint.core.core_process import run_core
        from overpaint.core.http.request_logs import write_logs

    config = ServiceConfig(
        database=database,
        host=host,
        port=0 if embedded else port,
        public_url=public_url,
        allowed_hosts=tuple(allowed_hosts or ()),
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        allow_private_urls=allow_private_urls,
        rate_per_second=rate_per_second,
        rate_burst=rate_burst,
        video_workers=video_workers,
        streams=streams,
        connections=connections,
        connections_per_address=connections_per_address,
        upload_files=upload_files,
        upload_gigabytes=upload_gigabytes,
        log_format=log_format.value,
        ice_servers=tuple(ice_servers or ()),
        metrics_token=metrics_token,
    )
    told = log_format is LogFormat.JSON or embedded  # a child of the desktop writes into a file
    write_logs(config.log_format, logging.INFO if told else logging.WARNING)

    def started(url: str) -> None:
        typer.echo(url if embedded else f"Overpaint's service listens on {url}/v1 (Ctrl+C ends it)")

    private_umask()
    former_ends_s = STANDBY_PATIENCE_S if standby else 0.0
    run_core(data_dir(data), config, embedded=embedded, started=started, former_ends_s=former_ends_s)


def _is_cued() -> bool:
    """Answers the heartbeat of whoever began this until it is cued; False where that one is gone."""
    while (said := sys.stdin.readline()).strip() == PING.decode():
        typer.echo(PONG.decode())
    return bool(said)


def _load_all() -> None:
    from overpaint.core.kernel_warming import load_all

    load_all()
