"""The core as a process: found, shared, ended with its last user, and straight after kill -9."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from helpers import core_process
from helpers.processes import end_all, overpaint, start, until
from overpaint.ledger import Ledger, ledger_url
from overpaint.processes import roles
from overpaint.processes.channel import Channel

ORDER = {"model": "service-realtime-720p"}


@pytest.fixture(autouse=True)
def nothing_left_running(data_folder: Path) -> Iterator[None]:
    yield
    end_all(data_folder)


class Core:
    """A core process with the scripted engine."""

    def __init__(self, folder: Path, after_last_s: float = 60, for_first_s: float = 60) -> None:
        self._folder = folder
        self.log = folder.parent / "core.log"
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, core_process.__file__, str(folder), str(after_last_s), str(for_first_s)],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        with self.process.stdout as output:
            self.url = output.readline().strip()
        assert self.url, self.log.read_text()

    def lease(self) -> tuple[Channel, dict[str, str]]:
        channel = roles.call(self._folder, "core")
        assert channel is not None
        message = channel.receive(timeout=5)
        assert message is not None
        granted: dict[str, str] = json.loads(message)
        return channel, granted

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)


def account(url: str, key: str) -> httpx.Response:
    return httpx.get(f"{url}/v1/account", headers={"Authorization": f"Bearer {key}"}, trust_env=False)


def test_a_lease_tells_address_and_key_and_the_core_ends_after_the_last(data_folder: Path) -> None:
    core = Core(data_folder, after_last_s=0.4)
    first, granted = core.lease()
    second, again = core.lease()
    assert granted == again and granted.keys() == {"url", "key"} and granted["url"] == core.url
    body = account(granted["url"], granted["key"]).json()
    assert body["credits_remaining"] == 2500
    assert body["key"]["name"] == "This computer" and body["key"]["environment"] == "live"
    first.close()
    with pytest.raises(subprocess.TimeoutExpired):
        core.process.wait(1.0)
    second.close()
    assert core.process.wait(10) == 0
    assert roles.read_note(data_folder, "core") is None
    for file in (*(each for each in data_folder.rglob("*") if each.is_file()), core.log):
        assert granted["key"].encode() not in file.read_bytes()


@pytest.mark.full
def test_a_core_that_nobody_ever_used_ends(data_folder: Path) -> None:
    assert Core(data_folder, for_first_s=0.3).process.wait(10) == 0


@pytest.mark.full
def test_each_start_has_a_key_of_its_own_and_the_same_account(data_folder: Path) -> None:
    core = Core(data_folder)
    channel, first = core.lease()
    headers = {"Authorization": f"Bearer {first['key']}"}
    assert httpx.post(f"{core.url}/v1/realtime/sessions", json=ORDER, headers=headers).status_code == 201
    core.kill()
    channel.close()
    core = Core(data_folder)
    channel, second = core.lease()
    assert account(core.url, first["key"]).status_code == 401
    assert account(core.url, second["key"]).json()["credits_remaining"] == 2475
    core.kill()
    channel.close()


@pytest.mark.full
def test_books_balance_after_kill_9_in_the_middle_of_fifty_orders(data_folder: Path) -> None:
    with_credits = Ledger(ledger_url(data_folder))
    key = with_credits.create_key("shop", "live", credits=100_000).key
    with_credits.close()
    core = Core(data_folder)
    answered: list[str] = []
    enough = threading.Event()

    def order(_: int) -> None:
        try:
            answer = httpx.post(
                f"{core.url}/v1/realtime/sessions", json=ORDER, headers={"Authorization": f"Bearer {key}"}
            )
        except httpx.TransportError:
            return
        answered.append(answer.json()["id"])
        if len(answered) >= 15:
            enough.set()

    with ThreadPoolExecutor(8) as pool:
        orders = [pool.submit(order, number) for number in range(50)]
        assert enough.wait(20)
        core.kill()
        for each in orders:
            each.result()
    with sqlite3.connect(data_folder / "ledger.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        sold = {
            row[0] for row in database.execute("SELECT reference FROM entries WHERE reference LIKE 'rts%'")
        }
        assert database.execute("SELECT SUM(amount) FROM postings").fetchone() == (0,)
        (left,) = database.execute(
            "SELECT SUM(amount) FROM postings WHERE account = 'credits:shop:live'"
        ).fetchone()
    database.close()
    assert set(answered) <= sold  # nothing was handed out unpaid
    assert left == 100_000 - 25 * len(sold)
    core = Core(data_folder)
    assert account(core.url, key).json()["credits_remaining"] == left
    core.kill()


def test_serve_is_used_by_the_desktop_and_ends_gracefully_on_a_signal(
    data_folder: Path, tmp_path: Path
) -> None:
    made = overpaint("keys", "create", "--name", "shop", "--environment", "live", "--credits", "60", "--json")
    key = json.loads(made.stdout)["key"]
    log = tmp_path / "serve.log"
    server = start("serve", "--port", "0", log=log)
    until(lambda: roles.read_note(data_folder, "core"), what="the note")
    channel = roles.call(data_folder, "core")
    assert channel is not None
    granted = json.loads(channel.receive(5) or b"")
    channel.close()  # a core of `serve` does not mind
    assert account(granted["url"], key).json()["credits_remaining"] == 60
    second = overpaint("serve", "--port", "0")
    assert second.returncode == 1 and "already running" in second.stderr and second.stdout == ""
    session = httpx.post(
        f"{granted['url']}/v1/realtime/sessions", json=ORDER, headers={"Authorization": f"Bearer {key}"}
    ).json()
    with connect(session["websocket_url"], proxy=None) as client:
        client.send(json.dumps({"type": "prompt", "prompt": "ink"}))
        assert json.loads(client.recv(20))["type"] == "prompt_ack"
        server.terminate()
        ended = json.loads(client.recv(10))
        assert (ended["type"], ended["reason"]) == ("generation_ended", "session_closed")
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(10)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4003
    assert server.wait(10) == 0
    told = log.read_text()
    assert granted["url"] in told
    for secret in (key, granted["key"], session["client_secret"]["value"]):
        assert secret not in told


@pytest.mark.full
def test_a_port_that_is_taken_is_one_clear_sentence(data_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = overpaint("serve", "--port", str(port))
    assert result.returncode == 1 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"Port {port} on 127.0.0.1 is used by another program. Choose another")


@pytest.mark.full
def test_no_port_is_opened_to_others_before_there_is_a_key(data_folder: Path) -> None:
    result = overpaint("serve", "--host", "0.0.0.0", "--port", "0")
    assert result.returncode == 1
    assert "There is no key yet" in result.stderr and len(result.stderr.splitlines()) == 1
