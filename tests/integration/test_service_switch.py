"""Another service is taken once it has answered, and its key goes into the keyring."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.keyrings import Ring, ring
from helpers.running_service import RunningService, running_service
from overpaint.errors import UsageError
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.backend.remote_service import RemoteAccess
from overpaint.session.backend.service_selection import ServiceSwitch
from overpaint.wire.servers import Server, UseServer

__all__ = ["ring"]  # a fixture


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunningService]:
    (tmp_path / "service").mkdir()
    with running_service(tmp_path / "service") as running:
        yield running


class Told:
    def __init__(self, folder: Path) -> None:
        self.news: list[Server] = []
        self.taken: list[str] = []
        self.busy: UsageError | None = None
        self.switch = ServiceSwitch(
            "",
            lambda: CoreLease(folder, lambda: None, lambda: None),
            lambda: self.busy,
            self.take,
            self.news.append,
        )

    async def take(self, address: str, fall_back: bool) -> None:
        self.taken.append(address)


async def test_a_service_that_answers_is_taken_and_its_key_kept(
    ring: Ring, service: RunningService, tmp_path: Path
) -> None:
    told = Told(tmp_path)
    key = service.key("desk")
    await told.switch.use(UseServer(address=f"{service.url}/v1/", key=key))
    assert [news.testing for news in told.news] == [True, False]
    assert told.news[-1] == Server(address=service.url, wish=1)
    assert told.taken == [service.url] and ring.kept == {service.url: key}
    endpoint = await told.switch.endpoint()
    assert (endpoint.url, endpoint.key, endpoint.server) == (service.url, key, service.url)
    await told.switch.use(UseServer(address=service.url))
    assert told.news[-1].trouble is None, "the kept key is used"


async def test_a_service_that_refuses_changes_nothing(
    ring: Ring, service: RunningService, tmp_path: Path
) -> None:
    told = Told(tmp_path)
    for address, key, kind in (
        (service.url, "ovp_live_wrong", "authentication_error"),
        (service.url, "", "no_key"),
        ("http://127.0.0.1:9", "ovp_live_any", "unreachable"),
        ("ftp://nowhere", "ovp_live_any", "usage"),
    ):
        await told.switch.use(UseServer(address=address, key=key))
        trouble = told.news[-1].trouble
        assert trouble is not None and trouble.kind == kind and trouble.mend
        assert told.news[-1].address == ""
    told.busy = UsageError("service_change_while_live")
    await told.switch.use(UseServer(address=service.url, key=service.key("desk")))
    assert told.news[-1].trouble is not None and told.news[-1].wish == 5
    assert told.taken == [] and ring.kept == {}


async def test_without_a_keyring_the_key_is_known_until_the_end_and_that_is_said(
    ring: Ring, service: RunningService, tmp_path: Path
) -> None:
    ring.locked = True
    told = Told(tmp_path)
    key = service.key("desk")
    await told.switch.use(UseServer(address=service.url, key=key))
    assert told.news[-1].key_forgotten and told.news[-1].address == service.url
    assert (await told.switch.endpoint()).key == key
    await told.switch.use(UseServer(address=""))
    assert told.news[-1] == Server(address="", wish=2)


async def test_a_way_that_is_not_encrypted_is_taken_only_when_the_user_agrees(
    ring: Ring, service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, key = Told(tmp_path), service.key("desk")
    elsewhere = service.url.replace("127.0.0.1", "gpu-box.example")
    resolve = socket.getaddrinfo

    def found(host: str, *more: Any, **options: Any) -> Any:
        return resolve(
            "127.0.0.1" if host in ("gpu-box.example", b"gpu-box.example") else host, *more, **options
        )

    monkeypatch.setattr(socket, "getaddrinfo", found)
    seen = len(service.service.metrics.page())
    await told.switch.use(UseServer(address=elsewhere, key=key))
    trouble = told.news[-1].trouble
    assert trouble is not None and trouble.kind == "not_encrypted" and "API key" in trouble.sentence
    assert ring.kept == {} and told.taken == [] and len(service.service.metrics.page()) == seen
    # Restored from a former version, which did not ask.
    with pytest.raises(UsageError, match="not encrypted"):
        await RemoteAccess(elsewhere, key).endpoint()
    assert (await RemoteAccess(elsewhere, key, allow_http=True).endpoint()).url == elsewhere
    assert (await RemoteAccess(service.url, key).endpoint()).url == service.url, "loopback is no way"
