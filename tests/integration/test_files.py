"""Uploads and outputs: who may read them, until when, and what is refused, over real HTTP."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from helpers.processes import until
from helpers.running_service import HastyClock, RunningService, running_service
from helpers.served import refused
from helpers.small_media import clip, picture
from overpaint.core.configuration import ServiceConfig
from overpaint.core.http import stored_files as files_module
from overpaint.core.http import uploads
from overpaint.errors import InvalidRequestError
from overpaint.ledger import Purse, UploadLimit

PNG = picture()
PURSE = Purse("shop", "live")


@pytest.fixture(scope="module")
def clock() -> HastyClock:
    return HastyClock()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, clock: HastyClock) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service"), clock) as running:
        yield running


@pytest.fixture(scope="module")
def key(service: RunningService) -> str:
    return service.key("shop")


@pytest.fixture
def http(service: RunningService, key: str) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=service.url, headers={"Authorization": f"Bearer {key}"}, trust_env=False, timeout=20
    ) as client:
        yield client


def upload(http: httpx.Client, data: bytes = PNG) -> dict[str, object]:
    answer = http.post("/v1/files", files={"file": ("a.png", data, "text/html")})
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


@pytest.mark.parametrize(
    ("data", "content_type"),
    [(PNG, "image/png"), (picture(form="JPEG"), "image/jpeg"), (clip(), "video/mp4")],
)  # fmt: skip
def test_a_picture_or_clip_is_kept_a_day_under_an_address_that_needs_no_key(
    http: httpx.Client, service: RunningService, data: bytes, content_type: str
) -> None:
    file = upload(http, data)
    assert file.keys() == {"id", "object", "url", "bytes", "content_type", "expires_at"}
    assert re.fullmatch(r"fil_[0-9a-f]{32}", str(file["id"])) and file["object"] == "file"
    assert (file["bytes"], file["content_type"]) == (len(data), content_type)
    left = datetime.fromisoformat(str(file["expires_at"])) - service.service.clock.now()
    assert timedelta(hours=23, minutes=59) < left <= timedelta(hours=24)
    read = httpx.get(str(file["url"]), trust_env=False)
    assert read.status_code == 200 and read.content == data
    assert read.headers["content-type"] == content_type
    assert read.headers["x-content-type-options"] == "nosniff"
    assert read.headers["content-security-policy"].startswith("sandbox")
    assert read.headers["accept-ranges"] == "bytes"


def test_a_range_of_it_is_read_and_a_senseless_one_ignored(http: httpx.Client) -> None:
    url = str(upload(http)["url"])
    for field, part in (("bytes=0-9", PNG[:10]), ("bytes=10-", PNG[10:]), ("bytes=-5", PNG[-5:])):
        answer = http.get(url, headers={"Range": field})
        assert answer.status_code == 206 and answer.content == part
        assert re.fullmatch(rf"bytes \d+-\d+/{len(PNG)}", answer.headers["content-range"])
    for field in (
        "bytes=9-1",
        f"bytes={len(PNG)}-",
        "bytes=a-b",
        "bytes=0-1,3-4",
        "lines=1-2",
        "bytes=-0",
        "",
    ):
        answer = http.get(url, headers={"Range": field})
        assert answer.status_code == 200 and answer.content == PNG


def test_an_address_that_was_altered_reads_nothing(http: httpx.Client) -> None:
    file, other = upload(http), upload(http)
    url = str(file["url"])
    path, _, query = url.partition("?")
    expires = re.findall(r"expires=(\d+)", query)[0]
    signature = query.rpartition("signature=")[2]
    for altered in (
        path,
        f"{path}?{query[:-1]}",
        f"{path}?expires={int(expires) + 1}&signature={signature}",
        f"{path}?expires={expires}&signature=",
        f"{path}?expires={expires}&signature=%C3%BC",
        f"{path}?expires=&signature={signature}",
        f"{path}?expires=%00{expires}&signature={signature}",
        f"{path}?expires={'9' * 5000}&signature={signature}",
        url.replace(str(file["id"]), str(other["id"])),
        url.replace(str(file["id"]), "..%2F..%2Fledger.sqlite"),
        url.replace(str(file["id"]), "fil_" + "0" * 32),
    ):
        refused(http.get(altered), 404, "not_found")


def test_an_upload_needs_a_key_before_anything_else(service: RunningService) -> None:
    for headers in ({}, {"Authorization": "Bearer ovp_live_unknown"}):
        answer = httpx.post(f"{service.url}/v1/files", content=b"junk", headers=headers, trust_env=False)
        refused(answer, 401, "authentication_error")


def multipart(*parts: bytes, end: bytes = b"--b--\r\n") -> bytes:
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + end


FILE_PART = b'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + PNG
OTHER_PART = b'Content-Disposition: form-data; name="other"\r\n\r\nx'


@pytest.mark.parametrize(
    "body",
    [
        b"", b"junk", multipart(), multipart(OTHER_PART), multipart(FILE_PART, OTHER_PART),
        multipart(OTHER_PART, FILE_PART), multipart(FILE_PART, FILE_PART), multipart(FILE_PART, end=b""),
        multipart(b'Content-Disposition: form-data; name="file"\r\n\r\n'), multipart(b"\r\n" + PNG),
        multipart(b"X: " + b"y" * 100_000 + b"\r\n" + FILE_PART),
        multipart(b"".join(b"X%d: y\r\n" % number for number in range(1000)) + FILE_PART),
    ],
)  # fmt: skip
def test_a_body_without_exactly_the_one_part_is_refused(
    http: httpx.Client, service: RunningService, body: bytes
) -> None:
    answer = http.post("/v1/files", content=body, headers={"Content-Type": "multipart/form-data; boundary=b"})
    refused(answer, 400, "invalid_request_error")
    assert not list((service.service.data_dir / "files" / "incoming").iterdir())


@pytest.mark.parametrize(
    ("content_type", "status"),
    [("application/json", 415), ("", 415), ("multipart/mixed; boundary=b", 415),
     ("multipart/form-data", 400), ("multipart/form-data; boundary=" + "b" * 1000, 400)],
)  # fmt: skip
def test_another_media_type_is_refused(http: httpx.Client, content_type: str, status: int) -> None:
    answer = http.post("/v1/files", content=multipart(FILE_PART), headers={"Content-Type": content_type})
    refused(answer, status, "invalid_request_error")


@pytest.mark.parametrize(
    "data",
    [b"hello", b"<html><script>alert(1)</script>", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd", b"%PDF-1.7",
     b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"ffconcat version 1.0\nfile /etc/passwd", b"PK\x03\x04"],
)  # fmt: skip
def test_only_pictures_and_clips_are_kept_by_their_content(http: httpx.Client, data: bytes) -> None:
    answer = http.post("/v1/files", files={"file": ("a.png", data, "image/png")})
    assert refused(answer, 400, "invalid_request_error").startswith("file: ")


def test_too_large_a_file_is_refused_as_it_arrives(
    http: httpx.Client, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "UPLOAD_MAX_BYTES", 1 << 20)
    large = PNG + bytes(2 << 20)
    answer = http.post("/v1/files", files={"file": ("a", large)})
    assert "larger than 1 MB" in refused(answer, 413, "invalid_request_error")

    def unsaid() -> Iterator[bytes]:  # chunked: no Content-Length that could tell
        yield multipart(FILE_PART + bytes(2 << 20))

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    refused(http.post("/v1/files", content=unsaid(), headers=headers), 413, "invalid_request_error")
    assert not list((service.service.data_dir / "files" / "incoming").iterdir())


def begun(service: RunningService, key: str, body_bytes: int = 100_000) -> socket.socket:
    """A connection on which the head of an upload was sent."""
    place = urlsplit(service.url)
    caller = socket.create_connection((place.hostname, place.port), timeout=20)
    head = (
        f"POST /v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {body_bytes}\r\n\r\n"
    )
    caller.sendall(head.encode())
    return caller


def test_a_caller_that_leaves_in_the_middle_leaves_nothing(
    http: httpx.Client, service: RunningService, key: str
) -> None:
    incoming = service.service.data_dir / "files" / "incoming"
    with begun(service, key) as caller:
        caller.sendall(multipart(FILE_PART, end=b""))
        until(lambda: len(list(incoming.iterdir())) == 1)
    until(lambda: not list(incoming.iterdir()))
    upload(http)


def test_an_upload_that_dribbles_is_400_and_closed_and_a_steady_one_kept(
    service: RunningService, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "PACE_BYTES", 1000)
    monkeypatch.setattr(uploads, "PACE_SECONDS", 0.4)
    body = multipart(FILE_PART + bytes(7000))
    with begun(service, key, len(body)) as steady:
        for at in range(0, len(body), 1500):
            steady.sendall(body[at : at + 1500])
            time.sleep(0.15)
        assert steady.recv(65536).startswith(b"HTTP/1.1 200")
    with begun(service, key) as slow:
        slow.sendall(body[:900])
        answer = b"".join(iter(lambda: slow.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400") and b"too slowly" in answer and b"connection: close" in answer
    assert not list((service.service.data_dir / "files" / "incoming").iterdir())


def test_uploads_under_way_are_bounded_by_account(
    http: httpx.Client, service: RunningService, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_module, "UPLOADS_AT_ONCE", 2)
    incoming = service.service.data_dir / "files" / "incoming"
    held = [begun(service, key) for _ in range(2)]
    try:
        until(lambda: len(list(incoming.iterdir())) == 2)
        answer = http.post("/v1/files", files={"file": PNG})
        assert "under way" in refused(answer, 429, "rate_limited") and answer.headers["retry-after"] == "1"
        other = {"Authorization": f"Bearer {service.key('other shop')}"}
        assert http.post("/v1/files", files={"file": PNG}, headers=other).status_code == 200
    finally:
        for caller in held:
            caller.close()
    until(lambda: not list(incoming.iterdir()))
    upload(http)


def test_an_account_has_a_bound_on_what_it_has_uploaded(tmp_path: Path) -> None:
    clock = HastyClock()
    config = ServiceConfig(upload_files=2, upload_gigabytes=1)
    with running_service(tmp_path, clock, config) as service:
        headers = {"Authorization": f"Bearer {service.key()}"}
        with httpx.Client(base_url=service.url, headers=headers, trust_env=False) as http:
            kept = [upload(http) for _ in range(2)]
            answer = http.post("/v1/files", files={"file": PNG})
            assert "2 files, 1024 MB" in refused(answer, 429, "rate_limited")
            assert 86_390 < int(answer.headers["retry-after"]) <= 86_400
            folder = service.service.data_dir / "files"
            assert {path.name for path in folder.glob("fil_*")} == {file["id"] for file in kept}
            clock._epoch += timedelta(days=1)
            upload(http)


def test_the_services_own_addresses_are_known_and_forged_ones_refused(
    http: httpx.Client, service: RunningService
) -> None:
    files = service.service.files
    url = str(upload(http)["url"])
    own = files.own(url, service.url)
    assert own is not None and files.path(own).read_bytes() == PNG and own.purse == PURSE
    assert files.own("https://elsewhere.example/a.png", service.url) is None
    assert files.own(url, "https://elsewhere.example") is None
    assert files.own(f"{service.url}/v1/account", service.url) is None
    for forged in (url[:-1], url.partition("?")[0], url.replace("signature=", "signature=A")):
        with pytest.raises(InvalidRequestError):
            files.own(forged, service.url)


def test_addresses_end_to_the_second_and_their_files_are_swept(tmp_path: Path) -> None:
    clock = HastyClock()
    with running_service(tmp_path, clock) as service:
        headers = {"Authorization": f"Bearer {service.key()}"}
        with httpx.Client(base_url=service.url, headers=headers, trust_env=False) as http:
            file = upload(http)
            files, folder = service.service.files, service.service.data_dir / "files"
            stray, fresh = folder / ("fil_" + "1" * 32), folder / "incoming" / "fil_2"
            stray.write_bytes(b"left by a crash")
            os.utime(stray, (0, 0))
            fresh.write_bytes(b"still arriving")
            expires = datetime.fromisoformat(str(file["expires_at"]))
            clock._epoch += expires - clock.now() - timedelta(seconds=2)
            assert http.get(str(file["url"])).status_code == 200
            assert files.sweep() == 1 and not stray.exists()
            clock._epoch += timedelta(seconds=2)
            refused(http.get(str(file["url"])), 404, "not_found")
            assert files.sweep() == 1
            assert list(folder.glob("fil_*")) == [] and fresh.exists()
            assert service.ledger.file(str(file["id"])) is None


def test_an_output_is_adopted_for_days_and_outlives_the_process(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with running_service(tmp_path) as service:
        made.write_bytes(PNG)
        output = service.service.files.adopt(made, PURSE, "image/png", 7)
        service.ledger.add_upload(output, UploadLimit(1, 1 << 20), datetime.now(UTC))
        assert not made.exists() and output.size == len(PNG)
        assert output.expires_at - datetime.now(UTC) > timedelta(days=6, hours=23)
        url = service.service.files.url(output, "")
    with running_service(tmp_path) as service:
        answer = httpx.get(service.url + url, trust_env=False)
        assert answer.status_code == 200 and answer.content == PNG
