"""A real PostgreSQL server for the tests, from the system's own package, in a folder of its own.

The server refuses to run as root; then it runs as the package's user ``postgres``.
"""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from helpers.categories import process_allowed


class PostgresServer:
    """One running server; each test takes a database of its own from it.

    Args:
        programs: Folder of ``initdb`` and ``pg_ctl``.
        folder: Empty; gets data, socket and log.
    """

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._data = folder / "data"
        self._numbers = itertools.count(1)
        # Only what a user of the server must enter; the server's files need no way for others.
        folder.chmod(0o755)
        self._as_user: dict[str, Any] = {"cwd": folder}
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self._as_user |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        options = f"-p {self.port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        self._run("initdb", "-U", "overpaint", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync")
        # Without fsync: the machine does not lose its power in a test, programs alone are killed.
        self._run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", f"{options} -c fsync=off", "start")

    def new_database(self) -> str:
        """Makes an empty database; its URL."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._address(name)

    def close(self) -> None:
        """Stops the server, whoever is still connected."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def _address(self, name: str) -> str:
        return f"postgresql://overpaint@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [self._programs / program, "-D", self._data, *arguments]
        # Into a file and not a pipe: the server inherits it, and a pipe would never end.
        with tempfile.TemporaryFile() as output:
            outcome = subprocess.run(command, stdout=output, stderr=output, **self._as_user)
            output.seek(0)
            assert outcome.returncode == 0, f"{program}: {output.read().decode()}"


def _programs() -> Path | None:
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name))
    if packaged:
        return packaged[-1]
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the whole run; on Linux it is not left out, whatever is installed."""
    if sys.platform != "linux":
        pytest.skip("the PostgreSQL server is tested on Linux")
    programs = _programs()
    if programs is None:
        pytest.fail("PostgreSQL is not installed; install it with: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="overpaint-pg-", dir="/tmp"))
    try:
        with process_allowed():  # a hermetic test may use it, too: it is the run's
            server = PostgresServer(programs, folder)
        yield server
        with process_allowed():
            server.close()
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """The URL of an empty database, as a user would write it."""
    return postgres_server.new_database()
