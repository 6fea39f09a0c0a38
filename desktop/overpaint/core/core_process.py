"""The core process: one for each data folder, found and used by every desktop process of its user.

``overpaint serve`` and the desktop's own child are the same program; they differ in when they end. Must not
know the desktop side.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from overpaint.core.configuration import ServiceConfig
from overpaint.core.hosts.engine_host import LocalEngineHost
from overpaint.core.http.certificates import tls_context
from overpaint.core.leases import Grant, Leases
from overpaint.core.server import SecureListener, Server, serve
from overpaint.core.service import Service
from overpaint.engine.interface import Engine, LookRequest
from overpaint.errors import ProcessError
from overpaint.folders import kernel_dir, looks_dir
from overpaint.ledger import Ledger, ledger_url
from overpaint.ledger.keys import LOCAL_KEY_NAME
from overpaint.private_names import check_names, check_versions
from overpaint.processes.children import command, set_priority
from overpaint.processes.load_tuning import loading
from overpaint.processes.roles import Role
from overpaint.processes.supervision.heartbeat import EventLoopPulse
from overpaint.settings import load_settings
from overpaint.transforms.pool import WorkerPool
from overpaint.web.hosts import is_loopback
from overpaint.web.listening_port import open_listener

log = logging.getLogger(__name__)

ROLE = "core"
WORKERS = "workers"
"""Folder in the data folder: the workspaces of transform workers."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The time that an embedded core waits for a lease.

    Attributes:
        after_last_s: Seconds after the end of the last lease.
        for_first_s: Seconds after its start.
    """

    after_last_s: float = 10.0
    for_first_s: float = 60.0


def run_core(
    data_dir: Path,
    config: ServiceConfig | None = None,
    *,
    embedded: bool,
    engine: Engine | None = None,
    started: Callable[[str], None] | None = None,
    patience: Patience | None = None,
    former_ends_s: float = 0.0,
) -> None:
    """Runs the service of a data folder until a signal, or, embedded, until its last lease has ended.

    Args:
        data_dir: Holds ledger, lock and note.
        config: Its configuration; the defaults when left out.
        embedded: Whether it ends by itself some seconds after its last lease.
        engine: Its engine; the CPU engine of this machine when left out.
        started: Called with the service's address once it answers.
        patience: Waiting times of an embedded core.
        former_ends_s: Time in which another core may end.

    Raises:
        ProcessError: Another core has the data folder (``already_running``), the port is taken
        (``port_in_use``), it may not listen there, or a library has an untested version
        (``start_failed``).
    """
    check_versions()
    check_names("uvicorn", "h11")
    config = config or ServiceConfig()
    role = Role(data_dir, ROLE)
    role.take(former_ends_s)
    warming: threading.Thread | None = None
    try:
        ledger = Ledger(config.database or ledger_url(data_dir))
        try:
            ports = _open_ports(ledger, config)
            set_priority("lowered" if load_settings(data_dir).low_priority else "raised")
            if engine is None:
                engine = cpu_engine()
                warming = warm_beside(engine)
            hosting = LocalEngineHost(engine, config.streams)
            pool = WorkerPool((data_dir / WORKERS).absolute(), config.video_workers)
            service = Service(ledger, hosting, config=config, data_dir=data_dir, transformer=pool)
            _serve(role, service, ports, embedded, started, patience or Patience())
        finally:
            ledger.close()
    finally:
        role.leave()
        if warming is not None:
            warming.join()


@dataclass(frozen=True, slots=True)
class _Ports:
    """The listening ports of a core.

    Attributes:
        plain: Plain HTTP; with TLS only for this machine's desktop, on loopback.
        secured: The public port, where it uses TLS.
    """

    plain: socket.socket
    secured: SecureListener | None

    @property
    def url(self) -> str:
        """Address of the public port, for a process of this host."""
        if self.secured is None:
            return _local_url(self.plain)
        return _local_url(self.secured.listener).replace("http", "https", 1)


def _serve(
    role: Role,
    service: Service,
    ports: _Ports,
    embedded: bool,
    started: Callable[[str], None] | None,
    patience: Patience,
) -> None:
    grant = Grant(url=_local_url(ports.plain), key=service.ledger.mint_local_key().key)
    leases: Leases | None = None

    def begun(server: Server) -> None:
        nonlocal leases
        idle_s = patience.after_last_s if embedded else None
        pulse = EventLoopPulse(asyncio.get_running_loop())
        leases = Leases(grant, idle_s, patience.for_first_s, server.end, pulse)
        service.ledger.watch(leases.books_changed)
        role.announce(leases.address, leases.secret)
        log.info("listening on %s", ports.url)
        if started is not None:
            started(ports.url)

    try:
        serve(service, ports.plain, begun, ports.secured)
    finally:
        if leases is not None:
            leases.close()


def _open_ports(ledger: Ledger, config: ServiceConfig) -> _Ports:
    if config.tls_certificate is None or config.tls_key is None:
        return _Ports(_listener(ledger, config.host, config.port), None)
    context = tls_context(config.tls_certificate, config.tls_key)
    public = _listener(ledger, config.host, config.port)
    return _Ports(open_listener("127.0.0.1", 0), SecureListener(public, context))


def _listener(ledger: Ledger, host: str, port: int) -> socket.socket:
    """Opens the port; refuses one that other hosts can reach while no key exists for them."""
    listener = open_listener(host, port)
    address = str(listener.getsockname()[0])
    keys = [key for key in ledger.list_keys() if key.revoked_at is None and key.name != LOCAL_KEY_NAME]
    if not keys and not is_loopback(address):
        listener.close()
        raise ProcessError("key_missing_for_address", host=host)
    return listener


def _local_url(listener: socket.socket) -> str:
    """Returns the service's address for a process of this host."""
    address, port = listener.getsockname()[:2]
    if address in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        address = "127.0.0.1" if address == "0.0.0.0" else "::1"  # noqa: S104
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def cpu_engine() -> Engine:
    """Makes the engine of this machine, with its compiled kernels in the user's cache."""
    from overpaint.engine.cpu import CpuEngine

    return CpuEngine(threads=os.cpu_count() or 1, cache_dir=kernel_dir(), looks_dir=looks_dir())


