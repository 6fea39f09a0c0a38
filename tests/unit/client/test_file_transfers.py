"""Files go up in pieces and come down whole or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from overpaint.client import Retries, ServiceClient
from overpaint.errors import SinkError, SourceError, UnreachableError, UpstreamError

OUTPUT = "http://service.test/v1/files/fil_2?signature=s"
FILE = {
    "id": "fil_1",
    "object": "file",
    "url": "http://service.test/v1/files/fil_1?signature=s",
    "bytes": 3,
    "content_type": "image/png",
    "expires_at": "2026-01-01T00:00:00Z",
}
JOB = {
    "id": "tfm_1",
    "object": "transform.job",
    "model": "service-image-v1",
    "kind": "image",
    "status": "succeeded",
    "output_url": OUTPUT,
    "credits_charged": 2,
    "credits_remaining": 8,
}


class Body(httpx.AsyncByteStream):
    """Pieces, and then the end, a broken line, or nothing for ever."""

    def __init__(self, *pieces: bytes, end: str = "whole") -> None:
        self.pieces = pieces
        self.end = end

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.end == "broken":
            raise httpx.ReadError("the line broke")
        if self.end == "stuck":
            await asyncio.Event().wait()


class Service(httpx.AsyncBaseTransport):
    """A scripted service; ``downloads`` are the bodies that it answers, one after the other."""

    def __init__(self, *downloads: Body, job: dict[str, object] = JOB, lost_uploads: int = 0) -> None:
        self.downloads = list(downloads)
        self.job = job
        self.lost_uploads = lost_uploads
        self.bodies: list[bytes] = []
        self.download_headers: list[httpx.Headers] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.AsyncByteStream)
        self.bodies.append(b"".join([piece async for piece in request.stream]))
        if request.url.path == "/v1/files":
            if self.lost_uploads:
                self.lost_uploads -= 1
                raise httpx.WriteError("the line broke")
            assert int(request.headers["content-length"]) == len(self.bodies[-1])
            return httpx.Response(200, json=FILE)
        if request.url.path == "/v1/transforms":
            return httpx.Response(200, json=self.job)
        if request.url.path == "/v1/transforms/tfm_1":
            return httpx.Response(200, json=self.job, headers={"X-Failure": "The engine failed."})
        self.download_headers.append(request.headers)
        return httpx.Response(
            200, headers={"Content-Type": "image/png", "Content-Length": "6"}, stream=self.downloads.pop(0)
        )

    def client(self) -> ServiceClient:
        return ServiceClient("http://service.test", "ovp_live_x", self, Retries(attempts=3, first_s=0.002))


async def test_an_upload_tells_how_far_it_is_and_begins_anew_when_the_line_breaks(tmp_path: Path) -> None:
    source = tmp_path / "a secret name.png"
    source.write_bytes(bytes(range(256)) * 1024)
    parts: list[float] = []
    service = Service(lost_uploads=1)
    async with service.client() as client:
        file = await client.upload(source, parts.append)
    assert file.id == "fil_1" and len(service.bodies) == 2
    assert all(source.read_bytes() in body and b"secret" not in body for body in service.bodies)
    assert 0 < min(parts) < 0.5 and parts.count(1.0) >= 2 and max(parts) == 1.0


@pytest.mark.parametrize(
    ("name", "kind"), [("nothing.png", "missing"), ("folder", "unreadable"), ("empty", "unreadable")]
)
async def test_a_file_that_cannot_go_up_is_named(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    async with Service().client() as client:
        with pytest.raises(SourceError, match=name) as failure:
            await client.upload(tmp_path / name)
    assert failure.value.kind == kind and failure.value.mend


async def test_a_clip_over_a_gigabyte_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    large = tmp_path / "large.mp4"
    with large.open("wb") as file:
        file.truncate(1024**3 + 1)
    service = Service()
    async with service.client() as client:
        with pytest.raises(SourceError, match="larger than 1 GB"):
            await client.upload(large)
    assert not service.bodies


async def test_a_download_that_breaks_is_made_anew_and_shows_the_key_to_nobody(tmp_path: Path) -> None:
    service = Service(Body(b"abc", end="broken"), Body(b"abc", b"def"))
    parts: list[float] = []
    async with service.client() as client:
        saved = await client.download(OUTPUT, tmp_path / "out.png", parts.append)
    assert saved.read_bytes() == b"abcdef" and list(tmp_path.glob(".*.part")) == []
    assert parts[-1] == 1.0
    assert all("authorization" not in headers for headers in service.download_headers)


async def test_a_download_that_is_given_up_leaves_the_former_file(tmp_path: Path) -> None:
    (tmp_path / "out.png").write_bytes(b"former")
    service = Service(*[Body(b"abc", end="broken") for _ in range(3)])
    async with service.client() as client:
        with pytest.raises(UnreachableError):
            await client.download(OUTPUT, tmp_path / "out.png")
        service.downloads.append(Body(b"abc", end="stuck"))
        task = asyncio.create_task(client.download(OUTPUT, tmp_path / "out.png"))
        await asyncio.wait([task], timeout=0.2)
        assert list(tmp_path.glob(".*.part"))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (tmp_path / "out.png").read_bytes() == b"former"
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["out.png"]


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    async with Service(Body(b"abcdef")).client() as client:
        with pytest.raises(SinkError, match="no folder") as failure:
            await client.download(OUTPUT, tmp_path / "nowhere" / "out.png")
    assert failure.value.kind == "missing"


async def test_the_whole_journey(tmp_path: Path) -> None:
    source = tmp_path / "cat.png"
    source.write_bytes(b"png")
    stages: list[str] = []
    service = Service(Body(b"abcdef"))
    async with service.client() as client:
        done = await client.restyle(
            source,
            "ink",
            lambda kind: tmp_path / f"named by {kind[-3:]}",
            lambda stage, part: stages.append(stage),
        )
    assert done.path == tmp_path / "named by png" and done.path.read_bytes() == b"abcdef"
    assert done.job.credits_charged == 2
    assert json.loads(service.bodies[1]) == {
        "model": "service-image-v1",
        "prompt": "ink",
        "input_url": FILE["url"],
    }
    assert list(dict.fromkeys(stages)) == ["uploading", "restyling", "saving"]


async def test_a_job_that_failed_says_why(tmp_path: Path) -> None:
    source = tmp_path / "cat.png"
    source.write_bytes(b"png")
    failed = JOB | {"status": "failed", "output_url": None}
    async with Service(job=failed).client() as client:
        with pytest.raises(UpstreamError, match="The engine failed") as failure:
            await client.restyle(source, "ink", tmp_path / "out.png")
    assert failure.value.mend == "Try again, or try another file." and not (tmp_path / "out.png").exists()