def load_all() -> None:
    """Loads a core's modules, and the first kernels where they are compiled; keeps nothing else.

    With one thread, as for a clip: so it leaves no thread that would keep this one's low priority
    (``load_quietly``).
    """
    from overpaint.engine.cpu import SMALLEST, CpuEngine, is_warm

    if is_warm(kernel_dir()):
        CpuEngine(1, cache_dir=kernel_dir()).compile(LookRequest(), SMALLEST, SMALLEST, "clip")


def warm_kernels(wait: bool) -> None:
    """Compiles the engine's kernels, in this process and at low priority, one process at a time.

    Args:
        wait: Whether to wait for another process that does so already. A core that is killed and restarted
        must not leave one more compiler behind each time.
    """
    from overpaint.engine.cpu import is_warm

    set_priority("lowered")
    folder = kernel_dir()
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(Timeout), FileLock(str(folder / "warm.lock"), blocking=wait):
        if not is_warm(folder):
            cpu_engine().warm()


def warm_beside(engine: Engine) -> threading.Thread | None:
    """Loads or compiles the engine's kernels without disturbing a stream.

    Where they are compiled, the first ones are loaded before the first stream, which takes as long as
    loading all the others. Else they are compiled in a separate process of lower priority: compiling is pure
    Python, and would hold the lock that the streams of this process need (measured: 171 frames lost in the
    first six seconds).

    Args:
        engine: This process's engine.

    Returns:
        The loading thread, to be joined at the end: a thread that is inside a library when the interpreter
        ends crashes the process.
    """
    from overpaint.engine.cpu import SMALLEST, is_warm

    if is_warm(kernel_dir()):

        def load() -> None:
            with loading():
                engine.compile(LookRequest(), SMALLEST, SMALLEST)

        thread = threading.Thread(target=load, name="load", daemon=True)
        thread.start()
        return thread
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    child = subprocess.Popen(
        command("warm", "--beside"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=flags,
    )
    threading.Thread(target=child.wait, name="warm", daemon=True).start()
    return None
